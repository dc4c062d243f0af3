#include "harness/protocol/channel.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <thread>

#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

/// What came out of a Deframer, in order: messages as compact JSON, texts in <>.
class Heard {
 public:
  void feed(std::string_view bytes) {
    deframer_.feed(
        bytes, [this](const Json& message) { items.push_back(to_line(message)); },
        [this](std::string_view line) { items.push_back("<" + std::string(line) + ">"); });
  }

  std::vector<std::string> items;

 private:
  Deframer deframer_;
};

std::vector<std::string> heard(std::string_view bytes) {
  Heard all;
  all.feed(bytes);
  return all.items;
}

class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe(ends_), 0); }
  ~Pipe() {
    close_in();
    close_out();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int out() const { return ends_[0]; }
  int in() const { return ends_[1]; }
  void close_in() { close(ends_[1]); }
  void close_out() { close(ends_[0]); }

 private:
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  int ends_[2];
};

// RFC 7464: a separator before, a newline after, none within.
TEST(Framed, IsASeparatorTheTextAndANewline) {
  EXPECT_EQ(framed({{"type", "hello"}, {"n", 1}}), "\x1e{\"type\":\"hello\",\"n\":1}\n");
  EXPECT_EQ(framed({{"text", "two\nlines\x1e"}}), "\x1e{\"text\":\"two\\nlines\\u001e\"}\n");
}

// A pipe cuts bytes anywhere.
TEST(Deframer, PutsFramesTogetherWhereverTheyAreCut) {
  const std::string bytes = framed({{"a", 1}}) + "printed\n" + framed({{"b", "x\ny\x1e"}}) + "half" +
                            framed({{"c", Json::array({1, 2})}}) + "\n";
  const std::vector<std::string> whole{"{\"a\":1}", "<printed>", "{\"b\":\"x\\ny\\u001e\"}", "<half>",
                                       "{\"c\":[1,2]}"};
  EXPECT_THAT(heard(bytes), ElementsAreArray(whole));
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    Heard parts;
    parts.feed(std::string_view(bytes).substr(0, cut));
    parts.feed(std::string_view(bytes).substr(cut));
    ASSERT_THAT(parts.items, ElementsAreArray(whole)) << "cut at " << cut;
  }
  Heard single;
  for (const char byte : bytes) single.feed({&byte, 1});
  EXPECT_THAT(single.items, ElementsAreArray(whole)) << "byte by byte";
}

// A message exists when its newline is there, not before: half of it might be valid JSON already.
TEST(Deframer, WaitsForTheNewline) {
  Heard all;
  all.feed("\x1e{}");
  EXPECT_THAT(all.items, ElementsAre());
  all.feed("\n");
  EXPECT_THAT(all.items, ElementsAre("{}"));
}

TEST(Deframer, HandsOnWhatAKernelPrints) {
  EXPECT_THAT(heard("one\n\ntwo\n"), ElementsAre("<one>", "<two>"));
  EXPECT_THAT(heard("no newline: \x1e{\"a\":1}\n"), ElementsAre("<no newline: >", "{\"a\":1}"));
  EXPECT_THAT(heard("{\"a\":1}\n"), ElementsAre("<{\"a\":1}>")) << "JSON without a separator is text";
}

// A worker that died amid a message, or printed a separator, does not take the next message with it.
TEST(Deframer, FindsAMessageAfterABrokenOneOnTheSameLine) {
  EXPECT_THAT(heard("\x1e{\"cut\":\x1e{\"a\":1}\n"), ElementsAre("<\x1e{\"cut\":>", "{\"a\":1}"));
}

TEST(Deframer, HandsOnFramesThatAreNoObjectsAsText) {
  EXPECT_THAT(heard("\x1enot json\n"), ElementsAre("<not json>"));
  EXPECT_THAT(heard("\x1e[1]\n\x1e"
                    "5\n\x1enull\n"),
              ElementsAre("<[1]>", "<5>", "<null>"))
      << "a message is an object";
  EXPECT_THAT(heard("\x1e\n"), ElementsAre("<>"));
}

/// What a Deframer says of a frame that it cannot take.
std::string refused_frame(const std::string& body) {
  try {
    heard("\x1e" + body + "\n");
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

// Taken for text, the message that somebody meant to send would be waited for until the time is over.
TEST(Deframer, SaysAtOnceWhyAMessageCannotBeRead) {
  const std::string no_nan = "JSON has no NaN and no Infinity: send null, or leave the key out";
  EXPECT_EQ(refused_frame(R"({"type":"record","env":{"x":NaN}})"),
            R"(a message that is not JSON: at its byte 29 (pe":"record","env":{"x":NaN}}): )" + no_nan);
  EXPECT_EQ(refused_frame(R"({"a":[1,-Infinity]})"),
            R"(a message that is not JSON: at its byte 10 ({"a":[1,-Infinity]}): )" + no_nan);
  EXPECT_EQ(
      refused_frame(R"({"a":1}{"b":2})"),
      R"(a message that is not JSON: at its byte 8 ({"a":1}{"b":2}): unexpected '{'; expected end of input)");
  const std::string no_text = refused_frame("{\"a\":\"\xff\"}");
  EXPECT_THAT(no_text, testing::AllOf(testing::HasSubstr("at its byte 7 ({\"a\":\"\uFFFD"),
                                      testing::HasSubstr("ill-formed UTF-8 byte")));
  EXPECT_EQ(Json::parse(Json(no_text).dump()), no_text) << "it is UTF-8 itself";
  EXPECT_THAT(refused_frame(R"({"a":1e999})"), testing::HasSubstr("number overflow parsing '1e999'"));
  EXPECT_THAT(refused_frame("{"), testing::HasSubstr("unexpected end of input"));
  std::string deep = "1";
  for (int level = 0; level < 65; ++level) deep = "{\"a\":" + deep + "}";
  EXPECT_EQ(refused_frame(deep), "a message that is nested more than 64 deep");
  EXPECT_EQ(refused_frame(deep.substr(5, deep.size() - 6)), "nothing");
}

// Of a line of 64 MiB, half could be brackets, each of which takes fifty bytes of memory.
TEST(Deframer, TakesSoManyValuesAndNoMore) {
  std::string list = R"({"a":[0)";
  for (std::size_t i = 3; i < most_values; ++i) list += ",0";
  EXPECT_EQ(refused_frame(list + "]}"), "nothing");
  EXPECT_EQ(refused_frame(list + ",0,0]}"), "a message of more than 4000000 values");
}

TEST(Deframer, SurvivesAnyBytes) {
  using namespace std::string_literals;
  EXPECT_THAT(heard("\xff\xfe\0\x80\n"s), ElementsAre("<\xff\xfe\0\x80>"s));
  EXPECT_THAT(heard("\xff\0\n\x1e{\"ok\":1}\n"s), ElementsAre("<\xff\0>"s, "{\"ok\":1}"));
}

// A kernel that prints without end, and without a newline, must not fill the parent's memory.
TEST(Deframer, GivesUpOnAMessageThatNeverEnds) {
  Heard all;
  const std::string chunk(std::size_t{1} << 20, 'x');
  for (std::size_t fed = 0; fed < longest_message; fed += chunk.size()) ASSERT_NO_THROW(all.feed(chunk));
  try {
    all.feed("x");
    FAIL() << "took it all";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a message of more than 67108864 bytes");
  }
}

TEST(Channel, CarriesMessagesBothWaysUntilTheOtherSideCloses) {
  Pipe there, back;
  Channel one(back.out(), there.in()), other(there.out(), back.in());
  one.send({{"n", 1}});
  one.send({{"n", 2}});
  ASSERT_EQ(::write(there.in(), "noise\n", 6), 6);
  one.send({{"n", 3}});
  for (int n = 1; n <= 3; ++n) EXPECT_EQ(other.receive(), Json({{"n", n}}));
  other.send({{"thanks", true}});
  EXPECT_EQ(one.receive(), Json({{"thanks", true}}));
  there.close_in();
  EXPECT_TRUE(other.receive().is_null());
}

// A plan of many points is more than a pipe holds (64 KiB).
TEST(Channel, SendsMoreThanAPipeHolds) {
  Pipe pipe;
  const Json big{{"text", std::string(1 << 20, 'x')}};
  std::thread sender([&] { Channel(-1, pipe.in()).send(big); });
  EXPECT_EQ(Channel(pipe.out(), -1).receive(), big);
  sender.join();
}

TEST(Channel, SaysThatTheOtherSideIsGone) {
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  pipe.close_out();
  try {
    Channel(-1, pipe.in()).send({{"n", 1}});
    FAIL() << "sent to nobody";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the other side is gone: Broken pipe");
  }
  ::signal(SIGPIPE, before);
}

}  // namespace
}  // namespace uotbench
