#include "frontends/cli/complete.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/process.h"
#include "base/text.h"
#include "commands/context.h"
#include "engine/engine.h"
#include "frontends/cli/help.h"
#include "frontends/cli/parse.h"
#include "frontends/cli/suggest.h"

namespace pawl::cli {
namespace {

constexpr std::int64_t kMost = 200;  // nobody reads more

// What a shell can be given as a line of its own, and shows as what it is.
bool is_one_line(std::string_view word) { return printable(word) == word; }

bool is_there(const std::vector<Candidate>& all, std::string_view word) {
  return std::any_of(all.begin(), all.end(), [&](const Candidate& one) { return one.word == word; });
}

void add_verbs(std::vector<Candidate>& out, std::string_view noun, std::string_view first_word) {
  for (const Verb* verb : all_verbs()) {
    if (verb->noun != noun) continue;
    // Of a verb of two words one is offered at a time.
    std::string_view name = verb->name;
    if (!first_word.empty()) {
      if (!name.starts_with(cat(first_word, " "))) continue;
      name.remove_prefix(first_word.size() + 1);
    }
    const std::size_t blank = name.find(' ');
    const std::string word(name.substr(0, blank));
    if (!is_there(out, word))
      out.push_back({word, blank == std::string_view::npos ? std::string(verb->summary) : std::string()});
  }
}

void add_options(std::vector<Candidate>& out, const Verb* verb) {
  for (const Param& param : offered_params(verb)) {
    if (!param.positional) out.push_back({cat("--", param.name), std::string(param.summary)});
  }
}

const Param* option_named(const Verb* verb, std::string_view word) {
  const auto is_it = [&](const Param& param) {
    return !param.positional &&
           (word == cat("--", param.name) || (param.letter != 0 && word == cat("-", param.letter)));
  };
  if (verb != nullptr) {
    for (const Param& param : verb->params) {
      if (is_it(param)) return &param;
    }
  }
  for (const Param& param : common_params()) {
    if (is_it(param)) return &param;
  }
  return nullptr;
}

// The words before the last one, read as far as they go; nothing in them is an error.
struct Line {
  std::string_view noun = {}, first_word = {};
  const Verb* verb = nullptr;
  std::size_t values = 0;
  const Param* open = nullptr;  // an option that waits for its value
  std::string_view directory = {}, first = {};
  bool help = false, options_ended = false;

  void value_of(const Param& param, std::string_view value) {
    if (param.name == "directory") directory = value;
  }
  // --name, --name=VALUE, -C, -CDIR
  void option(std::string_view word) {
    const bool is_long = word.starts_with("--");
    const std::size_t end = is_long ? word.find('=') : 2;
    const Param* const param = option_named(verb, word.substr(0, end));
    if (param == nullptr || param->type == ParamType::flag) return;
    if (end >= word.size()) {
      open = param;
    } else {
      value_of(*param, word.substr(is_long ? end + 1 : end));
    }
  }
  void take(std::string_view word) {
    if (open != nullptr) {
      value_of(*open, word);
      open = nullptr;
    } else if (!options_ended && word == "--") {
      options_ended = true;
    } else if (!options_ended && looks_like_option(word)) {
      option(word);
    } else if (verb != nullptr) {
      if (values++ == 0) first = word;
    } else if (noun.empty() && !help && word == "help") {
      help = true;
    } else if (noun.empty()) {
      verb = find_verb("", word);
      if (verb == nullptr) noun = word;
    } else if (first_word.empty()) {
      verb = find_verb(noun, word);
      if (verb == nullptr) first_word = word;
    } else {
      verb = find_verb(noun, cat(first_word, " ", word));
    }
  }

  [[nodiscard]] const Param* next_value() const {
    std::size_t place = 0;
    for (const Param& param : verb->params) {
      if (param.positional && (place++ >= values || param.many)) return &param;
    }
    return nullptr;
  }
};

void add_nouns(std::vector<Candidate>& out) {
  for (const Verb* verb : all_verbs()) {
    if (verb->noun.empty()) {
      out.push_back({std::string(verb->name), std::string(verb->summary)});
    } else if (std::none_of(out.begin(), out.end(), [&](const Candidate& one) { return one.word == verb->noun; })) {
      out.push_back({std::string(verb->noun), join_or(verbs_of(verb->noun))});
    }
  }
  out.push_back({"help", "explain a command"});
}

// One kind, or several with a blank between two.
bool is_offered(const Expected& place, std::string_view kind) {
  const std::string_view offered = place.value->offer_kind;
  const auto kinds = split(offered.empty() ? place.noun : offered, ' ');
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

void add_statuses(std::vector<Candidate>& out, const Expected& place) {
  const Context context;
  for (const Lifecycle& row : context.lifecycles().rows()) {
    if (!is_offered(place, row.kind)) continue;
    for (const Status& status : row.machine->statuses) {
      if (!is_there(out, status.name)) out.push_back({std::string(status.name), status.terminal ? "an end" : ""});
    }
  }
}

std::size_t session_length(std::string_view key) {
  const std::size_t at = key.find('@');
  return at == std::string_view::npos ? 0 : at;
}

// How a record is named where its verbs take it: what belongs to a pull request, by that.
std::string name_of(const Record& record, const Param& param) {
  if (param.offer == Offer::refs) return record.id.ref();
  // A loop's key is its session and when it began; one of nobody's has no session.
  if (param.offer == Offer::sessions) return record.id.key.substr(0, session_length(record.id.key));
  return record.id.scope.find('#') == std::string::npos ? record.id.key : record.id.scope;
}

void add_branches(std::vector<Candidate>& out) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 20U;
  const auto ran = run_program({"git", "for-each-ref", "--sort=-committerdate", "--count", std::to_string(kMost),
                                "--format=%(refname:short)", "refs/heads"},
                               kMaxBytes);
  if (!ran || ran->exit_code != 0) return;
  for (const std::string_view name : split(ran->out, '\n')) {
    if (!name.empty()) out.push_back({std::string(name), "branch"});
  }
}

// Of the store alone: files are not looked at between two keystrokes.
void add_from_store(std::vector<Candidate>& out, const Expected& place, std::string_view begun) {
  const Param& param = *place.value;
  const SystemClock clock;
  Context context;
  context.clock = &clock;
  const auto engine = context.engine();
  if (!engine || !(*engine)->has_store()) return;
  const Done ignored = (*engine)->read_store([&](const View& view) -> Done {
    if (param.offer == Offer::operations) {
      OperationQuery query;
      PAWL_ASSIGN(const auto operations, view.store().operations(query));
      for (const Operation& operation : operations) out.push_back({std::to_string(operation.id), operation.verb});
      return done();
    }
    for (const Lifecycle& row : context.lifecycles().rows()) {
      if (param.offer != Offer::refs && !is_offered(place, row.kind)) continue;
      Query query;
      query.kind = row.kind;
      query.include_aside = true;
      query.by_rank_only = true;  // what a document says is read only of those that are offered
      PAWL_ASSIGN(const auto records, view.list(query));
      std::int64_t left = kMost;
      for (const Record& listed : records) {
        const std::string word = name_of(listed, param);
        if (word.empty() || !word.starts_with(begun) || is_there(out, word)) continue;
        if (left-- <= 0) break;
        PAWL_ASSIGN(const Record record, view.load(listed.id));
        const std::string headline = row.headline == nullptr ? std::string() : row.headline(record);
        out.push_back({word, cat(record.held ? "held" : record.status, headline.empty() ? "" : ": ", headline)});
      }
    }
    return done();
  });
  static_cast<void>(ignored);  // nothing is offered where nothing can be read
}

// Where the thing that was named can go by a move that anybody may make. False: there is none of that name.
bool add_moves(std::vector<Candidate>& out, const Expected& place) {
  const SystemClock clock;
  Context context;
  context.clock = &clock;
  const auto engine = context.engine();
  if (!engine || !(*engine)->has_store()) return false;
  bool known = false;
  const Done ignored = (*engine)->read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const auto ids, view.store().find_key(place.first.substr(place.first.rfind('/') + 1)));
    for (const RecordId& id : ids) {
      PAWL_ASSIGN(const Record record, view.load(id));
      const Lifecycle* const row = context.lifecycles().find(id.kind);
      if (row == nullptr || !is_offered(place, id.kind) || !record.present() || record.held || record.aside) continue;
      known = true;
      for (const Move& move : row->machine->moves) {
        if (move.from == record.status && move.to != kAbsent && move.name.empty() && !is_there(out, move.to))
          out.push_back({std::string(move.to), std::string(row->machine->words_of(move.gates[0]))});
      }
    }
    return done();
  });
  return ignored && known;
}

// Shells hand words over as they were typed, without quotes, and expand nothing in them: it could be a command.
bool go_to(std::string_view directory) {
  if (directory.empty()) return true;
  std::string path(directory);
  const char* const home = std::getenv("HOME");
  for (const std::string_view prefix : {"~/", "$HOME/", "${HOME}/"}) {
    if (home != nullptr && cat(directory, "/").starts_with(prefix))
      path = cat(home, directory.substr(prefix.size() - 1));
  }
  return ::chdir(path.c_str()) == 0;
}

}  // namespace

Expected expected(std::span<const std::string_view> words) {
  Expected out;
  Line line;
  out.begun = words.empty() ? std::string_view() : words.back();
  for (std::size_t i = 0; i + 1 < words.size(); ++i) line.take(words[i]);
  const std::size_t equals = out.begun.find('=');
  if (line.open != nullptr) {
    out.value = line.open;
  } else if (!line.options_ended && out.begun.starts_with("--") && equals != std::string_view::npos) {
    // --name=VALUE is one word to the shell: what is offered has the name in front again.
    out.value = option_named(line.verb, out.begun.substr(0, equals));
    out.before = out.begun.substr(0, equals + 1);
    out.begun.remove_prefix(equals + 1);
    if (out.value != nullptr && out.value->type == ParamType::flag) out.value = nullptr;
  } else if (!line.options_ended && out.begun.starts_with('-')) {
    add_options(out.candidates, line.verb);
  } else if (line.verb != nullptr) {
    if (!line.help) out.value = line.next_value();
    out.no_option = !line.options_ended;
  } else if (!line.noun.empty()) {
    add_verbs(out.candidates, line.noun, line.first_word);
  } else {
    add_nouns(out.candidates);
  }
  if (out.value != nullptr) {
    for (const std::string_view choice : out.value->choices) out.candidates.push_back({std::string(choice), ""});
  }
  if (line.verb != nullptr) out.noun = line.verb->noun;
  out.first = line.first;
  out.directory = line.directory;
  return out;
}

std::string complete(std::span<const std::string_view> words) {
  Expected found = expected(words);
  std::string out;
  if (found.value != nullptr) {
    const bool reached = go_to(found.directory);
    switch (found.value->offer) {
      case Offer::records:
      case Offer::refs:
      case Offer::sessions:
      case Offer::operations:
        if (reached) add_from_store(found.candidates, found, found.begun);
        break;
      case Offer::moves:
        if (reached && add_moves(found.candidates, found)) break;
        [[fallthrough]];  // what it is about is not known: any of them
      case Offer::statuses:
        add_statuses(found.candidates, found);
        break;
      case Offer::branches:
        if (reached) add_branches(found.candidates);
        break;
      case Offer::files:
        // The shell offers its own: of where it is, and for a whole word.
        if (found.directory.empty() && found.before.empty()) out += ":files\n";
        break;
      case Offer::nothing:
        break;
    }
  }
  for (const Candidate& candidate : found.candidates) {
    if (!candidate.word.starts_with(found.begun) || !is_one_line(candidate.word)) continue;
    if (found.no_option && looks_like_option(candidate.word)) continue;
    out += cat(found.before, candidate.word, "\t", printable(candidate.meaning), "\n");
  }
  return out;
}

}  // namespace pawl::cli
