#include "integrations/github/read_json.h"

#include <simdjson.h>

#include <string_view>

#include "base/text.h"

namespace pawl::github {
namespace {

namespace dom = simdjson::dom;  // chooses by the machine it runs on; the on-demand one by the machine it was built for
using simdjson::error_code;

// A text, or nothing where there is null.
error_code into(const dom::element& value, std::string& out) {
  if (value.is_null()) return simdjson::SUCCESS;
  std::string_view text;
  const error_code error = value.get_string().get(text);
  if (!error) out = text;
  return error;
}

template <class Number>
error_code into_number(const dom::element& value, Number& out) {
  if (value.is_null()) return simdjson::SUCCESS;
  std::uint64_t number = 0;  // all 64 bits of an id
  const error_code error = value.get_uint64().get(number);
  if (!error) out = static_cast<Number>(number);
  return error;
}

// {"login": …}; an account that was deleted is null.
error_code into_login(const dom::element& value, std::string& out) {
  if (value.is_null()) return simdjson::SUCCESS;
  std::string_view login;
  const error_code error = value["login"].get_string().get(login);
  if (!error) out = login;
  return error;
}

error_code read_field(std::string_view key, const dom::element& value, Comment& comment) {
  if (key == "id") return into_number(value, comment.id);
  if (key == "body") return into(value, comment.body);
  if (key == "user") return into_login(value, comment.author);
  if (key == "author_association") return into(value, comment.association);
  if (key == "created_at") return into(value, comment.created_at);
  if (key == "updated_at") return into(value, comment.updated_at);
  if (key == "html_url") return into(value, comment.url);
  return simdjson::SUCCESS;
}

error_code read_field(std::string_view key, const dom::element& value, ReviewComment& comment) {
  if (key == "pull_request_review_id") return into_number(value, comment.review);
  if (key == "in_reply_to_id") return into_number(value, comment.in_reply_to);
  if (key == "path") return into(value, comment.path);
  if (key == "line") return into_number(value, comment.line);
  if (key == "side") return into(value, comment.side);
  if (key == "commit_id") return into(value, comment.commit);
  return read_field(key, value, static_cast<Comment&>(comment));
}

error_code read_field(std::string_view key, const dom::element& value, Review& review) {
  if (key == "id") return into_number(value, review.id);
  if (key == "body") return into(value, review.body);
  if (key == "user") return into_login(value, review.author);
  if (key == "author_association") return into(value, review.association);
  if (key == "state") return into(value, review.state);
  if (key == "submitted_at") return into(value, review.submitted_at);
  if (key == "commit_id") return into(value, review.commit);
  if (key == "html_url") return into(value, review.url);
  return simdjson::SUCCESS;
}

error_code read_field(std::string_view key, const dom::element& value, ChangedFile& file) {
  if (key == "filename") return into(value, file.path);
  if (key == "previous_filename") return into(value, file.previous_path);
  if (key == "status") return into(value, file.status);
  if (key == "patch") return into(value, file.patch);
  if (key == "sha") return into(value, file.blob);
  if (key == "changes") return value.get_int64().get(file.changes);
  if (key == "contents_url") {
    constexpr std::string_view kOf = "?ref=";
    std::string url;
    if (const error_code error = into(value, url); error) return error;
    if (const std::size_t at = url.rfind(kOf); at != std::string::npos) file.commit = url.substr(at + kOf.size());
  }
  return simdjson::SUCCESS;
}

// Without its name an element cannot be told from another.
template <class Element>
bool is_whole(const Element& element) {
  if constexpr (requires { element.id; })
    return element.id != 0;
  else
    return !element.path.empty();
}

template <class Element>
error_code read_all(dom::parser& parser, std::string& page, std::vector<Element>& out) {
  const std::size_t size = page.size();
  page.reserve(size + simdjson::SIMDJSON_PADDING);
  dom::array array;
  if (const error_code error = parser.parse(page.data(), size, false).get_array().get(array); error) return error;
  for (const dom::element element : array) {
    dom::object object;
    if (const error_code error = element.get_object().get(object); error) return error;
    Element& made = out.emplace_back();
    for (const auto& [key, value] : object) {
      if (const error_code error = read_field(key, value, made); error) return error;
    }
    if (!is_whole(made)) return simdjson::NO_SUCH_FIELD;
  }
  return simdjson::SUCCESS;
}

template <class Element>
Done read_page(std::string page, std::vector<Element>& out) {
  static thread_local dom::parser parser;  // its buffers are as large as the largest page, and made once
  const error_code error = read_all(parser, page, out);
  if (error == simdjson::SUCCESS) return done();
  return fail(ErrorCode::unavailable, cat("GitHub's answer cannot be read: ", simdjson::error_message(error)),
              "try again later");
}

}  // namespace

Done read_comments(std::string page, std::vector<Comment>& out) { return read_page(std::move(page), out); }
Done read_review_comments(std::string page, std::vector<ReviewComment>& out) { return read_page(std::move(page), out); }
Done read_reviews(std::string page, std::vector<Review>& out) { return read_page(std::move(page), out); }
Done read_files(std::string page, std::vector<ChangedFile>& out) { return read_page(std::move(page), out); }

bool has_elements(std::string_view page, std::size_t count) {
  dom::parser parser;
  dom::array array;
  return parser.parse(page.data(), page.size()).get_array().get(array) == simdjson::SUCCESS && array.size() == count;
}

}  // namespace pawl::github
