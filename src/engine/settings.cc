#include "engine/settings.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
// As in a build with NDEBUG: some of its assertions are about what stands in a file ("[[" at the end of one), and it
// goes on to say what is wrong there.
#define TOML_ASSERT(condition) static_cast<void>(condition)
#include <toml++/toml.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/parser_words.h"
#include "base/text.h"
#include "engine/settings_meant.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxSettingsBytes = 1 << 20;
constexpr std::array<std::string_view, 2> kOutside = {"restore", "flag"};
constexpr std::array<std::string_view, 2> kGates = {"require", "record"};

constexpr std::array kEngineSettings = {
    SettingSpec{"outside", SettingType::choice, "restore",
                "a value that its lifecycle does not allow, written by another tool: put it back (restore) or leave it "
                "standing and show it (flag)",
                kOutside},
    SettingSpec{"gates", SettingType::choice, "require",
                "a move whose conditions are not met: refuse it (require) or make it and mark it unverified (record)",
                kGates},
    SettingSpec{"busy_timeout", SettingType::duration, "10s", "how long to wait for another process that is writing"},
    SettingSpec{"github.timeout", SettingType::duration, "30s", "how long one call to GitHub may take"},
    SettingSpec{"github.max_wait", SettingType::duration, "10m",
                "how long a command waits in all when GitHub asks to slow down or does not answer"},
    SettingSpec{"github.between_writes", SettingType::duration, "1s",
                "how far apart writes to GitHub are; it asks for a second"},
    SettingSpec{
        "roots", SettingType::list, "", "folders outside the workspace where files may be kept in step", {}, true},
};

Done check_setting(const SettingSpec& spec, std::string_view value, std::string_view where) {
  const auto wrong = [&](std::string_view expected) {
    return fail(ErrorCode::invalid_argument,
                cat(where, ": ", spec.key, " is “", printable(value.substr(0, 80)), "”; ", expected));
  };
  if (spec.type == SettingType::choice) {
    for (const std::string_view choice : spec.choices) {
      if (choice == value) return done();
    }
    return wrong(cat("it can be ", join_or(spec.choices)));
  }
  if (spec.type == SettingType::duration && !parse_duration_ms(value))
    return wrong("a time such as 10s, 5m or 2h was expected");
  const auto number = spec.type == SettingType::number ? parse_positive(value) : std::optional<std::int64_t>(1);
  if (spec.most > 0 && number.value_or(INT64_MAX) > spec.most)
    return wrong(cat("a number from 1 to ", spec.most, " was expected"));
  if (!number) return wrong("a positive number was expected");
  if (spec.type == SettingType::boolean && value != "true" && value != "false")
    return wrong("true or false was expected");
  if (!is_utf8(value) || has_control(value)) return wrong("it contains characters that cannot be used");
  return done();
}

// Names of the user's own, each with a line or a list of words.
Result<std::string> table_of(const SettingSpec& spec, const toml::node& node, std::string_view where) {
  const toml::table* const table = node.as_table();
  if (table == nullptr) return fail(ErrorCode::invalid_argument, cat(where, ": ", spec.key, " must be a table"));
  Json out = Json::object();
  for (const auto& [name, item] : *table) {
    const auto wrong = [&] {
      return fail(ErrorCode::invalid_argument,
                  cat("pawl.toml, line ", item.source().begin.line, ": “", printable(name.str()),
                      "” must be a text in quotes or a list of them, a word each"));
    };
    Json value;
    if (const toml::array* const words = item.as_array()) {
      value = Json::array();
      for (const toml::node& word : *words) {
        if (!word.is_string()) return wrong();
        value.push_back(*word.value<std::string>());
      }
    } else if (item.is_string()) {
      value = *item.value<std::string>();
    }
    if (value.empty() || (value.is_string() && trim(value.get_ref<const std::string&>()).empty())) return wrong();
    out[std::string(name.str())] = std::move(value);
  }
  return to_line(out);
}

Result<std::string> text_of(const SettingSpec& spec, const toml::node& node, std::string_view where) {
  if (spec.type == SettingType::table) return table_of(spec, node, where);
  if (is_list(spec.type)) {
    const toml::array* list = node.as_array();
    if (list == nullptr)
      return fail(ErrorCode::invalid_argument, cat(where, ": ", spec.key, " must be a list of texts"));
    std::string joined;
    for (const toml::node& item : *list) {
      const auto text = item.value<std::string>();
      // Items are kept joined by newlines, so none has one of its own.
      if (!item.is_string() || !text || text->find('\n') != std::string::npos)
        return fail(ErrorCode::invalid_argument, cat(where, ": ", spec.key, " must be a list of texts"));
      joined += cat(joined.empty() ? "" : "\n", *text);
    }
    return joined;
  }
  if (spec.type == SettingType::number) {
    if (node.is_integer()) return std::to_string(*node.value<std::int64_t>());
    return fail(ErrorCode::invalid_argument, cat(where, ": ", spec.key, " must be a number"));
  }
  if (spec.type == SettingType::boolean) {
    if (node.is_boolean()) return std::string(*node.value<bool>() ? "true" : "false");
    return fail(ErrorCode::invalid_argument, cat(where, ": ", spec.key, " must be true or false"));
  }
  if (!node.is_string())
    return fail(ErrorCode::invalid_argument, cat(where, ": ", spec.key, " must be a text in quotes"));
  return *node.value<std::string>();
}

Done read_table(const toml::table& table, const std::string& prefix, const std::vector<const SettingSpec*>& specs,
                SettingSource source, Settings& settings) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix.empty() ? std::string(name.str()) : cat(prefix, ".", name.str());
    const std::string where = cat("pawl.toml, line ", node.source().begin.line);
    const SettingSpec* spec = nullptr;
    bool is_section = false;
    std::vector<std::string_view> keys, tables;
    for (const SettingSpec* candidate : specs) {
      keys.push_back(candidate->key);
      if (candidate->type == SettingType::table) tables.push_back(candidate->key);
      if (candidate->key == key) spec = candidate;
      is_section = is_section || candidate->key.starts_with(key + ".");
    }
    if (spec == nullptr && is_section && node.is_table()) {
      PAWL_TRY(read_table(*node.as_table(), key, specs, source, settings));
      continue;
    }
    if (spec == nullptr) {
      const bool written_as_section = node.is_table() && !node.as_table()->is_inline();
      return fail(ErrorCode::invalid_argument,
                  cat(where, ": there is no ", written_as_section ? "section [" : "setting “", printable(key),
                      written_as_section ? "]" : "”"),
                  setting_meant(key, written_as_section, keys, tables));
    }
    PAWL_ASSIGN(std::string text, text_of(*spec, node, where));
    if (!is_list(spec->type) && spec->type != SettingType::table) PAWL_TRY(check_setting(*spec, text, where));
    settings.set(key, std::move(text), source);
  }
  return done();
}

// toml++ limits how deep brackets nest, and not how many parts a key has: each is a table in a table, and taking a
// hundred thousand of them down again takes more stack than there is.
Done must_not_be_deep(std::string_view bytes) {
  constexpr std::int64_t kMostParts = 1'000;
  std::size_t line = 0;
  for (const std::string_view text : split(bytes, '\n')) {
    ++line;
    if (std::count(text.begin(), text.end(), '.') > kMostParts)
      return fail(ErrorCode::invalid_argument, cat("pawl.toml, line ", line, ": there are more than ", kMostParts,
                                                   " dots in it; no key has so many parts"));
  }
  return done();
}

std::string what_is_wrong(std::string_view bytes, const toml::parse_error& error) {
  std::size_t line = 0;
  for (const std::string_view text : split(bytes, '\n')) {
    ++line;
    if (!is_utf8(text)) return cat("pawl.toml, line ", line, ": there are bytes in it that are not UTF-8");
  }
  const toml::source_position at = error.source().begin;
  return cat("pawl.toml, line ", at.line, ", column ", at.column, ": ", toml_in_plain_words(error.description()));
}

// A folder as the roots spell it: inside the workspace relative to it, so that each has one name.
std::string normal_folder(const std::string& root, const std::string& value) {
  if (value.starts_with("~/")) return value;
  std::vector<std::string_view> parts;
  const std::string whole = value.starts_with('/') ? value : cat(root, "/", value);
  for (const std::string_view part : split(whole, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty()) {
      parts.pop_back();
    }
  }
  std::string clean;
  for (const std::string_view part : parts) clean += cat("/", part);
  // By the way that it really goes, as far as it exists: a script's $(pwd) may lead through a link.
  for (std::size_t end = clean.size(); end != 0 && end != std::string::npos; end = clean.rfind('/', end - 1)) {
    char* real = realpath(clean.substr(0, end).c_str(), nullptr);
    if (real == nullptr) continue;
    clean = cat(real, clean.substr(end));
    free(real);
    break;
  }
  return clean.starts_with(root + "/") ? clean.substr(root.size() + 1) : clean;
}

// {name} or {name}-{16 hexadecimal digits} in the folder that the variable names. Where several could be meant, none
// is.
std::optional<std::string> project_among(const std::string& variable, const std::string& root) {
  const char* parent = getenv(variable.c_str());
  if (parent == nullptr || *parent != '/') return std::nullopt;
  const auto folder = open_folder(parent);
  const auto names = folder ? names_in(folder->get()) : Result<std::vector<std::string>>(std::vector<std::string>());
  if (!names) return std::nullopt;
  std::string project = root.substr(root.rfind('/') + 1);
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; };
  std::string spelled = project;
  for (char& c : spelled) c = is_word(c) ? c : '_';
  std::optional<std::string> found;
  for (const std::string& name : *names) {
    const bool digested = name.size() == spelled.size() + 17 && name.starts_with(spelled + "-") &&
                          name.find_first_not_of("0123456789abcdef", spelled.size() + 1) == std::string::npos;
    if (name != project && !digested) continue;
    if (found) return std::nullopt;
    found = cat(parent, "/", name);
  }
  return found;
}

std::string trust_folder() { return cat(state_home(), "/trusted"); }

std::string trust_name(const std::string& path) {
  std::string name = path;
  for (char& c : name) c = c == '/' ? '!' : c;
  return name.size() <= 200 ? name : name.substr(name.size() - 200);
}

// What a link leads to may be anybody's, and change without anybody seeing it here.
Result<FileImage> read_settings_file(const std::string& path) {
  auto file = read_file(path, kMaxSettingsBytes);
  struct stat info {};
  if (file || lstat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode)) return file;
  const bool link = S_ISLNK(info.st_mode);
  return fail(ErrorCode::invalid_argument,
              cat("pawl.toml is ", link                    ? "a symbolic link"
                                   : S_ISDIR(info.st_mode) ? "a folder"
                                                           : "no regular file"),
              link ? "put the file itself in its place: settings are read through no link"
                   : "move it elsewhere, or put a file in its place");
}

}  // namespace

std::span<const SettingSpec> engine_settings() { return kEngineSettings; }

std::vector<std::string> allowed_folders(const Settings& settings, const Lifecycles& lifecycles) {
  std::vector<std::string> folders;
  for (const SettingSpec* spec : all_specs(lifecycles)) {
    const bool listed = spec->type == SettingType::list && spec->needs_trust;
    if ((spec->type != SettingType::folder && !listed) || !settings.trusted(spec->key)) continue;
    for (const std::string_view folder : split(settings.text(spec->key), '\n')) {
      if (folder.starts_with('/')) folders.emplace_back(folder);
    }
  }
  return folders;
}

std::vector<NotAllowed> folders_not_allowed(const Settings& settings, const Lifecycles& lifecycles,
                                            const FoundSettings& found) {
  std::vector<NotAllowed> folders;
  for (const SettingSpec* spec : all_specs(lifecycles)) {
    const std::string& folder = settings.text(spec->key);
    if (spec->type != SettingType::folder || settings.trusted(spec->key) || !folder.starts_with('/')) continue;
    const bool others = std::any_of(found.begin(), found.end(),
                                    [&](const auto& one) { return one.first == spec->key && one.second == folder; });
    folders.push_back(
        {folder, cat(spec->key, others ? ", by another tool's settings" : " in pawl.toml, which nobody has trusted"),
         cat("name a folder of the project there",
             others ? ""
                    : cat(", or take ", spec->key, " out of pawl.toml; only if it is to be that folder: pawl trust"))});
  }
  return folders;
}

std::vector<const SettingSpec*> all_specs(const Lifecycles& lifecycles) {
  std::vector<const SettingSpec*> specs;
  for (const SettingSpec& spec : kEngineSettings) specs.push_back(&spec);
  for (const Lifecycle& row : lifecycles.rows()) {
    for (const SettingSpec& spec : row.settings) specs.push_back(&spec);
  }
  return specs;
}

std::string environment_name(std::string_view key) {
  std::string name = "PAWL_";
  for (const char c : key) name += c == '.' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return name;
}

Settings standard_settings(const Lifecycles& lifecycles) {
  Settings settings;
  for (const SettingSpec* spec : all_specs(lifecycles))
    settings.set(spec->key, std::string(spec->standard), SettingSource::standard);
  return settings;
}

Result<Settings> load_settings(const Workspace& workspace, const Lifecycles& lifecycles, const FoundSettings& found) {
  Settings settings = standard_settings(lifecycles);
  for (const auto& [key, value] : found) settings.set(key, value, SettingSource::file);
  const auto specs = all_specs(lifecycles);

  const std::string path = workspace.root + "/pawl.toml";
  PAWL_ASSIGN(const FileImage file, read_settings_file(path));
  if (file.too_large) return fail(ErrorCode::invalid_argument, "pawl.toml is larger than 1 MiB");
  if (file.exists) {
    PAWL_TRY(must_not_be_deep(file.bytes));
    const toml::parse_result parsed = toml::parse(file.bytes, path);
    if (!parsed) return fail(ErrorCode::invalid_argument, what_is_wrong(file.bytes, parsed.error()));
    // Only what needs trust is held back from a file that nobody has trusted.
    const bool known = is_trusted(path, file.bytes);
    PAWL_TRY(
        read_table(parsed.table(), "", specs, known ? SettingSource::trusted_file : SettingSource::file, settings));
  }
  for (const SettingSpec* spec : specs) {
    const std::string name = environment_name(spec->key);
    const char* value = getenv(name.c_str());
    if (value == nullptr || *value == '\0' || spec->type == SettingType::table) continue;
    std::string text = value;
    if (is_list(spec->type)) {
      const char between = spec->type == SettingType::list ? ':' : ' ';
      for (char& c : text) c = c == between ? '\n' : c;
    } else {
      PAWL_TRY(check_setting(*spec, text, name));
    }
    settings.set(spec->key, std::move(text), SettingSource::environment);
  }
  for (const SettingSpec* spec : specs) {
    if (spec->projects_in.empty() || settings.source(spec->key) != SettingSource::standard) continue;
    if (auto folder = project_among(std::string(spec->projects_in), workspace.root))
      settings.set(spec->key, std::move(*folder), SettingSource::environment);
  }
  for (const SettingSpec* spec : specs) {
    if (spec->type != SettingType::folder || settings.source(spec->key) == SettingSource::standard) continue;
    std::string folder = settings.text(spec->key);
    // From a file that nobody has trusted the home folder is a folder outside like any other.
    if (!settings.trusted(spec->key) && (folder == "~" || folder.starts_with("~/")))
      folder = cat(workspace.home.empty() ? "/" : workspace.home, folder.substr(1));
    settings.set(spec->key, normal_folder(workspace.root, folder), settings.source(spec->key));
  }
  return settings;
}

std::optional<std::string> trusted_content(const std::string& path) {
  if (state_home().empty()) return std::nullopt;
  const auto kept = read_file(cat(trust_folder(), "/", trust_name(path)), kMaxSettingsBytes + 4096);
  if (!kept || !kept->exists || !kept->bytes.starts_with(path + "\n")) return std::nullopt;
  return kept->bytes.substr(path.size() + 1);
}

bool is_trusted(const std::string& path, std::string_view content) {
  return trusted_content(path) == std::optional<std::string>(content);
}

Done trust(const std::string& path, std::string_view content) {
  if (state_home().empty()) return fail(ErrorCode::unavailable, "HOME is not set, so trust cannot be remembered");
  PAWL_TRY(make_folders(trust_folder(), 0700));
  PAWL_ASSIGN(const Fd folder, open_folder(trust_folder()));
  const std::string name = trust_name(path);
  PAWL_TRY(write_synced_at(folder.get(), name + ".new", cat(path, "\n", content), {0600, {}}));
  PAWL_TRY(move_over_at(folder.get(), name + ".new", folder.get(), name));
  return sync_folder(folder.get());
}

Done distrust(const std::string& path) { return remove_at(AT_FDCWD, cat(trust_folder(), "/", trust_name(path))); }

}  // namespace pawl
