#include "frontends/cli/parse.h"

#include <optional>

#include "base/text.h"
#include "frontends/cli/help.h"
#include "frontends/cli/suggest.h"

namespace pawl::cli {
namespace {

auto usage_error(std::string message, std::string hint) {
  return fail(ErrorCode::invalid_argument, std::move(message), std::move(hint));
}

bool is_common(const Param& param) {
  const auto common = common_params();
  return &param >= common.data() && &param < common.data() + common.size();
}

class Parser {
 public:
  explicit Parser(std::span<const std::string_view> words) : words_(words) {}

  Done run();
  CommandLine request;

 private:
  Done option(std::string_view word);
  Done letters(std::string_view word);
  Done take(const Param& param, std::string_view spelled, std::optional<std::string_view> attached);
  Done keep(const Param& param, std::string_view value);
  Done word(std::string_view word);
  Done value_word(std::string_view word);
  Done complete() const;

  template <class Wanted>
  const Param* find_param(Wanted wanted) const {
    if (request.verb != nullptr) {
      for (const Param& param : request.verb->params) {
        if (!param.positional && wanted(param)) return &param;
      }
    }
    for (const Param& param : common_params()) {
      if (wanted(param)) return &param;
    }
    return nullptr;
  }
  [[nodiscard]] std::string_view peek() const { return next_ < words_.size() ? words_[next_] : std::string_view(); }
  // The verb's usage as a hint.
  [[nodiscard]] std::string usage() const { return cat("usage: ", usage_line(*request.verb)); }

  std::span<const std::string_view> words_;
  std::size_t next_ = 0;
  std::size_t positionals_ = 0;
  bool options_ended_ = false;
  bool about_ = false;  // `pawl help …`: words name what help is wanted on
};

Done Parser::run() {
  while (next_ < words_.size()) {
    const std::string_view word_now = words_[next_++];
    if (!options_ended_ && word_now == "--") {
      options_ended_ = true;
    } else if (!options_ended_ && looks_like_option(word_now)) {
      PAWL_TRY(word_now.starts_with("--") ? option(word_now) : letters(word_now));
    } else {
      PAWL_TRY(word(word_now));
    }
  }
  return request.help || about_ ? done() : complete();
}

// --name, --name VALUE, --name=VALUE
Done Parser::option(std::string_view word) {
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(2, equals == std::string_view::npos ? equals : equals - 2);
  const std::string_view spelled = word.substr(0, equals);
  if (name == "version" && request.verb == nullptr && request.noun.empty()) {
    request.verb = find_verb("", "version");
    return done();
  }
  const Param* param = find_param([&](const Param& p) { return p.name == name; });
  if (param == nullptr) return tl::unexpected(unknown_option(request.verb, spelled));
  std::optional<std::string_view> attached;
  if (equals != std::string_view::npos) attached = word.substr(equals + 1);
  return take(*param, spelled, attached);
}

// -v, -vh, -C DIR, -CDIR
Done Parser::letters(std::string_view word) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    const Param* param = find_param([&](const Param& p) { return p.letter != 0 && p.letter == word[i]; });
    if (param == nullptr) return tl::unexpected(unknown_option(request.verb, word));
    std::optional<std::string_view> attached;
    if (param->type != ParamType::flag && i + 1 < word.size()) attached = word.substr(i + 1);
    PAWL_TRY(take(*param, cat("-", word[i]), attached));
    if (param->type != ParamType::flag) break;
  }
  return done();
}

Done Parser::take(const Param& param, std::string_view spelled, std::optional<std::string_view> attached) {
  if (param.type == ParamType::flag) {
    if (attached) return usage_error(cat(spelled, " takes no value"), {});
    return keep(param, {});
  }
  if (!attached) {
    if (next_ == words_.size()) {
      return usage_error(cat(spelled, " needs a value: ", param.value.empty() ? param.name : param.value),
                         request.verb == nullptr ? std::string() : usage());
    }
    attached = words_[next_++];
  }
  return keep(param, *attached);
}

Done Parser::keep(const Param& param, std::string_view value) {
  if (const Done good = check_value(param, value); !good) {
    Error error = good.error();
    // As it was typed; other ways in know it by its name alone.
    if (!param.positional && error.message.starts_with(cat(param.name, ":"))) error.message.insert(0, "--");
    return tl::unexpected(std::move(error));
  }
  const auto once = [&](std::string& place) -> Done {
    if (!place.empty()) return usage_error(cat("--", param.name, " is given twice"), {});
    place = value;
    return done();
  };
  if (!is_common(param)) {
    if (param.type == ParamType::flag) {
      request.arguments.set_flag(param.name);
      return done();
    }
    if (!param.many && request.arguments.flag(param.name)) {
      return usage_error(cat("--", param.name, " is given twice"), usage());
    }
    request.arguments.add(param.name, std::string(value));
    return done();
  }
  if (param.name == "json") request.json = true;
  if (param.name == "no-color") request.no_color = true;
  if (param.name == "verbose") request.flags.verbose = true;
  if (param.name == "help") request.help = true;
  if (param.name == "directory") return once(request.directory);
  if (param.name == "actor") return once(request.flags.actor);
  if (param.name == "reason") return once(request.flags.reason);
  if (param.name == "idempotency-key") return once(request.flags.idempotency_key);
  if (param.name == "at") {
    if (request.flags.at) return usage_error("--at is given twice", {});
    request.flags.at = parse_positive(value);
  }
  return done();
}

Done Parser::word(std::string_view word) {
  if (request.verb != nullptr) return about_ ? done() : value_word(word);  // help needs no more than the verb
  if (!request.noun.empty()) {
    // `pawl review finding add`: a verb may have two words.
    const std::string two = cat(word, " ", peek());
    request.verb = find_verb(request.noun, two);
    if (request.verb != nullptr) {
      ++next_;
      return done();
    }
    request.verb = find_verb(request.noun, word);
    if (request.verb == nullptr) return tl::unexpected(unknown_verb(request.noun, word));
    return done();
  }
  if (word == "help") {
    request.help = about_ = true;
    return done();
  }
  request.verb = find_verb("", word);
  if (request.verb != nullptr) return done();
  if (!is_noun(word)) return tl::unexpected(unknown_command(word, peek()));
  request.noun = word;
  return done();
}

Done Parser::value_word(std::string_view word) {
  std::size_t place = 0;
  for (const Param& param : request.verb->params) {
    if (!param.positional) continue;
    if (place++ < positionals_ && !param.many) continue;
    PAWL_TRY(check_value(param, word));
    request.arguments.add(param.name, std::string(word));
    ++positionals_;
    return done();
  }
  return usage_error(cat("“", printable(word.substr(0, 80)), "” is one word too many"), usage());
}

// All words are read: is something missing, or at odds with the verb?
Done Parser::complete() const {
  if (request.verb == nullptr) {
    if (request.noun.empty()) return done();
    return usage_error(cat("`pawl ", request.noun, "` needs to know what: ", join_or(verbs_of(request.noun))),
                       cat("`pawl help ", request.noun, "` explains them"));
  }
  for (const Param& param : request.verb->params) {
    if (!param.required || request.arguments.flag(param.name)) continue;
    const std::string name =
        param.positional ? std::string(param.value.empty() ? param.name : param.value) : cat("--", param.name);
    return usage_error(cat("`pawl ", full_name(*request.verb), "` needs ", name, ": ", param.summary), usage());
  }
  if (request.flags.at && !request.verb->read_only) {
    return usage_error(cat("--at is for commands that only read, and `pawl ", full_name(*request.verb), "` does not"),
                       "leave it away to act on what is there now");
  }
  return done();
}

}  // namespace

bool looks_like_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9');
}

bool mentions(std::span<const std::string_view> words, std::string_view flag) {
  for (const std::string_view word : words) {
    if (word == "--") return false;
    if (word == flag) return true;
  }
  return false;
}

Result<CommandLine> parse(std::span<const std::string_view> words) {
  Parser parser(words);
  const Done parsed = parser.run();
  if (parsed) return std::move(parser.request);
  // Who asks for help on a verb gets it, whatever else the line lacks.
  if (parser.request.verb != nullptr && (mentions(words, "--help") || mentions(words, "-h"))) {
    parser.request.help = true;
    return std::move(parser.request);
  }
  return tl::unexpected(parsed.error());
}

}  // namespace pawl::cli
