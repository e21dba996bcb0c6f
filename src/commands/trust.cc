// `pawl trust`: a person has read pawl.toml.
#include <array>

#include "base/file.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/table.h"
#include "engine/engine.h"
#include "lifecycles/story/story.h"
#include "runners/story_check.h"
#include "runners/story_list.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxTrustedBytes = std::size_t{1} << 20U;

// The commands that stories bring themselves, a line each, as they are now.
Result<std::vector<std::string>> commands_of_stories(Engine& engine) {
  std::vector<std::string> lines;
  PAWL_TRY(engine.read(look_at_stories(), std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(const auto all, all_stories(view));
    for (const Record& record : all) {
      for (std::string& line : story::own_check_lines(record.id.key, record.doc)) lines.push_back(std::move(line));
    }
    return done();
  }));
  return lines;
}

// The file of the stories changes with every move of one: what is trusted of it is its commands.
Result<Reply> trust_stories(Engine& engine, bool remove) {
  const std::string path = trust_path_of_stories(engine);
  PAWL_ASSIGN(const auto lines, commands_of_stories(engine));
  if (remove) {
    PAWL_TRY(distrust(path));
  } else {
    std::string content;
    for (const std::string& line : lines) content += cat(line, "\n");
    PAWL_TRY(trust(path, content));
  }
  return Reply{Json{{"file", "the stories' own checks"}, {"trusted", !remove}, {"commands", lines}}};
}

Result<Reply> run_trust(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  if (arguments.flag("stories")) return trust_stories(*engine, arguments.flag("remove"));
  const std::string path = engine->workspace().root + "/pawl.toml";
  PAWL_ASSIGN(const FileImage image, read_file(path, kMaxTrustedBytes));
  if (!image.exists) return fail(ErrorCode::not_found, cat("there is no ", printable(path)));
  if (arguments.flag("remove")) {
    PAWL_TRY(distrust(path));
  } else {
    PAWL_TRY(check_forms(*engine));  // what cannot be run is not to be trusted, but mended
    PAWL_TRY(trust(path, image.bytes));
  }
  return Reply{Json{{"file", path}, {"trusted", !arguments.flag("remove")}, {"bytes", image.bytes.size()}}};
}

std::string text_of_trust(const Json& data, const TextStyle&) {
  if (data.contains("commands")) {
    std::string out;
    for (const Json& line : data["commands"]) out += cat("    ", printable(line.get<std::string>()), "\n");
    if (data["trusted"] == false) return "the stories' own checks are not trusted any more\n";
    return data["commands"].empty() ? std::string("no story has checks of its own\n")
                                    : cat("trusted, each as it is now:\n", out);
  }
  return cat(printable(string_or(data, "file")), data["trusted"].get<bool>()
                                                     ? " is trusted as it is now; a change of it is not\n"
                                                     : " is not trusted any more\n");
}

constexpr std::array kTrustParams = {
    Param{.name = "stories", .type = ParamType::flag, .summary = "not pawl.toml, but the checks that stories bring"},
    Param{.name = "remove", .type = ParamType::flag, .summary = "trust it no longer"}};
constexpr std::array kTrustExamples = {Example{"pawl trust", "after you have read pawl.toml"},
                                       Example{"pawl trust --stories", "after you have read pawl story checks"},
                                       Example{"pawl trust --remove", "take it back"}};

}  // namespace

const Verb kTrust = {
    .name = "trust",
    .summary = "let pawl.toml name commands and folders outside the workspace",
    .manual =
        "A file that came with a clone could make pawl run something. So such settings are used only after you have "
        "read the file and said so; "
        "the content is remembered outside of the workspace, and any change needs your word again.",
    .params = kTrustParams,
    .examples = kTrustExamples,
    .read_only = false,
    .run = run_trust,
    .text = text_of_trust,
};

}  // namespace pawl
