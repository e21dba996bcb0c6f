#include "lifecycles/loop/advice.h"

#include "base/shell_word.h"
#include "base/text.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/ralph.h"
#include "lifecycles/loop/verification.h"

namespace pawl::loop {

std::string to_type(std::string_view command, std::string_view what_it_does) {
  return cat(command, "  # ", what_it_does);
}

std::string session_option(const Record& loop) {
  const auto owner = owner_of(loop.doc);
  return owner && is_session_id(*owner) ? cat(" --session ", *owner) : std::string();
}

std::string to_go_on(const Record& loop) {
  const auto owner = owner_of(loop.doc);
  if (owner && !is_session_id(*owner)) return {};
  return to_type(cat("pawl ralph run", session_option(loop), " -- AGENT"), "goes on with it");
}

std::string to_cancel(const Record& loop) {
  return to_type(cat("pawl ralph cancel ", shell_word(loop.id.key)), "ends it");
}

std::string to_go_on_or_end(const Record& loop) {
  const std::string go_on = to_go_on(loop);
  return cat(go_on, go_on.empty() ? "" : "\n", to_cancel(loop));
}

std::string to_begin_anew(const Record& ended, std::string_view verify) {
  return cat(
      to_type(cat("pawl ralph start --like ", shell_word(ended.id.key)),
              verify.empty() ? "begins the same anew" : "begins the same anew, with its check"),
      "\n",
      to_type(cat("pawl ralph run", session_option(ended), " --prompt P", verify, " -- AGENT"), "begins another"));
}

std::string to_mend(const Record& loop) {
  const bool verifies = loop.id.kind == kVerification;
  // It says that it was decided, and not how, or nobody has seen it.
  if (verifies && (loop.held == "false" || loop.held == "approved"))
    return to_type(cat("pawl verify clear ", shell_word(loop.id.key)),
                   "ends it; or write true under “pending” in its file, and it waits to be verified");
  const std::string end = loop.id.kind == kRalph ? cat("pawl ralph cancel ", shell_word(loop.id.key))
                                                 : cat("pawl ", verifies ? "verify" : std::string_view(loop.id.kind),
                                                       " clear ", shell_word(loop.id.key));
  return to_type(end, cat("ends it; or write true or false under “", verifies ? "pending" : "active", "” in its file"));
}

std::string to_mend_shared(const Record& loop) {
  return to_type(cat("pawl ultrawork clear ", shell_word(loop.id.key), " --global"),
                 "ends it; or write true or false under “active” in its file");
}

std::string to_begin_beside(std::string_view kind, const Record& under_way, bool own) {
  if (kind != kRalph) {
    const std::string_view noun = kind == kVerification ? "verify" : kind;
    const std::string show = to_type(cat("pawl ", noun, " show ", shell_word(under_way.id.key)), "tells what it is");
    return own ? show : cat("give a --session NAME of your own, which gets a file of its own\n", show);
  }
  if (own) return cat(to_go_on(under_way), "\n", to_cancel(under_way));
  return cat(to_type("pawl ralph run --session NAME --prompt P -- AGENT", "begins yours beside it, under a new name"),
             "\n", to_type(cat("pawl ralph show ", shell_word(under_way.id.key)), "tells what that one is"));
}

}  // namespace pawl::loop
