// docs/schemas against the real answers: each verb in tests/json_steps.txt and tests/json_steps_world.txt is run, and
// what it says must fit its schema; of one that streams, each line. Of JSON Schema these pages use type, required,
// properties, items and anyOf, so those are checked here by hand: the one packaged checker (valijson) takes fifteen
// seconds to compile and cannot tell of members that a schema does not name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/json.h"
#include "base/text.h"
#include "commands/verb.h"
#include "support/binary.h"
#include "support/bot_project.h"
#include "support/paths.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

bool is_a(const Json& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == "null" && value.is_null();
}

// What does not fit, a line each.
void check(const Json& schema, const Json& value, const std::string& at, std::vector<std::string>& wrong) {
  if (const auto forms = schema.find("anyOf"); forms != schema.end()) {
    std::vector<std::string> of_last;
    for (const Json& form : *forms) {
      of_last.clear();
      check(form, value, at, of_last);
      if (of_last.empty()) break;
    }
    wrong.insert(wrong.end(), of_last.begin(), of_last.end());
    return;
  }
  if (const auto type = schema.find("type"); type != schema.end()) {
    const bool fits = type->is_array()
                          ? std::any_of(type->begin(), type->end(),
                                        [&](const Json& one) { return is_a(value, one.get<std::string>()); })
                          : is_a(value, type->get<std::string>());
    if (!fits) wrong.push_back(cat(at, " is ", to_line(value).substr(0, 60), " and not ", to_line(*type)));
  }
  if (value.is_object()) {
    for (const Json& name : schema.value("required", Json::array())) {
      if (!value.contains(name.get<std::string>())) wrong.push_back(cat(at, " lacks ", name.get<std::string>()));
    }
    const auto members = schema.find("properties");
    if (members == schema.end()) return;  // somebody else's document
    for (const auto& [name, member] : value.items()) {
      const auto known = members->find(name);
      if (known == members->end()) {
        wrong.push_back(cat(at, " has ", name, ", of which the schema says nothing"));
      } else {
        check(*known, member, cat(at, ".", name), wrong);
      }
    }
  }
  if (const auto items = schema.find("items"); value.is_array() && items != schema.end()) {
    for (std::size_t i = 0; i < value.size(); ++i) check(*items, value[i], cat(at, "[", i, "]"), wrong);
  }
}

Json schema_of(const std::string& verb) {
  std::string name = verb;
  std::replace(name.begin(), name.end(), ' ', '-');
  const auto text = read_all(cat(PAWL_SOURCE_DIR, "/docs/schemas/", name, ".json"));
  const auto schema = text ? parse_json(*text) : Result<Json>(Json());
  return schema && schema->is_object() ? *schema : Json();
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool line = text.substr(i, 2) == "\\n";
    out += line ? '\n' : text[i];
    i += line ? 1 : 0;
  }
  return out;
}

std::string steps_in(const char* name) {
  return read_all(cat(PAWL_SOURCE_DIR, "/tests/", name)).value_or(std::string());
}

// One answer, or one a line.
std::vector<Json> answers_in(const std::string& out) {
  if (const auto whole = parse_json(out)) return {*whole};
  std::vector<Json> all;
  for (const std::string_view line : split(out, '\n')) {
    if (line.empty()) continue;
    const auto one = parse_json(line);
    if (!one) return {};
    all.push_back(*one);
  }
  return all;
}

void follow(const std::string& steps, const TempWorkspace& ws, RunOptions options) {
  ASSERT_FALSE(steps.empty());
  options.env.push_back(cat("PAWL=", PAWL_BINARY));
  for (const std::string_view line : split(steps, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with("file ")) {
      const std::string_view rest = line.substr(5);
      const std::size_t blank = rest.find(' ');
      ws.write(rest.substr(0, blank), unescaped(rest.substr(blank + 1)));
      continue;
    }
    const std::size_t bar = line.find(" |");
    const std::string verb(line.substr(0, bar));
    const std::string command = cat("\"$PAWL\" ", verb, " --json ", line.substr(bar + 2));
    const Ran ran = run_program("bash", {"-c", command}, options);
    const auto answers = answers_in(ran.out);
    ASSERT_FALSE(answers.empty()) << line << "\n" << ran.out << ran.err;
    const Json schema = schema_of(verb);
    ASSERT_FALSE(schema.is_null()) << "there is no schema for " << verb;
    for (const Json& answer : answers) {
      std::vector<std::string> wrong;
      check(schema, answer, "", wrong);
      for (const std::string& one : wrong) ADD_FAILURE() << "pawl " << verb << " --json: " << one;
    }
  }
}

TEST(JsonContract, AnswersFitTheirSchemas) {
  const TempWorkspace ws;
  follow(steps_in("json_steps.txt"), ws, ws.options());
}

TEST(JsonContract, AnswersAboutSessionsAndGitHubFitTheirSchemas) {
  const BotProject project(*parse_json(R"({"pulls": [{"number": 1, "title": "One", "author": "ann", "head": "topic",
    "files": {"a.txt": {"before": "one\ntwo\n", "after": "one\n2\n"}},
    "comments": [{"author": "ann", "body": "@rmc-bot why two?"}, {"author": "ann", "body": "@rmc-bot please review this"}],
    "threads": [{"path": "a.txt", "line": 2, "comments": [{"author": "bob", "body": "why?"}]}]}]})"));
  RunOptions options = project.with_github();
  fs::create_directories(project.home() + "/tmux");
  for (const std::string& more :
       {"TMUX_TMPDIR=" + project.home() + "/tmux", std::string("TMUX="), std::string("SHELL=/bin/sh")})
    options.env.push_back(more);
  follow(steps_in("json_steps_world.txt"), project, options);
  EXPECT_LE(run_program("tmux", {"kill-server"}, options).exit, 1) << "1: its sessions have ended, and it with them";
}

TEST(JsonContract, EverySchemaIsHeldToAnAnswer) {
  std::set<std::string> seen;
  for (const char* name : {"json_steps.txt", "json_steps_world.txt"}) {
    const std::string steps = steps_in(name);
    for (const std::string_view line : split(steps, '\n')) seen.emplace(line.substr(0, line.find(" |")));
  }
  const std::string page = read_all(cat(PAWL_SOURCE_DIR, "/docs/json.md")).value_or("");
  for (const auto& entry : fs::directory_iterator(cat(PAWL_SOURCE_DIR, "/docs/schemas"))) {
    const std::string title = string_or(*parse_json(read_all(entry.path()).value_or("{}")), "title");
    const std::string verb = title.substr(5, title.size() - 5 - std::string_view(" --json").size());
    EXPECT_TRUE(seen.contains(verb)) << entry.path() << " is checked by nothing";
    EXPECT_NE(page.find(cat("(schemas/", entry.path().filename().string(), ")")), std::string::npos)
        << "docs/json.md does not list " << entry.path();
  }
}

TEST(JsonContract, EveryVerbThatAnswersHasASchema) {
  const TempWorkspace ws;
  for (const Verb* verb : all_verbs()) {
    const std::string name = full_name(*verb);
    if (verb->text != nullptr) {
      EXPECT_FALSE(schema_of(name).is_null()) << "docs/schemas has nothing about pawl " << name;
      continue;
    }
    std::vector<std::string> words;
    for (const std::string_view word : split(name, ' ')) words.emplace_back(word);
    for (const Param& param : verb->params) {
      if (!param.required) continue;
      if (!param.positional) words.push_back(cat("--", param.name));
      words.emplace_back("1");
    }
    words.emplace_back("--json");
    const Ran ran = ws.run(words);
    EXPECT_EQ(ran.exit, 2) << name << ran.out << ran.err;
    EXPECT_NE(ran.err.find("gives no answer"), std::string::npos) << ran.err;
  }
}

TEST(JsonContract, TheCheckerSeesWhatDoesNotFit) {
  const Json schema{
      {"type", "object"},
      {"required", {"a"}},
      {"properties",
       {{"a", {{"type", {"integer", "null"}}}}, {"b", {{"type", "array"}, {"items", {{"type", "string"}}}}}}}};
  const auto wrong = [&](const Json& value) {
    std::vector<std::string> out;
    check(schema, value, "", out);
    return out.size();
  };
  EXPECT_EQ(wrong(Json{{"a", 1}, {"b", {"x"}}}), 0U);
  EXPECT_EQ(wrong(Json{{"a", nullptr}}), 0U);
  EXPECT_EQ(wrong(Json{{"b", Json::array()}}), 1U) << "a is missing";
  EXPECT_EQ(wrong(Json{{"a", "1"}}), 1U) << "not an integer";
  EXPECT_EQ(wrong(Json{{"a", 1}, {"b", {1}}}), 1U) << "not a text";
  EXPECT_EQ(wrong(Json{{"a", 1}, {"c", 1}}), 1U) << "unknown";
  const Json either{{"anyOf", {{{"type", "string"}}, schema}}};
  std::vector<std::string> out;
  check(either, Json("x"), "", out);
  check(either, Json{{"a", 1}}, "", out);
  EXPECT_TRUE(out.empty());
  check(either, Json(1), "", out);
  EXPECT_FALSE(out.empty());
}

}  // namespace
}  // namespace pawl::test
