// A formula means what arithmetic means, in numbers and in units; what means nothing is refused in a line,
// and what comes to nothing says why.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "results/base/error.hpp"
#include "results/expression/expression.hpp"

namespace uotbench {
namespace {

const std::map<std::string, double> counts{
    {"L1D.misses", 25}, {"L1D.accesses", 100}, {"DRAM.read_bytes", 6400},
    {"zero", 0},        {"huge", 1e300},       {"a", 2},
    {"b", 3},           {"endless", INFINITY}};

std::optional<double> find(const std::string& name) {
  const auto found = counts.find(name);
  return found == counts.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> value(const std::string& text) { return Formula(text, "here").value(find).value; }
std::string reason(const std::string& text) {
  const auto result = Formula(text, "here").value(find);
  return result.value ? "a value" : result.reason;
}

template <class Callable>
std::string formula_complaint(Callable&& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}
std::string formula_refusal(const std::string& text) {
  return formula_complaint([&] { Formula(text, "g.json: /metrics/x"); });
}

TEST(Formula, ComputesAsOnPaper) {
  EXPECT_EQ(value("L1D.misses / L1D.accesses"), 0.25);
  EXPECT_EQ(value("1 - L1D.misses/L1D.accesses * 2"), 0.5);
  EXPECT_EQ(value("100/5/2"), 10) << "from the left";
  EXPECT_EQ(value("2*(a + b)"), 10);
  EXPECT_EQ(value("-a - -b"), 1);
  EXPECT_EQ(value("\t64 "), 64);
  EXPECT_EQ(value("1e-3 * .5"), 5e-4);
}

TEST(Formula, NamesItsPartsOnce) {
  EXPECT_EQ(Formula("a.b + c_1 / a.b", "").names(), (std::vector<std::string>{"a.b", "c_1"}));
  EXPECT_EQ(Formula("a + b", "").text(), "a + b");
}

TEST(Formula, SaysWhyItComesToNothing) {
  EXPECT_EQ(reason("L1D.misses / zero"), "L1D.misses (25) / zero (0) divides by 0");
  EXPECT_EQ(reason("1 / (a - 2)"), "1 / 0 divides by 0");
  EXPECT_EQ(reason("a + L9.misses"), "L9.misses has no value");
  EXPECT_EQ(reason("endless * 2"), "endless is no finite number");
  EXPECT_EQ(reason("a + huge * huge"), "huge * huge is more than a number can hold");
  EXPECT_EQ(reason("1 / (huge * huge)"), "huge * huge is more than a number can hold") << "and not 0";
}

TEST(Formula, IsRefusedWhereItIsRead) {
  const std::string at = "g.json: /metrics/x: ";
  EXPECT_EQ(formula_refusal(""), at + "\"\": at its end: expected a name, a number or \"(\"");
  EXPECT_EQ(formula_refusal("a b"), at + "\"a b\": at \"b\": expected +, -, *, / or the end");
  EXPECT_EQ(formula_refusal("a % b"), at + "\"a % b\": at \"% b\": expected +, -, *, / or the end");
  EXPECT_EQ(formula_refusal("a < b"), at + "\"a < b\": at \"< b\": expected +, -, *, / or the end");
  EXPECT_EQ(formula_refusal("(a"), at + "\"(a\": at its end: expected +, -, *, / or \")\"");
  EXPECT_EQ(formula_refusal("a + 'f32'"),
            at + "\"a + 'f32'\": at \"'f32'\": expected a name, a number or \"(\"");
  EXPECT_EQ(formula_refusal("1e999"), at + "\"1e999\": at \"1e999\": expected a number");
  EXPECT_EQ(formula_refusal("a\n+b"), at + "\"a\\n+b\": at \"\\n+b\": expected +, -, *, / or the end");
  EXPECT_EQ(formula_refusal(std::string(1001, 'a')), at + "expected at most 1000 characters, got 1001");
  EXPECT_TRUE(formula_refusal(std::string(65, '(') + "a" + std::string(65, ')'))
                  .ends_with("nests more than 64 deep"));
  EXPECT_EQ(formula_refusal(std::string(63, '(') + "a" + std::string(63, ')')), "no error");
  EXPECT_LT(formula_refusal(std::string(900, '\1')).size(), 400u) << "long texts are shortened";
}

UnitOfMeasure unit(const std::string& text) { return UnitOfMeasure(text, "here"); }
std::string unit_of(const std::string& text) {
  return Formula(text, "g.json")
      .unit([](const std::string& name) {
        return name.ends_with("bytes")     ? unit("bytes")
               : name.ends_with("seconds") ? unit("seconds")
               : name == "line_bytes"      ? unit("bytes/accesses")
                                           : unit("accesses");
      })
      .text();
}

TEST(UnitOfMeasure, IsReadAndWritten) {
  for (const char* text :
       {"1", "accesses", "bytes/accesses", "1/seconds", "bytes^2/seconds", "bytes*flops/accesses/seconds^2"})
    EXPECT_EQ(unit(text).text(), text);
  EXPECT_EQ(unit("flops/bytes*bytes").text(), "flops");
  EXPECT_EQ(unit("bytes*bytes"), unit("bytes^2"));
  EXPECT_EQ(unit("1/1"), UnitOfMeasure());
  const auto refusal = [](const std::string& text) {
    return formula_complaint([&] { UnitOfMeasure(text, "g.json: /unit"); });
  };
  EXPECT_EQ(refusal("bytes per second"),
            "g.json: /unit: expected a unit (1, a word, or words with * / ^, such as bytes/accesses), got "
            "\"bytes per second\"");
  for (const char* text : {"", "/", "bytes/", "/bytes", "bytes^", "bytes^0", "bytes^-1", "bytes^22", "2",
                           "11", "1bytes", "bytes//seconds", " bytes", "bytes\n"})
    EXPECT_NE(refusal(text), "no error") << text;
  EXPECT_NE(refusal(std::string(101, 'b')), "no error");
}

TEST(UnitOfMeasure, OfAFormulaFollowsFromItsParts) {
  EXPECT_EQ(unit_of("L1D.misses / L1D.accesses"), "1");
  EXPECT_EQ(unit_of("L3.misses * 64"), "accesses");
  EXPECT_EQ(unit_of("-(x.bytes + y.bytes) / seconds"), "bytes/seconds");
  EXPECT_EQ(unit_of("1 / seconds"), "1/seconds");
  EXPECT_EQ(unit_of("seconds * seconds"), "seconds^2");
}

TEST(UnitOfMeasure, OfWhatIsAddedIsOne) {
  const auto refusal = [](const std::string& text) { return formula_complaint([&] { unit_of(text); }); };
  EXPECT_EQ(
      refusal("x.bytes + L3.misses"),
      "g.json: \"x.bytes + L3.misses\": x.bytes is in bytes, but L3.misses is in accesses: what is added "
      "has one unit");
  EXPECT_EQ(
      refusal("2 * L3.misses - 1"),
      "g.json: \"2 * L3.misses - 1\": 2 * L3.misses is in accesses, but 1 has no unit: what is added has "
      "one unit");
  EXPECT_EQ(refusal("L3.misses / L1D.misses - 1"), "no error");
}

/// A result is a number or a reason, in one line; a refusal is one line below 400 characters.
void expect_answered(const std::string& text) {
  try {
    const Formula formula(text, "here");
    const auto result = formula.value(find);
    if (result.value ? !std::isfinite(*result.value)
                     : result.reason.empty() || result.reason.size() > 400 ||
                           result.reason.find('\n') != std::string::npos)
      ADD_FAILURE() << text << ": " << result.reason;
    formula.unit([](const std::string& name) {
      return name.size() % 2 ? UnitOfMeasure() : UnitOfMeasure("bytes", "");
    });
  } catch (const UsageError& error) {
    const std::string what = error.what();
    if (what.size() >= 400 || what.find('\n') != std::string::npos) ADD_FAILURE() << text << ": " << what;
  }
}

TEST(Formula, AnyTextIsAnswered) {
  const std::vector<std::string> sound{
      "L1D.misses / L1D.accesses", "(DRAM.read_bytes + zero) / (a + b) - 1e3",
      "-a*(b-(-a/(b+huge)))/(1-zero)", "huge*huge/huge", std::string(70, '(') + "a" + std::string(70, ')')};
  const std::string marks = "+-*/().0123456789eE_ab \t%<'\"\n\xc3\xa4\xff";
  std::mt19937 random(20260131);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (std::size_t left = below(40); left-- > 0;)
      text += i % 2 ? marks[below(marks.size())] : static_cast<char>(below(256));
    expect_answered(text);
  }
  for (int i = 0; i < 50'000; ++i) {
    std::string text = sound[below(sound.size())];
    for (std::size_t left = 1 + below(4); left-- > 0 && !text.empty();) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text.erase(at, 1 + below(3));
          break;
        case 1:
          text.insert(at, 1, marks[below(marks.size())]);
          break;
        case 2:
          text[at] = static_cast<char>(below(256));
          break;
        default:
          text += text.substr(at);
      }
    }
    expect_answered(text);
  }
}

}  // namespace
}  // namespace uotbench
