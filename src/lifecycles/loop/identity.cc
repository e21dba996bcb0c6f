#include "lifecycles/loop/identity.h"

#include <array>
#include <cstdint>

#include "base/clock.h"
#include "base/digest.h"
#include "base/text.h"

namespace pawl::loop {
namespace {

constexpr std::string_view kNobody = "null";
constexpr std::string_view kUnknownStart = "unknown";

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

}  // namespace

bool is_session_id(std::string_view text) {
  if (text.empty() || text.size() > kMaxSessionBytes || text == kNobody || !is_letter_or_digit(text.front()))
    return false;
  for (const char c : text) {
    if (!is_letter_or_digit(c) && c != '_' && c != '-') return false;
  }
  return true;
}

Done check_session(std::string_view text) {
  if (is_session_id(text)) return done();
  constexpr std::size_t kShown = 80;
  return fail(ErrorCode::invalid_argument,
              cat("session: “", printable(text.substr(0, kShown)), text.size() > kShown ? "…" : "",
                  "” cannot be a session's id"),
              "up to 256 letters, digits, - and _, the first a letter or a digit; a loop of nobody's has none");
}

std::optional<std::string> owner_of(const Json& doc) {
  const auto found = doc.is_object() ? doc.find("session_id") : doc.end();
  if (found == doc.end() || found->is_null()) return std::nullopt;
  if (!found->is_string()) return cat("(", to_line(*found), ")");
  const auto& text = found->get_ref<const std::string&>();
  if (text.empty() || text == kNobody) return std::nullopt;
  return text;
}

bool is_owned_by(const Json& doc, std::string_view session) {
  const auto owner = owner_of(doc);
  return owner && is_session_id(*owner) && *owner == session;
}

std::string start_part(const Json& value) {
  if (value.is_null() || (value.is_string() && value.get_ref<const std::string&>().empty())) return {};
  if (!value.is_string()) return digest(to_line(value));
  const auto& text = value.get_ref<const std::string&>();
  const auto ms = parse_iso_time(text);
  if (!ms) return digest(text);
  std::string out;
  for (const char c : iso_time(*ms, true)) {
    if (c != '-' && c != ':') out += c;
  }
  return out;
}

std::string key_of(const Json& doc, std::string_view start) {
  const std::string_view when = start.empty() ? kUnknownStart : start;
  const auto owner = owner_of(doc);
  if (!owner) return std::string(when);
  return cat(is_session_id(*owner) ? *owner : cat("x", digest(*owner)), "@", when);
}

std::string_view start_in(std::string_view key) {
  const std::string_view when = key.substr(key.rfind('@') + 1);  // npos + 1 is 0: the whole key
  return when == kUnknownStart ? std::string_view() : when;
}

}  // namespace pawl::loop
