#include "practice/graphql_text.h"

#include <cctype>
#include <charconv>

#include "base/text.h"
#include "practice/refusal.h"

namespace pawl::practice {
namespace {

constexpr int kMaxDepth = 100;

struct Lexeme {
  enum class Kind { end, name, number, text, sign } kind = Kind::end;
  std::string value;  // of a text: what it stands for
  Position at;
};

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_name(char c) { return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Document> document() {
    PAWL_TRY(next());
    Document out;
    while (now_.kind != Lexeme::Kind::end) {
      if (is("fragment")) {
        PAWL_TRY(fragment(out));
      } else {
        PAWL_TRY(operation(out));
      }
    }
    if (out.operations.empty())
      return fail(ErrorCode::invalid_argument, "A query attribute must be specified and must be a string.");
    return out;
  }

 private:
  [[nodiscard]] bool is(std::string_view value) const { return now_.kind != Lexeme::Kind::text && now_.value == value; }
  [[nodiscard]] tl::unexpected<Error> unexpected_here(std::string_view wanted) const {
    const std::string met = now_.kind == Lexeme::Kind::end ? std::string("end of file") : cat("\"", now_.value, "\"");
    return fail(ErrorCode::invalid_argument,
                cat("Expected ", wanted, ", actual: ", met, " at [", now_.at.line, ", ", now_.at.column, "]"));
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (c == '\n') {
        ++line_;
        line_start_ = ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == ',') {
        ++at_;
      } else {
        return;
      }
    }
  }

  Done next() {
    skip_blanks();
    now_ = {Lexeme::Kind::end, "", {line_, at_ - line_start_ + 1}};
    if (at_ >= text_.size()) return done();
    const std::size_t from = at_;
    const char c = text_[at_];
    if (starts_name(c)) {
      while (at_ < text_.size() && in_name(text_[at_])) ++at_;
      now_.kind = Lexeme::Kind::name;
    } else if (c == '-' || std::isdigit(static_cast<unsigned char>(c)) != 0) {
      ++at_;
      while (at_ < text_.size() && (in_name(text_[at_]) || text_[at_] == '.' || text_[at_] == '+' || text_[at_] == '-'))
        ++at_;
      now_.kind = Lexeme::Kind::number;
    } else if (c == '"') {
      return text();
    } else if (text_.substr(at_, 3) == "...") {
      at_ += 3;
      now_.kind = Lexeme::Kind::sign;
    } else {
      ++at_;
      now_.kind = Lexeme::Kind::sign;
    }
    now_.value = text_.substr(from, at_ - from);
    return done();
  }

  // A JSON string has the same escapes; a block string has none but \""".
  Done text() {
    now_.kind = Lexeme::Kind::text;
    if (text_.substr(at_, 3) == "\"\"\"") {
      const std::size_t end = text_.find("\"\"\"", at_ + 3);
      if (end == std::string_view::npos) return unexpected_here("the end of a text");
      now_.value = text_.substr(at_ + 3, end - at_ - 3);
      at_ = end + 3;
      return done();
    }
    const std::size_t from = at_++;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size() || text_[at_] != '"') return unexpected_here("the end of a text");
    ++at_;
    const auto value = parse_json(text_.substr(from, at_ - from));
    if (!value || !value->is_string()) return unexpected_here("a text");
    now_.value = value->get<std::string>();
    return done();
  }

  Done take(std::string_view sign) {
    if (!is(sign)) return unexpected_here(cat("\"", sign, "\""));
    return next();
  }

  Result<std::string> name() {
    if (now_.kind != Lexeme::Kind::name) return unexpected_here("a name");
    std::string found = now_.value;
    PAWL_TRY(next());
    return found;
  }

  Done operation(Document& out) {
    Operation made;
    if (!is("{")) {
      if (!is("query") && !is("mutation") && !is("subscription")) return unexpected_here("an operation");
      made.kind = now_.value;
      PAWL_TRY(next());
      if (now_.kind == Lexeme::Kind::name) {
        PAWL_ASSIGN(made.name, name());
      }
      if (is("(")) PAWL_TRY(variables(made));
      PAWL_TRY(directives());
    }
    PAWL_ASSIGN(made.selections, selections(0));
    out.operations.push_back(std::move(made));
    return done();
  }

  Done variables(Operation& out) {
    PAWL_TRY(take("("));
    while (!is(")")) {
      PAWL_TRY(take("$"));
      Variable made;
      PAWL_ASSIGN(made.name, name());
      PAWL_TRY(take(":"));
      // A type is a name in any number of brackets; only whether it may be left out matters here.
      while (now_.kind == Lexeme::Kind::name || is("[") || is("]") || is("!")) {
        made.required = is("!");
        PAWL_TRY(next());
      }
      if (is("=")) {
        PAWL_TRY(next());
        PAWL_ASSIGN(made.fallback, input(0));
        made.required = false;
      }
      PAWL_TRY(directives());
      if (now_.kind == Lexeme::Kind::end) return unexpected_here("\")\"");
      out.variables.push_back(std::move(made));
    }
    return next();
  }

  Done fragment(Document& out) {
    PAWL_TRY(next());
    Fragment made;
    made.at = now_.at;
    PAWL_ASSIGN(const std::string called, name());
    PAWL_TRY(take("on"));
    PAWL_ASSIGN(made.type, name());
    PAWL_TRY(directives());
    PAWL_ASSIGN(made.selections, selections(0));
    out.fragments.emplace(called, std::move(made));
    return done();
  }

  Result<std::vector<Directive>> directives() {
    std::vector<Directive> found;
    while (is("@")) {
      PAWL_TRY(next());
      Directive made;
      PAWL_ASSIGN(made.name, name());
      if (is("(")) {
        PAWL_ASSIGN(made.arguments, arguments(0));
      }
      found.push_back(std::move(made));
    }
    return found;
  }

  Result<std::vector<Selection>> selections(int depth) {
    if (depth > kMaxDepth) return fail(ErrorCode::invalid_argument, "Query is nested too deeply");
    PAWL_TRY(take("{"));
    std::vector<Selection> found;
    while (!is("}")) {
      PAWL_ASSIGN(Selection one, selection(depth));
      found.push_back(std::move(one));
    }
    if (found.empty()) return unexpected_here("a field");
    PAWL_TRY(next());
    return found;
  }

  Result<Selection> selection(int depth) {
    Selection made;
    made.at = now_.at;
    if (is("...")) {
      PAWL_TRY(next());
      const bool typed = is("on");
      made.kind = typed || is("@") || is("{") ? Selection::Kind::inlined : Selection::Kind::spread;
      if (typed) PAWL_TRY(next());
      if (typed || made.kind == Selection::Kind::spread) {
        PAWL_ASSIGN(made.name, name());
      }
    } else {
      PAWL_ASSIGN(made.name, name());
      made.alias = made.name;
      if (is(":")) {
        PAWL_TRY(next());
        PAWL_ASSIGN(made.name, name());
      }
      if (is("(")) {
        PAWL_ASSIGN(made.arguments, arguments(0));
      }
    }
    PAWL_ASSIGN(made.directives, directives());
    if (is("{") || made.kind == Selection::Kind::inlined) {
      PAWL_ASSIGN(made.selections, selections(depth + 1));
    }
    return made;
  }

  Result<Inputs> arguments(int depth) {
    const std::string_view end = is("(") ? ")" : "}";
    PAWL_TRY(next());
    Inputs found;
    while (!is(end)) {
      PAWL_ASSIGN(std::string called, name());
      PAWL_TRY(take(":"));
      PAWL_ASSIGN(Input value, input(depth + 1));
      found.emplace_back(std::move(called), std::move(value));
    }
    PAWL_TRY(next());
    return found;
  }

  Result<Input> input(int depth) {
    if (depth > kMaxDepth) return fail(ErrorCode::invalid_argument, "Query is nested too deeply");
    Input made;
    if (is("$")) {
      PAWL_TRY(next());
      made.kind = Input::Kind::variable;
      PAWL_ASSIGN(made.name, name());
      return made;
    }
    if (is("[")) {
      PAWL_TRY(next());
      made.kind = Input::Kind::list;
      while (!is("]")) {
        PAWL_ASSIGN(Input item, input(depth + 1));
        made.items.push_back(std::move(item));
      }
      PAWL_TRY(next());
      return made;
    }
    if (is("{")) {
      made.kind = Input::Kind::object;
      PAWL_ASSIGN(made.members, arguments(depth));
      return made;
    }
    if (now_.kind == Lexeme::Kind::text) {
      made.literal = now_.value;
    } else if (now_.kind == Lexeme::Kind::number) {
      const auto value = parse_json(now_.value);
      if (!value || !value->is_number()) return unexpected_here("a number");
      made.literal = *value;
    } else if (now_.kind == Lexeme::Kind::name) {
      made.literal = now_.value == "true"    ? Json(true)
                     : now_.value == "false" ? Json(false)
                     : now_.value == "null"  ? Json()
                                             : Json(now_.value);
    } else {
      return unexpected_here("a value");
    }
    PAWL_TRY(next());
    return made;
  }

  std::string_view text_;
  std::size_t at_ = 0, line_ = 1, line_start_ = 0;
  Lexeme now_;
};

}  // namespace

Result<Document> parse_graphql(std::string_view text) { return Parser(text).document(); }

}  // namespace pawl::practice
