"""Times, what it tells of them, and what proves them. Read by ../misbehaving_worker.py, whose names it uses."""

groups.append("time")


def told(name, must, does, **changed):
    """A mode that changes what `time` says; None removes a key."""
    check = changed.pop("check", "wrong")

    def change(request, record):
        time_ = {key: value for key, value in (record["time"] | changed).items() if value is not None}
        return record | dict(time=time_)
    change.__name__ = name
    mode("done_time", must, does, check=check)(change)


few = [1e-6] * 5
told("no_samples", "^failed: .*sample", "reports no samples", samples=[])
told("samples_absent", "^failed: .*sample", "does not report its samples", samples=None)
told("samples_as_text", "^failed: .*sample", "reports samples as texts", samples=["1", "2"])
told("samples_negative", "^failed: .*sample", "reports times below 0", samples=[-1.0] * 5)
told("samples_zero", "^failed: .*sample", "reports that it takes no time", samples=[0.0] * 5)
told("samples_tiny", "^failed: .*sample", "reports 1e-300 s", samples=[1e-300] * 5)
told("samples_as_object", "^failed: .*sample", "reports its samples by an object", samples={"a": 1})
told("samples_beyond_the_clock", "^failed: ", "reports 50 s of samples, and answers after less", samples=[1.0] * 50)
told("samples_of_days", "^failed: ", "reports 9e5 s a sample", samples=[9e5] * 5)
told("samples_many", "^failed: ", "reports a million samples", samples=[1e-5] * 1000000)
told("inner_endless", "^failed: .*inner", "reports 2^62 iterations a sample", inner=2**62, samples=few)
told("inner_zero", "^failed: .*inner", "reports 0 iterations a sample", inner=0)
told("inner_not_whole", "^failed: .*inner", "reports 1.5 iterations a sample", inner=1.5)
told("inner_absent", "^failed: .*inner", "does not report the iterations per sample", inner=None)
told("unit_unknown", "^failed: .*per", "reports times per day", per="sitting")
told("unit_as_number", "^failed: .*per", "reports a number as its unit", per=5)
told("unit_absent", "^failed: .*per", "does not report its unit", per=None)
told("clock_unknown", "^failed: .*clock", "reports a clock that does not exist, in colours", clock="sundial\x1b[31m")
told("clock_absent", "^failed: .*clock", "does not report its clock", clock=None)
told("stopped_by_itself", "^failed: .*stopped_by", "reports a stopping reason that does not exist", stopped_by="me")
told("stopped_by_absent", "^failed: .*stopped_by", "does not report why it stopped", stopped_by=None)
told("first_sample_before_time", "^failed: .*first_sample_at", "reports a first sample before the process started",
     first_sample_at=-1e300)
told("first_sample_as_text", "^failed: .*first_sample_at", "reports its first sample as a text", first_sample_at="now")
told("busy_as_text", "^failed: .*busy", "reports a text as its share of the CPU", busy="no")
told("busy_negative", "^failed: .*busy", "reports -500% of a CPU", busy=-5)
told("solve_of_nothing", "^failed: .*iterations", "reports solves of 0 iterations", per="solve", iterations=0)
told("solve_of_a_billion", "^failed: ", "reports solves of 10^9 iterations that were not requested", per="solve",
     iterations=10**9)
told("warnings_as_object", "^failed: .*warnings", "sends its warnings as an object", warnings={"a": 1})
told("warnings_hostile", OK, "warns 100 times of 1000 lines in colours", warnings=["w\x1b[31m\u202e\n" * 1000] * 100,
     check="any")
told("phases_as_number", "^failed: .*phases", "reports a number as its phases", phases=5)
told("phases_beyond", "^failed: .*phase", "reports phases longer than the sample",
     phases=[dict(name="a", seconds=[1e9] * 5)])


@mode("done_time", "^failed: .*time", "answers with null instead of times")
def time_null(request, record):
    return record | dict(time=None)


@mode("done_time", "^failed: .*time", "answers without times")
def time_absent(request, record):
    return {key: value for key, value in record.items() if key != "time"}


@mode("done_time", "^failed: .*sample", "takes one sample where five are asked for")
def fewer_samples(request, record):
    return record | dict(time=record["time"] | dict(samples=record["time"]["samples"][:1]))


# ---------------------------------------------------------------------------------------------------------------------
groups.append("facts")


def fact(name, must, does, check="any", **changed):
    def change(request, record):
        return record | changed
    change.__name__ = name
    mode("done_verify", must, does, check=check)(change)


fact("work_negative", "^failed: .*(work|flops)", "reports negative work",
     work=dict(flops=-1, bytes_read=-5, bytes_written=0, write_allocate=0))
fact("work_as_text", "^failed: .*work", "reports a text as its work", work="many")
fact("work_endless", "^(ok|failed: .*work)", "reports 1e300 flops",
     work=dict(flops=1e300, bytes_read=1e300, bytes_written=1e300, write_allocate=1e300, working_set=1e308))
fact("env_as_list", "^failed: .*env", "reports a list as its facts", env=[1, 2])
fact("env_of_texts", "^(ok|failed: .*env)", "reports texts instead of numbers", env=dict(peak_rss="x", page_faults="y"))
fact("env_endless", "^(ok|failed: .*env)", "reports 1e300 page faults", env=dict(page_faults=1e300, steal=1e300, peak_rss=-1e300))
fact("env_deep", "^(ok|failed: .*env)", "reports facts nested 60 deep", env=dict(a=json.loads("[" * 58 + "]" * 58)))
fact("env_hostile", OK, "reports facts with terminal controls", env={"\x1b[31mkey": "\x1b]0;owned\x07\u202e<script>"})


# ---------------------------------------------------------------------------------------------------------------------
groups.append("cheating")  # right when it is judged, and less work when it is timed


class Idle:
    def iterate(self):
        pass


@mode("timed", "^failed: ", "does nothing when it is timed")
def skips_work(lists):
    return Idle()


class Cached:
    def __init__(self, lists):
        self.lists = lists

    def iterate(self):
        if self.lists:
            self.lists.iterate()
        self.lists = None


@mode("timed", "^failed: ", "computes one iteration when it is timed, and gives its result again and again")
def gives_stored_results(lists):
    return Cached(lists)


# A busy machine can make every sample three times as long. The cheats of this group are larger; that a third and a
# quarter of a time are doubted is tested where nothing disturbs (harness/sweep/tests/outside_test.cpp).
class OneRow:
    def __init__(self, lists):
        self.lists, self.rows = lists, lists.rows[:1]

    def iterate(self):
        self.lists.scaled(self.lists.u, self.lists.a, self.rows, self.lists.v)


@mode("timed", DOUBTED, "does a row of the work when it is timed", check="any")
def does_part_of_the_work(lists):
    return OneRow(lists)


@mode("timed", "^failed: .*the longer it runs", "stops working once nothing changes any more")
def stops_when_converged(lists):
    honest = Lists.iterate

    def iterate(self):
        if getattr(self, "settled", False):
            return
        before = self.u + self.v
        honest(self)
        self.settled = all(abs(x - y) <= 1e-7 * abs(x) for x, y in zip(self.u + self.v, before))

    Lists.iterate = iterate
    return lists


@mode("done_time", "^failed: .*no steady iteration", "is a hundred times as fast in its last samples", check="wrong")
def samples_dwindle(request, record):
    samples = record["time"]["samples"]
    fast = max(2, len(samples) // 2)
    return record | dict(time=record["time"] | dict(samples=samples[:-fast] + [min(samples) / 100] * fast))


@mode("done_time", "^failed: reported solves of 1000 iterations; expected 10",
      "reports that it timed solves of a thousand iterations")
def tells_more_iterations(request, record):
    return record | dict(time=record["time"] | dict(per="solve", iterations=1000))


@mode("done_time", "^failed: ", "invents times of a nanosecond")
def invents_nanoseconds(request, record):
    return record | dict(time=record["time"] | dict(samples=[1e-9 + 1e-12 * i for i in range(5)]))


@mode("done_time", "^failed: ", "reports a hundredth of its time")
def tells_a_hundredth(request, record):
    return record | dict(time=record["time"] | dict(samples=[sample / 100 for sample in record["time"]["samples"]]))


@mode("done_time", DOUBTED, "reports a tenth of its time", check="any")
def tells_a_tenth(request, record):
    return record | dict(time=record["time"] | dict(samples=[sample / 10 for sample in record["time"]["samples"]]))


# ---------------------------------------------------------------------------------------------------------------------
groups.append("prove")  # right when it is judged, and told rightly how long it takes


@mode("hello", "^ok.*not judged: .*does not know the step prove", "does not know the step prove", check="ok")
def knows_no_proof(hello):
    return hello | dict(steps=["verify", "time"])


@mode("asked_prove", "^ok", "is disturbed in its first dozen proofs, and then no more", check="ok")
def is_disturbed_at_first(request):
    Lists.proofs = getattr(Lists, "proofs", 0) + 1
    if Lists.proofs == 1:
        Lists.honest = Lists.iterate
        Lists.iterate = lambda self: time.sleep(0.001) or self.honest()
    elif Lists.proofs == 13:
        Lists.iterate = Lists.honest


@mode("asked_prove", "^failed: ", "refuses a proof that its hello offers")
def refuses_to_prove(request):
    send(type="error", message="not today")
    return True


@mode("asked_prove", "^timeout: ", "never answers when it is to prove", hangs=True)
def never_proves(request):
    hang()


@mode("asked_prove", "^crashed: .*code 0", "leaves when it is to prove", check="any")
def leaves_when_proving(request):
    os._exit(0)


@mode("done_prove", "^failed: .*proved", "answers without a proof")
def proof_absent(request, record):
    return {key: value for key, value in record.items() if key != "proved"}


@mode("done_prove", "^failed: .*how", "proves in a way that does not exist")
def proves_by_magic(request, record):
    return record | dict(proved=record["proved"] | dict(how="magic"))


@mode("done_prove", "^failed: .*outputs", "proves without naming outputs")
def proof_without_outputs(request, record):
    return record | dict(proved=dict(how=record["proved"]["how"]))


@mode("asked_prove", "^failed: ", "reports that it wrote its proof, and wrote nothing")
def proof_unwritten(request):
    if "from" in request:
        send(type="record", case=request["case"], proved=dict(how="reloaded", outputs=["plan", "u", "v"]))
    return "from" in request


@mode("asked_prove", "^failed: ", "does one iteration, however many it is to prove")
def proof_of_fewer_iterations(request):
    request["iterations"] = 1


@mode("asked_prove", "^failed: .*input", "changes the inputs when it is to prove", check="any")
def inputs_spoiled_when_proving(request):
    spoil(request)
