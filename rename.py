#!/usr/bin/env python3
"""rename.py [TREE]: renames types, files, functions and variables of uotbench to the field's terms, in the git
checkout TREE (default: here). May be run again: what is renamed already stays. Prints counts, hand-made edits that
found nothing, and what is left of the old words in code."""
import collections
import os
import re
import subprocess
import sys

ROOT = os.path.realpath(sys.argv[1] if len(sys.argv) > 1 else ".")
os.chdir(ROOT)
CPP = (".cpp", ".hpp", ".cu", ".cuh", ".h", ".cc")
TEXT = CPP + (".py", ".sh", ".cmake", ".md", ".json", ".txt", ".yml")
# Stored runs, stored conversations, goldens, the log of changes, pages made from stored runs.
KEPT = re.compile(r"^results/evidence/|/golden/|^CHANGELOG\.md$|^harness/sweep/tests/answers/|^docs/results/|^docs/notes/.*2026-")

# --- 1. files -------------------------------------------------------------------------------------------------------
MOVES = [
    ("harness/sweep/workers/crew.hpp", "harness/sweep/workers/worker_pool.hpp"),
    ("harness/sweep/workers/crew.cpp", "harness/sweep/workers/worker_pool.cpp"),
    ("harness/sweep/workers/door.hpp", "harness/sweep/workers/validation.hpp"),
    ("harness/sweep/workers/door.cpp", "harness/sweep/workers/validation.cpp"),
    ("harness/sweep/tests/door_test.cpp", "harness/sweep/tests/validation_test.cpp"),
    ("harness/sweep/workers/misdescription.hpp", "harness/sweep/workers/validate_description.hpp"),
    ("harness/sweep/workers/misdescription.cpp", "harness/sweep/workers/validate_description.cpp"),
    ("harness/sweep/workers/scratch.hpp", "harness/sweep/workers/workspace.hpp"),
    ("harness/sweep/workers/scratch.cpp", "harness/sweep/workers/workspace.cpp"),
    ("harness/sweep/tests/scratch_test.cpp", "harness/sweep/tests/workspace_test.cpp"),
    ("harness/host/process/kin.hpp", "harness/host/process/process_tree.hpp"),
    ("harness/host/process/kin.cpp", "harness/host/process/process_tree.cpp"),
    ("harness/host/tests/kin_test.cpp", "harness/host/tests/process_tree_test.cpp"),
    ("harness/sweep/gate/sitting.hpp", "harness/sweep/gate/ab_session.hpp"),
    ("harness/sweep/gate/sitting.cpp", "harness/sweep/gate/ab_session.cpp"),
    ("harness/sweep/gate/sitting_inputs.hpp", "harness/sweep/gate/ab_inputs.hpp"),
    ("harness/sweep/gate/sitting_inputs.cpp", "harness/sweep/gate/ab_inputs.cpp"),
    ("harness/sweep/gate/sitting_order.hpp", "harness/sweep/gate/ab_order.hpp"),
    ("harness/sweep/gate/sitting_order.cpp", "harness/sweep/gate/ab_order.cpp"),
    ("harness/sweep/tests/sitting_order_test.cpp", "harness/sweep/tests/ab_order_test.cpp"),
    ("harness/worker/declares.hpp", "harness/worker/kernel_traits.hpp"),
    ("results/statistics/shift_rank.cpp", "results/statistics/mann_whitney.cpp"),
    ("results/tests/fuzz/door.hpp", "results/tests/fuzz/target.hpp"),
    ("results/tests/fuzz/door.cpp", "results/tests/fuzz/target.cpp"),
    ("kernels/sinkhorn_log/parts/tiny_desk.hpp", "kernels/sinkhorn_log/parts/tiny_workspace.hpp"),
    ("tools/uotbench/past/past.hpp", "tools/uotbench/history/stored_history.hpp"),
    ("tools/uotbench/past/past.cpp", "tools/uotbench/history/stored_history.cpp"),
]
# A header that kernels outside the tree may include stays as one line, as results/error.hpp does.
FORWARDS = {"harness/worker/declares.hpp": "harness/worker/kernel_traits.hpp"}
FORWARD = "// Moved; this line stays for kernels outside the tree.\n#pragma once\n\n#include \"{}\"\n"

# --- 2. identifiers: (files, pattern, replacement), in the order given ----------------------------------------------
# `code` rules see C++ without its comments and strings; `names` rules see code and comments, for words that are no
# English; `comment` rules see comments only.
ALL, SWEEP, FUZZ = r"", r"^harness/sweep/", r"/tests/fuzz/"
SWAP = os.path.exists("results/statistics/change_points.hpp") and "lasting_steps" in open(
    "results/statistics/change_points.hpp").read()

names = [
    (ALL, r"SureInterval", "ConfidenceInterval"),
    (ALL, r"shift_rank", "mann_whitney_rank"),
    (ALL, r"ShiftRank", "MannWhitneyRank"),
    (ALL, r"unpaired_ratio_interval", "hodges_lehmann_interval"),
    (ALL, r"robust_deviation", "scaled_mad"),
    *([(r"^results/(statistics|tests)/change_points", r"change_points(?=\()", "e_divisive"),
       (r"^results/(statistics|tests)/change_points", r"ChangePoint", "SplitPoint"),
       (r"^results/tests/change_points", r"ChangePoints", "EDivisive")] if SWAP else []),
    (ALL, r"lasting_steps", "change_points"),
    (ALL, r"LastingStep", "ChangePoint"),
    (ALL, r"LastingSteps", "ChangePoints"),
    (ALL, r"Crew", "WorkerPool"),
    (ALL, r"make_crew", "make_pool"),
    (ALL, r"baseline_crew", "baseline_pool"),
    (ALL, r"candidate_crew", "candidate_pool"),
    (ALL, r"crew_", "pool_"),
    (ALL, r"crew", "pool"),
    (ALL, r"crews", "pools"),
    (ALL, r"Roster", "WorkerInfo"),
    (ALL, r"rosters_", "worker_infos_"),
    (ALL, r"roster", "worker_info"),
    (ALL, r"Kin", "ProcessTree"),
    (ALL, r"kin_", "tree_"),
    (ALL, r"kin_variable", "tree_variable"),
    (ALL, r"takes_kin_along", "owns_process_tree"),
    (ALL, r"Sitting", "AbSession"),
    (ALL, r"Sitting(Case|Pace|Options|Failure|Request|Turn|Inputs|Order)", r"Ab\1"),
    (ALL, r"sitting_order", "ab_order"),
    (ALL, r"ACopyThatDiffersSpoilsTheSitting", "ACopyThatDiffersSpoilsTheSession"),
    (ALL, r"SpoilsASittingWhoseCopyDiffers", "SpoilsASessionWhoseCopyDiffers"),
    (ALL, r"struct Declares", "struct KernelTraits"),
    (ALL, r"Declares(?= (?:declares|declared|all|declares_of)\b)", "KernelTraits"),
    (SWEEP, r"ScratchTest", "WorkspaceTest"),
    (SWEEP, r"Scratch", "Workspace"),
    (SWEEP, r"litter_", "temp_dir_"),
    (ALL, r"misfit_of_case", "case_violation"),
    (ALL, r"misfit_of_header", "header_violation"),
    (ALL, r"misfit_in", "violation_in"),
    (ALL, r"misfit_at", "violation_at"),
    (ALL, r"misfit_below", "violation_below"),
    (ALL, r"misfit", "shape_violation"),
    (ALL, r"misdescription", "validate_description"),
    (ALL, r"objection_to_(hello|answer|outputs|record|plan)", r"validate_\1"),
    (ALL, r"objection_(?:to|of)", "violation_of"),
    (ALL, r"(shared|tensor|tile)_objection", r"\1_violation"),
    (r"^harness/sweep/tests/validation_test", r"Door", "Validation"),
    (ALL, r"DoorOfAProcess", "WorkerProcessTest"),
    (FUZZ, r"Doors", "FuzzTargets"),
    (FUZZ, r"Door", "Target"),
    (FUZZ, r"Knock", "Registration"),
    (ALL, r"UOTBENCH_DOOR", "UOTBENCH_FUZZ_TARGET"),
    (ALL, r"CounterWish", "CounterRequest"),
    (ALL, r"TinyDesk", "TinyWorkspace"),
    (r"^tools/uotbench/", r"PastOptions", "HistoryOptions"),
    (r"^tools/uotbench/", r"past_of", "stored_history"),
]
code = [
    (r"^tools/tests/full/ladder_rungs_test", r"objection", "violation"),
    (ALL, r"(?<=\.)objection(?=\()", "validate"),
    (ALL, r"Rules::objection", "Rules::validate"),
    (r"^harness/sweep/language/rules\.hpp", r"objection(?=\()", "validate"),
    (ALL, r"objection(?=\()", "axis_violation"),
    (ALL, r"objection", "violation"),
    (ALL, r"Objection", "AxisViolation"),
    (r"^harness/host/process/process_tree", r"kin", "members"),
    (r"^harness/host/process/process_tree", r"Tie::members", "Tie::member"),
    (r"^harness/host/process/process_tree", r"Tie \{ members", "Tie { member"),
    (r"^harness/sweep/(?!revisions/)", r"scratch_", "workspace_"),
    (r"^harness/sweep/(?!revisions/)", r"scratch", "workspace"),
    (r"^harness/sweep/revisions/", r"scratch_", "temp_dir_"),
    (SWEEP, r"litter", "temp_dir"),
    (r"^tools/uotbench/commands/(history|report)", r"past", "stored"),
    (FUZZ, r"doors", "targets"),
    (FUZZ, r"door", "target"),
    (FUZZ, r"knock", "try_input"),
]
both = [  # English words, but in these files always the type
    (ALL, r"sitting", "session"),
    (ALL, r"sittings", "sessions"),
    (ALL, r"Sittings", "Sessions"),
    (r"^results/tests/operating_curve", r"SITTINGS", "SESSIONS"),
    (r"^kernels/(match|sinkhorn_log)/", r"Desk", "Workspace"),
    (r"^kernels/(match|sinkhorn_log)/", r"desks_", "workspaces_"),
    (r"^kernels/(match|sinkhorn_log)/", r"desks", "workspaces"),
    (r"^kernels/(match|sinkhorn_log)/", r"desk", "workspace"),
    (r"^(harness/sweep|tools/uotbench|results/gate|results/tests)/", r"wish", "request"),
    (r"^(harness/sweep|tools/uotbench|results/gate|results/tests)/", r"wishes", "requests"),
    (r"^(harness/sweep|tools/uotbench|results/gate|results/tests)/", r"wished for", "requested"),
    (r"^(harness/sweep|tools/uotbench|results/gate|results/tests)/", r"wished", "requested"),
]

# --- 3. texts by hand: (file, old, new), old exactly, or a compiled pattern ------------------------------------------
HAND = [
    # "another session" would be refused by lint_words, and reads as one of ours.
    ("tools/tests/gate_builds_test.cpp", "Of another session:", "Of a different session:"),
    ("harness/sweep/gate/ab_session.hpp", "// A session: processes of several arms, taken in turns, a value each.",
     "// An A/B session: processes of several arms, taken in turns, a value each."),
    ("rooms.txt", "two builds in one sitting", "two builds in one A/B session"),
    ("rooms.txt", re.compile(r"tools/uotbench/past   (?= )"), "tools/uotbench/history"),
    ("rooms.txt", "tools/uotbench/past ", "tools/uotbench/history "),
    ("action.yml", "times them in one sitting", "times them in one session"),
    ("results/tests/operating_curve.cpp", '"usage: gate_curve SITTINGS [SEED]', '"usage: gate_curve SESSIONS [SEED]'),
    # ProcessTree
    ("harness/host/process/process_tree.hpp", "in its environment is kin.", "in its environment is a member."),
    ("harness/host/process/process_tree.hpp",
     "/// `kin`: those that live. `unknown`: /proc does not tell of some process right now whether it is kin.",
     "/// `members`: those that live. `unknown`: /proc does not show of some process right now whether it is one."),
    ("harness/host/process/process_tree.hpp",
     "/// Takes what tells whose kin a process is out of an environment that another is to have.",
     "/// Takes the mark of a process tree out of an environment that another process is to have."),
    ("harness/host/process/process_tree.cpp",
     "// A process may replace its program, and with that its environment, by one of kin only through kin: what was\n"
     "// found to be none is looked at again for the sake of numbers that are given out anew.",
     "// Only a member can give another process the mark, so what was found to be none stays none, but for process\n"
     "// numbers that are given out anew: it is looked at again."),
    ("harness/host/process/process.hpp", "It and, where it takes its kin along, all that came of it: those that live.",
     "It and, where it owns its process tree, all that came of it: those that live."),
    # Workspace
    ("harness/sweep/tests/workspace_test.cpp", "and of the scratch's own.", "and of the workspace's own."),
    # validation
    ("harness/protocol/axis.hpp", "(`objection` then says so)", "(`axis_violation` then says so)"),
    ("harness/protocol/tests/axis_test.cpp", '"objection() says what is wrong with it"',
     '"axis_violation() says what is wrong with it"'),
    ("harness/sweep/plan/problem_draft.cpp", "(door.hpp)", "(validation.hpp)"),
    ("harness/sweep/workers/worker_process.hpp", "(door.hpp)", "(validation.hpp)"),
    ("harness/sweep/tests/validation_test.cpp",
     "// Nothing that a worker answers gets past the door unless the protocol has it; what workers of this project\n"
     "// ever answered does; and the protocol's text and its schema name the same.",
     "// An answer that the protocol does not define is refused, all that workers of this project ever answered is\n"
     "// accepted, and the protocol's text and its schema name the same keys."),
    ("harness/sweep/tests/fuzz/answers.cpp",
     "// What workers answer: what the door lets in can be read by everybody behind it.",
     "// Answers of workers: what validation accepts can be read by the code after it."),
    ("harness/sweep/tests/fuzz/answers.cpp",
     "/// What is behind the door takes its word: an Error is refused data, anything else a hole.",
     "/// The code after validation relies on it: an Error is refused data, anything else a defect."),
    ("harness/sweep/language/rules.hpp", "`validate` takes all of the language,",
     "validate() of schema.hpp takes all of the language,"),
    # fuzz targets
    ("results/tests/fuzz/target.hpp",
     "// A door is a place where the program reads what somebody else wrote. Behind each of them the same holds:\n"
     "// what is wrong is refused by an Error whose text a person can read, and nothing else happens.",
     "// A fuzz target is a reader of outside input. The same holds for each of them: wrong input is refused by an\n"
     "// Error whose text a person can read, and nothing else happens."),
    ("results/tests/fuzz/target.hpp", "/// Something that a door promises does not hold.",
     "/// Something that a target promises does not hold."),
    ("results/tests/fuzz/target.hpp", "against what the door promises.", "against what the target promises."),
    ("results/tests/fuzz/target.hpp", "/// Of all cases, how many knock here, beside 1 for a usual door.",
     "/// Its share of all cases, where a usual target has 1."),
    ("results/tests/fuzz/target.hpp", "/// All doors, in the order of their names.",
     "/// All targets, in the order of their names."),
    ("results/tests/fuzz/target.hpp",
     "/// A static one of it in a door's file is all that it takes to be among them.",
     "/// A static object of this in the target's file adds it."),
    ("results/tests/fuzz/target.hpp",
     "/// What is wrong with the door, after it was given this input; absent: nothing is.",
     "/// What is wrong with the target, after it was given this input; absent: nothing is."),
    ("tools/tests/fuzz/libfuzzer.cpp", "// One door for libFuzzer", "// One target for libFuzzer"),
    ("tools/tests/fuzz/libfuzzer.cpp", "// uotbench-fuzz-DOOR.", "// uotbench-fuzz-TARGET."),
    ("tools/tests/fuzz/libfuzzer.cpp", '"no door %s\\n"', '"no target %s\\n"'),
    ("tools/tests/fuzz/mutations_test.cpp",
     "// Every door stays one, whatever knocks: thousands of right inputs with a few changes, the same ones on every\n"
     "// machine. What is found",
     "// Every fuzz target holds its promises for thousands of right inputs with a few changes, the same ones on every\n"
     "// machine. What is found"),
    ("tools/tests/fuzz/mutations_test.cpp", "// Of all doors together:", "// Of all targets together:"),
    ("tools/tests/robustness.md", "a static `Knock` with a name and a\ncorpus)",
     "a static `Registration` with a name\nand a corpus)"),
    ("CMakePresets.json", "libFuzzer at the doors of the program (docs/reference/robustness.md); wants clang 19",
     "libFuzzer on the fuzz targets (docs/reference/robustness.md); needs clang 19"),
    ("cmake/UotbenchFuzz.cmake",
     re.compile(r"# Doors of the program \((\S+)\), knocked at by seeded mutations in CTest; with UOTBENCH_FUZZ, by "
                r"libFuzzer,\n# too: a program uotbench-fuzz-DOOR for each\."),
     r"# Fuzz targets (\1): run with seeded mutations in CTest; with UOTBENCH_FUZZ, by libFuzzer,"
     "\n# too: a program uotbench-fuzz-TARGET for each."),
    ("cmake/UotbenchFuzz.cmake", '"programs of libFuzzer, a door each; wants clang (the preset fuzz)"',
     '"programs of libFuzzer, one for each fuzz target; needs clang (the preset fuzz)"'),
    ("cmake/UotbenchFuzz.cmake", re.compile(r"\bdoor_(places|sources)\b"), r"fuzz_\1"),
    ("cmake/UotbenchFuzz.cmake", re.compile(r"\bfuzz_doors\b"), "fuzz_targets"),
    ("cmake/UotbenchFuzz.cmake", re.compile(r'UOTBENCH_DOOR="\$\{(?:door|fuzz_target)\}"'),
     'UOTBENCH_FUZZ_TARGET="${fuzz_target}"'),
    ("cmake/UotbenchFuzz.cmake", re.compile(r"\$\{door\}"), "${fuzz_target}"),
    ("cmake/UotbenchFuzz.cmake", '"\\\\1" door "${line}"', '"\\\\1" fuzz_target "${line}"'),
    # temp_dir: Python within a C++ string
    ("harness/sweep/tests/worker_process_test.cpp", re.compile(r"\blitter\b"), "temp_dir"),
    # statistics
    ("results/statistics/change_points.hpp", "/// Change points of the logarithms of `values`",
     "/// Change points (e_divisive) of the logarithms of `values`"),
    ("results/statistics/statistics.hpp", "/// An interval and how often such intervals hold what they are for, exactly.",
     "/// An interval and its exact coverage probability."),
    ("results/gate/gate.hpp", "///< of that median, by the sign test; absent for too few pairs",
     "///< of that median (sign test); absent: too few pairs"),
    ("results/statistics/statistics.hpp", "shift of log times, i.e. the",
     "shift of log times (Hodges and Lehmann's estimator), i.e. the"),
    # KernelTraits
    ("harness/worker/kernel_traits.hpp",
     re.compile(r"(///< Facts facts\(\) const\n\};\n)(?!\n/// Its earlier name)"),
     r"""\1
/// Its earlier name, for kernels outside the tree. Without the warning in CUDA kernels, where warnings are errors.
#ifdef __CUDACC__
using Declares = KernelTraits;
#else
using Declares [[deprecated("use KernelTraits")]] = KernelTraits;
#endif
"""),
    ("tools/tests/full/declared_test.sh", "static constexpr Declares declares{", "static constexpr ${traits-KernelTraits} declares{"),
    ("tools/tests/full/declared_test.sh",
     re.compile(r"(refused \"for f32, for f64 or for both\"[^\n]*\n)(?!# The type)"),
     r"""\1# The type's earlier name compiles, with a warning.
traits=Declares compiles ".restarts = true" "void restart() {}"
grep -Fq "use KernelTraits" "$scratch/said" || { echo "FAILED: the earlier name has no warning:"; cat "$scratch/said"; exit 1; }
"""),
    ("docs/reference/kernel_members.md",
     re.compile(r"static constexpr KernelTraits declares\{\.restarts = true\};  // in the class\nvoid restart\(\); {40}//"),
     "static constexpr KernelTraits declares{.restarts = true};  // in the class\nvoid restart();" + " " * 44 + "//"),
]
# Test suites as tables of tests name them.
SUITES = {"DoorOfAProcess": "WorkerProcessTest", "Door": "Validation", "Doors": "FuzzTargets",
          "ScratchTest": "WorkspaceTest", "Kin": "ProcessTree", "SittingOrder": "AbOrder", "Objection": "AxisViolation",
          "LastingSteps": "ChangePoints"}
TESTS = {"ACopyThatDiffersSpoilsTheSitting": "ACopyThatDiffersSpoilsTheSession",
         "SpoilsASittingWhoseCopyDiffers": "SpoilsASessionWhoseCopyDiffers"}
LEFT = (r"\w*[Cc]rews?_?|[Rr]osters?_?|\w*\bkin_?|Kin|\w*[Ss]ittings?\w*|Declares|Scratch|litter_?|\w*misfit\w*|"
        r"\w*[Oo]bjection\w*|\w*misdescription\w*|\w*[Dd]oors?\b\w*|DOOR|\w*[Dd]esks?_?|\w*[Ww]ish(?:es|ed)?|SureInterval|"
        r"\w*shift_rank|ShiftRank|unpaired_ratio_interval|robust_deviation|lasting_steps|LastingSteps?|Knock")

TOKEN = re.compile(r'''R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)+'|'''
                   r'''//(?:[^\n\\]|\\.)*|/\*.*?\*/''', re.S)


def git(*words):
    return subprocess.run(["git", *words], check=True, text=True, stdout=subprocess.PIPE).stdout


def compiled(rules):
    return [(re.compile(files), re.compile(r"(?<!\w)" + (f"(?:{pattern})" if "|" in pattern else pattern) + r"(?!\w)"),
             new, pattern) for files, pattern, new in rules]


RULES = {"names": compiled(names), "code": compiled(code), "both": compiled(both)}
ANY = re.compile(r"(?<!\w)(?:" + "|".join(f"(?:{pattern})" for rules in (names, code, both) for _, pattern, _ in rules)
                 + r")(?!\w)")
counts, changed = collections.Counter(), set()


def applied(rules, path, text):
    for files, pattern, new, shown in rules:
        if files.search(path):
            text, n = pattern.subn(new, text)
            if n:
                counts[shown, new] += n
    return text


def renamed_cpp(path, text):
    made, at = [], 0
    for token in TOKEN.finditer(text):
        made.append(of_code(path, text[at:token.start()]))
        made.append(of_comment(path, token[0]) if token[0].startswith(("//", "/*")) else token[0])
        at = token.end()
    return "".join(made) + of_code(path, text[at:])


def of_code(path, text):
    return applied(RULES["both"], path, applied(RULES["code"], path, applied(RULES["names"], path, text)))


def of_comment(path, text):
    return applied(RULES["both"], path, applied(RULES["names"], path, text))


def plain(text):
    """Without line ends and marks of comments, which clang-format may have moved."""
    return " ".join(re.sub(r"\n\s*(?://[/<]*|#)?", " ", re.sub(r"^\s*(?://[/<]*|#)", "", text)).split())


def main():
    for old, new in MOVES:
        if not os.path.exists(old):
            continue
        if os.path.exists(new):
            if old not in FORWARDS:
                sys.exit(f"rename: both {old} and {new} are there; merge them by hand")
            continue
        os.makedirs(os.path.dirname(new), exist_ok=True)
        git("mv", old, new)
        changed.add(new)
        counts["files", ""] += 1
    for old, new in FORWARDS.items():
        if os.path.exists(new) and not os.path.exists(old):
            with open(old, "w") as file:
                file.write(FORWARD.format(new))
            git("add", old)
    paths = [path for path in git("ls-files").splitlines()
             if (path.endswith(TEXT) or path.startswith("tools/") or os.path.basename(path) == "CMakeLists.txt")
             and not KEPT.search(path) and os.path.isfile(path)]
    moved = re.compile("|".join(rf"(?<![\w/]){re.escape(old)}(?!\w)" for old, _ in MOVES))
    to = dict(MOVES)
    hand = collections.defaultdict(list)
    for path, old, new in HAND:
        hand[path].append((old, new))
    for path in paths:
        try:
            with open(path, encoding="utf-8", newline="") as file:
                before = file.read()
        except UnicodeDecodeError:
            continue
        text = moved.sub(lambda found: to[found[0]], before)
        if path.endswith(CPP) and ANY.search(text):
            text = renamed_cpp(path, text)
        if path.endswith(".md"):
            text = text.replace("static constexpr Declares declares", "static constexpr KernelTraits declares")
            for old, new in SUITES.items():
                text = re.sub(rf"(?<![\w.]){old}(?=\.[A-Z])", new, text)
            for old, new in TESTS.items():
                text = text.replace(old, new)
        for old, new in hand.pop(path, ()):
            made = old.sub(new, text) if isinstance(old, re.Pattern) else text.replace(old, new)
            done = plain(max(re.split(r"\\\d", new), key=len)) in plain(text)
            if made == text and not done:
                print(f"by hand: nothing to change in {path}: {old if isinstance(old, str) else old.pattern}")
            text = made
        if text != before:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            changed.add(path)
    for path in hand:
        print(f"by hand: no file {path}")
    sources = sorted(path for path in changed if path.endswith((".cpp", ".hpp", ".cu", ".cuh")))
    for i in range(0, len(sources), 50):
        subprocess.run(["clang-format", "-i", *sources[i:i + 50]], check=True)
    for (old, new), n in sorted(counts.items()):
        print(f"{n:5d}  {old} -> {new}")
    print(f"{len(changed)} files changed, {len(sources)} of them formatted")
    left = collections.Counter()
    for path in paths:
        if path.endswith(CPP):
            text = open(path, encoding="utf-8", errors="replace").read()
            for found in re.finditer(rf"(?<!\w)(?:{LEFT})(?!\w)", text):
                line = text.count("\n", 0, found.start())
                left[path, line + 1, found[0]] += 1
    print("left of the old words in C++ (comments and strings included):")
    for (path, line, word), _ in sorted(left.items()):
        print(f"  {path}:{line}: {word}")


main()
