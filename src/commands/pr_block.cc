// `pawl pr block` and `pawl pr key`: the bot's state in comments, for scripts. Nothing here asks GitHub.
#include <sys/random.h>

#include <ctime>

#include <array>

#include "base/file.h"
#include "base/hex.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/table.h"
#include "lifecycles/pr/block.h"
#include "lifecycles/pr/pr.h"
#include "lifecycles/pr/trust.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxInput = std::size_t{4} << 20U;

Json shown(const pr::Block& block) { return {{"type", block.type}, {"data", block.data}, {"fenced", block.fenced}}; }

// What the block says, with what is given over it; null takes a member away.
Json merged(std::string_view text, std::string_view type, const Json& given) {
  const auto block = pr::block_of(text, type);
  Json out = block ? block->data : Json::object();
  out.merge_patch(given);
  return out;
}

Result<Reply> run_block(Context&, const Arguments& arguments) {
  const std::string what = arguments.text_or("action", "");
  const auto type = arguments.text("type"), data = arguments.text("data");
  if (what == "extract") {
    if (data) return fail(ErrorCode::invalid_argument, "extract takes no --data", "add and update do");
    PAWL_ASSIGN(const std::string text, read_input(kMaxInput));
    Json out = Json::array();
    for (const pr::Block& block : pr::blocks_in(text)) {
      if (!type || block.type == *type) out.push_back(shown(block));
    }
    return Reply{{{"blocks", std::move(out)}}};
  }
  if (!type || !data)
    return fail(ErrorCode::invalid_argument, cat(what, " needs --type and --data"), "--help shows how");
  const auto object = parse_json(*data);
  if (!object) return fail(ErrorCode::invalid_argument, cat("--data is not JSON: ", object.error().message));
  PAWL_ASSIGN(const std::string text, read_input(kMaxInput));
  PAWL_TRY(pr::check_block_status(*type, *object));
  // What is no object is refused as such.
  PAWL_ASSIGN(std::string out,
              what == "add"
                  ? pr::with_block(text, *type, *object)
                  : pr::with_block_changed(text, *type, object->is_object() ? merged(text, *type, *object) : *object));
  return Reply{{{"text", std::move(out)}}};
}

// What came in on stdin goes out as it is: a script reads it, and every byte counts.
std::string text_of_block(const Json& data, const TextStyle&) {
  if (data.contains("text")) return string_or(data, "text");
  std::string out;
  for (const Json& block : data["blocks"]) out += cat(printable(to_line(block["data"])), "\n");
  return out;
}

Result<Reply> run_key(Context&, const Arguments&) {
  std::array<char, 32> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return fail(ErrorCode::unavailable, "the system has no random numbers to give");
  return Reply{{{"key", cat(pr::kKeyHead, ::time(nullptr), ".", in_hex({bytes.data(), bytes.size()}))}}};
}

std::string text_of_key(const Json& data, const TextStyle&) { return cat(string_or(data, "key"), "\n"); }

constexpr std::array<std::string_view, 3> kActions = {"extract", "add", "update"};
constexpr std::array<std::string_view, 1> kNew = {"new"};

constexpr std::array kBlockParams = {
    Param{.name = "action",
          .value = "ACTION",
          .summary = "what to do with the text",
          .positional = true,
          .required = true,
          .choices = kActions},
    Param{.name = "type", .value = "T", .summary = "the block's type; with extract, only those", .max_bytes = 100},
    Param{.name = "data",
          .value = "JSON",
          .summary = "what the block is to say, with update what is to change in it: an object",
          .max_bytes = 262'144},
};
constexpr std::array kBlockExamples = {
    Example{"pawl pr block extract --json <comment.md", "the blocks of a comment"},
    Example{"pawl pr block add --type question --data '{\"n\": 1}' <comment.md", "the comment with one more"},
    Example{"pawl pr block update --type question --data '{\"n\": 2}' <comment.md",
            "the comment with that block changed, and no other byte"},
};
constexpr std::array kKeyParams = {
    Param{
        .name = "action", .value = "new", .summary = "make one", .positional = true, .required = true, .choices = kNew},
};
constexpr std::array kKeyExamples = {
    Example{"pawl pr key new", "a key to keep as the secret PAWL_BLOCK_KEY"},
    Example{"pawl pr key new | gh secret set PAWL_BLOCK_KEY", "straight into a repository's secrets"},
};

}  // namespace

const Verb kPrBlock = {
    .noun = "pr",
    .name = "block",
    .summary = "read and write the blocks in which a bot keeps its state in comments",
    .manual =
        "The comment's text comes on stdin, the result goes to stdout. extract lists the blocks: those fenced as "
        "rmcoc, "
        "or, where there is none, JSON in a json fence or bare that looks like one. add puts a block behind the text; "
        "update changes the last block of its type, and no other byte: the members that --data names are set, null "
        "takes "
        "one away, the others stay.\n\n"
        "Whether a block is to be believed is another question: see pawl pr state.",
    .params = kBlockParams,
    .examples = kBlockExamples,
    .verbatim = true,
    .run = run_block,
    .text = text_of_block,
};

const Verb kPrKey = {
    .noun = "pr",
    .name = "key",
    .summary = "make a key by which the bot signs its blocks",
    .manual =
        "With PAWL_BLOCK_KEY set, pawl signs every block it writes and believes only what is signed. Keep the key "
        "where "
        "only the bot's runs can read it; whoever has it can write state in the bot's name. A key says when it was "
        "made: "
        "what the bot wrote unsigned before that still counts, what seems to be by the bot and is later does not. To "
        "change keys, put the new one on a line above the old: the first signs, both are believed. Where blocks were "
        "signed, nothing is done without the key; PAWL_BLOCK_KEY=none says that it is to be done all the same.",
    .params = kKeyParams,
    .examples = kKeyExamples,
    .for_a_file = true,
    .run = run_key,
    .text = text_of_key,
};

}  // namespace pawl
