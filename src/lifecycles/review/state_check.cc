// A state file that was made and is not written yet: does it say what it was made of? A fault of the writer's is an
// error then, before anything has happened; unseen, pawl would know one thing and its file say another.
#include <algorithm>

#include "base/text.h"
#include "lifecycles/review/review.h"
#include "lifecycles/review/state_write.h"

namespace pawl::review {
namespace {

// Of a finding, all that its file tells of it. (Whether "a:3" is a name or a line in a file called "a" it does not.)
bool says(std::string_view text, const FindingText& block, const Json& doc) {
  const Json now = finding_doc(text, block);
  const auto same_text = [&](const char* name) { return trim(string_or(now, name)) == trim(string_or(doc, name)); };
  const auto place = [](const Json& of) {
    return Location{string_or(of, "file"), integer_or(of, "line"), integer_or(of, "end_line")}.text();
  };
  return string_or(now, "severity") == string_or(doc, "severity") && same_text("title") && same_text("body") &&
         place(now) == place(doc) && integer_or(now, "confidence") == integer_or(doc, "confidence") &&
         now.contains("outdated") == doc.contains("outdated");
}

}  // namespace

bool reads_back(const EditedState& made) {
  if (!made.text) return true;
  const auto state = scan_state(*made.text);
  if (!state || state->findings.size() != made.findings.size() || state->chunks.rows.size() != made.chunks.size())
    return false;
  for (const ChunkRow& row : state->chunks.rows) {
    const auto meant = made.chunks.find(row.number);
    if (meant == made.chunks.end() || meant->second != row.status) return false;
  }
  for (std::size_t i = 0; i < made.findings.size(); ++i) {
    const FindingText& block = state->findings[i];
    const Record* const record = made.findings[i].shows;
    if (record == nullptr && Span(block.begin, block.end).of(state->text) != made.findings[i].block) return false;
    if (record == nullptr) continue;
    if (!says(state->text, block, record->doc)) return false;
    if (is_marked(state->text, block, state->focus, state->self) != (record->status == kMarked)) return false;
  }
  return true;
}

}  // namespace pawl::review
