// What GitHub would send to those who listen: an event for each thing that happens in the world, with the payload that
// GitHub Actions writes to $GITHUB_EVENT_PATH. Whoever drives a bot on the stand-in reads them from
// /_practice/events, each as {"name": "issue_comment", "payload": {…}}.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "world/practice/actions.h"
#include "world/practice/http.h"
#include "world/practice/rest_objects.h"
#include "world/practice/world.h"

namespace pawl::practice {

class Events {
 public:
  Events(World& world, Actions& actions) : world_(world), actions_(actions) {}

  // `about`: the comment, as REST shows it; null where there is none.
  void happened(std::string_view name, std::string_view action, Repository& repository, Item& item,
                const std::string& sender, const Json& about = {});
  // What a request over REST or GraphQL has done, by its answer.
  void after(const HttpRequest& request, const HttpAnswer& answer, const std::string& sender);

  [[nodiscard]] const Json& all() const { return all_; }
  void clear() { all_ = Json::array(); }

 private:
  World& world_;
  Actions& actions_;
  Json all_ = Json::array();
};

}  // namespace pawl::practice
