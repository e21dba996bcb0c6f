// docs/schemas against the real answers: each verb in tests/json_steps.txt is run, and what it says must fit its
// schema. Of JSON Schema these pages use type, required, properties and items, so those are checked here by hand: the
// one packaged checker (valijson) takes fifteen seconds to compile and can not tell of members that a schema does not
// name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/json.h"
#include "base/text.h"
#include "support/binary.h"
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

TEST(JsonContract, AnswersFitTheirSchemas) {
  const auto steps = read_all(cat(PAWL_SOURCE_DIR, "/tests/json_steps.txt"));
  ASSERT_TRUE(steps);
  TempWorkspace ws;
  std::set<std::string> seen;
  for (const std::string_view line : split(*steps, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with("file ")) {
      const std::string_view rest = line.substr(5);
      const std::size_t blank = rest.find(' ');
      ws.write(rest.substr(0, blank), unescaped(rest.substr(blank + 1)));
      continue;
    }
    const std::size_t bar = line.find(" |");
    const std::string verb(line.substr(0, bar));
    const std::string command = cat(shell_quoted(PAWL_BINARY), " ", verb, " ", line.substr(bar + 2), " --json");
    const Ran ran = run_program("bash", {"-c", command}, ws.options());
    const auto answer = parse_json(ran.out);
    ASSERT_TRUE(answer) << line << "\n" << ran.out << ran.err;
    const Json schema = schema_of(verb);
    ASSERT_FALSE(schema.is_null()) << "there is no schema for " << verb;
    std::vector<std::string> wrong;
    check(schema, *answer, "", wrong);
    for (const std::string& one : wrong) ADD_FAILURE() << "pawl " << verb << " --json: " << one;
    seen.insert(verb);
  }
  // And none that nobody checks.
  for (const auto& entry : fs::directory_iterator(cat(PAWL_SOURCE_DIR, "/docs/schemas"))) {
    const std::string title = string_or(*parse_json(read_all(entry.path()).value_or("{}")), "title");
    const std::string verb = title.substr(5, title.size() - 5 - std::string_view(" --json").size());
    EXPECT_TRUE(seen.contains(verb)) << entry.path() << " is checked by nothing";
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
}

}  // namespace
}  // namespace pawl::test
