// What GitHub would send to those who listen: an event for each thing that happens in the world, with the payload that
// GitHub Actions writes to $GITHUB_EVENT_PATH. Whoever drives a bot on the stand-in reads them from
// /_practice/events, each as {"name": "issue_comment", "payload": {…}}.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "practice/actions.h"
#include "practice/http.h"
#include "practice/rest_objects.h"
#include "practice/world.h"

namespace pawl::practice {

class Events {
 public:
  Events(World& world, Actions& actions) : world_(world), actions_(actions) {}

  // `about`: the comment, as REST shows it; null where there is none.
  void happened(std::string_view name, std::string_view action, Repository& repository, Item& item,
                const std::string& sender, const Json& about = {});
  // What the world begins with has not happened.
  void begin();
  // Comments, reviews and pull requests that came since, whoever made them: over REST, over GraphQL or by a control
  // request.
  void look();
  // What a request over REST has changed, by its answer.
  void after(const HttpRequest& request, const HttpAnswer& answer, const std::string& sender);

  [[nodiscard]] const Json& all() const { return all_; }
  void clear() { all_ = Json::array(); }

 private:
  // How much of an item was told. New ones stand behind what was there.
  struct Told {
    std::size_t comments = 0, reviews = 0, review_comments = 0;
  };
  [[nodiscard]] static Told size_of(const Item& item);
  void tell_new(Repository& repository, Item& item, const Told& before);

  std::map<std::pair<std::string, std::int64_t>, Told> told_;  // by repository and number
  bool begun_ = false;
  World& world_;
  Actions& actions_;
  Json all_ = Json::array();
};

}  // namespace pawl::practice
