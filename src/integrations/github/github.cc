#include "integrations/github/github.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "integrations/github/errors.h"
#include "integrations/github/known_comments.h"
#include "integrations/github/objects.h"
#include "integrations/github/queries.h"
#include "integrations/github/read_json.h"
#include "integrations/github/review_pages.h"

namespace pawl::github {
namespace {

std::string in_repo(const RepoRef& repo, std::string_view rest) {
  return cat("/repos/", encoded(repo.owner), "/", encoded(repo.name), rest);
}
std::string in_pull(const PullRef& ref, std::string_view rest) {
  return in_repo(ref.repo, cat("/pulls/", ref.number, rest));
}
std::string in_issue(const PullRef& ref, std::string_view rest) {
  return in_repo(ref.repo, cat("/issues/", ref.number, rest));
}

class Github final : public Forge {
 public:
  explicit Github(const ClientOptions& options) : client_(options), known_(client_, options.memory) {}

  Result<PullRequest> pull(const PullRef& ref) override {
    // Whether it can be merged is worked out when it is first asked for; until then GitHub says unknown.
    constexpr int kAsks = 4;
    for (int asked = 1;; ++asked) {
      PAWL_ASSIGN(const Json data, client_.query(kPullQuery, variables(ref)));
      PAWL_ASSIGN(const Json found, pull_in(data, ref));
      PAWL_ASSIGN(PullRequest pull, pull_of_graphql(ref, found));
      if (pull.merge_state != MergeState::unknown || pull.state != PullState::open || asked == kAsks) return pull;
      client_.pause(1000);
    }
  }

  Result<std::optional<PullRef>> pull_of_branch(const RepoRef& repo, const std::string& branch) override {
    const std::string head = encoded(cat(repo.owner, ":", branch));
    PAWL_ASSIGN(const auto pages, client_.pages(in_repo(repo, cat("/pulls?state=all&head=", head))));
    std::optional<PullRef> newest;
    for (const std::string& page : pages) {
      PAWL_ASSIGN(const Json list, read("the pull requests of a branch", page));
      PAWL_ASSIGN(const Json entries, readable(list_in({{"list", list}}, "list")));
      for (const Json& entry : entries) {
        const PullRef ref{repo, integer_or(entry, "number")};
        const auto from = entry.find("head");
        if (ref.number <= 0 || from == entry.end() || string_or(*from, "ref") != branch)
          return readable(Result<std::optional<PullRef>>(
              fail(ErrorCode::unavailable, "GitHub's answer is not about the pull requests of this branch")));
        if (string_or(entry, "state") == "open") return ref;
        if (!newest || ref.number > newest->number) newest = ref;
      }
    }
    return newest;
  }

  Result<std::vector<Check>> checks(const RepoRef& repo, const std::string& sha) override {
    std::vector<Check> checks;
    PAWL_ASSIGN(const auto runs, client_.pages(in_repo(repo, cat("/commits/", encoded(sha), "/check-runs"))));
    std::int64_t promised = 0;
    for (const std::string& page : runs) {
      PAWL_ASSIGN(const Json object, read("the check runs", page));
      PAWL_TRY(readable(add_check_runs(object, checks)));
      promised = integer_or(object, "total_count");
    }
    if (static_cast<std::int64_t>(checks.size()) < promised)
      return fail(ErrorCode::unavailable, "GitHub tells of more checks than it lists", "try again later");
    PAWL_ASSIGN(const auto states, client_.pages(in_repo(repo, cat("/commits/", encoded(sha), "/status"))));
    const std::size_t runs_listed = checks.size();
    for (const std::string& page : states) {
      PAWL_ASSIGN(const Json object, read("the commit's status", page));
      PAWL_TRY(readable(add_statuses(object, checks)));
      promised = integer_or(object, "total_count");
    }
    if (static_cast<std::int64_t>(checks.size() - runs_listed) < promised)
      return fail(ErrorCode::unavailable, "GitHub tells of more statuses than it lists", "try again later");
    return checks;
  }

  Result<std::vector<Comment>> comments(const PullRef& ref) override {
    return all<Comment>(in_issue(ref, "/comments"), read_comments);
  }
  Result<Glance> glance(const PullRef& ref) override {
    PAWL_ASSIGN(const Json data, client_.query(kGlanceQuery, variables(ref)));
    PAWL_ASSIGN(const Json found, pull_in(data, ref));
    Glance glance;
    PAWL_ASSIGN(glance.pull, pull_of_graphql(ref, found));
    PAWL_ASSIGN(const Json viewer, member(data, "viewer"));
    PAWL_ASSIGN(const Json comments, member(found, "comments"));
    glance.viewer = string_or(viewer, "login");
    glance.comments = integer_or(comments, "totalCount", -1);
    if (glance.viewer.empty() || glance.comments < 0)
      return fail(ErrorCode::unavailable, "GitHub's answer lacks who asks, or how many comments there are");
    return glance;
  }
  Result<std::vector<Comment>> comments_known(const PullRef& ref, std::int64_t count) override {
    return known_.comments(in_issue(ref, "/comments"), count);
  }
  Result<std::vector<Comment>> comments_since(const PullRef& ref, const std::string& time) override {
    return all<Comment>(in_issue(ref, cat("/comments?since=", encoded(time))), read_comments);
  }
  Result<std::vector<ReviewComment>> review_comments_since(const PullRef& ref, const std::string& time) override {
    return all<ReviewComment>(in_pull(ref, cat("/comments?since=", encoded(time))), read_review_comments);
  }
  Result<std::vector<ReviewComment>> review_comments(const PullRef& ref) override {
    return all<ReviewComment>(in_pull(ref, "/comments"), read_review_comments);
  }
  Result<std::vector<Review>> reviews(const PullRef& ref) override {
    return all<Review>(in_pull(ref, "/reviews"), read_reviews);
  }
  Result<std::vector<ChangedFile>> files(const PullRef& ref) override {
    return all<ChangedFile>(in_pull(ref, "/files"), read_files);
  }

  Result<Comparison> compare(const RepoRef& repo, const std::string& from, const std::string& to) override {
    PAWL_ASSIGN(const std::string body,
                client_.get(in_repo(repo, cat("/compare/", encoded(from), "...", encoded(to), "?per_page=100"))));
    PAWL_ASSIGN(const Json object, read("the comparison", body));
    Comparison out;
    const std::string status = string_or(object, "status");
    if (status.empty()) return fail(ErrorCode::unavailable, "GitHub's answer is not a comparison", "try again later");
    out.straight = status == "ahead" || status == "identical";
    const auto files = object.find("files");
    if (files != object.end()) PAWL_TRY(readable(read_files(to_line(*files), out.files)));
    constexpr std::size_t kMostFiles = 300;  // GitHub tells no more, and does not say so
    out.cut = out.files.size() >= kMostFiles;
    return out;
  }

  Result<std::string> login() override {
    PAWL_ASSIGN(const Json data, client_.query(kLoginQuery, Json::object()));
    PAWL_ASSIGN(const Json viewer, member(data, "viewer"));
    return string_or(viewer, "login");
  }

  Result<std::vector<ReviewThread>> threads(const PullRef& ref) override {
    PAWL_ASSIGN(Said found, what_was_said(ref, false));
    return std::move(found.threads);
  }
  Result<Said> said(const PullRef& ref) override { return what_was_said(ref, true); }

  Result<Comment> comment(const RepoRef& repo, std::uint64_t id) override {
    PAWL_ASSIGN(const std::string body, client_.get(in_repo(repo, cat("/issues/comments/", id))));
    return readable(one<Comment>(body, read_comments));
  }

  Result<std::vector<PullRef>> pulls_naming(const RepoRef& repo, std::int64_t issue) override {
    const std::string text = cat("repo:", repo.text(), " is:pr in:title,body ", issue);
    PAWL_ASSIGN(const Json data, client_.query(kSearchQuery, Json{{"text", text}}));
    PAWL_ASSIGN(const Json found, member(data, "search"));
    PAWL_ASSIGN(const Json nodes, list_in(found, "nodes"));
    std::vector<PullRef> refs;
    for (const Json& node : nodes) {
      const std::int64_t number = integer_or(node, "number");
      if (number > 0 && string_or(node, "state") != "CLOSED") refs.push_back({repo, number});
    }
    return refs;
  }

  Result<Issue> issue(const RepoRef& repo, std::int64_t number) override {
    PAWL_ASSIGN(const std::string body, client_.get(in_repo(repo, cat("/issues/", number))));
    PAWL_ASSIGN(const Json object, read("the issue", body));
    Issue issue{number, string_or(object, "title"), string_or(object, "state"), string_or(object, "html_url")};
    if (issue.state.empty())
      return fail(ErrorCode::unavailable, "GitHub's answer is not about an issue", "try again later");
    return issue;
  }

  Result<std::string> permission(const RepoRef& repo, const std::string& login) override {
    const auto body = client_.get(in_repo(repo, cat("/collaborators/", encoded(login), "/permission")));
    if (!body && body.error().code == ErrorCode::not_found) return std::string("none");
    if (!body) return tl::unexpected(body.error());
    PAWL_ASSIGN(const Json object, read("the permission", *body));
    return string_or(object, "role_name", string_or(object, "permission", "none"));
  }

  Result<bool> is_member(const std::string& organisation, const std::string& login) override {
    return client_.exists(cat("/orgs/", encoded(organisation), "/members/", encoded(login)));
  }

  Result<Push> push_of(const RepoRef& repo, const std::string& branch, const std::string& sha) override {
    PAWL_ASSIGN(const auto pages, client_.pages(in_repo(repo, cat("/activity?ref=", encoded("refs/heads/" + branch)))));
    for (const std::string& page : pages) {
      PAWL_ASSIGN(const Json list, read("the activity", page));
      PAWL_ASSIGN(const Json entries, readable(list_in({{"list", list}}, "list")));
      for (const Json& entry : entries) {
        if (string_or(entry, "after") != sha) continue;
        const auto actor = entry.find("actor");
        return Push{actor == entry.end() ? std::string() : string_or(*actor, "login"), string_or(entry, "timestamp")};
      }
    }
    return fail(ErrorCode::not_found, cat("GitHub does not tell when ", printable(sha.substr(0, 40)), " was pushed"));
  }

  Result<std::vector<WorkflowRun>> workflow_runs(const RepoRef& repo, const std::string& sha) override {
    PAWL_ASSIGN(const std::string body,
                client_.get(in_repo(repo, cat("/actions/runs?per_page=100&head_sha=", encoded(sha)))));
    PAWL_ASSIGN(const Json object, read("the runs of workflows", body));
    PAWL_ASSIGN(const Json list, readable(list_in(object, "workflow_runs")));
    std::vector<WorkflowRun> runs;
    for (const Json& one : list)
      runs.push_back({string_or(one, "path"), string_or(one, "event"), string_or(one, "conclusion")});
    return runs;
  }

  Result<Comment> create_comment(const PullRef& ref, const std::string& body) override {
    PAWL_ASSIGN(const Json made, client_.write("POST", in_issue(ref, "/comments"), {{"body", body}}));
    return one<Comment>(to_line(made), read_comments);
  }
  Result<Comment> update_comment(const RepoRef& repo, std::uint64_t id, const std::string& body) override {
    PAWL_ASSIGN(const Json made, client_.write("PATCH", in_repo(repo, cat("/issues/comments/", id)), {{"body", body}}));
    return one<Comment>(to_line(made), read_comments);
  }
  Result<ReviewComment> update_review_comment(const RepoRef& repo, std::uint64_t id, const std::string& body) override {
    PAWL_ASSIGN(const Json made, client_.write("PATCH", in_repo(repo, cat("/pulls/comments/", id)), {{"body", body}}));
    return one<ReviewComment>(to_line(made), read_review_comments);
  }
  Result<ReviewComment> reply(const PullRef& ref, std::uint64_t in_reply_to, const std::string& body) override {
    PAWL_ASSIGN(const Json made,
                client_.write("POST", in_pull(ref, cat("/comments/", in_reply_to, "/replies")), {{"body", body}}));
    return one<ReviewComment>(to_line(made), read_review_comments);
  }
  Done remove_comment(const RepoRef& repo, std::uint64_t id) override {
    return remove(in_repo(repo, cat("/issues/comments/", id)));
  }
  Done remove_review_comment(const RepoRef& repo, std::uint64_t id) override {
    return remove(in_repo(repo, cat("/pulls/comments/", id)));
  }

  Done resolve(const std::string& thread_node_id) override {
    PAWL_TRY(client_.mutate(kResolveMutation, {{"id", thread_node_id}}));
    return done();
  }
  Done unresolve(const std::string& thread_node_id) override {
    PAWL_TRY(client_.mutate(kUnresolveMutation, {{"id", thread_node_id}}));
    return done();
  }
  Result<Review> submit_review(const PullRef& ref, const ReviewDraft& draft) override {
    PAWL_ASSIGN(const Json made, client_.write("POST", in_pull(ref, "/reviews"), json_of(draft)));
    return one<Review>(to_line(made), read_reviews);
  }
  Result<PullRequest> create_draft(const RepoRef& repo, const PullDraft& draft) override {
    PAWL_ASSIGN(const Json made, client_.write("POST", in_repo(repo, "/pulls"),
                                               {{"title", draft.title},
                                                {"body", draft.body},
                                                {"head", draft.head},
                                                {"base", draft.base},
                                                {"draft", true}}));
    return pull_of_rest(PullRef{repo, integer_or(made, "number")}, made);
  }
  Done mark_ready(const PullRef& ref) override {
    PAWL_ASSIGN(const PullRequest known, pull(ref));
    if (!known.draft) return done();
    PAWL_TRY(client_.mutate(kReadyMutation, {{"id", known.node_id}}));
    return done();
  }
  Result<std::string> merge(const PullRef& ref, const std::string& head_sha, MergeMethod method) override {
    PAWL_ASSIGN(const Json made,
                client_.write("PUT", in_pull(ref, "/merge"), {{"sha", head_sha}, {"merge_method", word_of(method)}}));
    const std::string sha = string_or(made, "sha");
    if (sha.empty() || made["merged"] != true)
      return fail(ErrorCode::unavailable, cat("GitHub does not say that ", ref.text(), " was merged"), "look at it");
    return sha;
  }

 private:
  static Json variables(const PullRef& ref) {
    return {{"owner", ref.repo.owner}, {"name", ref.repo.name}, {"number", ref.number}};
  }

  template <class Element>
  Result<std::vector<Element>> all(const std::string& path, Done (*read_page)(std::string, std::vector<Element>&)) {
    const bool again = path.find("?since=") == std::string::npos;
    PAWL_ASSIGN(auto pages, client_.pages(path, again ? Client::Remember::pages : Client::Remember::nothing));
    std::vector<Element> elements;
    for (std::string& page : pages) {
      if (const Done read_in = readable(read_page(std::move(page), elements)); !read_in)
        return fail(read_in.error().code, cat("GET ", path, ": ", read_in.error().message), read_in.error().hint);
    }
    // What is written meanwhile moves others to the next page, where they come a second time.
    if constexpr (requires(const Element& one) { one.id; }) {
      std::set<std::uint64_t> ids;
      std::erase_if(elements, [&](const Element& one) { return !ids.insert(one.id).second; });
    }
    return elements;
  }

  // What cannot be read is not kept to be found again.
  template <class T>
  T readable(T result) {
    if (!result) client_.forget_what_came_last();
    return result;
  }
  Result<Json> read(const std::string& what, const std::string& page) { return readable(read_answer(what, page)); }

  template <class Element>
  static Result<Element> one(const std::string& object, Done (*read_page)(std::string, std::vector<Element>&)) {
    std::vector<Element> elements;
    PAWL_TRY(read_page(cat("[", object, "]"), elements));
    if (elements.size() != 1) return fail(ErrorCode::unavailable, "GitHub's answer is empty", "try again later");
    return std::move(elements.front());
  }

  Result<Said> what_was_said(const PullRef& ref, bool reviews) {
    Said out;
    Json after;
    bool threads = true;
    ReviewPages pages(reviews);
    for (std::set<std::string> cursors; threads || pages.more();) {
      Json asked = variables(ref);
      asked.update(Json{{"threads", threads}, {"after", after}});
      asked.update(pages.variables());
      PAWL_ASSIGN(const Json data, client_.query(kSaidQuery, asked));
      PAWL_ASSIGN(const Json found, pull_in(data, ref));
      if (threads) {
        PAWL_ASSIGN(const Json list, member(found, "reviewThreads"));
        PAWL_TRY(add_threads(list, out.threads));
        PAWL_ASSIGN(after, next_cursor(list));
        threads = !after.is_null();
        if (threads) PAWL_TRY(must_be_new(after, cursors));
      }
      PAWL_TRY(pages.take(found));
    }
    out.reviews = std::move(pages).all();
    return out;
  }

  Done remove(const std::string& path) {
    const auto removed = client_.write("DELETE", path, Json::object());
    if (!removed && removed.error().code != ErrorCode::not_found) return tl::unexpected(removed.error());
    return done();
  }

  Done add_threads(const Json& list, std::vector<ReviewThread>& threads) {
    PAWL_ASSIGN(const Json nodes, list_in(list, "nodes"));
    for (const Json& node : nodes) {
      ReviewThread thread = thread_of(node);
      PAWL_ASSIGN(const Json first, member(node, "comments"));
      PAWL_TRY(add_thread_comments(first, thread));
      PAWL_TRY(rest_of_thread(first, thread));
      threads.push_back(std::move(thread));
    }
    return done();
  }

  // A thread's first comments come with it; those of a long one are asked for apart.
  Done rest_of_thread(const Json& first, ReviewThread& thread) {
    PAWL_ASSIGN(Json after, next_cursor(first));
    for (std::set<std::string> cursors; !after.is_null();) {
      PAWL_TRY(must_be_new(after, cursors));
      PAWL_ASSIGN(const Json data, client_.query(kThreadQuery, {{"id", thread.node_id}, {"after", after}}));
      PAWL_ASSIGN(const Json node, member(data, "node"));
      PAWL_ASSIGN(const Json list, member(node, "comments"));
      PAWL_TRY(add_thread_comments(list, thread));
      PAWL_ASSIGN(after, next_cursor(list));
    }
    return done();
  }

  Client client_;
  KnownComments known_;
};

}  // namespace

std::unique_ptr<Forge> make_github(ClientOptions options) { return std::make_unique<Github>(options); }

}  // namespace pawl::github
