#include "harness/sweep/language/schema.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/tests/refusal.hpp"
#include "harness/sweep/tests/scripted_worker.hpp"
#include "results/base/json.hpp"
#include "results/base/rules.hpp"
#include "results/base/units.hpp"
#include "results/tests/folder.hpp"
#include "results/tests/json_mutants.hpp"

namespace uotbench {
namespace {

std::string parse_complaint(const std::string& text) {
  return complaint([&] { parse_strictly(text, "x.json"); });
}

TEST(StrictJson, ReadsJsonAndKeepsTheOrderOfKeys) {
  EXPECT_EQ(to_line(parse_strictly(R"( {"b": [1, 2.5, "x", null, true], "a": {}} )", "x.json")),
            R"({"b":[1,2.5,"x",null,true],"a":{}})");
}

// Plain parsers keep the last of two equal keys: half of the file would be ignored without a word.
TEST(StrictJson, RefusesAKeyThatStandsTwice) {
  EXPECT_EQ(parse_complaint(R"({"name": "a", "name": "b"})"),
            "x.json: /: the key \"name\" is there twice; keep one");
  EXPECT_EQ(parse_complaint(R"({"measure": {"rounds": 1, "rounds": 2}})"),
            "x.json: /measure: the key \"rounds\" is there twice; keep one");
  EXPECT_EQ(parse_complaint(R"({"cases": [{}, [], {"axes": {"M": 1, "N": 2, "M": 3}}]})"),
            "x.json: /cases/2/axes: the key \"M\" is there twice; keep one");
  EXPECT_EQ(parse_complaint(R"({"a": {"x": 1}, "b": {"x": 1}, "c": [{"x": 1}, {"x": 1}]})"), "no error")
      << "equal keys of different objects";
}

TEST(StrictJson, SaysWhereTheSyntaxIsWrong) {
  EXPECT_EQ(
      parse_complaint("{\n  \"name\": \"a\",\n  }"),
      "x.json: line 3, column 3: syntax error while parsing object key - unexpected '}'; expected string "
      "literal");
  EXPECT_EQ(parse_complaint("{\"a\": tru}"),
            "x.json: line 1, column 10: syntax error while parsing value - invalid literal; last read: "
            "'\"a\": tru}'");
  EXPECT_EQ(
      parse_complaint("{\"a\": 1"),
      "x.json: line 1, column 7: syntax error while parsing object - unexpected end of input; expected '}'");
  EXPECT_EQ(
      parse_complaint("{} {}"),
      "x.json: line 1, column 4: syntax error while parsing value - unexpected '{'; expected end of input");
  EXPECT_EQ(parse_complaint("{\"a\": \"\x01\"}"),
            "x.json: line 1, column 8: syntax error while parsing value - invalid string: control character "
            "U+0001 (SOH) must be escaped to \\u0001; last read: '\"<U+0001>'");
  EXPECT_EQ(parse_complaint("\n\n{\"a\": 1e999}"), "x.json: line 3, column 11: 1e999 is too large a number");
}

TEST(StrictJson, SaysThatThereIsNothing) {
  EXPECT_EQ(parse_complaint(""), "x.json: empty; expected JSON");
  EXPECT_EQ(parse_complaint(" \n\t\n"), "x.json: empty; expected JSON");
}

// Recursive code that reads the document later cannot be driven off the stack's end.
TEST(StrictJson, RefusesNestingOver64Deep) {
  const auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(parse_complaint(nested(64)), "no error");
  EXPECT_EQ(parse_complaint(nested(65)), "x.json: nested more than 64 deep; 6 are enough");
  EXPECT_EQ(parse_complaint(std::string(1'000'000, '[')), "x.json: nested more than 64 deep; 6 are enough");
  std::string objects;
  for (int i = 0; i < 65; ++i) objects += "{\"a\":";
  EXPECT_EQ(parse_complaint(objects), "x.json: nested more than 64 deep; 6 are enough");
}

TEST(StrictJson, RefusesEndlessTexts) {
  EXPECT_EQ(parse_complaint("{\"about\": \"" + std::string(4096, 'x') + "\"}"), "no error");
  EXPECT_EQ(parse_complaint("{\"name\": \"" + std::string(1'000'000, 'x') + "\"}"),
            "x.json: /name: a text of 1000000 bytes; at most 4096 are accepted");
  EXPECT_EQ(parse_complaint("{\"cases\": [{\"" + std::string(5000, 'x') + "\": 1}]}"),
            "x.json: /cases/0: a text of 5000 bytes; at most 4096 are accepted");
}

TEST(StrictJson, NamesTheFileThatCannotBeRead) {
  const Folder folder;
  const std::string missing = (folder.path() / "x.json").string();
  EXPECT_EQ(complaint([&] { read_strictly(missing); }), missing + ": no such file");
  EXPECT_EQ(complaint([&] { read_strictly(folder.path()); }),
            folder.path().string() + ": expected a regular file, got a folder");
  const auto file = folder.write("broken.json", "{");
  EXPECT_EQ(complaint([&] { read_strictly(file); }),
            "broken.json: line 1, column 1: syntax error while parsing object key - unexpected end of input; "
            "expected string literal");
  EXPECT_EQ(read_strictly(folder.write("good.json", "{\"a\": 1}")), Json({{"a", 1}}));
}

Json small_schema() {
  return Json::parse(R"({
    "type": "object", "description": "an object with name", "required": ["name"], "additionalProperties": false,
    "properties": {
      "name": {"type": "string", "pattern": "^[a-z]+$", "description": "lower-case letters"},
      "count": {"type": "integer", "minimum": 1, "maximum": 3, "description": "an integer 1..3"},
      "list": {"type": "array", "minItems": 1, "description": "a list of objects",
        "items": {"type": "object", "description": "an object with depth",
          "properties": {"depth": {"type": "number", "description": "a number"}}}},
      "any": {"type": "object", "description": "an object of texts",
        "additionalProperties": {"type": "string", "description": "a text"}}
    }})");
}

std::string schema_complaint(const std::string& text) {
  return complaint([&] { validate(Json::parse(text), small_schema(), "x.json"); });
}

TEST(Schema, SaysNothingOfWhatIsRight) {
  EXPECT_EQ(schema_complaint(R"({"name": "a", "count": 3, "list": [{"depth": 1.5}], "any": {"x": "y"}})"),
            "no error");
}

TEST(Schema, SaysWhereWhatAndWhatIsAccepted) {
  EXPECT_EQ(schema_complaint(R"({"name": 5})"), "x.json: /name: expected lower-case letters, got 5");
  EXPECT_EQ(schema_complaint(R"({"name": "A"})"), "x.json: /name: expected lower-case letters, got \"A\"");
  EXPECT_EQ(schema_complaint(R"({"name": "a", "count": 4})"),
            "x.json: /count: expected an integer 1..3, got 4");
  EXPECT_EQ(schema_complaint(R"({"name": "a", "count": 1.0})"),
            "x.json: /count: expected an integer 1..3, got 1.0");
  EXPECT_EQ(schema_complaint(R"({"name": "a", "list": []})"),
            "x.json: /list: expected a list of objects, got []");
  EXPECT_EQ(schema_complaint("[1]"), "x.json: /: expected an object with name, got [1]");
}

TEST(Schema, NamesTheInnermostPlace) {
  EXPECT_EQ(schema_complaint(R"({"name": "a", "list": [{"depth": 1}, {"depth": "deep"}]})"),
            "x.json: /list/1/depth: expected a number, got \"deep\"");
  EXPECT_EQ(schema_complaint(R"({"name": "a", "any": {"x": "y", "z": []}})"),
            "x.json: /any/z: expected a text, got []");
}

TEST(Schema, NamesUnknownAndMissingKeys) {
  EXPECT_EQ(schema_complaint(R"({"nmae": "a"})"),
            "x.json: /: unknown key \"nmae\" (did you mean name?); expected name, count, list, any");
  EXPECT_EQ(schema_complaint(R"({"name": "a", "zzzzzz": 1})"),
            "x.json: /: unknown key \"zzzzzz\"; expected name, count, list, any");
  EXPECT_EQ(schema_complaint("{}"), "x.json: /: the key \"name\" is missing; expected lower-case letters");
}

TEST(Schema, ShortensWhatItFound) {
  EXPECT_EQ(schema_complaint(R"({"name": ")" + std::string(200, 'X') + "\"}"),
            "x.json: /name: expected lower-case letters, got \"" + std::string(56, 'X') + "...");
}

// A pointer takes its parts apart at '/', so a '/' within a key is written ~1 (RFC 6901).
TEST(Schema, KeepsPointersUnambiguous) {
  EXPECT_EQ(schema_complaint(R"({"name": "a", "any": {"a/b~c\n": 1}})"),
            "x.json: /any/a~1b~0c\\n: expected a text, got 1");
}

// Whatever is wrong in an answer is told by a place of it.
TEST(ProtocolSchema, TakesSoundAnswersAndNamesThePlaceOfWhatIsWrong) {
  const Rules rules(protocol_schema());
  const Json others = Json::parse(R"([null, -1, 0, 1.5, 1e40, "", "x", [], [null], {"value": -1}])");
  std::size_t right = 0, wrong = 0;
  for (const auto& [definition, message] : sound_answers()) {
    ASSERT_EQ(violation_text(rules.validate(definition, message)), "") << definition << ' ' << message;
    ASSERT_FALSE(rules.validate(message)) << "the schema itself is any of its messages: " << message;
    for (const auto& mutant : mutants_of(message, others)) {
      const auto found = rules.disagreement(definition, mutant);
      (found ? wrong : right) += 1;
      if (!found) continue;
      EXPECT_TRUE(found->place.empty() || find_at(mutant, found->place)) << found->place;
      EXPECT_NE(found->violation.expected, "nothing") << found->place << ' ' << mutant;
    }
  }
  EXPECT_GT(right, 100u);
  EXPECT_GT(wrong, 1000u);
}

TEST(Duration, IsANumberAndAUnit) {
  EXPECT_DOUBLE_EQ(parse_duration("500ms"), 0.5);
  EXPECT_DOUBLE_EQ(parse_duration("2s"), 2);
  EXPECT_DOUBLE_EQ(parse_duration("1.5m"), 90);
  EXPECT_DOUBLE_EQ(parse_duration("1h"), 3600);
  EXPECT_DOUBLE_EQ(parse_duration("0s"), 0);
}

TEST(Percent, IsAShare) {
  EXPECT_DOUBLE_EQ(parse_percent("2%"), 0.02);
  EXPECT_DOUBLE_EQ(parse_percent("0.5%"), 0.005);
}

TEST(Bytes, AreBinary) {
  EXPECT_DOUBLE_EQ(parse_bytes("1KiB"), 1024);
  EXPECT_DOUBLE_EQ(parse_bytes("512MiB"), 536870912);
  EXPECT_DOUBLE_EQ(parse_bytes("1.5GiB"), 1610612736);
}

// A number without its unit is the classic slip: 2 what?
TEST(Quantity, RefusesEverythingElse) {
  for (const std::string text : {"2", "", "s", "2 s", " 2s", "2S", "2sec", "-2s", "nans", "infs", "0x10s",
                                 "1e400s", "1e308h", "2s2s", "+2s"})
    EXPECT_EQ(complaint([&] { parse_duration(text); }),
              "\"" + text + "\" is not a duration such as 500ms, 2s, 5m or 1h");
  for (const std::string text : {"2", "%", "-1%", "nan%", "2%%"})
    EXPECT_EQ(complaint([&] { parse_percent(text); }), "\"" + text + "\" is not a percentage such as 2%");
  for (const std::string text : {"512", "4GB", "4G", "-4GiB", "inf"})
    EXPECT_EQ(complaint([&] { parse_bytes(text); }),
              "\"" + text + "\" is not an amount of memory such as 512MiB or 4GiB");
}

}  // namespace
}  // namespace uotbench
