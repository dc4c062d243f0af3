#include "harness/sweep/language/sweep_file.hpp"

#include <gmock/gmock.h>

#include <random>

#include "harness/sweep/tests/planned.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;

TEST(SweepFile, HoldsEverything) {
  const Sweep sweep = sweep_of(R"({
    "$schema": "sweep.schema.json", "name": "tiling-2.1", "about": "why",
    "measure": {"rounds": 5, "min_samples": 7, "max_noise": "0.5%", "max_time": "500ms", "case_timeout": "2m"},
    "workers": ["native-v3", "native-v4"], "counters": [], "claims": {}, "speedup_over": {"variant": "uot/gemv"},
    "cases": [
      {"variants": ["uot/*"], "workers": ["native-v4"], "axes": {"N,M": [[1, 2], [3, 4]], "threads": [1, 2], "data": "points"}},
      {"variants": ["uot/gemv", "uot/map_uot"]}
    ]})");
  EXPECT_EQ(sweep.name, "tiling-2.1");
  EXPECT_EQ(sweep.source, "s.json");
  EXPECT_EQ(sweep.measure.rounds, 5);
  EXPECT_EQ(sweep.measure.min_samples, 7);
  EXPECT_DOUBLE_EQ(sweep.measure.max_noise, 0.005);
  EXPECT_DOUBLE_EQ(sweep.measure.max_time, 0.5);
  EXPECT_DOUBLE_EQ(sweep.measure.case_timeout, 120);
  EXPECT_THAT(sweep.workers, ElementsAre("native-v3", "native-v4"));
  EXPECT_EQ(sweep.speedup_over.json(), Json({{"variant", "uot/gemv"}}));
  ASSERT_EQ(sweep.cases.size(), 2u);
  EXPECT_THAT(sweep.cases[0].workers, ElementsAre("native-v4"));
  const auto& axes = sweep.cases[0].axes;
  ASSERT_EQ(axes.size(), 3u);
  EXPECT_THAT(axes[0].names, ElementsAre("N", "M")) << "the order of the file, not the alphabet's";
  EXPECT_THAT(axes[0].tuples, ElementsAre(ElementsAre(1, 2), ElementsAre(3, 4)));
  EXPECT_THAT(axes[1].tuples, ElementsAre(ElementsAre(1), ElementsAre(2)));
  EXPECT_THAT(axes[2].tuples, ElementsAre(ElementsAre("points"))) << "a scalar is a list of one";
  EXPECT_THAT(sweep.cases[1].variants, ElementsAre("uot/gemv", "uot/map_uot"));
  EXPECT_EQ(sweep.cases[1].pointer, "s.json: /cases/1");
}

// Published numbers are repeated with these: changing one changes what a sweep without it means. The schema
// says the same to editors and to the page about sweeps.
TEST(SweepFile, HasFixedDefaults) {
  Json declared = Json::object();
  for (const auto& [key, rule] : schema()["properties"]["measure"]["properties"].items())
    if (rule.contains("default")) declared[key] = rule["default"];
  EXPECT_EQ(declared.size(), 5u);
  const std::string with_declared =
      R"({"name": "x", "measure": )" + declared.dump() + R"(, "cases": [{"variants": ["uot/x"]}]})";
  const Sweep sweep = sweep_of(R"({"name": "x", "cases": [{"variants": ["uot/x"]}]})");
  for (const Sweep& one : {sweep, sweep_of(with_declared)}) {
    EXPECT_EQ(one.measure.rounds, 3);
    EXPECT_EQ(one.measure.min_samples, 5);
    EXPECT_DOUBLE_EQ(one.measure.max_noise, 0.02);
    EXPECT_DOUBLE_EQ(one.measure.max_time, 2);
    EXPECT_DOUBLE_EQ(one.measure.case_timeout, 60);
  }
  EXPECT_TRUE(sweep.workers.empty());
  EXPECT_TRUE(sweep.speedup_over.is_null());
}

// What ships works.
TEST(SweepFile, OfConfigsAreAllValid) {
  int read = 0;
  for (const auto& entry : fs::directory_iterator(configs)) {
    const std::string name = entry.path().filename();
    if (entry.path().extension() != ".json" || entry.path().stem().extension() == ".schema") continue;
    ++read;
    EXPECT_EQ(complaint([&] { sweep_from(read_strictly(entry.path()), schema(), name); }), "no error");
  }
  EXPECT_GE(read, 2);
}

// Every place of the schema has words of its own for what belongs there: no message may fall back on "?".
TEST(SweepFile, IsDescribedEverywhere) {
  const std::function<void(const Json&, const std::string&)> look = [&](const Json& place,
                                                                        const std::string& where) {
    EXPECT_FALSE(place.value("description", "").empty()) << where;
    const Json properties = place.value("properties", Json::object());
    for (const auto& [key, inner] : properties.items()) look(inner, where + "/" + key);
    if (place.contains("items")) look(place["items"], where + "/[]");
    if (place.contains("additionalProperties") && place["additionalProperties"].is_object())
      look(place["additionalProperties"], where + "/*");
  };
  look(schema(), "");
}

TEST(WrongSweep, OfAnotherShapeIsRefused) {
  EXPECT_EQ(sweep_refusal("[]"), "/: expected an object with name and cases, got []");
  EXPECT_EQ(sweep_refusal("5"), "/: expected an object with name and cases, got 5");
  EXPECT_EQ(sweep_refusal("null"), "/: expected an object with name and cases, got null");
}

TEST(WrongSweep, WithAnUnknownKeyNamesTheNearest) {
  EXPECT_EQ(sweep_refusal(R"({"nmae": "x", "cases": [{"variants": ["uot/x"]}]})"),
            "/: unknown key \"nmae\" (did you mean name?); expected $schema, name, about, measure, workers, "
            "counters, metrics, speedup_over, claims, published, cases");
  EXPECT_EQ(measure_refusal(R"({"round": 3})"),
            "/measure: unknown key \"round\" (did you mean rounds?); expected rounds, min_samples, "
            "max_noise, max_time, case_timeout, reach, caches");
  EXPECT_EQ(case_refusal(R"({"variants": ["uot/x"], "axis": {}})"),
            "/cases/0: unknown key \"axis\" (did you mean axes?); expected variants, workers, where, axes");
  EXPECT_EQ(case_refusal(R"({"variants": ["uot/x"], "zzzzzzzz\n": {}})"),
            "/cases/0: unknown key \"zzzzzzzz\\n\"; expected variants, workers, where, axes");
}

TEST(WrongSweep, WithoutAKeySaysWhatBelongsThere) {
  EXPECT_EQ(sweep_refusal(R"({"cases": [{"variants": ["uot/x"]}]})"),
            "/: the key \"name\" is missing; expected a name of letters, digits, '_', '.', '+' and '-'");
  EXPECT_EQ(sweep_refusal(R"({"name": "x"})"),
            "/: the key \"cases\" is missing; expected a list of at least one object with variants and axes");
  EXPECT_EQ(case_refusal(R"({"axes": {"M": 1}})"),
            "/cases/0: the key \"variants\" is missing; expected a list of variants such as "
            "[\"uot/map_uot\"] (\"uot/*\": all of a family)");
  EXPECT_EQ(sweep_refusal(R"({"name": "x", "speedup_over": {}, "cases": [{"variants": ["uot/x"]}]})"),
            "/speedup_over: expected an object such as {\"variant\": \"uot/numpy_order\"} or, with axes, "
            "{\"variant\": \"uot/numpy_order\", \"threads\": 1}, got {}");
  EXPECT_EQ(
      sweep_refusal(R"({"name": "x", "speedup_over": {"threads": [1]}, "cases": [{"variants": ["uot/x"]}]})"),
      "/speedup_over/threads: expected the value of an axis, such as \"threads\": 1, got [1]");
}

TEST(WrongSweep, WithAWrongTypeSaysWhereAndWhat) {
  EXPECT_EQ(sweep_refusal(R"({"name": 5, "cases": [{"variants": ["uot/x"]}]})"),
            "/name: expected a name of letters, digits, '_', '.', '+' and '-', got 5");
  EXPECT_EQ(sweep_refusal(R"({"name": "../x", "cases": [{"variants": ["uot/x"]}]})"),
            "/name: expected a name of letters, digits, '_', '.', '+' and '-', got \"../x\"");
  EXPECT_EQ(sweep_refusal(R"({"name": "x", "cases": {}})"),
            "/cases: expected a list of at least one object with variants and axes, got {}");
  EXPECT_EQ(sweep_refusal(R"({"name": "x", "cases": []})"),
            "/cases: expected a list of at least one object with variants and axes, got []");
  EXPECT_EQ(case_refusal("7"), "/cases/0: expected an object with variants and axes, got 7");
  EXPECT_EQ(case_refusal(R"({"variants": "uot/x"})"),
            "/cases/0/variants: expected a list of variants such as [\"uot/map_uot\"] (\"uot/*\": all of a "
            "family), got \"uot/x\"");
  EXPECT_EQ(case_refusal(R"({"variants": []})"),
            "/cases/0/variants: expected a list of variants such as [\"uot/map_uot\"] (\"uot/*\": all of a "
            "family), got []");
  EXPECT_EQ(case_refusal(R"({"variants": ["uot/x", 2]})"),
            "/cases/0/variants/1: expected a variant such as \"uot/map_uot\", or \"uot/*\", got 2");
  EXPECT_EQ(case_refusal(R"({"variants": ["uot/x"], "workers": [""]})"),
            "/cases/0/workers/0: expected a worker's name such as \"native-v4\", got \"\"");
  EXPECT_EQ(sweep_refusal(R"({"name": "x", "counters": ["cache", 1], "cases": [{"variants": ["uot/x"]}]})"),
            "/counters/1: expected a counter group, SOURCE:GROUP, SOURCE:EVENT, auto or none, got 1");
  EXPECT_EQ(
      sweep_refusal(R"({"name": "x", "counters": ["gpu", "none"], "cases": [{"variants": ["uot/x"]}]})"),
      "/counters: \"none\" and \"gpu\" contradict each other; give none alone, or without it");
  EXPECT_EQ(measure_refusal(R"({"caches": "L1D=32KiB/8"})"),
            "/measure/caches: expected bytes and ways of all three, whole sets of lines of one size, as in "
            "L1D=32KiB/8,L2=1MiB/8,L3=32MiB/16, got \"L1D=32KiB/8\"");
}

TEST(WrongSweep, WithABadMeasureSaysWhatIsGood) {
  EXPECT_EQ(measure_refusal("3"),
            "/measure: expected an object with rounds, min_samples, max_noise, max_time, case_timeout, "
            "reach, caches, got 3");
  EXPECT_EQ(measure_refusal(R"({"rounds": -1})"),
            "/measure/rounds: expected an integer 0..1000 (fresh processes per case; 0: no timing), got -1");
  EXPECT_EQ(measure_refusal(R"({"rounds": 2.5})"),
            "/measure/rounds: expected an integer 0..1000 (fresh processes per case; 0: no timing), got 2.5");
  EXPECT_EQ(measure_refusal(R"({"rounds": 18446744073709551615})"),
            "/measure/rounds: expected an integer 0..1000 (fresh processes per case; 0: no timing), got "
            "18446744073709551615");
  EXPECT_EQ(measure_refusal(R"({"max_noise": 2})"),
            "/measure/max_noise: expected a percentage such as \"2%\", got 2");
  EXPECT_EQ(measure_refusal(R"({"max_noise": "2"})"),
            "/measure/max_noise: expected a percentage such as \"2%\", got \"2\"");
  EXPECT_EQ(measure_refusal(R"({"max_time": "2 s"})"),
            "/measure/max_time: expected a duration such as \"2s\" or \"500ms\", shared by a case's rounds, "
            "got \"2 s\"");
  EXPECT_EQ(measure_refusal(R"({"case_timeout": 60})"),
            "/measure/case_timeout: expected a duration such as \"60s\" or \"5m\", for one process, got 60");
}

TEST(WrongSweep, WithBadAxesSaysWhatTheyTake) {
  EXPECT_EQ(axes_refusal("[1]"),
            "/cases/0/axes: expected an object of axes such as {\"M,N\": [[512, 512], [4096, 4096]], "
            "\"threads\": [1, 2]}, got [1]");
  const std::string expected =
      "/cases/0/axes/M: expected a value, a list of values (of tuples for a tied axis such as \"M,N\"), or a "
      "range such as "
      "{\"from\": 512, \"to\": 4096, \"step\": 512} or {\"pow2\": [9, 12]}";
  EXPECT_EQ(axes_refusal(R"({"M": []})"), expected + ", got []");
  EXPECT_EQ(axes_refusal(R"({"M": null})"), expected + ", got null");
  EXPECT_EQ(axes_refusal(R"({"M": [1, true]})"),
            "/cases/0/axes/M/1: expected a value, or a tuple of values for a tied axis such as \"M,N\", as "
            "in [[512, 1024]], got true");
  EXPECT_EQ(axes_refusal(R"({"M,N": [[1, {}]]})"),
            "/cases/0/axes/M,N/0/1: expected a number or a text, got {}");
}

TEST(WrongSweep, WithATiedAxisOfAnotherArityIsRefused) {
  EXPECT_EQ(axes_refusal(R"({"M,N": [512, 512]})"),
            "/cases/0/axes/M,N: expected a list of tuples of 2 values, one for each of M,N, got 512");
  EXPECT_EQ(axes_refusal(R"({"M,N": 512})"),
            "/cases/0/axes/M,N: expected a list of tuples of 2 values, one for each of M,N, got 512");
  EXPECT_EQ(axes_refusal(R"({"M,N": [[1, 2], [1, 2, 3]]})"),
            "/cases/0/axes/M,N: expected a list of tuples of 2 values, one for each of M,N, got [1,2,3]");
  EXPECT_EQ(axes_refusal(R"({"M": [[1, 2]]})"),
            "/cases/0/axes/M: expected a value (a tuple needs a tied axis such as \"M,N\"), got [1,2]");
}

TEST(WrongSweep, WithAnAxisTwiceOrWithoutANameIsRefused) {
  EXPECT_EQ(axes_refusal(R"({"M,N": [[1, 2]], "N": 3})"),
            "/cases/0/axes/N: the axis \"N\" is there twice in this case; keep one");
  EXPECT_EQ(axes_refusal(R"({"M,M": [[1, 2]]})"),
            "/cases/0/axes/M,M: the axis \"M\" is there twice in this case; keep one");
  EXPECT_EQ(axes_refusal(R"({"M,": [[1, 2]]})"),
            "/cases/0/axes: expected the name of an axis, or of tied axes such as \"M,N\", got \"M,\"");
  EXPECT_EQ(axes_refusal(R"({"": 1})"),
            "/cases/0/axes: expected the name of an axis, or of tied axes such as \"M,N\", got \"\"");
}

// Whatever a file holds, the answer is one line of UsageError: no crash, no other exception, no line break.
TEST(WrongSweep, IsAlwaysAUsageErrorOfOneLine) {
  const std::string good = R"({"$schema": "s", "name": "tiling", "about": "x",
    "measure": {"rounds": 3, "min_samples": 5, "max_noise": "2%", "max_time": "2s", "case_timeout": "60s"},
    "workers": ["native-v4"], "counters": [], "speedup_over": {"variant": "uot/a"},
    "cases": [{"variants": ["uot/a", "uot/*"], "workers": ["w"], "axes": {"M,N": [[1, 2], [3, 4]], "threads": [1, 2], "data": "x"}}]})";
  ASSERT_EQ(sweep_refusal(good), "no error");
  const std::vector<std::string> pieces{
      "{",     "}",    "[",   "]",        ",",       ":",    "\"",
      "\"M\"", "null", "-1",  "1e999",    "\"\\n\"", "\\",   "true",
      "{}",    "[[]]", "0.5", "\"name\"", "\xff",    "\x01", "18446744073709551616"};
  std::mt19937 random(20240607);
  const auto below = [&](std::size_t bound) { return random() % bound; };
  int refused = 0;
  constexpr int mutants = 6000;
  for (int i = 0; i < mutants; ++i) {
    std::string text = good;
    for (auto changes = 1 + below(3); changes > 0; --changes) {
      const auto at = below(text.size() + 1), length = std::min(below(12), text.size() - at);
      switch (below(4)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, pieces[below(pieces.size())]);
          break;
        case 2:
          text.replace(at, length, pieces[below(pieces.size())]);
          break;
        default:
          text.insert(below(text.size() + 1), text.substr(at, length));
      }
    }
    try {
      sweep_of(text);
    } catch (const UsageError& error) {
      ++refused;
      const std::string message = error.what();
      ASSERT_EQ(message.find('\n'), std::string::npos) << message;
      ASSERT_TRUE(message.starts_with("s.json: ") && message.size() > 20) << message;
    } catch (const std::exception& error) {
      FAIL() << error.what() << " for\n" << text;
    }
  }
  EXPECT_GT(refused, mutants / 2) << "the mutations hardly change anything";
}

// What others measured is compared with ours: a wrong unit or sign would look like a speedup.
TEST(WrongSweep, WithPublishedValuesThatCannotBeIsRefused) {
  const auto said = [](const std::string& machines, const std::string& value) {
    return sweep_refusal(
        R"({"name": "x", "cases": [{"variants": ["uot/x"]}], "published": {"source": "y", "flops": 2e9,
      "machines": )" +
        machines + R"(, "values": [)" + value + "]}}");
  };
  const std::string card = R"({"card": {"name": "A card"}})";
  EXPECT_EQ(said(card, R"({"variant": "uot/x", "machine": "card", "time": 0.5})"), "no error");
  EXPECT_EQ(said(card, R"({"variant": "uot/x", "machine": "cart", "time": 0.5})"),
            "/published/values/0/machine: expected one of the published machines (card), got \"cart\"");
  EXPECT_EQ(said(card, R"({"variant": "uot/x", "machine": "card", "time": -0.5})"),
            "/published/values/0/time: expected seconds above 0, such as 0.6418, got -0.5");
  EXPECT_EQ(said(card, R"({"variant": "uot/x", "machine": "card", "time": "31 ms"})"),
            "/published/values/0/time: expected seconds above 0, such as 0.6418, got \"31 ms\"");
  EXPECT_EQ(said(card, R"({"variant": "uot/x", "machine": "card"})"),
            "/published/values/0: expected an object with variant, machine and at least one of time, "
            "counters and occupancy, got {\"variant\":\"uot/x\",\"machine\":\"card\"}");
  EXPECT_EQ(said(card, R"({"variant": "uot/x", "machine": "card", "counters": {"GPU.loads": 0}})"),
            "/published/values/0/counters/GPU.loads: expected a number above 0 (the count of the published "
            "problem), got 0");
  EXPECT_EQ(said(card, R"({"variant": "uot/x", "machine": "card", "occupancy": {"achieved": 19.87}})"),
            "/published/values/0/occupancy/achieved: expected a number above 0 and at most 1, such as 0.72, "
            "got 19.87");
  EXPECT_EQ(said(R"({"card": {"name": "A card", "multiprocessor": {"count": 68}}})",
                 R"({"variant": "uot/x", "machine": "card", "time": 0.5})"),
            "/published/machines/card/multiprocessor: the key \"threads\" is missing; expected an integer >= "
            "32 (threads that one holds at a time)");
  EXPECT_EQ(
      sweep_refusal(R"({"name": "x", "cases": [{"variants": ["uot/x"]}], "published": {"source": "y"}})"),
      "/published: the key \"flops\" is missing; expected a number above 0 (flops of the published "
      "problem, by which counts of others are scaled)");
}

}  // namespace
}  // namespace uotbench
