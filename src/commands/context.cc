#include "commands/context.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/file.h"
#include "base/text.h"
#include "engine/engine.h"
#include "lifecycles/table.h"

namespace pawl {
namespace {

// What /etc/passwd calls the user; "" where it does not know.
std::string name_in_passwd(std::int64_t uid) {
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  const auto image = read_file("/etc/passwd", kMost);
  if (!image || image->too_large) return {};
  const std::string wanted = std::to_string(uid);
  for (const std::string_view line : split(image->bytes, '\n')) {
    const auto fields = split(line, ':');
    if (fields.size() > 2 && fields[2] == wanted && is_utf8(fields[0]) && !has_control(fields[0]))
      return std::string(fields[0].substr(0, 200));
  }
  return {};
}

// Without NSS, which a static program does not have: the environment, else /etc/passwd, else the number.
std::string user_name() {
  for (const char* name : {"LOGNAME", "USER"}) {
    const char* value = getenv(name);
    if (value != nullptr && *value != '\0' && is_utf8(value) && !has_control(value))
      return std::string(value).substr(0, 200);
  }
  const std::string name = name_in_passwd(geteuid());
  return name.empty() ? cat("uid ", static_cast<long>(geteuid())) : name;
}

}  // namespace

Context::Context()
    : tell([this](const Note& one) { note(in_words(one)); }),
      in_words([](const Note& one) { return to_line(to_json(one)); }) {}
Context::~Context() = default;

const Lifecycles& Context::lifecycles() const { return builtin_lifecycles(); }

Result<Engine*> Context::engine() {
  if (engine_ == nullptr) {
    auto say = note;
    auto tell_one = tell;
    if (one_shot) {
      say = [this](std::string_view text) {
        if (is_new(text)) note(text);
      };
      tell_one = [this](const Note& one) {
        if (is_new(in_words(one))) tell(one);
      };
    }
    PAWL_ASSIGN(engine_, Engine::open({flags.dir,
                                       &lifecycles(),
                                       clock,
                                       std::move(say),
                                       one_shot,
                                       plain_settings,
                                       false,
                                       found_settings,
                                       {},
                                       std::move(tell_one)}));
  }
  return engine_.get();
}

bool Context::is_new(std::string_view text) {
  const auto begins = [&](const std::string& one) { return text.starts_with(one); };
  if (std::any_of(said_.begin(), said_.end(), begins)) return false;
  said_.emplace_back(text);
  return true;
}

void Context::close_engine() { engine_.reset(); }

Result<Engine*> Context::users_engine() {
  if (users_engine_ == nullptr) {
    PAWL_ASSIGN(users_engine_,
                Engine::open({{}, &users_lifecycles(), clock, note, one_shot, plain_settings, true, {}, {}, tell}));
  }
  return users_engine_.get();
}

Request Context::request() const {
  Request request;
  request.verb = verb;
  request.actor = flags.actor.empty() ? user_name() : flags.actor;
  request.reason = flags.reason;
  request.idempotency_key = flags.idempotency_key;
  request.digest = cat(verb, " ", verb_request);
  return request;
}

}  // namespace pawl
