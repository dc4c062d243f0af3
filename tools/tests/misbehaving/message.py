"""Messages that are none, or not the answer. Read by ../misbehaving_worker.py, whose names it uses."""

groups.append("message")


@mode("asked_verify", "^crashed: ", "leaves in the middle of a message")
def leaves_within_a_message(request):
    raw(b'\x1e{"type":"rec')
    os._exit(0)


@mode("asked_verify", "^timeout: ", "stops in the middle of a message", hangs=True)
def stops_within_a_message(request):
    raw(b'\x1e{"type":"rec')
    hang()


@mode("asked_verify", "^failed: ", "sends a message of 70 MB")
def message_of_70_mb(request):
    raw(b'\x1e{"type":"record","x":"' + b"a" * (70 << 20) + b'"}\n')
    return True


@mode("asked_verify", "^(ok|failed: )", "prints a line of 70 MB, and then answers rightly", check="any")
def line_of_70_mb(request):
    raw(b"a" * (70 << 20) + b"\n")


@mode("asked_verify", "^timeout: ", "prints without end", hangs=True)
def prints_without_end(request):
    while True:
        messages.write(b"hello hello hello hello\n" * 1000)


@mode("asked_verify", "^timeout: ", "prints errors without end", hangs=True)
def complains_without_end(request):
    while True:
        os.write(2, b"hello \x1b[31mhello hello hello\n" * 1000)


@mode("asked_verify", "^(timeout|failed): ", "reports progress without end", hangs=True)
def progress_without_end(request):
    while True:
        send(type="progress", x=1)


@mode("asked_verify", "^failed: ", "answers without end")
def answers_without_end(request):
    while True:
        send(type="record", case=request["case"], outputs=["plan", "u", "v"])


@mode("done_verify", "^failed: .*case", "answers for another case")
def answers_for_another_case(request, record):
    return record | dict(case="uot/other/M:1/N:1@x")


@mode("done_time", "^failed: .*case", "is timed for another case", check="any")
def timed_for_another_case(request, record):
    return record | dict(case="uot/other/M:1/N:1@x")


@mode("done_verify", "^failed: .*type", "answers with a message whose type is a number")
def type_as_number(request, record):
    return record | dict(type=5)


@mode("asked_verify", "^failed: ", "answers with a message that has no type")
def no_type(request):
    raw(b'\x1e{"a":1}\n')
    return True


@mode("done_verify", r"^failed: .*answer to run \(verify\): /type: expected .record., .progress. or .error., got .poem.$",
      "answers with a message of an unknown type")
def type_unknown(request, record):
    return record | dict(type="poem")


@mode("asked_verify", "^failed: .*hello", "sends hello again instead of an answer")
def hello_as_answer(request):
    send(type="hello", protocol=1, worker="x", build={})
    return True


@mode("asked_verify", "^(ok|failed: )", "sends a list as a message, and then answers rightly", check="any")
def list_as_message(request):
    raw(b"\x1e[1,2]\n")


@mode("asked_verify", "^(ok|failed: )", "sends a message nested 100,000 deep, and then answers rightly", check="any")
def message_deep(request):
    raw(b"\x1e" + b'{"a":' * 100000 + b"1" + b"}" * 100000 + b"\n")


@mode("asked_verify", "^failed: .*message", "sends a list as its error")
def error_as_list(request):
    send(type="error", message=[1, 2])
    return True


@mode("asked_verify", "^failed: .*message", "sends an empty error")
def error_empty(request):
    send(type="error")
    return True


@mode("asked_verify", "^failed: .*message", "sends an error of 8 MB in colours")
def error_of_8_mb(request):
    send(type="error", message="x\x1b[31m\u202e\n" * 1000000)
    return True


@mode("asked_verify", "^failed: ", "sends an error that is not UTF-8")
def error_not_utf8(request):
    raw(b'\x1e{"type":"error","message":"\xff\xfe\xc3"}\n')
    return True


@mode("asked_verify", "^(timeout|failed): ", "answers with NaN in its record, which is not JSON", hangs=True)
def nan_in_record(request):
    raw(b'\x1e{"type":"record","outputs":["plan"],"env":{"x":NaN}}\n')
    return True


def message(record):
    return b"\x1e" + json.dumps(record).encode() + b"\n"


@mode("done_verify", "^failed: ", "answers twice")
def answers_twice(request, record):
    raw(2 * message(record))  # in one write: the parent stops a worker that has answered, perhaps before a second write


@mode("done_verify", "^(ok|failed: )", "answers again what it was asked before, when it is asked again", check="any")
def answers_late(request, record, answered=[]):
    raw(b"".join(map(message, answered[-1:] + [record])))  # the results are there already, and right
    answered.append(record)


@mode("asked_verify", "^failed: .*describe|^failed: .*\"described\"", "answers another question than was asked")
def answers_another_question(request):
    send(**describe({}))
    return True


@mode("asked_verify", "^failed: ", "answers first, and writes its results later", check="any")
def answers_before_it_is_done(request):
    send(type="record", case=request["case"], outputs=["plan", "u", "v"])
    time.sleep(0.3)
    verify(Lists(request["point"], request["arrays"]["in"]), request)
    return True


@mode("done_verify", OK, "reports its own check", check="any")
def certifies_itself(request, record):
    return record | dict(check=dict(status="ok", error=0))
