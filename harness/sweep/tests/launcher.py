#!/usr/bin/env python3
"""A launcher that stands in for mpirun, and what it launches: launcher.py PROCESSES FOLDER [BYTES].

It starts so many processes, each in a session of its own, and ends as the first of them ends, whatever becomes of the
others. That one speaks the protocol; the others sleep. Each holds so many BYTES, and writes its number to FOLDER/RANK.
"""
import ctypes, json, os, signal, sys, time

processes, folder = int(sys.argv[1]), sys.argv[2]
holds = int(sys.argv[3]) if len(sys.argv) > 3 else 0
launcher = os.getpid()
PR_SET_PDEATHSIG = 1


def send(**message):
    os.write(1, b"\x1e" + json.dumps(message).encode() + b"\n")


def stand_ready(rank):
    os.setsid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != launcher:
        os._exit(0)
    held = bytearray(os.urandom(4096)) * (holds // 4096)
    with open(f"{folder}/new.{rank}", "w") as file:
        file.write(f"{os.getpid()}\n")
    os.rename(f"{folder}/new.{rank}", f"{folder}/{rank}")
    return held


def sleep(rank):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    held = stand_ready(rank)
    time.sleep(1000)


def plan(request):
    points = [request["common"] | own for own in request["points"]]
    return dict(type="planned", points=[dict(memory=2**40 * point["ranks"]) for point in points])


def speak():
    held = stand_ready(0)
    while len([name for name in os.listdir(folder) if name.isdigit()]) < processes:
        time.sleep(0.01)
    send(type="hello", protocol=1, worker="launched", build={})
    axes = [dict(name="threads", kind="integer", role="setting", default=1, least=1)]
    for line in sys.stdin.buffer:
        request = json.loads(line.lstrip(b"\x1e"))
        if request["type"] == "describe":
            send(type="described", variants=[dict(name="uot/fake", axes=axes)])
        elif request["type"] == "plan":
            send(**plan(request))
        elif request["type"] == "crash":
            os.abort()
        elif request["type"] == "hang":
            time.sleep(1000)
        elif request["type"] == "quit":
            break


for rank in range(processes):
    child = os.fork()
    if child == 0:
        if rank > 0:
            sleep(rank)
        speak()
        os._exit(0)
    first = child if rank == 0 else first
_, status = os.waitpid(first, 0)
os._exit(os.waitstatus_to_exitcode(status) & 255)
