#include "practice/actions.h"

#include <algorithm>

#include "base/text.h"
#include "practice/refusal.h"

namespace pawl::practice {
namespace {

constexpr std::string_view kReviewComment = "PullRequestReviewComment";

}  // namespace

ReviewComment* find_review_comment(Item& item, std::int64_t id) {
  if (!item.pull) return nullptr;
  for (ReviewComment& comment : item.pull->comments) {
    if (comment.id == id) return &comment;
  }
  return nullptr;
}

Thread* find_thread(Item& item, std::int64_t id) {
  if (!item.pull) return nullptr;
  for (Thread& thread : item.pull->threads) {
    if (thread.id == id) return &thread;
  }
  return nullptr;
}

Result<Comment*> Actions::add_comment(Item& item, const std::string& author, const std::string& body) {
  if (body.empty()) return invalid("IssueComment", "body", "missing_field", "body can't be blank");
  PAWL_TRY(check_length("IssueComment", body));
  Comment made;
  made.id = world_.next_id();
  made.author = world_.user(author).login;
  made.body = body;
  made.created_ms = made.updated_ms = world_.now_ms();
  touch(item);
  item.comments.push_back(std::move(made));
  return &item.comments.back();
}

Result<Item*> Actions::create_issue(Repository& repository, const std::string& author, const std::string& title,
                                    const std::string& body) {
  if (title.empty()) return invalid("Issue", "title", "missing_field");
  PAWL_TRY(check_length("Issue", body));
  Item item;
  item.id = world_.next_id();
  item.number = repository.items.empty() ? 1 : repository.items.rbegin()->first + 1;
  item.title = title;
  item.body = body;
  item.author = world_.user(author).login;
  item.created_ms = item.updated_ms = world_.now_ms();
  Item& made = repository.items[item.number] = std::move(item);
  return &made;
}

Result<ReviewComment*> Actions::reply(Item& item, std::int64_t to, const std::string& author, const std::string& body) {
  const ReviewComment* const first = find_review_comment(item, to);
  if (first == nullptr) return not_found();
  return reply_in_thread(item, first->thread, author, body);
}

Result<ReviewComment*> Actions::reply_in_thread(Item& item, std::int64_t thread, const std::string& author,
                                                const std::string& body) {
  if (body.empty()) return invalid(kReviewComment, "body", "missing_field", "body can't be blank");
  PAWL_TRY(check_length(kReviewComment, body));
  const auto first = std::find_if(item.pull->comments.begin(), item.pull->comments.end(),
                                  [&](const ReviewComment& comment) { return comment.thread == thread; });
  if (first == item.pull->comments.end()) return not_found();
  ReviewComment made = *first;
  made.in_reply_to = first->id;
  made.association.clear();
  made.author = world_.user(author).login;
  made.body = body;
  made.created_ms = made.updated_ms = world_.now_ms();
  Review review;
  review.id = world_.next_id();
  review.author = made.author;
  review.commit = item.pull->head_sha;
  review.created_ms = review.updated_ms = made.created_ms;
  made.review = review.id;
  made.id = world_.next_id();
  item.pull->reviews.push_back(std::move(review));
  item.pull->comments.push_back(std::move(made));
  touch(item);
  return &item.pull->comments.back();
}

Done Actions::check_place(Repository& repository, Item& item, NewReviewComment& comment, std::string& hunk) {
  Place& place = comment.place;
  if (comment.body.empty()) return invalid(kReviewComment, "body", "missing_field", "body can't be blank");
  PAWL_TRY(check_length(kReviewComment, comment.body));
  PAWL_ASSIGN(const PullView* const seen, view(repository, item));
  const auto file = std::find_if(seen->files.begin(), seen->files.end(),
                                 [&](const ChangedFile& one) { return one.name == place.path; });
  if (file == seen->files.end()) {
    return invalid(kReviewComment, "pull_request_review_thread.path", "invalid", "Path could not be resolved");
  }
  if (place.line == 0) {
    hunk = file->patch.substr(0, file->patch.find('\n'));
    return done();
  }
  if (place.side != "LEFT" && place.side != "RIGHT") {
    return invalid(kReviewComment, "side", "invalid", "side must be LEFT or RIGHT");
  }
  hunk = hunk_at(file->patch, place.line, place.side);
  if (hunk.empty()) {
    return invalid(kReviewComment, "pull_request_review_thread.line", "custom",
                   "pull_request_review_thread.line must be part of the diff");
  }
  if (place.start_line != 0) {
    if (place.start_side.empty()) place.start_side = place.side;
    if (place.start_side == place.side && place.start_line > place.line) {
      return invalid(kReviewComment, "pull_request_review_thread.start_line", "custom",
                     "start_line must precede the end line.");
    }
    if (hunk_at(file->patch, place.start_line, place.start_side).empty()) {
      return invalid(kReviewComment, "pull_request_review_thread.start_line", "custom",
                     "pull_request_review_thread.start_line must be part of the same hunk as the line.");
    }
  }
  return done();
}

Result<Review*> Actions::add_review(Repository& repository, Item& item, const std::string& author,
                                    const std::string& event, const std::string& body, const std::string& commit,
                                    const std::vector<NewReviewComment>& comments) {
  static const std::map<std::string_view, std::string_view> kStates = {
      {"APPROVE", "APPROVED"}, {"REQUEST_CHANGES", "CHANGES_REQUESTED"}, {"COMMENT", "COMMENTED"}, {"", "PENDING"}};
  constexpr std::string_view kReview = "PullRequestReview";
  const auto state = kStates.find(event);
  if (state == kStates.end()) return invalid(kReview, "event", "invalid", "event is not a review event");
  PAWL_TRY(check_length(kReview, body));
  if (body.empty() && (event == "REQUEST_CHANGES" || (event == "COMMENT" && comments.empty()))) {
    return invalid(kReview, "body", "missing_field", "Body can't be blank");
  }
  if (event != "COMMENT" && !event.empty() && lower(author) == lower(item.author)) {
    return invalid(kReview, "event", "custom",
                   event == "APPROVE" ? "Cannot approve your own pull request"
                                      : "Cannot request changes on your own pull request");
  }
  if (!commit.empty() && repository.git.resolve(commit) != commit) {
    return invalid(kReview, "commit_id", "invalid", "commit_id is not part of the pull request");
  }
  std::vector<ReviewComment> made;
  std::vector<Thread> threads;
  Review review;
  review.id = world_.next_id();
  review.author = world_.user(author).login;
  review.body = body;
  review.state = state->second;
  review.commit = commit.empty() ? item.pull->head_sha : commit;
  review.created_ms = review.updated_ms = world_.now_ms();
  for (NewReviewComment wanted : comments) {
    ReviewComment one;
    PAWL_TRY(check_place(repository, item, wanted, one.diff_hunk));
    one.id = world_.next_id();
    one.author = review.author;
    one.body = wanted.body;
    one.created_ms = one.updated_ms = world_.now_ms();
    one.review = review.id;
    one.place = wanted.place;
    one.commit = review.commit;
    Thread thread;
    thread.id = world_.next_id();
    thread.place = wanted.place;
    one.thread = thread.id;
    threads.push_back(std::move(thread));
    made.push_back(std::move(one));
  }
  Pull& pull = *item.pull;
  std::move(made.begin(), made.end(), std::back_inserter(pull.comments));
  std::move(threads.begin(), threads.end(), std::back_inserter(pull.threads));
  pull.reviews.push_back(std::move(review));
  touch(item);
  return &pull.reviews.back();
}

}  // namespace pawl::practice
