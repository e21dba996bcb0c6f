// `pawl trust`: a person has read pawl.toml.
#include <array>

#include "base/file.h"
#include "base/text.h"
#include "engine/engine.h"
#include "verbs/context.h"
#include "verbs/table.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20U;

Result<Reply> run_trust(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::string path = engine->workspace().root + "/pawl.toml";
  PAWL_ASSIGN(const FileImage image, read_file(path, kMaxFileBytes));
  if (!image.exists) return fail(ErrorCode::not_found, cat("there is no ", printable(path)));
  if (arguments.flag("remove")) {
    PAWL_TRY(distrust(path));
  } else {
    PAWL_TRY(trust(path, image.bytes));
  }
  return Reply{Json{{"file", path}, {"trusted", !arguments.flag("remove")}, {"bytes", image.bytes.size()}}};
}

std::string text_of_trust(const Json& data, const TextStyle&) {
  return cat(printable(string_or(data, "file")), data["trusted"].get<bool>()
                                                     ? " is trusted as it is now; a change of it is not\n"
                                                     : " is not trusted any more\n");
}

constexpr std::array kTrustParams = {Param{.name = "remove", .type = ParamType::flag, .summary = "trust it no longer"}};
constexpr std::array kTrustExamples = {Example{"pawl trust", "after you have read pawl.toml"},
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
