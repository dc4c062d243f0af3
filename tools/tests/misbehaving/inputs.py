"""The inputs, and other files that are not its own. Read by ../misbehaving_worker.py, whose names it uses."""

groups.append("inputs")


@mode("asked_verify", "^failed: .*input", "replaces the problem by another one, and solves that")
def inputs_spoiled_before(request):
    spoil(request, ("K", "a", "b"))


@mode("asked_verify", "^failed: .*input", "makes the problem trivial, and solves that")
def inputs_trivial(request):
    point = request["point"]
    for name, value in (("K", 1.0), ("a", float(point["N"])), ("b", float(point["M"]))):
        overwrite(f"{request['arrays']['in']}/{name}.npy", lambda numbers: [value] * len(numbers))
    for name in ("plan", "u", "v"):
        overwrite(out(request, name), lambda numbers: [1.0] * len(numbers))
    send(type="record", case=request["case"], outputs=["plan", "u", "v"])
    return True


@mode("done_verify", "^failed: .*input", "changes the inputs once it has solved the problem")
def inputs_spoiled_after(request, record):
    spoil(request)
    return record


@mode("done_verify", "^failed: .*input", "changes one number of the inputs")
def inputs_one_number(request, record):
    overwrite(f"{request['arrays']['in']}/a.npy", lambda numbers: [numbers[0] * 1.5] + numbers[1:])
    return record


@mode("done_verify", "^failed: .*input", "cuts an input short")
def inputs_cut(request, record):
    os.chmod(f"{request['arrays']['in']}/K.npy", 0o644)
    os.truncate(f"{request['arrays']['in']}/K.npy", 60)
    return record


@mode("done_verify", "^failed: ", "removes the inputs")
def inputs_removed(request, record):
    os.chmod(request["arrays"]["in"], 0o755)
    remove_folder(request["arrays"]["in"])
    return record


@mode("done_verify", "^failed: ", "removes all arrays")
def arrays_removed(request, record):
    os.chmod(request["arrays"]["in"], 0o755)
    remove_folder(os.path.dirname(request["arrays"]["in"]))
    return record


@mode("done_verify", "^failed: .*input", "makes an input a link to one of its own")
def inputs_linked(request, record):
    path = f"{request['arrays']['in']}/K.npy"
    os.chmod(request["arrays"]["in"], 0o755)
    write(f"{victim}/K.npy.copy", contents(path))
    os.unlink(path)
    os.symlink(f"{victim}/K.npy.copy", path)
    spoil(request)
    return record


@mode("asked_time", "^failed: .*input", "changes the inputs when it is timed")
def inputs_spoiled_when_timed(request):
    spoil(request)


@mode("asked_quit", "^(ok|failed: .*input)", "changes the inputs as it leaves", check="any")
def inputs_spoiled_when_leaving(request):
    spoil(request)


@mode("asked_verify", "^(ok|failed: .*input)", "has a process that changes the inputs a moment later", check="any")
def inputs_spoiled_in_background(request):
    if os.fork() == 0:
        time.sleep(0.05)
        spoil(request)
        os._exit(0)
