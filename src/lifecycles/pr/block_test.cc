#include "lifecycles/pr/block.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace pawl::pr {
namespace {

std::string fence(const std::string& json) { return "```rmcoc\n" + json + "\n```\n"; }

TEST(Block, EveryFormIsRead) {
  const struct {
    std::string text, type;
  } kForms[] = {
      {fence(R"({"type": "question", "status": "PENDING"})"), "question"},
      {fence(R"({"finding": "f", "assessment": "a", "score": 7})"), "review-finding"},
      {fence(R"({"status": "RESOLVED"})"), "dispute-resolution"},
      {fence(R"({"status": "ESCALATED"})"), "dispute-resolution"},
      {"```json\n{\"status\": \"RESOLVED\"}\n```\n", "dispute-resolution"},
      {"{\"finding\": \"f\", \"assessment\": \"a\", \"score\": 7}", "review-finding"},
      {fence("{\"type\": \"question\", \"list\": [1, 2,],\n}"), "question"},
      {"text\r\n```rmcoc\r\n{\"type\": \"question\"}\r\n```\r\n", "question"},
      {"```rmcoc\n{\"type\": \"question\"}```", "question"},
      {"~~~rmcoc\n{\"type\": \"question\"}\n~~~", "question"},
      {"````rmcoc\n{\"type\": \"question\"}\n````", "question"},
      {"   ```rmcoc\n{\"type\": \"question\"}\n```", "question"},
      {fence(R"({"type": "tomorrow", "x": 1})"), "tomorrow"},  // kept, and believed by nobody
  };
  for (const auto& form : kForms) {
    const auto blocks = blocks_in(form.text);
    ASSERT_EQ(blocks.size(), 1U) << form.text;
    EXPECT_EQ(blocks[0].type, form.type) << form.text;
  }
}

TEST(Block, WhatIsNoneIsText) {
  for (const std::string& text : {
           std::string("```rmcoc\n{\"type\": \"question\"}\n"),                   // cut off
           std::string("````\n```rmcoc\n{\"type\": \"question\"}\n```\n````\n"),  // inside another fence
           std::string("> ```rmcoc\n> {\"type\": \"question\"}\n> ```\n"),        // quoted
           std::string("    ```rmcoc\n    {\"type\": \"question\"}\n    ```\n"),  // indented code
           std::string("```rmcoc2\n{\"type\": \"question\"}\n```\n"),             // another name
           std::string("```rmcoc\nnot json\n```\n"),                              //
           std::string("```rmcoc\n[1]\n```\n"),                                   //
           std::string("```rmcoc\n{\"type\": 3}\n```\n"),                         //
           std::string("```json\n{\"name\": \"pawl\"}\n```\n"),                   // JSON of somebody's own
           std::string("{\"name\": \"pawl\"}"),                                   //
           std::string(),
       })
    EXPECT_TRUE(blocks_in(text).empty()) << text;
}

TEST(Block, JsonBesideABlockIsText) {
  const auto blocks = blocks_in("```json\n{\"status\": \"RESOLVED\"}\n```\n" + fence(R"({"type": "question"})"));
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].type, "question");
}

TEST(Block, LastOfATypeStands) {
  const std::string text = fence(R"({"type": "question", "n": 1})") + "\n" + fence(R"({"type": "question", "n": 2})");
  EXPECT_EQ(block_of(text, "question")->data["n"], 2);
  const auto changed = with_block_changed(text, "question", {{"n", 3}});
  ASSERT_TRUE(changed);
  EXPECT_EQ(blocks_in(*changed)[0].data["n"], 1);
  EXPECT_EQ(blocks_in(*changed)[1].data["n"], 3);
}

TEST(Block, UpdateChangesTheBlockAndNoOtherByte) {
  for (const std::string before :
       {"", "$& $1 $` text\r\n", "```sh\nls\n```\n", "äöü 🔴 \xf0\x9f\x94\xb4\n", "````\n```rmcoc\n{}\n```\n````\n"}) {
    for (const std::string after : {"", "\nafter $&\n", "\r\n```js\nlet x = `a`\n```"}) {
      for (const std::string& block : {std::string("```rmcoc\n{\"type\": \"question\", \"n\": 1,}\n```"),
                                       std::string("```rmcoc\r\n  {\"type\": \"question\"}\r\n```"),
                                       std::string("```rmcoc\n{\"type\": \"question\"}```")}) {
        const std::string text = before + block + "\n" + after;
        const auto changed = with_block_changed(text, "question", {{"text", "$& ```rmcoc\n{}\n``` `x`"}});
        ASSERT_TRUE(changed) << text;
        EXPECT_TRUE(changed->starts_with(before + "```rmcoc"));
        EXPECT_TRUE(changed->ends_with("```\n" + after));
        EXPECT_EQ(block_of(*changed, "question")->data["text"], "$& ```rmcoc\n{}\n``` `x`");
        EXPECT_EQ(changed->find("```rmcoc\n{}"), before.find("```rmcoc\n{}"));  // no second fence came in
        const auto again = with_block_changed(*changed, "question", {{"text", "$& ```rmcoc\n{}\n``` `x`"}});
        EXPECT_EQ(*again, *changed);
      }
    }
  }
}

TEST(Block, AddedBlockIsFoundWhateverTheTextLeftOpen) {
  for (const std::string text : {"", "plain", "plain\n", "```\nopen", "~~~~sh\nopen\n", "<!-- open", "`tick"}) {
    const auto added = with_block(text, "question", {{"n", 1}});
    ASSERT_TRUE(added);
    EXPECT_TRUE(added->starts_with(text));
    ASSERT_TRUE(block_of(*added, "question")) << *added;
    EXPECT_EQ(block_of(*added, "question")->data["n"], 1);
  }
}

TEST(Block, BadRequestsAreRefused) {
  EXPECT_EQ(with_block("", "answer", Json::object()).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(with_block("", "question", Json::array()).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(with_block_changed("text", "question", Json::object()).error().code, ErrorCode::not_found);
  // What the data calls itself would be what is written.
  for (const Json& type : {Json("review-finding"), Json(7), Json()}) {
    EXPECT_EQ(with_block("", "question", {{"type", type}}).error().code, ErrorCode::invalid_argument) << type;
    const std::string text = *with_block("", "question", {{"n", 1}});
    EXPECT_EQ(with_block_changed(text, "question", {{"type", type}}).error().code, ErrorCode::invalid_argument) << type;
  }
  EXPECT_TRUE(with_block("", "question", {{"type", "question"}}));
  EXPECT_EQ(with_block(std::string(65'530, 'x'), "question", Json::object()).error().code, ErrorCode::invalid_argument);
}

TEST(Block, IdsKeepAllTheirBits) {
  const auto blocks = blocks_in(fence(R"({"type": "question", "reply_to_comment_id": 18446744073709551615})"));
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].data["reply_to_comment_id"].get<std::uint64_t>(), 18446744073709551615U);
}

TEST(Block, AMegabyteIsReadInOnePass) {
  // Shapes that would take a reader minutes that starts anew at every line.
  const std::string shapes[] = {"{\n", "```rmcoc\n{\n```\n", "```rmcoc\n}```\n", "`````\n````\n", "{\"a\":"};
  for (const std::string& shape : shapes) {
    std::string text;
    while (text.size() < 1'000'000) text += shape;
    EXPECT_LE(blocks_in(text).size(), 1'000'000U);
  }
  std::string large = R"({"type": "question", "x": ")" + std::string(1'000'000, 'x') + "\"}";
  EXPECT_TRUE(blocks_in(fence(large)).empty());
}

TEST(Block, ClosedWorkIsShortened) {
  const Json open = {{"type", "review-finding"}, {"status", "PENDING"}, {"assessment", std::string(5000, 'x')}};
  EXPECT_EQ(shortened(open), open);
  Json closed = open;
  closed["status"] = "RESOLVED";
  closed["id"] = "ab";
  EXPECT_LT(to_line(shortened(closed)).size(), 200U);
  EXPECT_EQ(shortened(closed)["id"], "ab");
  EXPECT_EQ(shortened(closed)["status"], "RESOLVED");
}

}  // namespace
}  // namespace pawl::pr
