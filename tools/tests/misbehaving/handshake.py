"""Before a case: what it says of itself, of its variants and of points.

Read by ../misbehaving_worker.py, whose names it uses."""

groups.append("hello")


@mode("hello", "^failed: worker another_protocol speaks protocol 2, this uotbench speaks 1: rebuild it$", "speaks protocol 2")
def another_protocol(hello):
    return hello | dict(protocol=2)


@mode("hello", "^failed: .*protocol", "sends its protocol as a text")
def protocol_as_text(hello):
    return hello | dict(protocol="1")


@mode("hello", "^failed: .*build", "sends a list as its build")
def build_as_list(hello):
    return hello | dict(build=[1])


@mode("hello", "^failed: .*steps", "sends a number as its steps")
def steps_as_number(hello):
    return hello | dict(steps=5)


@mode("hello", "^failed: .*device", "sends a number as its device")
def device_as_number(hello):
    return hello | dict(device=5)


@mode("hello", OK, "has a device whose name contains terminal controls", check="any")
def device_hostile(hello):
    return hello | dict(device=dict(name="<script>alert(1)</script>\x1b[31m\u202e", memory="\n" * 50))


@mode("hello", "^skipped: ", "cannot run here, and reports so in colours on a hundred lines", check="any")
def obstacle_hostile(hello):
    return hello | dict(obstacle="no\x1b[31m GPU\n" * 100)


@mode("hello", "^timeout: ", "never sends hello", hangs=True)
def never_says_hello(hello):
    hang()


@mode("hello", "^(timeout|failed): ", "sends hello with NaN in it, which is not JSON", hangs=True)
def hello_with_nan(hello):
    return hello | dict(build=dict(x=float("nan")))


@mode("hello", OK, "prints 100 KB of noise before hello", check="any")
def noise_before_hello(hello):
    import random
    noise = random.Random(1).randbytes(100000)
    raw(noise.replace(b"\x1e", b"") + b"\n")
    return hello


@mode("hello", "^crashed: exited with code 0 without answering$", "exits before it sends hello")
def leaves_before_hello(hello):
    os._exit(0)


@mode("hello", "^failed: ", "sends hello twice")
def hello_twice(hello):
    send(**hello)
    return hello


@mode("hello", "^failed: ", "answers before it is asked")
def answers_before_asked(hello):
    send(**hello)
    send(**describe({}))


# ---------------------------------------------------------------------------------------------------------------------
groups.append("describe")


def first_variant(answer, **changed):
    return answer | dict(variants=[answer["variants"][0] | changed] + answer["variants"][1:])


@mode("described", "^failed: .*variants", "describes no variants")
def describes_nothing(answer):
    return dict(type="described")


@mode("described", "^failed: .*variants", "describes variants by an object")
def variants_as_object(answer):
    return dict(type="described", variants={"a": 1})


@mode("described", OK, "has a summary that contains terminal controls", check="any")
def summary_hostile(answer):
    return first_variant(answer, summary="x\x1b[31m\x1b]0;owned\x07 <script>alert(1)</script> \u202e\n::error::x")


@mode("described", "^(ok|failed: .*name)", "has one more variant, whose name is a shell command")
def name_hostile(answer):
    return answer | dict(variants=answer["variants"] + [dict(name="uot/a`touch pwn`$(touch pwn)\x1b[31m", axes=[])])


@mode("described", "^failed: .*python_lists", "describes a variant twice")
def variant_twice(answer):
    return answer | dict(variants=answer["variants"] * 2)


@mode("described", "^failed: .*axis M", "has an axis of its own that is the family's")
def axis_of_the_family(answer):
    return first_variant(answer, axes=answer["variants"][0]["axes"] + [dict(name="M", kind="integer", default=5)])


@mode("described", "^failed: .*tolerance", "asks for a tolerance of 1e300, and solves nothing")
def tolerance_endless(answer):
    return first_variant(answer, tolerance=1e300)


@mode("described", "^failed: .*tolerance", "asks for a tolerance below 0")
def tolerance_negative(answer):
    return first_variant(answer, tolerance=-1)


@mode("described", "^failed: .*tolerance", "requests a tolerance of \"lots\"")
def tolerance_as_text(answer):
    return first_variant(answer, tolerance="lots")


@mode("described", OK, "describes 9,000 more variants", check="any")
def variants_many(answer):
    return answer | dict(variants=answer["variants"] + [dict(name=f"uot/v{i}", axes=[]) for i in range(9000)])


# ---------------------------------------------------------------------------------------------------------------------
groups.append("plan")


def planned_as(answer, **one):
    return answer | dict(points=[one for _ in answer["points"]])


@mode("planned", "^failed: .*answer to plan: /points: expected 1 entry .one for each point of the request., got 0", "plans no point")
def plans_nothing(answer):
    return answer | dict(points=[])


@mode("planned", "^failed: .*answer to plan: /points: expected 1 entry .*, got 6", "plans five points more than there are")
def plans_too_many(answer):
    return answer | dict(points=answer["points"] + [dict(memory=1)] * 5)


@mode("planned", "^failed: .*memory", "needs a negative amount of memory")
def memory_negative(answer):
    return planned_as(answer, memory=-1e300)


@mode("planned", "^failed: .*memory", "needs \"x\" of memory")
def memory_as_text(answer):
    return planned_as(answer, memory="x")


@mode("planned", "^failed: .*memory", "needs more memory than all machines have")
def memory_endless(answer):
    return planned_as(answer, memory=1e300)


@mode("planned", "^failed: .*refused", "refuses a point by a number")
def refused_as_number(answer):
    return planned_as(answer, refused=5)


@mode("planned", "^skipped: .*no", "refuses a point with terminal controls", check="any")
def refused_hostile(answer):
    return planned_as(answer, refused="no\x1b[31m\u009b\n::error::x\r<script>=1+1" * 50)


@mode("planned", "^failed: .*steps", "makes 0 iterations at a time")
def steps_of_nothing(answer):
    return planned_as(answer, memory=1, steps=0)
