// The library's door: the same table of verbs as the command line, without a process.
#include "pawl/client.h"

#include "base/clock.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/verb.h"
#include "engine/engine.h"
#include "frontends/english/outside.h"

namespace pawl {
namespace {

const Verb* verb_named(std::string_view words) {
  const std::size_t blank = words.find(' ');
  return blank == std::string_view::npos ? find_verb("", words)
                                         : find_verb(words.substr(0, blank), words.substr(blank + 1));
}

Result<Arguments> checked(const Verb& verb, const std::map<std::string, std::string>& given) {
  Arguments arguments;
  std::vector<std::string_view> names;
  for (const Param& param : verb.params) names.push_back(param.name);
  for (const auto& [name, value] : given) {
    const Param* found = nullptr;
    for (const Param& param : verb.params) {
      if (param.name == name) found = &param;
    }
    if (found == nullptr) {
      const auto meant = nearest(name, names);
      return fail(ErrorCode::invalid_argument, cat("“", printable(name), "” is not an argument of ", full_name(verb)),
                  meant ? cat("did you mean ", *meant, "?") : std::string());
    }
    if (found->type == ParamType::flag) {
      arguments.set_flag(name);
      continue;
    }
    PAWL_TRY(check_value(*found, value));
    arguments.add(name, value);
  }
  for (const Param& param : verb.params) {
    if (param.required && !given.contains(std::string(param.name))) {
      return fail(ErrorCode::invalid_argument, cat(full_name(verb), " needs “", param.name, "”"));
    }
  }
  return arguments;
}

}  // namespace

struct Client::Inside {
  SystemClock clock;
  Context context;
  Store* long_lived = nullptr;

  ~Inside() {
    // Best effort: whoever comes next works in the mode that it finds.
    if (long_lived != nullptr) [[maybe_unused]]
      const Done left = long_lived->leave_long_lived();
  }
};

Client::Client(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;
Client::~Client() = default;

Result<Client> Client::open(const ClientOptions& options) {
  auto inside = std::make_unique<Inside>();
  inside->context.clock = &inside->clock;
  inside->context.flags.dir = options.dir;
  inside->context.flags.actor = options.actor;
  if (options.note) inside->context.note = options.note;
  inside->context.in_words = english::in_lines;
  PAWL_ASSIGN(Engine* const engine, inside->context.engine());
  if (options.long_lived) {
    PAWL_ASSIGN(Store* const store, engine->store(true));
    PAWL_TRY(store->enter_long_lived());
    inside->long_lived = store;
  }
  return Client(std::move(inside));
}

Result<std::string> Client::call(std::string_view name, const std::map<std::string, std::string>& given,
                                 const CallOptions& options) {
  const Verb* verb = verb_named(name);
  if (verb == nullptr || verb->streams)
    return fail(ErrorCode::invalid_argument, cat("there is no verb “", printable(name), "” to call"));
  PAWL_ASSIGN(const Arguments arguments, checked(*verb, given));
  Context& context = inside_->context;
  context.verb = full_name(*verb);
  context.verb_request = arguments.canonical();
  context.flags.reason = options.reason;
  context.flags.idempotency_key = options.idempotency_key;
  context.flags.at = options.at > 0 ? std::optional<std::int64_t>(options.at) : std::nullopt;
  if (context.flags.at && !verb->read_only)
    return fail(ErrorCode::invalid_argument, cat(full_name(*verb), " changes the present; it has no past"));
  PAWL_ASSIGN(const Reply reply, verb->run(context, arguments));
  return to_line(reply.data);
}

}  // namespace pawl
