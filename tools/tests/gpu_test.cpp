// Workers of CUDA kernels as the parent program meets them: there or not, judged or timed, counted by
// another. The workers are made of Python, so that their answers are known and no GPU is needed.
#include <gmock/gmock.h>

#include "results/record/counters.hpp"
#include "results/record/run_file/line_json.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// An installation of its own: the program, the built workers, and manifests that a test writes.
class Gpu : public testing::Test {
 protected:
  Gpu() {
    for (const char* folder : {"bin", "share/uotbench"}) fs::create_directories(folder_ / folder);
    fs::copy_file(uotbench_program, folder_ / "bin/uotbench");
    for (const auto& entry : fs::directory_iterator(bin))
      if (entry.path().filename().string().starts_with("uotbench-worker-") &&
          entry.path().filename().string().find("simt") == std::string::npos &&
          entry.path().filename() != "uotbench-worker-cuda")
        fs::create_symlink(entry.path(), folder_ / "bin" / entry.path().filename());
    fs::copy(std::string(UOTBENCH_SOURCE_DIR) + "/configs", folder_ / "share/uotbench/configs",
             fs::copy_options::recursive);
  }

  /// A manifest of our own; `arguments`: of tools/tests/gpu_worker.py.
  void worker(const std::string& name, Json rest, const std::vector<std::string>& arguments) const {
    rest["name"] = name;
    rest["command"] =
        joined({"python3", std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/gpu_worker.py"}, arguments);
    write_text(folder_ / ("share/uotbench/configs/workers/" + name + ".json"), rest.dump());
  }
  void cuda(const std::vector<std::string>& arguments) const {
    worker("cuda", {{"prefer", 2}, {"sources", "cu"}}, arguments);
  }
  void simt() const { worker("simt", {{"prefer", 1}, {"steps", {"verify"}}, {"sources", "cu"}}, {}); }
  void simt_trace(const std::vector<std::string>& arguments = {"counts=simt-trace"}) const {
    worker("simt-trace",
           {{"steps", {"verify", "count"}},
            {"counts", "simt-trace"},
            {"counters", {"simt-trace:gpu"}},
            {"sources", "cu"}},
           arguments);
  }

  Outcome uotbench(const std::vector<std::string>& arguments) const {
    return Program(joined({(folder_ / "bin/uotbench").string()}, arguments), folder_.path()).wait();
  }
  Outcome run(const std::vector<std::string>& flags) const {
    return uotbench(joined(joined({"run", "--output", "run.jsonl", "--force"}, quick), flags));
  }
  std::map<std::string, Record> records() const { return records_of(folder_ / "run.jsonl"); }
  Record only() const {
    const auto all = records();
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? Record{} : all.begin()->second;
  }

  Folder folder_;
};

const std::vector<std::string> listed{"uot/cuda_lists", "-a", "M,N=5,7"};

TEST_F(Gpu, AVariantRunsWhereItCanAndOnTheExecutorWhereThereIsNone) {
  simt();
  cuda({});
  ASSERT_EQ(run(listed).code, 0);
  EXPECT_EQ(only().id, "uot/cuda_lists/M:5/N:7@cuda");
  EXPECT_EQ(only().time->clock, "cuda-event");
  cuda({"obstacle=no GPU: no driver"});
  ASSERT_EQ(run(listed).code, 0);
  EXPECT_EQ(only().id, "uot/cuda_lists/M:5/N:7@simt");
  EXPECT_EQ(verdict(only()), "ok");
  EXPECT_FALSE(only().time) << "it was not asked";
}

TEST_F(Gpu, WhatIsJudgedAndNotTimedIsShownSoInEveryTable) {
  simt();
  const auto out = run(listed);
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_THAT(out.out, AllOf(HasSubstr("simt: verified, not timed"), HasSubstr(" ok"), Not(HasSubstr(" 0"))));
  EXPECT_THAT(uotbench({"show", "run.jsonl"}).out, HasSubstr("simt: verified, not timed"));
  const Json json = Json::parse(uotbench({"show", "run.jsonl", "--json"}).out);
  EXPECT_TRUE(json["cases"][0]["median"].is_null());
  EXPECT_EQ(json["notes"], Json({"simt: verified, not timed"}));
  EXPECT_THAT(uotbench({"export", "run.jsonl", "--format", "csv"}).out,
              HasSubstr("@simt,uot/cuda_lists,simt,"));
  EXPECT_THAT(uotbench({"export", "run.jsonl", "--format", "markdown"}).out,
              HasSubstr("simt: verified, not timed"));
  EXPECT_THAT(uotbench({"export", "run.jsonl", "--format", "gbench"}).out,
              HasSubstr("verified only, not timed"));
  EXPECT_EQ(uotbench({"report", "run.jsonl", "-o", "report.html"}).code, 0);
  EXPECT_THAT(text_of(folder_ / "report.html"), HasSubstr("simt: verified, not timed"));
  const auto figure = uotbench({"figure", "speedup", "run.jsonl", "-o", "f.svg"});
  EXPECT_EQ(figure.code, 2);
  EXPECT_THAT(figure.err, HasSubstr("no case is ok and timed: 1 ok without a time"));
  fs::copy_file(folder_ / "run.jsonl", folder_ / "other.jsonl");
  const auto compared = uotbench({"compare", "run.jsonl", "other.jsonl"});
  EXPECT_EQ(compared.code, 6);
  EXPECT_THAT(compared.err, HasSubstr("not timed"));
}

TEST_F(Gpu, AbsentWorkersAreSkippedInOneLineAndTheRestRuns) {
  simt();
  cuda({"obstacle=no GPU: no driver"});
  const auto out =
      run({"uot/cuda_lists", "--worker", "cuda", "--worker", "simt", "-a", "M,N=5,7", "-a", "Tx=32,64,128"});
  EXPECT_EQ(out.code, 0);
  const std::string line = "worker cuda cannot run here: no GPU: no driver";
  EXPECT_THAT(out.out, AllOf(HasSubstr(line + ": 3 cases of cuda skipped"), Not(HasSubstr("@cuda"))));
  EXPECT_EQ(out.err.find(line), out.err.rfind(line)) << out.err;
  EXPECT_EQ(records().size(), 6u);
  for (const auto& [id, record] : records())
    EXPECT_EQ(verdict(record), record.worker == "cuda" ? "skipped: " + line : "ok") << id;
}

TEST_F(Gpu, VariantsOfAWorkerThatIsNotBuiltAreSkippedAndNamesThatNobodyHasAreErrors) {
  simt();
  write_text(folder_ / "share/uotbench/variants.json",
             R"([{"variant": "uot/cuda_gemv", "sources": "cu", "workers": ["cuda"]},
                 {"variant": "uot/cuda_lists", "sources": "cu", "workers": []},
                 {"variant": "uot/map_uot", "sources": "cpp", "workers": []}])");
  fs::copy(std::string(UOTBENCH_SOURCE_DIR) + "/configs/workers/cuda.json",
           folder_ / "share/uotbench/configs/workers/cuda.json", fs::copy_options::overwrite_existing);
  const auto absent = run({"uot/cuda_gemv", "--worker", "cuda", "--worker", "simt", "-a", "M,N=5,7"});
  EXPECT_EQ(absent.code, 0) << absent.err;
  EXPECT_EQ(only().id, "uot/cuda_gemv/M:5/N:7@cuda");
  EXPECT_EQ(only().status, Status::skipped);
  EXPECT_THAT(absent.out, HasSubstr("worker cuda is not built: no program"));
  EXPECT_EQ(run({"uot/cuda_gemv", "-a", "M,N=5,7"}).code, 0) << "as it is where no worker is named";
  EXPECT_EQ(run({"uot/cuda_*", "--worker", "cuda", "-a", "M,N=5,7"}).code, 0) << "what there is is known";
  EXPECT_THAT(records(), testing::ElementsAre(testing::Key("uot/cuda_gemv/M:5/N:7@cuda"),
                                              testing::Key("uot/cuda_lists/M:5/N:7@cuda")));
  const auto other = run({"uot/map_uott", "--worker", "cuda", "--worker", "native-v3", "-a", "M,N=5,7"});
  EXPECT_EQ(other.code, 2) << "its manifest says that it is made of .cu files";
  EXPECT_THAT(other.err, HasSubstr("no variant \"uot/map_uott\" (did you mean uot/map_uot?)"));
  const auto typo = run({"uot/cuda_gemw", "--worker", "cuda", "-a", "M,N=5,7"});
  EXPECT_EQ(typo.code, 2) << "the installation's list has all names";
  EXPECT_THAT(typo.err,
              HasSubstr("no variant \"uot/cuda_gemw\" (did you mean uot/cuda_gemv?) in cuda; known: "
                        "uot/cuda_gemv, uot/cuda_lists"));
}

TEST_F(Gpu, PatternsRunOnOneWorkerThatHoldsAMatch) {
  simt();
  cuda({});
  const auto ids = [&](const std::string& pattern) {
    return uotbench({"run", pattern, "-a", "M,N=5,7", "--dry-run"}).out;
  };
  EXPECT_THAT(ids("uot/*"), AllOf(HasSubstr("uot/map_uot/M:5/N:7@native"), Not(HasSubstr("cuda"))));
  EXPECT_EQ(ids("uot/cuda_*"), "uot/cuda_lists/M:5/N:7@cuda\n");
  cuda({"obstacle=no GPU"});
  EXPECT_EQ(ids("uot/cuda_*"), "uot/cuda_lists/M:5/N:7@simt\n");
}

TEST_F(Gpu, AWorkersOwnCountersAreCountedUnlessTheRunSaysOtherwise) {
  simt_trace();
  const auto trace = [&](const std::vector<std::string>& more) {
    return run(joined(joined(listed, {"--worker", "simt-trace"}), more));
  };
  ASSERT_EQ(trace({}).code, 0);
  const auto loads = counter_of(only(), "GPU.load_requests");
  ASSERT_TRUE(loads);
  EXPECT_EQ(loads->value, 96);
  EXPECT_EQ(loads->origin.source, "simt-trace");
  EXPECT_EQ(loads->origin.kind, "simulated");
  EXPECT_EQ(loads->origin.worker, "") << "its own";
  ASSERT_EQ(loads->lines.size(), 2u);
  EXPECT_EQ(loads->lines[1].at, "scale<float> kernels/uot/cuda_lists.cu:31");
  EXPECT_FALSE(counter_or_why(only(), "GPU.collectives").value);
  EXPECT_FALSE(only().time);
  const Json header = to_json(read_run(folder_ / "run.jsonl").header);
  EXPECT_EQ(header["options"]["worker_counters"], (Json{{"simt-trace", {"simt-trace:gpu"}}}));
  ASSERT_EQ(trace({"--counters", "none"}).code, 0);
  EXPECT_TRUE(only().counters.empty());
  ASSERT_EQ(trace({"--counters", "simt-trace:load_sectors"}).code, 0);
  EXPECT_EQ(only().counters.size(), 1u);
  EXPECT_EQ(counted(only(), "simt-trace:load_sectors"), 4 * 32 + 64 * 16);
}

TEST_F(Gpu, ExplainPrintsTheCountsOfCasesWithoutATime) {
  simt_trace();
  ASSERT_EQ(run(joined(listed, {"--worker", "simt-trace"})).code, 0);
  const Outcome screen = uotbench({"explain", "run.jsonl"});
  ASSERT_EQ(screen.code, 0) << screen.err;
  EXPECT_THAT(screen.out, HasSubstr("has no case with a time and a work model; what was counted"));
  EXPECT_THAT(screen.out, HasSubstr("sectors/load"));
  const Outcome json = uotbench({"explain", "run.jsonl", "--json"});
  EXPECT_EQ(json.code, 1);
  EXPECT_THAT(json.err, HasSubstr("has no case with a time and a work model"));
}

TEST_F(Gpu, ExplainSaysWhyACaseWasSkipped) {
  ASSERT_EQ(run(joined(listed, {"--worker", "simt-trace", "--counters", "gpu"})).code, 0);
  ASSERT_EQ(only().status, Status::skipped);
  const Outcome screen = uotbench({"explain", "run.jsonl"});
  EXPECT_EQ(screen.code, 1);
  EXPECT_THAT(screen.err, HasSubstr(only().id + " skipped: " + only().reason.value_or("no reason")));
}

// A source of CPUs would have nothing to say of it.
TEST_F(Gpu, AutoIsWhatTheWorkersManifestSays) {
  simt_trace();
  const auto run_auto = [&](const std::string& words) {
    return run(joined(listed, {"--worker", "simt-trace", "--counters", words}));
  };
  ASSERT_EQ(run_auto("auto").code, 0);
  for (const auto& [name, counter, as_read] : only().counters) EXPECT_THAT(name, testing::StartsWith("GPU."));
  EXPECT_EQ(counter_of(only(), "GPU.load_requests")->value, 96);
  const Json header = to_json(read_run(folder_ / "run.jsonl").header);
  EXPECT_EQ(header["options"]["worker_counters"], (Json{{"simt-trace", {"simt-trace:gpu"}}}));
  ASSERT_EQ(run_auto("os,auto,simt-trace:gpu").code, 0) << "each once";
  EXPECT_TRUE(counter_of(only(), "GPU.load_requests"));
  worker("cuda", {{"prefer", 2}, {"sources", "cu"}, {"auto", {"nvperf:load_sectors"}}}, {"counts=nvperf"});
  ASSERT_EQ(run(joined(listed, {"--worker", "cuda", "--counters", "auto"})).code, 0);
  EXPECT_EQ(counted(only(), "nvperf:load_sectors"), 1152);
}

TEST_F(Gpu, AnotherWorkersCasesAreCountedByTheTrace) {
  cuda({});
  simt_trace();
  ASSERT_EQ(run(joined(listed, {"--counters", "gpu"})).code, 0);
  const auto loads = counter_of(only(), "GPU.load_requests");
  ASSERT_TRUE(loads && loads->value) << (loads ? loads->reason : "");
  EXPECT_EQ(loads->origin.worker, "simt-trace");
  EXPECT_TRUE(only().time);
}

TEST_F(Gpu, SourcesOfAWorkersOwnNeedNoListOfOurs) {
  cuda({"counts=nvperf"});
  ASSERT_EQ(run(joined(listed, {"--counters", "nvperf:load_sectors"})).code, 0);
  EXPECT_EQ(counted(only(), "nvperf:load_sectors"), 1152);
  const auto unknown = run(joined(listed, {"--counters", "nvperf:no_such"}));
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("\"nvperf:no_such\": no event no_such"));
  const auto none = run(joined(listed, {"--counters", "nvprof:load_sectors"}));
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("no counter source \"nvprof\" (did you mean nvperf?)"));
}

TEST_F(Gpu, CountersAreShownByKernelAndLine) {
  simt_trace();
  ASSERT_EQ(run(joined(listed, {"--worker", "simt-trace", "-a", "Tx=32,64,128,256,512"})).code, 0);
  const std::vector<std::string> show{"show", "run.jsonl", "--counters"};
  const std::string one = uotbench(joined(show, {"--filter", "Tx:512"})).out;
  EXPECT_THAT(one,
              AllOf(HasSubstr("sectors/load"), HasSubstr("Lines of CUDA kernels"), HasSubstr("scale<float>"),
                    HasSubstr("kernels/uot/cuda_lists.cu:9 "), HasSubstr("shared load"), HasSubstr("2.00")));
  EXPECT_LT(one.find("cuda_lists.cu:9 "), one.find("cuda_lists.cu:31 ")) << "by number, not by letter";
  const std::string all = uotbench(show).out;
  EXPECT_THAT(all, AllOf(HasSubstr("sectors/load"), Not(HasSubstr("Lines of CUDA kernels")),
                         HasSubstr("5 cases have their kernels' lines")));
  EXPECT_THAT(uotbench(joined(show, {"--lines"})).out,
              HasSubstr("uot/cuda_lists/M:5/N:7/Tx:64@simt-trace: scale<float>"));
  EXPECT_EQ(uotbench({"show", "run.jsonl", "--lines"}).code, 2);
  EXPECT_EQ(uotbench({"report", "run.jsonl", "-o", "r.html"}).code, 0);
  EXPECT_THAT(text_of(folder_ / "r.html"), HasSubstr("Global and shared memory of CUDA kernels"));
}

TEST_F(Gpu, TilesShowACounterWhereThereIsNoTime) {
  simt_trace();
  ASSERT_EQ(run(joined(listed, {"--worker", "simt-trace", "-a", "Tx=32,64,128", "-a", "Ny=1,2"})).code, 0);
  const auto drawn =
      uotbench({"figure", "tiles", "run.jsonl", "--value", "GPU.sectors_per_load", "-o", "f.svg", "--data"});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  const std::string csv = text_of(folder_ / "f.csv");
  EXPECT_THAT(csv, AllOf(HasSubstr("GPU.sectors_per_load"), HasSubstr(",12,"), HasSubstr("M:5")));
  const auto wrong =
      uotbench({"figure", "tiles", "run.jsonl", "--value", "GPU.sector_per_load", "-o", "f.svg"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean GPU.sectors_per_load?"));
  EXPECT_EQ(uotbench({"figure", "tiles", "run.jsonl", "-o", "f.svg"}).code, 2) << "no times";
}

TEST_F(Gpu, TimesOfAPartAreSaidAndNotHeldAgainstIterations) {
  cuda({"per=part", "warning=clocks were throttled: power cap"});
  const auto part = run(listed);
  ASSERT_EQ(part.code, 0);
  EXPECT_EQ(only().time->per, Unit::part);
  EXPECT_THAT(part.out, AllOf(HasSubstr("times are per part, not per iteration: uot/cuda_lists"),
                              HasSubstr("round 1: clocks were throttled: power cap")));
  EXPECT_THAT(uotbench({"export", "run.jsonl", "--format", "csv"}).out, HasSubstr(",part,,,cuda-event,"));
  fs::copy_file(folder_ / "run.jsonl", folder_ / "part.jsonl");
  cuda({});
  ASSERT_EQ(run(listed).code, 0);
  const auto compared = uotbench({"compare", "run.jsonl", "part.jsonl"});
  EXPECT_EQ(compared.code, 6);
  EXPECT_THAT(compared.err, HasSubstr("timed per iteration in A and per part in B"));
}

TEST_F(Gpu, CountsAreOfTheUnitThatTheWorkerNames) {
  simt_trace({"counts=simt-trace", "per=part"});
  ASSERT_EQ(run(joined(listed, {"--worker", "simt-trace"})).code, 0);
  EXPECT_EQ(counter_of(only(), "GPU.load_requests")->per, Unit::part);
  EXPECT_THAT(uotbench({"show", "run.jsonl", "--counters"}).out, HasSubstr("counted per part"));
}

TEST_F(Gpu, TheDeviceIsPassedOn) {
  cuda({});
  ASSERT_EQ(run(joined(listed, {"--device", "2"})).code, 0);
  EXPECT_EQ(only().env.text("device"), "2");
  EXPECT_EQ(to_json(read_run(folder_ / "run.jsonl").header)["options"]["device"], 2);
  const auto wrong = run(joined(listed, {"--device", "first"}));
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--device"));
}

TEST_F(Gpu, ListTellsWhoHoldsAVariantAndWhatTheCompilerMadeOfIt) {
  simt();
  cuda({"obstacle=no GPU"});
  const Json json = Json::parse(uotbench({"list", "uot/cuda_lists", "--json"}).out);
  EXPECT_EQ(json["workers"], Json({"cuda", "simt"}));
  EXPECT_EQ(json["kernels"][0]["registers"], 32);
}

TEST_F(Gpu, DoctorSaysWhatThereIsOfCuda) {
  simt();
  cuda({"obstacle=no GPU: no driver"});
  EXPECT_THAT(uotbench({"doctor"}).out, AllOf(HasSubstr("worker cuda cannot run here: no GPU: no driver"),
                                              HasSubstr("worker simt: 1 variant: verified, not timed")));
}

}  // namespace
}  // namespace uotbench
