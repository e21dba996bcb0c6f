// `.review-buddy/review-todo.md`: phases as checkboxes with one sub-item for each chunk, and tasks of others below.
// pawl writes it when a review starts and ticks the chunks; a chunk that somebody else ticks is a wish to mark it
// reviewed. Everything else in it is left alone.
//
// One that another tool wrote has a heading of its own. Where that names a pull request it is that one's, else the
// current review's: it is set aside with it, comes back with it, and its chunks are ticked, but none are added.
#pragma once

#include "lifecycles/review/review_file.h"

namespace pawl::review {

class TodoFile final : public ReviewFile {
 public:
  TodoFile() : ReviewFile(kTodoPath) {}
  [[nodiscard]] std::string_view name() const override { return "review-todo"; }
  // Every chunk that has a box.
  [[nodiscard]] Result<Content> parse(std::string_view path, std::string_view scope,
                                      std::string_view bytes) const override;
  // An empty box of a chunk that is not over says nothing.
  [[nodiscard]] Done name_records(Content& content, const KnownRecords& known) const override;
  [[nodiscard]] std::optional<std::string> identity_in(std::string_view bytes) const override;
  [[nodiscard]] std::optional<std::string> render(std::optional<std::string_view> base,
                                                  std::span<const Record> records) const override;
  // Of an earlier review of the same pull request chunks are left over that the plan of this one does not have.
  [[nodiscard]] Result<std::optional<std::string>> rendered(std::optional<std::string_view> base,
                                                            std::span<const Record> records,
                                                            const KnownRecords& known) const override;
  [[nodiscard]] bool puts_back_missing(const Record& /*record*/) const override { return true; }
  [[nodiscard]] bool shows_parts_only() const override { return true; }
  [[nodiscard]] Result<std::optional<std::string>> owner(const KnownRecords& known) const override;
  // Tasks of others, and all of a list that another tool wrote.
  [[nodiscard]] Result<std::string> leaves_behind(std::string_view bytes, std::optional<std::string_view> next,
                                                  const KnownRecords& before, const KnownRecords& after) const override;

 protected:
  [[nodiscard]] bool shows_kind(std::string_view kind) const override { return kind == kChunk; }
};

[[nodiscard]] const TodoFile& todo_file();

// What a review of `pr` with this many chunks, all of them to be looked at, takes out of a todo file as it begins;
// empty where it is nothing.
[[nodiscard]] std::string_view taken_at_start(std::string_view bytes, std::string_view pr, std::size_t chunks);

}  // namespace pawl::review
