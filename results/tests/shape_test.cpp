// What is wrong in a file is told by its place, as it stands there, and in words that no library wrote.
#include "results/base/shape.hpp"

#include <gmock/gmock.h>

#include <functional>

namespace uotbench {
namespace {

constexpr Shape made_shapes[]{{"name", Form::text, Shape::needed},
                              {"note", Form::text, Shape::may_be_null},
                              {"runs", Form::list},
                              {"runs/*", Form::object},
                              {"runs/*/times", Form::numbers, Shape::needed},
                              {"by/*/on", Form::yes_or_no}};

std::string misfit_in(const char* json) { return misfit(Json::parse(json), made_shapes); }

TEST(Shapes, NameTheFirstPlaceThatDoesNotFit) {
  EXPECT_EQ(misfit_in(R"({"name": "x"})"), "");
  EXPECT_EQ(
      misfit_in(R"({"name": "x", "note": null, "runs": [{"times": [1, 2.5]}], "by": {"a": {"on": true}}})"),
      "");
  EXPECT_EQ(misfit_in("5"), "found 5; accepted: an object");
  EXPECT_EQ(misfit_in("{}"), "/name: missing; accepted: a text");
  EXPECT_EQ(misfit_in(R"({"name": 5})"), "/name: found 5; accepted: a text");
  EXPECT_EQ(misfit_in(R"({"name": null})"), "/name: found null; accepted: a text");
  EXPECT_EQ(misfit_in(R"({"name": "x", "runs": {}})"), "/runs: found {}; accepted: a list");
  EXPECT_EQ(misfit_in(R"({"name": "x", "runs": [{"times": []}, 5]})"),
            "/runs/1: found 5; accepted: an object");
  EXPECT_EQ(misfit_in(R"({"name": "x", "runs": [{}]})"),
            "/runs/0/times: missing; accepted: a list of numbers");
  EXPECT_EQ(misfit_in(R"({"name": "x", "runs": [{"times": [1, "2"]}]})"),
            "/runs/0/times/1: found \"2\"; accepted: a number");
  EXPECT_EQ(misfit_in(R"({"name": "x", "by": {"a/b": {"on": 1}}})"),
            "/by/a~1b/on: found 1; accepted: true or false");
}

TEST(Shapes, ShowLittleOfWhatIsLarge) {
  const Json text = {{"name", std::vector<int>(1000, 7)}};
  EXPECT_EQ(misfit(text, made_shapes), "/name: found a list of 1000; accepted: a text");
  EXPECT_LT(misfit({{"name", {std::string(1000, 'x')}}}, made_shapes).size(), 120u);
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
  EXPECT_EQ(said([](const Json& j) { j["text"].get<double>(); }), "found a text; accepted: a number");
  EXPECT_EQ(said([](const Json& j) { j["number"].get<std::string>(); }), "found a number; accepted: a text");
  EXPECT_EQ(said([](const Json& j) { j["number"].get<std::vector<int>>(); }),
            "found a number; accepted: a list");
  EXPECT_EQ(said([](const Json& j) { j["list"].get<bool>(); }), "found a list; accepted: true or false");
  EXPECT_EQ(said([](const Json& j) { std::ignore = j["number"].get_ref<const std::string&>(); }),
            "found a number; accepted: another type");
  EXPECT_EQ(said([](const Json& j) { std::ignore = j.at("no"); }), "\"no\" is missing");
  EXPECT_EQ(said([](const Json& j) { std::ignore = j["text"].at("no"); }),
            "found a text; accepted: an object");
  EXPECT_EQ(said([](const Json& j) { std::ignore = j["number"].value("no", 1); }),
            "found a number; accepted: an object");
  EXPECT_EQ(said([](const Json& j) { std::ignore = j["list"].at(3); }), "a list is too short");
  EXPECT_EQ(said([](const Json&) { std::ignore = Json::parse("1e999"); }), "a number is too large");
}

}  // namespace
}  // namespace uotbench
