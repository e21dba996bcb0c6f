// What git has written down of HEAD's moves: marks of where it stood, and what moved it since. Read without running
// git. The log is git's word only where it is whole; where entries are missing or say nothing, it tells no story.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <vector>

namespace pawl {

// The commit that HEAD names, with the length of its log: another mark after every move of HEAD, also when it came back
// to where it was. Empty outside of git.
[[nodiscard]] std::string head_mark(const std::string& git_dir);
[[nodiscard]] std::string commit_in_mark(const std::string& mark);

struct HeadMove {
  std::string from;
  std::string to;
  std::string what;  // "commit: …", "checkout: …"; empty where whoever moved HEAD did not say (`git update-ref`)
};
struct HeadMoves {
  std::string from;               // the mark's commit
  std::string head;               // where HEAD is
  std::vector<HeadMove> entries;  // oldest first
  // They lead from the mark to where HEAD is, each begins where the one before ended, and each says what it was. False
  // where there are none.
  bool whole = false;

  [[nodiscard]] bool moved() const;
  // HEAD went on by ordinary commits alone: these take files from the worktree and write none there. False where its
  // log does not tell.
  [[nodiscard]] bool only_committed() const;
  // Where HEAD stood, newest first, as far as its log tells and no more than a few; the mark's own last.
  [[nodiscard]] std::vector<std::string> heads() const;
};

// Where HEAD was brought to last by anything but a commit, and ordinary commits alone followed.
struct Brought {
  std::string commit;
  // All that moved it. These keep what is in the worktree and in no commit, unless they were forced (`checkout -f`),
  // which the log does not tell: who threw a change away by that is taken at his word, as after an edit.
  bool by_checkouts = true;
};
// Nothing: no commit followed, or HEAD's log does not tell.
[[nodiscard]] std::optional<Brought> brought_before_commits(const HeadMoves& moves);

// Many files are asked about, and the log may be long: it is read again only where it is another one.
class HeadLog {
 public:
  explicit HeadLog(std::string git_dir) : git_dir_(std::move(git_dir)) {}
  [[nodiscard]] HeadMoves moves_since(const std::string& mark);

 private:
  void read_if_changed();

  std::string git_dir_;
  std::string bytes_;
  struct stat was_ {};
};

}  // namespace pawl
