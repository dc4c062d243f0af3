"""The process: closed, stopped, dead, multiplied. Read by ../misbehaving_worker.py, whose names it uses."""

groups.append("process")


@mode("asked_verify", "^crashed: closed its pipe without answering: killed$", "closes its pipe and lives on")
def closes_its_pipe(request):
    os.close(messages.fileno())
    os.close(0)
    hang()


@mode("asked_verify", "^crashed: closed its pipe without answering: killed$", "closes all that it has and lives on")
def closes_everything(request):
    for number in (messages.fileno(), 0, 1, 2):
        os.close(number)
    hang()


@mode("asked_verify", "^timeout: ", "hangs, and ignores SIGTERM", hangs=True)
def deaf(request):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang()


@mode("asked_verify", "^timeout: ", "stops itself", hangs=True)
def stops_itself(request):
    os.kill(os.getpid(), signal.SIGSTOP)
    hang()


@mode("asked_verify", "^crashed: .*code 3", "leaves with code 3")
def leaves(request):
    os._exit(3)


@mode("asked_time", "^crashed: .*code 0", "leaves while it is timed", check="any")
def leaves_when_timed(request):
    os._exit(0)


@mode("asked_verify", "^crashed: .*SIGSEGV", "dies of a segmentation fault")
def segmentation_fault(request):
    os.kill(os.getpid(), signal.SIGSEGV)
    hang()


@mode("asked_verify", OK, "leaves a process in its group", check="any")
def grandchild(request):
    start("sleep", "77")


@mode("asked_verify", OK, "leaves a process in a session of its own", check="any")
def grandchild_of_its_own(request):
    start("sleep", "78", start_new_session=True)


@mode("asked_verify", "^crashed: .*code 0", "leaves, while a process that it started holds its pipe", check="any")
def grandchild_holds_pipe(request):
    start("sleep", "79", start_new_session=True, stdout=messages.fileno(), stderr=2)
    os._exit(0)


@mode("quit", OK, "does not leave when it is asked to", check="any")
def never_leaves():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang()


@mode("quit", OK, "leaves with code 3", check="any")
def leaves_with_code():
    os._exit(3)


@mode("done_verify", OK, "leaves a process behind that dropped its environment and its group", check="any")
def leaves_a_stray(request, record):
    start(f"stray of {victim}", "1000", executable="/bin/sleep", env={}, start_new_session=True)
    return record
