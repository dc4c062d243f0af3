"""Times that are not those of the work, and proofs. Read by ../misbehaving_worker.py, whose names it uses."""

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


def costly(iterate):
    """Ten times the work of an iteration, so that its absence is seen on a busy machine."""
    def iterate_slowly(self):
        for _ in range(9):
            u, v = self.u, self.v
            iterate(self)
            self.u, self.v = u, v
        iterate(self)
    return iterate_slowly


@mode("hello", "^failed: .*adds .* of wall time", "puts its work off until an output is read")
def puts_work_off(hello):
    global Lists
    honest, honest_iterate = Lists, costly(Lists.iterate)

    class Later(honest):
        def start(self):
            self.put_off = 0
            honest.start(self)

        def iterate(self):
            self.put_off += 1

        def reached(self, name):
            iterations, self.put_off = self.put_off, 0
            for _ in range(iterations):
                honest_iterate(self)
            return self.__dict__[name]

        u = property(lambda self: self.reached("u"), lambda self, values: self.__dict__.update(u=values))
        v = property(lambda self: self.reached("v"), lambda self, values: self.__dict__.update(v=values))

    Lists = Later
    return hello


@mode("hello", "^failed: .*keeps results of earlier iterations", "keeps the result of each state that it has met")
def keeps_results(hello):
    global measure
    honest, timed_honestly = costly(Lists.iterate), measure

    def iterate(self):
        kept = self.__dict__.setdefault("kept_results", {})
        state = tuple(self.u), tuple(self.v)
        if state not in kept:
            honest(self)
            kept[state] = tuple(self.u), tuple(self.v)
        self.u, self.v = kept[state]

    def measure(lists, request):  # after a warm-up that meets all states
        for _ in range(100):
            lists.iterate()
        return timed_honestly(lists, request)

    Lists.iterate = iterate
    return hello


@mode("hello", "^ok", "computes all iterates when it loads, and looks them up when it is timed", check="ok")
def computes_when_it_loads(hello):
    load, start, honest = Lists.__init__, Lists.start, Lists.iterate

    def loaded(self, point, folder):
        load(self, point, folder)
        self.iterates = []
        for _ in range(64):
            honest(self)
            self.iterates.append((self.u, self.v))
        self.start()

    def started(self):
        start(self)
        self.made = 0

    def iterate(self):
        self.u, self.v = self.iterates[min(self.made, 63)]
        self.made += 1

    Lists.__init__, Lists.start, Lists.iterate = loaded, started, iterate
    return hello


def answers_at_once(**reported):
    """Works only where outputs are wanted, and invents its times."""
    global measure, prove
    proved_honestly = prove

    def measure(lists, request):
        timed[:] = [lists]
        time.sleep(1e-3)
        unit = dict(per="iteration", clock="steady", inner=1, stopped_by="time") | reported
        return dict(time=unit | dict(samples=[1e-7] * request["measure"]["min_samples"]))

    def prove(lists, request):
        if "from" not in request:
            return dict(proved=dict(how="timed"))
        answer = proved_honestly(lists, request)
        del answer["proved"]["seconds"]
        return answer


@mode("hello", "^failed: .*adds .* of wall time", "works where outputs are wanted only, and invents its times")
def knows_questions(hello):
    answers_at_once()
    return hello


@mode("hello", "^failed: .*adds less than .* of wall time", "works where outputs are wanted only, and invents times of solves")
def knows_questions_of_solves(hello):
    answers_at_once(per="solve", iterations=10)
    return hello


@mode("hello", "^(ok|failed: )", "reports a hundredth of its time after one of its processes was proved",
      check="ok")
def cheats_after_its_proof(hello):
    global measure, prove
    timed_honestly, proved_honestly = measure, prove

    def measure(lists, request):
        record = timed_honestly(lists, request)
        if os.path.exists(f"{victim}/proved"):
            write(f"{victim}/cheated", b"")
            record["time"]["samples"] = [sample / 100 for sample in record["time"]["samples"]]
        return record

    def prove(lists, request):
        write(f"{victim}/proved", b"")
        return proved_honestly(lists, request)

    return hello


@mode("done_time", "^failed: .*no steady iteration", "is a hundred times as fast in its last samples", check="wrong")
def samples_dwindle(request, record):
    samples = record["time"]["samples"]
    fast = max(2, len(samples) // 2)
    return record | dict(time=record["time"] | dict(samples=samples[:-fast] + [min(samples) / 100] * fast))


@mode("done_time", "^failed: reported solves of 1000 iterations; expected 10",
      "reports that it timed solves of a thousand iterations")
def tells_more_iterations(request, record):
    return record | dict(time=record["time"] | dict(per="solve", iterations=1000))


def solves_of(reported):
    """From now on solves of ten iterations are timed. `reported`: how many of them it says that one takes."""
    global measure, prove
    timed_honestly, proved_honestly = measure, prove

    class Solve:
        def __init__(self, lists):
            self.lists = lists

        def iterate(self):
            self.lists.start()
            for _ in range(10):
                self.lists.iterate()

    def measure(lists, request):
        record = timed_honestly(Solve(lists), request)
        timed[:] = [lists]
        return dict(time=record["time"] | dict(per="solve", iterations=reported))

    def prove(lists, request):
        if "from" in request:
            answer = proved_honestly(lists, request)
            return dict(proved=answer["proved"] | dict(iterations=reported))
        for _ in range(request["iterations"]):
            Solve(timed[0]).iterate()
        return dict(proved=dict(how="timed"))


@mode("hello", "^failed: reported solves of 1000 iterations; expected 10",
      "reports solves of a thousand iterations, in its proof, too")
def proves_more_iterations(hello):
    solves_of(1000)
    return hello


@mode("done_time", "^failed: ", "invents times of a nanosecond")
def invents_nanoseconds(request, record):
    return record | dict(time=record["time"] | dict(samples=[1e-9 + 1e-12 * i for i in range(len(record["time"]["samples"]))]))


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


@mode("hello", "^ok", "times solves of ten iterations", check="ok")
def times_solves(hello):
    solves_of(10)
    return hello


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
