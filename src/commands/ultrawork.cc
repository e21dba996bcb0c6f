// `pawl ultrawork …`: a session that is reminded to go on, in the project's file and, where asked, in the user's.
#include "lifecycles/loop/ultrawork.h"

#include <array>

#include "base/file.h"
#include "base/text.h"
#include "commands/loop.h"
#include "commands/table.h"
#include "engine/aside.h"
#include "engine/workspace.h"
#include "lifecycles/loop/begin.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/ralph.h"

namespace pawl {
namespace {

using loop::Purpose;

constexpr std::size_t kMaxFileBytes = std::size_t{4} << 20U;

const loop::Shape& users_shape() { return loop::users_ultrawork_shape(); }

Json marked(Json answer, bool global) {
  answer["global"] = global;
  return answer;
}

// --- start ---

Result<Reply> run_start(Context& context, const Arguments& arguments) {
  loop::StartUltrawork command;
  PAWL_ASSIGN(command.session, loop::session_in(arguments));
  command.prompt = arguments.text_or("prompt", "");
  const auto make = [&](const Now& now) { return loop::new_ultrawork(command, now); };
  PAWL_ASSIGN(Engine* const engine, context.engine());
  if (!arguments.flag("global")) {
    PAWL_ASSIGN(loop::Changed begun,
                loop::start_one(*engine, context.request(), loop::ultrawork_shape(), command.session, make));
    return Reply{marked(std::move(begun.answer), false)};
  }
  // Asked first whether it can be: two stores are not one transaction.
  PAWL_ASSIGN(Engine* const users, context.users_engine());
  PAWL_ASSIGN(const auto there, loop::read_all(*users, users_shape()));
  PAWL_TRY(loop::scope_for(users_shape(), there, command.session));
  PAWL_ASSIGN(loop::Changed begun,
              loop::start_one(*engine, context.request(), loop::ultrawork_shape(), command.session, make));
  // The copy is a copy: the same loop, begun in the same moment.
  Json state = begun.answer["state"];
  state.erase(std::string(loop::ultrawork_shape().flag));
  PAWL_TRY(
      loop::start_one(*users, context.request(), users_shape(), command.session, [&](const Now&) { return state; }));
  return Reply{marked(std::move(begun.answer), true)};
}

std::string text_of_start(const Json& answer, const TextStyle&) {
  return cat("ultrawork has begun for ", loop::whose(answer), ", in ", printable(string_or(answer, "file")),
             answer.value("global", false) ? " and for all projects\n" : "\n");
}

// --- show ---

// Local first, then global. Without a home folder there is nothing global.
Result<Reply> run_show(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const std::string session, loop::session_in(arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::string name = arguments.text_or("loop", "");
  Result<Json> local = loop::answer_with_history(*engine, loop::ultrawork_shape(), session, name, context.flags.at);
  if (local) return Reply{marked(*std::move(local), false)};
  if (local.error().code != ErrorCode::not_found || context.flags.at) return tl::unexpected(local.error());
  const auto users = context.users_engine();
  if (!users) return tl::unexpected(local.error());
  Result<Json> global = loop::answer_with_history(**users, users_shape(), session, name);
  if (!global) return tl::unexpected(local.error());
  return Reply{marked(*std::move(global), true)};
}

std::string text_of_show(const Json& answer, const TextStyle& style) {
  return loop::text_of_loop(answer, {},
                            {{"prompt", "original_prompt"},
                             {"reinforced", "reinforcement_count"},
                             {"started", "started_at"},
                             {"last checked", "last_checked_at"}},
                            style);
}

// --- check ---

Result<Json> check_in(Context& context, Engine& engine, const loop::Shape& where, const std::string& session) {
  return loop::change_one(engine, context.request(), where, session, Purpose::drive,
                          [](const View&, const Record& current, const Now& now) -> Result<std::vector<Change>> {
                            PAWL_ASSIGN(Change made, loop::decide(current, loop::CheckUltrawork{}, now));
                            return std::vector{std::move(made)};
                          });
}

// The user's copy is counted by the session that it names, and by nobody else.
Result<std::optional<Json>> check_global(Context& context, const std::string& session) {
  if (session.empty()) return std::optional<Json>();
  const auto users = context.users_engine();
  if (!users) return std::optional<Json>();
  PAWL_ASSIGN(const auto there, loop::read_all(**users, users_shape()));
  for (const Record& record : there) {
    if (!loop::is_owned_by(record.doc, session) || loop::ultrawork_machine().terminal(record.status)) continue;
    PAWL_ASSIGN(Json answer, check_in(context, **users, users_shape(), session));
    return std::optional(std::move(answer));
  }
  return std::optional<Json>();
}

Result<Reply> run_check(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const std::string session, loop::session_in(arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Result<Json> local = check_in(context, *engine, loop::ultrawork_shape(), session);
  if (!local && local.error().code != ErrorCode::not_found) return tl::unexpected(local.error());
  PAWL_ASSIGN(auto global, check_global(context, session));
  if (local) return Reply{marked(std::move(*local), global.has_value())};
  if (!global) return tl::unexpected(local.error());
  return Reply{marked(std::move(*global), true)};
}

std::string text_of_check(const Json& answer, const TextStyle&) {
  const std::string count = loop::member(answer, "reinforcement_count");
  return cat("ultrawork is ", loop::status_word(answer), ", reinforced ", count, count == "1" ? " time\n" : " times\n");
}

// --- clear ---

// There is one such file: without a name it is meant, whoever's it is; with one only if it is called so. No command
// reaches the history of the user's own store, so what the file said is kept where it can be read.
Result<Json> clear_global(Context& context, const std::string& name) {
  Json out{{"global", false}};
  PAWL_ASSIGN(Engine* const users, context.users_engine());
  PAWL_ASSIGN(const auto there, loop::read_all(*users, users_shape()));
  if (there.empty()) return out;
  if (!name.empty() && !loop::choose_all(*users_shape().machine, there, "", name)) {
    context.note(cat("the copy for all projects is another one's and stays: ", printable(there.front().id.key)));
    return out;
  }
  const std::string path = loop::file_of(users_shape(), there.front().id);
  const MirrorWorld world = users->world();
  PAWL_ASSIGN(const FileImage image, read_file(world.roots->absolute(path), kMaxFileBytes));
  if (image.exists) {
    // What is known of that file may be all that there is so far: the copy is kept before anything else is written.
    PAWL_TRY(make_store_folder(users->workspace()));
    PAWL_ASSIGN(const std::string kept, keep_aside(world, "cleared", path, image.bytes, context.clock->now().wall_ms));
    out["global_kept"] = world.roots->absolute(kept);
  }
  PAWL_ASSIGN(const Json cleared, loop::clear_one(*users, context.request(), users_shape(), ""));
  out["global"] = cleared["cleared"];
  return out;
}

Result<Reply> run_clear(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const std::string session, loop::session_in(arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::string name = arguments.text_or("loop", "");
  const bool global = arguments.flag("global");
  // What only the other file has is not missed here.
  bool here = true;
  if (global && !name.empty()) {
    const auto local = loop::read_one(*engine, loop::ultrawork_shape(), {}, name);
    if (!local && local.error().code != ErrorCode::not_found) return tl::unexpected(local.error());
    here = local.has_value();
  }
  Json answer{{"cleared", false}, {"loop", nullptr}, {"global", false}};
  if (here) {
    PAWL_ASSIGN(answer, loop::clear_one(*engine, context.request(), loop::ultrawork_shape(), session, name));
    answer["global"] = false;
  }
  if (global) {
    PAWL_ASSIGN(const Json cleared, clear_global(context, name));
    answer.update(cleared);
  }
  return Reply{std::move(answer)};
}

std::string text_of_clear(const Json& answer, const TextStyle& style) {
  std::string global;
  if (answer.value("global", false)) {
    global = "the copy for all projects is cleared; pawl undo does not bring it back\n";
    if (const std::string kept = string_or(answer, "global_kept"); !kept.empty())
      global += cat("  what it said is in ", printable(kept), "\n");
  }
  if (!global.empty() && !answer.value("cleared", false)) return global;
  return cat(loop::text_of_clear(answer, style), global);
}

Result<Reply> run_write(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Reply reply, loop::run_write<loop::ultrawork_shape>(context, arguments));
  if (arguments.flag("global")) {
    PAWL_ASSIGN(const Json state, loop::state_in(arguments));
    PAWL_ASSIGN(Engine* const users, context.users_engine());
    PAWL_TRY(loop::write_one(*users, context.request(), users_shape(), state, 0));  // it has revisions of its own
  }
  return Reply{marked(std::move(reply.data), arguments.flag("global"))};
}

constexpr Param kGlobal{
    .name = "global", .type = ParamType::flag, .summary = "also the copy that all projects share, in ~/.opencode/"};
constexpr std::array kStartParams = {
    loop::needed_text("prompt", "P", "what was asked for"),
    loop::kSessionParam,
    kGlobal,
};
constexpr std::array kClearParams = {loop::kLoopParam, loop::kSessionParam, kGlobal};
constexpr std::array kWriteParams = {loop::kStateParam, loop::kRevisionParam, kGlobal};

constexpr std::array kStartExamples = {
    Example{"pawl ultrawork start --session s1 --prompt 'fix all errors'", "in this project"},
    Example{"pawl ultrawork start --session s1 --global --prompt 'fix all errors'", "and where every project sees it"},
};
constexpr std::array kShowExamples = {
    Example{"pawl ultrawork show", "this project's, or else the one that all share"},
    Example{"pawl ultrawork show --session s1 --json", "session s1's, with all that its file says"},
};
constexpr std::array kCheckExamples = {
    Example{"pawl ultrawork check", "counts one reinforcement"},
    Example{"pawl ultrawork check --session s1", "session s1's, also in the shared copy if that is its own"},
};
constexpr std::array kClearExamples = {
    Example{"pawl ultrawork clear", "end it and remove its file"},
    Example{"pawl ultrawork clear --global", "and the copy that all projects share"},
};
constexpr std::array kWriteExamples = {
    Example{"pawl ultrawork write --state \"$(cat state.json)\"", "replaces the state"},
    Example{"pawl ultrawork write --revision 3 --state '{\"active\": false, …}'", "only if nobody changed it since"},
};

}  // namespace

const Verb kUltraworkStart = {
    .noun = "ultrawork",
    .name = "start",
    .summary = "begin ultrawork: a session that is reminded to go on",
    .manual =
        "It is kept in .omc/ultrawork-state.json too, for the tools that read it there, and with --global in "
        "~/.opencode/ultrawork-state.json, which belongs to a store of the user's own.",
    .params = kStartParams,
    .examples = kStartExamples,
    .read_only = false,
    .run = run_start,
    .text = text_of_start,
};

const Verb kUltraworkShow = {
    .noun = "ultrawork",
    .name = "show",
    .summary = "show ultrawork: the project's, or else the user's",
    .manual = "The exit code is 3 when there is neither.",
    .params = loop::kLoopAndSession,
    .examples = kShowExamples,
    .run = run_show,
    .text = text_of_show,
};

const Verb kUltraworkCheck = {
    .noun = "ultrawork",
    .name = "check",
    .summary = "count one reinforcement",
    .manual = "The copy that all projects share is counted only by the session that it names.",
    .params = loop::kSessionOnly,
    .examples = kCheckExamples,
    .read_only = false,
    .run = run_check,
    .text = text_of_check,
};

const Verb kUltraworkClear = {
    .noun = "ultrawork",
    .name = "clear",
    .summary = "end ultrawork and remove its file",
    .manual =
        "It is not an error when there is none. The log keeps what it was, and pawl undo brings it back, but for the "
        "copy that all projects share: what that said is kept in a file, which is named.",
    .params = kClearParams,
    .examples = kClearExamples,
    .read_only = false,
    .run = run_clear,
    .text = text_of_clear,
};

const Verb kUltraworkWrite = {
    .noun = "ultrawork",
    .name = "write",
    .summary = "write the whole state of ultrawork",
    .manual =
        "For programs that keep the state themselves. Without --revision what there is is replaced; with it the state "
        "is checked against what was read.",
    .params = kWriteParams,
    .examples = kWriteExamples,
    .read_only = false,
    .run = run_write,
    .text = loop::text_of_write,
};

}  // namespace pawl
