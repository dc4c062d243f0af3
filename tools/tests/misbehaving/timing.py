"""Times and facts that it reports. Read by ../misbehaving_worker.py, whose names it uses."""

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
