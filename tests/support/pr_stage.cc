#include "support/pr_stage.h"

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "base/text.h"
#include "lifecycles/pr/block.h"

namespace pawl::test {
namespace {

Json seed_with(const Json& pull, const Json& world) {
  Json one = Json::parse(R"({"number": 1, "title": "One", "author": "ann", "head": "topic",
    "files": {"a.txt": {"before": "one\ntwo\nthree\n", "after": "one\n2\nthree\nfour\nfive\n"}}})");
  one.update(pull);
  Json out = Json::parse(R"({"token": "practice", "login": "rmc-bot", "ids_from": 9007199254740993,
    "tokens": {"eve": {"login": "eve", "can": ["read", "write"]}, "bob": {"login": "bob", "can": ["read", "write"]}, "ann": {"login": "ann", "can": ["read", "write"]},
               "weak": {"login": "rmc-bot", "can": ["read"]}},
    "repositories": [{"owner": "o", "name": "r"}]})");
  out.update(world);
  out["repositories"][0]["pulls"] = Json::array({one});
  return out;
}

constexpr const char* kAgent = R"(#!/bin/sh
here=$(dirname "$0")
echo "$PAWL_TASK" >>"$here/asked"
cat >"$here/task.json"
exec cat "$here/answer-$PAWL_TASK_TYPE"
)";

}  // namespace

std::string question_id(const Json& comment) { return id_of(comment, "question/c"); }
std::string id_of(const Json& comment, const char* prefix) { return prefix + to_line(comment["id"]); }
std::string with(const std::string& text, const std::string& type, const Json& data) {
  return *pr::with_block(text, type, data);
}
Json result_of(const Ran& ran) { return Json::parse(ran.out, nullptr, false); }

PrStage::PrStage(const Json& pull, const Json& world) : practice(seed_with(pull, world), Practice::Door::port) {
  agent(kAgent);
  answers("question-answering", R"({"answer": "It is so."})");
  answers("dispute-resolution", R"({"outcome": "concession", "reply": "You are right."})");
  answers("full-review", R"({"findings": [], "summary": "Fine."})");
}

void PrStage::agent(const std::string& script) {
  place_.write("agent", script);
  ::chmod(place_.file("agent").c_str(), 0755);
}
void PrStage::answers(const std::string& type, const std::string& text) { place_.write("answer-" + type, text); }

Json PrStage::comment(const std::string& author, const std::string& body) {
  return practice.control("POST", "/repos/o/r/issues/1/comments", {{"author", author}, {"body", body}});
}
void PrStage::push(const Json& files, bool force) {
  Json wanted = Json::object();
  if (!files.empty()) wanted["files"] = files;
  practice.control("POST", force ? "/repos/o/r/pulls/1/force-push" : "/repos/o/r/pulls/1/push", wanted);
}
void PrStage::push_back_to(const std::string& sha) {
  practice.control("POST", "/repos/o/r/pulls/1/force-push", {{"sha", sha}});
}
Json PrStage::thread(const std::string& author, const std::string& body, int line) {
  return practice.control(
      "POST", "/repos/o/r/pulls/1/threads",
      {{"path", "a.txt"}, {"line", line}, {"comments", {{{"author", author}, {"body", body}}}}})["comment"];
}
Json PrStage::reply(const Json& to, const std::string& author, const std::string& body) {
  return practice.control("POST", "/repos/o/r/pulls/1/replies", {{"to", to["id"]}, {"author", author}, {"body", body}});
}
Json PrStage::review(const std::string& author, const std::string& body) {
  return practice.control("POST", "/repos/o/r/pulls/1/reviews", {{"author", author}, {"body", body}});
}
void PrStage::edit_review(const Json& review, const std::string& body, const std::string& with) {
  const HttpReply reply =
      practice.request_as(with, "PUT", cat("/repos/o/r/pulls/1/reviews/", to_line(review["id"])), {{"body", body}});
  EXPECT_EQ(reply.status, 200) << reply.body;
}
void PrStage::ready(bool is) {
  practice.control("POST", is ? "/repos/o/r/pulls/1/ready" : "/repos/o/r/pulls/1/draft", Json::object());
}
void PrStage::edit(const Json& comment, const std::string& body, const std::string& with) {
  const std::string path = string_or(comment, "url").substr(string_or(comment, "url").find("/repos/"));
  const HttpReply reply = practice.request_as(with.empty() ? practice.token() : with, "PATCH", path, {{"body", body}});
  EXPECT_EQ(reply.status, 200) << reply.body;
}
void PrStage::remove(const Json& comment) {
  const std::string path = string_or(comment, "url").substr(string_or(comment, "url").find("/repos/"));
  EXPECT_EQ(practice.request("DELETE", path).status, 204);
}
void PrStage::opened() {
  event("pull_request",
        {{"action", "opened"}, {"pull_request", {{"number", 1}}}, {"repository", {{"full_name", "o/r"}}}});
}
void PrStage::event(const std::string& name, const Json& payload) {
  practice.control("DELETE", "/events");
  place_.write("event.json", to_line(payload));
  place_.write("event.name", name);
}

RunOptions PrStage::options(const TempWorkspace& machine, bool with_event) const {
  RunOptions options = machine.options();
  options.env.insert(options.env.end(), {"GITHUB_API_URL=" + practice.url(), "GH_TOKEN=" + token,
                                         "GH_CONFIG_DIR=" + machine.home(), "PAWL_GITHUB_BETWEEN_WRITES=1ms",
                                         "PAWL_GITHUB_MAX_WAIT=100ms", "PAWL_PR_AGENT=" + agent_command()});
  std::string name, file = place_.file("event.json");
  if (const Json events = practice.control("GET", "/events"); !events.empty()) {
    const Json& last = events.back();
    // The bot's own are not what wakes it up.
    name = string_or(last, "name");
    place_.write("event.json", to_line(last["payload"]));
    place_.write("event.name", name);
  }
  name = place_.read("event.name").value_or("");
  if (with_event && !name.empty()) {
    options.env.push_back("GITHUB_EVENT_NAME=" + name);
    options.env.push_back("GITHUB_EVENT_PATH=" + file);
  }
  for (const std::string& one : env) {  // in place of what is there
    std::erase_if(options.env,
                  [&](const std::string& old) { return old.starts_with(one.substr(0, one.find('=') + 1)); });
    options.env.push_back(one);
  }
  return options;
}

Ran PrStage::run_on(const TempWorkspace& machine, std::vector<std::string> more) {
  more.insert(more.begin(), {"pr", "run", "o/r#1", "--json"});
  const RunOptions how = options(machine);
  practice.control("DELETE", "/events");
  Ran ran = machine.run(more, how);
  practice.control("DELETE", "/events");  // what the bot itself did wakes nobody
  return ran;
}
Ran PrStage::run(std::vector<std::string> more) { return run_on(TempWorkspace(), std::move(more)); }
Ran PrStage::pawl(const TempWorkspace& machine, const std::vector<std::string>& words, const std::string& input) {
  RunOptions how = options(machine);
  how.input = input;
  return machine.run(words, how);
}
Json PrStage::plan() {
  const Ran ran = pawl(TempWorkspace(), {"pr", "detect", "o/r#1", "--json"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  return Json::parse(ran.out, nullptr, false);
}
Json PrStage::state() {
  const Ran ran = pawl(TempWorkspace(), {"pr", "state", "o/r#1", "--json"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  return Json::parse(ran.out, nullptr, false);
}
std::vector<std::string> PrStage::pending() {
  std::vector<std::string> ids;
  const Json found = plan();
  for (const Json& task : found["tasks"]) ids.push_back(string_or(task, "id"));
  return ids;
}
std::vector<std::string> PrStage::asked() {
  std::vector<std::string> out;
  const std::string text = place_.read("asked").value_or("");
  for (const std::string_view line : split(text, '\n')) {
    if (!line.empty()) out.emplace_back(line);
  }
  place_.write("asked", "");
  return out;
}

namespace {

Json all_of(const Practice& practice, const std::string& path) {
  Json all = Json::array();
  for (int page = 1;; ++page) {
    const Json some = practice.request("GET", cat(path, "?per_page=100&page=", page)).json();
    for (const Json& one : some) all.push_back(one);
    if (some.size() < 100) return all;
  }
}

}  // namespace

Json PrStage::comments() const { return all_of(practice, "/repos/o/r/issues/1/comments"); }
Json PrStage::review_comments() const { return all_of(practice, "/repos/o/r/pulls/1/comments"); }
std::vector<Json> PrStage::blocks(const std::string& type) const {
  std::vector<Json> out;
  for (const Json& list : {comments(), review_comments()}) {
    for (const Json& one : list) {
      if (string_or(one["user"], "login") != "rmc-bot") continue;
      if (const auto block = pr::block_of(string_or(one, "body"), type)) out.push_back(block->data);
    }
  }
  return out;
}
std::string PrStage::head() const {
  return string_or(practice.request("GET", "/repos/o/r/pulls/1").json()["head"], "sha");
}

std::string scored(int score) {
  return cat(R"({"findings": [{"path": "a.txt", "line": 2, "finding": "2 is not two", "assessment": "Write two.", )",
             "\"score\": ", score, "}]}");
}

}  // namespace pawl::test
