// Which setting or section somebody meant who wrote one that does not exist.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pawl {

// `key` is the whole name, with its sections in front: "story.gatez", "stroy". `as_section` when it was written as one:
// [stroy], or stroy.gates = …. The answer says what to write instead.
// `tables` are those of the keys that are sections of their own: [story.checks].
[[nodiscard]] std::string setting_meant(std::string_view key, bool as_section, std::span<const std::string_view> keys,
                                        std::span<const std::string_view> tables);

}  // namespace pawl
