#include "engine/refused_parts.h"

#include "base/digest.h"
#include "base/fingerprint.h"
#include "base/hex.h"
#include "base/text.h"

namespace pawl {
namespace {

// Names of copies are never used twice (engine/aside.h).
std::string kept_name(const std::string& copy) { return cat("refused.", copy.substr(copy.rfind('/') + 1)); }

// The last copy of what was refused of a file. One is enough: what stood there before pawl's last write is compared
// with what it is of.
std::string put_back_name(const std::string& path) { return cat("put_back.", path); }

constexpr std::size_t kLongestWhy = 300;

}  // namespace

Done keep_parts(Transaction& store, const std::string& path, const std::string& copy, const std::string& mark,
                const std::vector<Refusal>& refusals) {
  Json parts = Json::array();
  for (const Refusal& one : refusals) {
    Json part{{"kind", one.id.kind}, {"scope", one.id.scope}, {"key", one.id.key}};
    if (!one.of_status) part["member"] = one.member;
    if (one.whole) part["whole"] = true;
    part["taken_out"] = one.kept == kAbsent;
    if (!one.why.message.empty()) part["why"] = stripped(one.why.message, kLongestWhy);
    parts.push_back(std::move(part));
  }
  PAWL_TRY(store.keep(put_back_name(path), copy));
  return store.keep(kept_name(copy), to_line(Json{{"parts", std::move(parts)}, {"mark", mark}}));
}

std::string mark_of_copy(std::string_view bytes) { return in_hex(fingerprint_of(bytes)); }

Done must_be_as_refused(const RefusedParts& parts, const std::string& copy, std::string_view bytes) {
  const bool marked = !parts.mark.empty() || !parts.digest.empty();
  const bool same =
      parts.mark.empty() ? parts.digest == digest(bytes) : has_fingerprint(bytes, from_hex(parts.mark).value_or(""));
  if (!marked || same) return done();
  return fail(ErrorCode::conflict, cat(printable(copy), " was changed after pawl refused it, and is not taken over"),
              "write into the file itself what it is to say; pawl takes that by its rules");
}

Result<std::optional<RefusedParts>> parts_of(Transaction& store, const std::string& copy) {
  PAWL_ASSIGN(const auto text, store.kept(kept_name(copy)));
  const auto kept = text ? parse_json(*text) : Result<Json>(fail(ErrorCode::not_found, ""));
  if (!kept) return std::optional<RefusedParts>();
  const Json parts = kept->is_object() ? kept->value("parts", Json()) : *kept;  // earlier ones are the list alone
  if (!parts.is_array()) return std::optional<RefusedParts>();
  RefusedParts out;
  out.mark = string_or(*kept, "mark");
  out.digest = string_or(*kept, "digest");
  for (const Json& part : parts) {
    out.parts.push_back({{string_or(part, "kind"), string_or(part, "scope"), string_or(part, "key")},
                         string_or(part, "member"),
                         string_or(part, "why")});
    if (part.contains("taken_out")) out.parts.back().taken_out = bool_or(part, "taken_out");
    out.whole = out.whole || bool_or(part, "whole");
  }
  return std::optional(std::move(out));
}

Result<std::vector<RefusedPart>> put_back_from(Transaction& store, const std::string& path, std::string_view bytes) {
  PAWL_ASSIGN(const auto copy, store.kept(put_back_name(path)));
  if (!copy || copy->empty()) return std::vector<RefusedPart>();
  PAWL_ASSIGN(auto known, parts_of(store, *copy));
  const bool of_these = known && has_fingerprint(bytes, from_hex(known->mark).value_or(""));
  return of_these ? std::move(known->parts) : std::vector<RefusedPart>();
}

}  // namespace pawl
