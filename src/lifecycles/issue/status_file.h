// `.worktrees/.status/{n}.json`: one issue's status, as jq writes it. docs/formats/issue.md has the grammar.
#pragma once

#include "core/mirror_format.h"

namespace pawl::issue {

class StatusFile final : public MirrorFormat {
 public:
  [[nodiscard]] std::string_view name() const override { return "issue-status"; }
  [[nodiscard]] std::vector<MirrorPlace> places(const Settings& settings) const override;
  [[nodiscard]] bool accepts(std::string_view file_name) const override;
  [[nodiscard]] std::optional<std::string> path_of(const RecordId& id, const Settings& settings) const override;
  [[nodiscard]] std::optional<std::string> path_by_scope(const RecordId& id) const override;
  [[nodiscard]] std::size_t max_bytes() const override { return std::size_t{1} << 20U; }
  [[nodiscard]] Result<Content> parse(std::string_view path, std::string_view scope,
                                      std::string_view bytes) const override;
  [[nodiscard]] std::optional<std::string> render(std::optional<std::string_view> base,
                                                  std::span<const Record> records) const override;
  [[nodiscard]] std::vector<std::string> members_of_status() const override { return {"error_message"}; }
  [[nodiscard]] std::string how_to_replace(std::string_view path) const override;
  [[nodiscard]] Gone gone(const Record& record) const override;
};

}  // namespace pawl::issue
