// What is wrong in a file is told by its place, as it stands there, and in words that no library wrote.
#include "results/base/shape.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "results/base/violation.hpp"

namespace uotbench {
namespace {

constexpr Shape made_shapes[]{{"name", Form::text, Shape::needed},
                              {"note", Form::text, Shape::may_be_null},
                              {"runs", Form::list},
                              {"runs/*", Form::object},
                              {"runs/*/times", Form::numbers, Shape::needed},
                              {"by/*/on", Form::yes_or_no}};

std::string violation_in(const char* json) { return shape_violation(Json::parse(json), made_shapes); }

TEST(Shapes, NameTheFirstPlaceThatDoesNotFit) {
  EXPECT_EQ(violation_in(R"({"name": "x"})"), "");
  EXPECT_EQ(violation_in(
                R"({"name": "x", "note": null, "runs": [{"times": [1, 2.5]}], "by": {"a": {"on": true}}})"),
            "");
  EXPECT_EQ(violation_in("5"), "expected an object, got 5");
  EXPECT_EQ(violation_in("{}"), "/name: missing; expected a text");
  EXPECT_EQ(violation_in(R"({"name": 5})"), "/name: expected a text, got 5");
  EXPECT_EQ(violation_in(R"({"name": null})"), "/name: expected a text, got null");
  EXPECT_EQ(violation_in(R"({"name": "x", "runs": {}})"), "/runs: expected a list, got {}");
  EXPECT_EQ(violation_in(R"({"name": "x", "runs": [{"times": []}, 5]})"),
            "/runs/1: expected an object, got 5");
  EXPECT_EQ(violation_in(R"({"name": "x", "runs": [{}]})"),
            "/runs/0/times: missing; expected a list of numbers");
  EXPECT_EQ(violation_in(R"({"name": "x", "runs": [{"times": [1, "2"]}]})"),
            "/runs/0/times/1: expected a number, got \"2\"");
  EXPECT_EQ(violation_in(R"({"name": "x", "by": {"a/b": {"on": 1}}})"),
            "/by/a~1b/on: expected true or false, got 1");
}

TEST(Shapes, ShowLittleOfWhatIsLarge) {
  const Json text = {{"name", std::vector<int>(1000, 7)}};
  EXPECT_EQ(shape_violation(text, made_shapes), "/name: expected a text, got a list of 1000");
  EXPECT_LT(shape_violation({{"name", {std::string(1000, 'x')}}}, made_shapes).size(), 120u);
}

TEST(PlainWords, StandForWhatTheLibrarySays) {
  const Json json = Json::parse(R"({"text": "x", "number": 5, "list": [1]})");
  const auto said = [&](const std::function<void(const Json&)>& act) -> std::string {
    try {
      act(json);
    } catch (const Json::exception& error) {
      return plain_words(error);
    }
    return "nothing was thrown";
  };
  EXPECT_EQ(said([](const Json& j) { j["text"].get<double>(); }), "expected a number, got a text");
  EXPECT_EQ(said([](const Json& j) { j["number"].get<std::string>(); }), "expected a text, got a number");
  EXPECT_EQ(said([](const Json& j) { j["number"].get<std::vector<int>>(); }),
            "expected a list, got a number");
  EXPECT_EQ(said([](const Json& j) { j["list"].get<bool>(); }), "expected true or false, got a list");
  EXPECT_EQ(said([](const Json& j) { std::ignore = j["number"].get_ref<const std::string&>(); }),
            "expected another type, got a number");
  EXPECT_EQ(said([](const Json& j) { std::ignore = j.at("no"); }), "\"no\" is missing");
  EXPECT_EQ(said([](const Json& j) { std::ignore = j["text"].at("no"); }), "expected an object, got a text");
  EXPECT_EQ(said([](const Json& j) { std::ignore = j["number"].value("no", 1); }),
            "expected an object, got a number");
  EXPECT_EQ(said([](const Json& j) { std::ignore = j["list"].at(3); }), "a list is too short");
  EXPECT_EQ(said([](const Json&) { std::ignore = Json::parse("1e999"); }), "a number is too large");
}

// What was found and what was expected reach a message as one line, and a list of checks as two parts.

TEST(Violation, IsALineAndItsParts) {
  const Violation got = at_place("/inner: ", expected_got("an integer from 1", "0"));
  EXPECT_EQ(got.text, "/inner: expected an integer from 1, got 0");
  EXPECT_EQ(got.found, "/inner: got 0");
  EXPECT_EQ(got.expected, "an integer from 1");
  const Violation lacking = at_place("hello: ", found_instead("no name", "a text"));
  EXPECT_EQ(lacking.text, "hello: no name; expected a text");
  EXPECT_EQ(lacking.found, "hello: no name");
  EXPECT_EQ(lacking.expected, "a text");
  EXPECT_EQ(violation_text(lacking), lacking.text);
  EXPECT_EQ(violation_text(std::nullopt), "");
}

TEST(Violation, IsThrownOnOneLine) {
  try {
    throw Violated(found_instead("the name \"a\nb\"", "a name"));
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the name \"a\\nb\"; expected a name");
  }
  const Violated thrown(found_instead("a\nb", "a name"));
  EXPECT_EQ(thrown.violation.found, "a\\nb");
  EXPECT_EQ(thrown.violation.text, thrown.what());
}

}  // namespace
}  // namespace uotbench
