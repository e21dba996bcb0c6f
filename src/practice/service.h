// The server behind the socket: who asks, which fault strikes, which API answers, and what is written down about it.
//
// Control, for tests and bots (no token needed; nothing of it is on GitHub):
//   GET    /_practice/requests   what was asked: method, path, status, authorized, if_none_match
//   DELETE /_practice/requests   forget it
//   GET    /_practice/events     what happened, as GitHub would tell its listeners; DELETE: forget it
//   POST   /_practice/faults     the next request to fail, as in faults.h; DELETE: none any more
// and, below /_practice/repos/OWNER/NAME,
//   GET    /                     {"git": the folder of the bare repository}
//   POST   /issues/N/comments    {"author", "body", …}: a comment of the seed's shape; "count": so many of them
//   POST   /pulls/N/threads      a thread of the seed's shape
//   POST   /pulls/N/replies      {"to": a comment's id, "author", "body"}: into its thread
//   POST   /pulls/N/reviews      a review of the seed's shape
//   POST   /pulls/N/checks       {"checks": […], "statuses": […]}, of the head
//   POST   /pulls/N/runs         {"path", "event", "conclusion"}: a run of a workflow, of the head
//   POST   /pulls/N/push         {"files": {name: text or null}, "message", "author"}
//   POST   /pulls/N/force-push   the same, in place of the newest commit; {"sha"}: back to a commit that was there
//   POST   /pulls/N/ready        a draft no more; /pulls/N/draft: one again
//   PATCH  /pulls/N              {"merge_state": "UNKNOWN" or "" for git's own}
#pragma once

#include <string>

#include "base/file.h"
#include "practice/actions.h"
#include "practice/events.h"
#include "practice/faults.h"
#include "practice/http.h"
#include "practice/world.h"

namespace pawl::practice {

class Service {
 public:
  Service(World& world, Actions& actions) : world_(world), actions_(actions), events_(world, actions) {}

  // Every answer is appended to this file from now on.
  Done record_to(const std::string& path);
  [[nodiscard]] HttpAnswer handle(const HttpRequest& request);

 private:
  [[nodiscard]] HttpAnswer answer(const HttpRequest& request);
  [[nodiscard]] Result<Json> control(const HttpRequest& request);
  [[nodiscard]] Result<Json> control_repository(const HttpRequest& request, const std::vector<std::string_view>& parts);
  void record(const HttpRequest& request, const HttpAnswer& answer) const;
  void note(const HttpRequest& request, const HttpAnswer& answer);

  World& world_;
  Actions& actions_;
  Events events_;
  Faults faults_;
  Json requests_ = Json::array();
  std::int64_t used_ = 0;
  Fd record_;
};

}  // namespace pawl::practice
