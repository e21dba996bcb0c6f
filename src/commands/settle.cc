// `pawl accept` and `pawl restore`: a person says which version of a file counts.
#include <fcntl.h>

#include <array>

#include "base/file.h"
#include "base/place.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "base/writers.h"
#include "commands/context.h"
#include "commands/table.h"
#include "engine/engine.h"
#include "engine/git_state.h"
#include "engine/refused_copy.h"
#include "engine/refused_parts.h"
#include "engine/resolve.h"
#include "engine/typed_path.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxSettledBytes = std::size_t{64} << 20U;

tl::unexpected<Error> not_kept(const std::string& typed) {
  return fail(ErrorCode::not_found, cat(printable(typed), " is not a file that pawl keeps in step"),
              "pawl status  # names the files and copies that somebody has to decide about");
}

// Nothing can be taken over from what says nothing. One that is gone says that what it showed has ended.
Done must_be_readable(const MirrorWorld& world, const MirrorFile& file) {
  PAWL_ASSIGN(const FileImage image, read_file(world.roots->absolute(file.path), kMaxSettledBytes));
  if (!image.exists || image.too_large) return done();
  // Of those it is told how they are resolved; of one that is being written, that it is.
  if (has_conflict_markers(image.bytes) || is_being_written_at(AT_FDCWD, world.roots->absolute(file.path)))
    return done();
  const auto content = file.format->parse(file.path, file.scope, image.bytes);
  if (content) return done();
  const std::string path = shell_word(file.path), replace = file.format->how_to_replace(file.path);
  return fail(content.error().code, cat(printable(file.path), " cannot be read: ", content.error().message),
              cat("# mend it, then\npawl accept ", path, replace.empty() ? "" : "\n", replace));
}

// What it says is taken over.
void settle(Context& context, const Engine& engine, const std::string& copy) {
  if (const Done settled = settle_copy(engine, copy); !settled)
    context.note(cat(printable(copy), " stays where it is: ", settled.error().message));
}

// The file itself is looked at as always: what somebody has written there since is none of this.
Result<Reply> accept_parts(Context& context, Engine& engine, const MirrorFile& file, const std::string& copy) {
  const Request request = context.request();
  Look look;
  look.files.push_back(file);
  std::vector<Change> taken;
  PAWL_ASSIGN(const Outcome outcome,
              engine.change(request, look, [&](const View& view, const Now&) -> Result<Decision> {
                PAWL_ASSIGN(auto changes, taken_from(engine, view, copy, request));
                taken = changes ? std::move(*changes) : std::vector<Change>();
                Decision decision;
                decision.changes = taken;
                return decision;
              }));
  for (const Change& change : taken) {
    if (change.unverified) context.note(cat(printable(file.path), ": ", unverified_in_words(change)));
  }
  settle(context, engine, copy);
  return Reply{Json{{"file", file.path}, {"accepted", true}, {"operation", outcome.operation}}};
}

Result<Reply> settle_file(Context& context, const Arguments& arguments, bool accept) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::string typed = arguments.text_or("file", "");
  PAWL_ASSIGN(const auto target, conflict_target(*engine, typed));
  if (target) {
    const Request request = context.request();
    PAWL_ASSIGN(const std::int64_t operation,
                accept ? accept_conflicts(*engine, request, *target) : restore_mirror(*engine, request, *target));
    return Reply{Json{{"file", target->file.path}, {accept ? "accepted" : "restored", true}, {"operation", operation}}};
  }
  PAWL_ASSIGN(const std::string path, typed_path(*engine, typed));
  Request request = context.request();
  const MirrorWorld world = engine->world();
  std::optional<MirrorFile> file = file_at(world, path);
  if (!file && !accept && !find_copy(*engine, path).empty())
    return fail(
        ErrorCode::invalid_argument,
        cat(printable(typed), " is a copy of what was written into a file; what is restored is the file itself"),
        cat("pawl accept ", shell_word(typed), "  # takes over what the copy says"));
  const std::string copy = file || !accept ? std::string() : find_copy(*engine, path);
  std::optional<RefusedParts> parts;  // what was refused of it, where that is known
  if (!copy.empty()) {
    PAWL_TRY(engine->read_store([&](const View& view) -> Done {
      file = original_of(*engine, view.store(), copy);
      PAWL_ASSIGN(parts, parts_of(view.store(), copy));
      return done();
    }));
    if (!file) return not_kept(typed);
  }
  if (parts && !parts->whole) return accept_parts(context, *engine, *file, copy);
  if (!copy.empty()) {
    PAWL_ASSIGN(FileImage image, read_file(world.roots->absolute(copy), kMaxSettledBytes));
    if (parts) PAWL_TRY(must_be_as_refused(*parts, copy, image.bytes));
    if (const auto content = file->format->parse(file->path, file->scope, image.bytes); !content)
      return fail(content.error().code, cat(printable(copy), " cannot be read: ", content.error().message),
                  cat("mend this copy, then\npawl accept ", shell_word(copy)));
    request.substitute.emplace(file->path, std::move(image.bytes));
  }
  if (!file) return not_kept(typed);
  if (accept && copy.empty()) PAWL_TRY(must_be_readable(world, *file));
  if (accept) {
    request.accept = request.actor;
    if (copy.empty()) request.as_they_are = {file->path};
  } else {
    request.restore = file->path;
  }
  Look look;
  look.files.push_back(*file);
  PAWL_ASSIGN(const Outcome outcome, engine->change(request, look, decide_nothing));
  if (!copy.empty()) settle(context, *engine, copy);
  return Reply{
      Json{{"file", file->path}, {accept ? "accepted" : "restored", true}, {"operation", outcome.outside_operation}}};
}

Result<Reply> run_accept(Context& context, const Arguments& arguments) { return settle_file(context, arguments, true); }
Result<Reply> run_restore(Context& context, const Arguments& arguments) {
  return settle_file(context, arguments, false);
}

std::string text_of_settled(const Json& data, const TextStyle&) {
  const std::string file = printable(string_or(data, "file"));
  if (data.contains("restored")) return cat(file, " shows what pawl knows\n");
  const std::int64_t operation = integer_or(data, "operation");
  return operation == 0 ? cat(file, " says nothing new\n")
                        : cat(file, " was taken over by operation ", operation, "\n");
}

constexpr Param kFile{.name = "file",
                      .value = "FILE",
                      .summary = "a file that pawl keeps in step, or a copy of one in .pawl/refused/ or .pawl/damaged/",
                      .positional = true,
                      .required = true};
constexpr Param kKeptFile{
    .name = "file", .value = "FILE", .summary = "a file that pawl keeps in step", .positional = true, .required = true};
constexpr std::array kFileOnly = {kFile};
constexpr std::array kKeptFileOnly = {kKeptFile};
constexpr std::array kAcceptExamples = {
    Example{"pawl accept .worktrees/.status/42.json", "take the file as it is, after git changed it"},
    Example{"pawl accept .pawl/refused/_.worktrees+.status+42.json.20240130T090000Z", "take over what was refused"},
};
constexpr std::array kRestoreExamples = {
    Example{"pawl restore .worktrees/.status/42.json", "write what pawl knows; what stood there is kept aside"},
    Example{"pawl restore .worktrees/.status/42.json --json", "the same for a program"},
};

}  // namespace

const Verb kAccept = {
    .name = "accept",
    .summary = "take over a file as it is",
    .manual =
        "For a file that git changed, and for what pawl refused and kept in .pawl/refused/. The file stays as it is to "
        "the byte, and what pawl knows follows it, also where commands have gone on meanwhile, and, where git changed "
        "the file, to a status that no move leads to; where that cannot be it is refused. Of a copy only what was "
        "refused then is taken over, by moves that there are, and all that has happened since stays; where the same "
        "move "
        "by command takes a reason, so does this: --reason says it. One that was "
        "changed after it was refused is not taken. Your word stands "
        "for the conditions that its moves would have needed; a "
        "word that is no status is refused all the same, and so is a loop that has ended, or one with a check that "
        "would be complete without it. A copy that was taken over is kept in "
        ".pawl/refused/settled/; `pawl dismiss` puts one there that is not wanted. One in .pawl/damaged/ is taken over "
        "once it can be read: mend the copy first.",
    .params = kFileOnly,
    .examples = kAcceptExamples,
    .read_only = false,
    .run = run_accept,
    .text = text_of_settled,
};

const Verb kRestore = {
    .name = "restore",
    .summary = "write what pawl knows into a file again",
    .manual =
        "What stands in the file now, where it differs, is kept in .pawl/refused/settled/ first. A copy of what was "
        "refused is taken over by `pawl accept`.",
    .params = kKeptFileOnly,
    .examples = kRestoreExamples,
    .read_only = false,
    .run = run_restore,
    .text = text_of_settled,
};

}  // namespace pawl
