// Rules and validate, which are two programs, accept the same of the schema of messages; and Rules refuses a
// schema that says what it does not check.
#include "harness/sweep/language/rules.hpp"

#include <gmock/gmock.h>

#include "harness/sweep/language/schema.hpp"
#include "harness/sweep/language/schemas.hpp"
#include "harness/sweep/tests/answers.hpp"
#include "harness/sweep/tests/complaint.hpp"
#include "results/tests/json_mutants.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

Json ruled_by(const std::string& definition) {
  return {{"definitions", {{"thing", Json::parse(definition)}}}};
}

std::string violation_of(const std::string& definition, const std::string& value) {
  return violation_text(Rules(ruled_by(definition)).validate("thing", Json::parse(value)));
}

TEST(Rules, SayWhereWhatAndWhatIsAccepted) {
  const std::string thing =
      R"({"type": "object", "description": "an object", "required": ["a"], "properties": {
    "a": {"title": "how often", "default": 2, "type": "integer", "minimum": 1, "description": "an integer from 1"},
    "b/c": {"type": "array", "minItems": 1, "description": "a list", "items": {"enum": ["x", "y"], "description": "x or y"}}},
    "additionalProperties": {"type": ["string", "null"], "maxLength": 3, "description": "a short text or null"}})";
  EXPECT_EQ(violation_of(thing, R"({"a": 1, "b/c": ["x", "y"], "d": "äöü", "e": null})"), "");
  EXPECT_EQ(violation_of(thing, "[]"), "/: expected an object, got []");
  EXPECT_EQ(violation_of(thing, "{}"), "/: the key \"a\" is missing; expected an integer from 1");
  EXPECT_EQ(violation_of(thing, R"({"a": 0})"), "/a: expected an integer from 1, got 0");
  EXPECT_EQ(violation_of(thing, R"({"a": 1.0})"), "/a: expected an integer from 1, got 1.0");
  EXPECT_EQ(violation_of(thing, R"({"a": 1, "b/c": []})"), "/b~1c: expected a list, got []");
  EXPECT_EQ(violation_of(thing, R"({"a": 1, "b/c": ["x", "z"]})"), "/b~1c/1: expected x or y, got \"z\"");
  EXPECT_EQ(violation_of(thing, R"({"a": 1, "d": "abcd"})"),
            "/d: expected a short text or null, got \"abcd\"");
}

TEST(Rules, RefuseASchemaThatSaysWhatTheyDoNotCheck) {
  const auto refusal = [](const std::string& definition) -> std::string {
    try {
      const Rules rules(ruled_by(definition));
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_THAT(refusal(R"({"type": "string", "pattern": "^(a+)+$"})"), HasSubstr("the keyword \"pattern\""));
  EXPECT_THAT(refusal(R"({"items": {"uniqueItems": true}})"), HasSubstr("the keyword \"uniqueItems\""));
  EXPECT_THAT(refusal(R"({"type": "text"})"), HasSubstr("the type \"text\""));
  EXPECT_THAT(refusal(R"({"$ref": "#/definitions/none"})"), HasSubstr("no definition \"none\""));
}

/// A definition of the protocol's schema as a schema of its own, which refers to nothing.
Json alone(const Json& schema) {
  if (schema.is_object() && schema.contains("$ref")) {
    const std::string target = schema["$ref"];
    return alone(protocol_schema().at("definitions").at(target.substr(target.rfind('/') + 1)));
  }
  Json whole = schema;
  if (whole.is_structured())
    for (auto& part : whole) part = alone(part);
  return whole;
}

TEST(Rules, AgreeWithValidate) {
  const Rules rules(protocol_schema());
  const Json others = Json::parse(R"([null, -1, 0, 1.5, 1e40, "", "x", [], [null], {"value": -1}])");
  std::size_t right = 0, wrong = 0;
  for (const auto& [definition, message] : sound_answers()) {
    const Json schema = alone(protocol_schema().at("definitions").at(definition));
    ASSERT_EQ(violation_text(rules.validate(definition, message)), "") << definition << ' ' << message;
    for (const auto& mutant : mutants_of(message, others)) {
      const auto violation = rules.validate(definition, mutant);
      const bool taken = !violation;
      (taken ? right : wrong) += 1;
      ASSERT_EQ(taken, complaint([&] { validate(mutant, schema, "m"); }) == "no error")
          << definition << ' ' << mutant << '\n'
          << violation_text(violation);
    }
  }
  EXPECT_GT(right, 100u);
  EXPECT_GT(wrong, 1000u);
}

}  // namespace
}  // namespace uotbench
