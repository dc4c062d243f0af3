"""Results that are wrong, absent, or no arrays. Read by ../misbehaving_worker.py, whose names it uses."""

groups.append("outputs")


@mode("done_verify", "^failed: .*outputs", "names its outputs by an object")
def outputs_as_object(request, record):
    return record | dict(outputs={"plan": 1})


@mode("done_verify", r"^failed: .*answer to run \(verify\): /: the key .outputs. is missing; expected ", "names no outputs at all")
def outputs_absent(request, record):
    return {key: value for key, value in record.items() if key != "outputs"}


@mode("done_verify", "^failed: ", "names an empty list of outputs")
def outputs_empty(request, record):
    return record | dict(outputs=[])


@mode("done_verify", "^failed: .*w", "names an output that the family does not have")
def outputs_unknown(request, record):
    return record | dict(outputs=["plan", "u", "v", "w"])


@mode("done_verify", "^failed: .*(\\.\\./in/K|output)", "names paths as outputs")
def outputs_as_paths(request, record):
    return record | dict(outputs=["plan", "../in/K", "/etc/passwd", "../../secret"])


@mode("done_verify", "^(ok|failed: )", "names an output twice", check="any")
def outputs_twice(request, record):
    return record | dict(outputs=["plan", "plan", "u", "v"])


@mode("asked_verify", "^failed: .*untouched", "reports an output that it did not write")
def outputs_unwritten(request):
    send(type="record", case=request["case"], outputs=["plan", "u", "v"])
    return True


@mode("done_verify", "^failed: .*not finite", "writes NaN")
def outputs_nan(request, record):
    overwrite(out(request), lambda numbers: [float("nan")] * len(numbers))
    return record


@mode("done_verify", "^failed: .*plan", "writes numbers of another type")
def another_type(request, record):
    npy(out(request), "<f8", f"({request['point']['M']}, {request['point']['N']})", plan_of(request) * 2)
    return record


@mode("done_verify", "^failed: .*plan", "writes the plan transposed")
def another_shape(request, record):
    npy(out(request), "<f4", f"({request['point']['N']}, {request['point']['M']})", plan_of(request))
    return record


@mode("done_verify", "^failed: .*plan", "writes the plan as one line")
def flat_shape(request, record):
    npy(out(request), "<f4", f"({request['point']['M'] * request['point']['N']},)", plan_of(request))
    return record


@mode("done_verify", "^failed: .*plan.*Fortran", "writes in Fortran order")
def fortran_order(request, record):
    npy(out(request), "<f4", f"({request['point']['M']}, {request['point']['N']})", plan_of(request), "True")
    return record


@mode("done_verify", "^failed: .*plan", "writes big-endian numbers")
def big_endian(request, record):
    npy(out(request), ">f4", f"({request['point']['M']}, {request['point']['N']})", plan_of(request))
    return record


@mode("done_verify", "^failed: .*plan", "promises more numbers than there are")
def shape_endless(request, record):
    npy(out(request), "<f4", "(1000000000, 1000000000)", plan_of(request))
    return record


@mode("done_verify", "^failed: .*plan", "declares more bytes than a number can hold")
def shape_overflows(request, record):
    npy(out(request), "<f4", "(4294967296, 4294967296)", plan_of(request))
    return record


@mode("done_verify", "^failed: .*plan", "has a shape below 0")
def shape_negative(request, record):
    npy(out(request), "<f4", f"(-{request['point']['M']}, -{request['point']['N']})", plan_of(request))
    return record


@mode("done_verify", "^failed: .*plan", "cuts its output short")
def output_cut(request, record):
    os.truncate(out(request), 100)
    return record


@mode("done_verify", "^failed: .*plan", "empties its output")
def output_emptied(request, record):
    os.truncate(out(request), 0)
    return record


@mode("done_verify", "^(ok|failed: )", "writes more than its shape", check="any")
def output_longer(request, record):
    with open(out(request), "ab") as file:
        file.write(b"x" * 1000)
    return record


@mode("done_verify", "^failed: .*plan", "writes an invalid header")
def header_of_noise(request, record):
    data = contents(out(request))
    write(out(request), data[:8] + b"\xff\xff" + data[10:])
    return record


@mode("done_verify", "^failed: .*plan", "removes its output")
def output_removed(request, record):
    os.unlink(out(request))
    return record


@mode("done_verify", "^failed: .*plan", "leaves a FIFO as its output")
def output_fifo(request, record):
    os.unlink(out(request))
    os.mkfifo(out(request))
    return record


@mode("done_verify", "^failed: .*plan", "leaves a folder as its output")
def output_folder(request, record):
    os.unlink(out(request))
    os.mkdir(out(request))
    write(f"{out(request)}/x", b"x")
    return record


@mode("done_verify", "^failed: .*plan", "leaves a link to itself as its output")
def output_link_to_itself(request, record):
    os.unlink(out(request))
    os.symlink("plan.npy", out(request))
    return record


@mode("done_verify", "^failed: .*plan", "leaves a link to /dev/zero as its output")
def output_link_to_zero(request, record):
    os.unlink(out(request))
    os.symlink("/dev/zero", out(request))
    return record


@mode("done_verify", "^failed: .*plan", "leaves a link to a file of the user's as its output")
def output_link_to_victim(request, record):
    os.unlink(out(request))
    os.symlink(f"{victim}/thesis.txt", out(request))
    return record


@mode("done_verify", "^(ok|failed: )", "leaves a link to an array of the user's as its output", check="any")
def output_link_to_array(request, record):
    os.unlink(out(request))
    os.symlink(f"{victim}/array.npy", out(request))
    return record


@mode("done_verify", "^(ok|failed: )", "makes a file of the user's its output by a hard link", check="any")
def output_hard_link(request, record):
    os.unlink(out(request))
    os.link(f"{victim}/thesis.txt", out(request))
    return record


@mode("done_verify", "^(ok|failed: )", "makes its outputs' folder a link to one of the user's", check="any")
def outputs_folder_is_link(request, record):
    folder = request["arrays"]["out"]
    remove_folder(folder)
    os.symlink(victim, folder)
    return record


@mode("done_verify", "^(ok|failed: )", "leaves 20 MB of junk among its outputs", check="any")
def junk(request, record):
    write(f"{request['arrays']['out']}/junk", b"x" * (20 << 20))
    return record
