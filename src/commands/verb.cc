#include "commands/verb.h"

#include <array>
#include <charconv>

#include "base/clock.h"
#include "base/text.h"

namespace pawl {
namespace {

constexpr std::size_t kNameBytes = 200;
constexpr std::size_t kReasonBytes = 16 * 1024;

constexpr std::array kCommon = {
    Param{.name = "directory",
          .value = "DIR",
          .summary = "work in DIR instead of here; other paths are then relative to it",
          .letter = 'C',
          .command_line_only = true,
          .offer = Offer::files},
    Param{.name = "json",
          .type = ParamType::flag,
          .summary = "answer in JSON; errors and notes are JSON lines on stderr",
          .command_line_only = true},
    Param{.name = "at",
          .type = ParamType::operation,
          .value = "OPERATION",
          .summary = "show things as they stood after that operation of `pawl log`"},
    Param{.name = "actor",
          .value = "NAME",
          .summary = "who does this, for the log; otherwise PAWL_ACTOR, or you",
          .max_bytes = kNameBytes},
    Param{.name = "reason",
          .value = "TEXT",
          .summary = "why, for the log; some moves need it",
          .max_bytes = kReasonBytes},
    Param{.name = "idempotency-key",
          .value = "KEY",
          .summary = "the same key and arguments again give the first answer, and nothing is done twice",
          .max_bytes = kNameBytes,
          .not_empty = true},
    Param{.name = "no-color",
          .type = ParamType::flag,
          .summary = "no colour; NO_COLOR in the environment does the same",
          .command_line_only = true},
    Param{.name = "verbose",
          .type = ParamType::flag,
          .summary = "tell each step on stderr; PAWL_LOG=debug tells more",
          .letter = 'v',
          .command_line_only = true},
    Param{
        .name = "help", .type = ParamType::flag, .summary = "show this help", .letter = 'h', .command_line_only = true},
};

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// A value in a message: short, and harmless on a terminal.
std::string quoted(std::string_view value) {
  constexpr std::size_t kShown = 80;
  return cat("“", printable(value.substr(0, kShown)), value.size() > kShown ? "…" : "", "”");
}

auto wrong(const Param& param, std::string_view value, std::string_view what, std::string hint = {}) {
  return fail(ErrorCode::invalid_argument, cat(param.name, ": ", quoted(value), " ", what), std::move(hint));
}

Done check_text(const Param& param, std::string_view value) {
  if (param.max_bytes == 0) return done();
  if (value.size() > param.max_bytes) {
    return fail(ErrorCode::invalid_argument, cat(param.name, ": ", value.size(), " bytes are too many"),
                cat("at most ", param.max_bytes, " are allowed"));
  }
  if (!is_utf8(value)) return fail(ErrorCode::invalid_argument, cat(param.name, ": the text is not UTF-8"));
  if (has_control(value)) {
    return wrong(param, value, "has control characters", "tabs and newlines are allowed, terminal escapes are not");
  }
  return done();
}

Done check_choice(const Param& param, std::string_view value) {
  for (const std::string_view choice : param.choices) {
    if (choice == value) return done();
  }
  const auto meant = nearest(value, param.choices);
  return wrong(param, value, cat("is not ", join_or(param.choices)), meant ? cat("did you mean ", *meant, "?") : "");
}

}  // namespace

std::optional<std::int64_t> Arguments::number(std::string_view name) const {
  const auto value = text(name);
  return value ? parse_integer(*value) : std::nullopt;
}

std::optional<std::int64_t> Arguments::duration_ms(std::string_view name) const {
  const auto value = text(name);
  return value ? parse_duration_ms(*value) : std::nullopt;
}

std::string Arguments::canonical() const {
  std::string out;
  for (const auto& [name, values] : values_) {
    out += cat(name, "=");
    // The length goes first, so that no value can pretend to be two.
    for (const std::string& value : values) out += cat(value.size(), ":", value);
    out += ';';
  }
  return out;
}

std::string full_name(const Verb& verb) {
  return verb.noun.empty() ? std::string(verb.name) : cat(verb.noun, " ", verb.name);
}

std::span<const Param> common_params() { return kCommon; }

const Verb* find_verb(std::string_view noun, std::string_view name) {
  for (const Verb* verb : all_verbs()) {
    if (verb->name == name && verb->noun == noun) return verb;
  }
  return nullptr;
}

Done check_value(const Param& param, std::string_view value) {
  if (param.not_empty && value.empty()) return wrong(param, value, "says nothing");
  switch (param.type) {
    case ParamType::flag:
      break;
    case ParamType::text:
      if (!param.choices.empty()) return check_choice(param, value);
      return check_text(param, value);
    case ParamType::positive:
      if (!parse_positive(value)) {
        const bool too_large =
            !value.empty() && value.front() != '0' && value.find_first_not_of("0123456789") == std::string_view::npos;
        return wrong(param, value,
                     too_large ? "is larger than any positive number here" : "is not a positive whole number");
      }
      break;
    case ParamType::integer:
      if (!parse_integer(value)) return wrong(param, value, "is not a whole number");
      break;
    case ParamType::duration:
      if (!parse_duration_ms(value))
        return wrong(param, value, "is not a time span", "write it like 90d, 12h, 10m or 30s");
      break;
    case ParamType::operation:
      if (!parse_positive(value))
        return wrong(param, value, "is not an operation", "`pawl log` lists them with their numbers");
      break;
  }
  return done();
}

}  // namespace pawl
