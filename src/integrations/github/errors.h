// GitHub's refusals in pawl's words: which call, what was wrong, what to do.
#pragma once

#include <string>

#include "base/json.h"
#include "base/result.h"
#include "integrations/github/http.h"
#include "integrations/github/patience.h"

namespace pawl::github {

// An answer that is not the one asked for. `writes`: whether something may have been done all the same.
[[nodiscard]] Error error_of(const std::string& call, const HttpResponse& answer, bool writes);
// No answer at all.
[[nodiscard]] Error broken(const std::string& call, const Broken& broken, bool may_have_happened);
[[nodiscard]] Error out_of_patience(const std::string& call, const Judgement& judgement, std::int64_t now_ms);
// The process is to end.
[[nodiscard]] Error was_stopped(const std::string& call, bool may_have_happened);
[[nodiscard]] Error graphql_error(const std::string& call, const Json& errors);

// A page of HTML with status 200 (a proxy, a captive portal) is no answer.
[[nodiscard]] Done must_be_json(const std::string& call, const HttpResponse& answer);
[[nodiscard]] Result<Json> read_answer(const std::string& call, std::string_view body);

}  // namespace pawl::github
