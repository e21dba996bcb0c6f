#include "engine/refused_parts.h"

#include "base/text.h"

namespace pawl {
namespace {

// Names of copies are never used twice (engine/aside.h).
std::string kept_name(const std::string& copy) { return cat("refused.", copy.substr(copy.rfind('/') + 1)); }

}  // namespace

Done keep_parts(Transaction& store, const std::string& copy, const std::vector<Refusal>& refusals) {
  Json parts = Json::array();
  for (const Refusal& one : refusals) {
    Json part{{"kind", one.id.kind}, {"scope", one.id.scope}, {"key", one.id.key}};
    if (!one.of_status) part["member"] = one.member;
    if (one.whole) part["whole"] = true;
    parts.push_back(std::move(part));
  }
  return store.keep(kept_name(copy), to_line(parts));
}

Result<std::optional<RefusedParts>> parts_of(Transaction& store, const std::string& copy) {
  PAWL_ASSIGN(const auto text, store.kept(kept_name(copy)));
  const auto parts = text ? parse_json(*text) : Result<Json>(fail(ErrorCode::not_found, ""));
  if (!parts || !parts->is_array()) return std::optional<RefusedParts>();
  RefusedParts out;
  for (const Json& part : *parts) {
    out.parts.push_back(
        {{string_or(part, "kind"), string_or(part, "scope"), string_or(part, "key")}, string_or(part, "member")});
    out.whole = out.whole || bool_or(part, "whole");
  }
  return std::optional(std::move(out));
}

}  // namespace pawl
