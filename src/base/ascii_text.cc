#include "base/ascii_text.h"

#include <algorithm>
#include <array>

namespace pawl {
namespace {

struct Sign {
  std::string_view sign, plain;
};
constexpr std::array kSigns = {Sign{"“", "\""}, Sign{"”", "\""}, Sign{"‘", "'"}, Sign{"’", "'"}, Sign{"…", "..."},
                               Sign{"→", "->"}, Sign{"—", "-"},  Sign{"–", "-"}, Sign{"·", "*"}, Sign{"×", "x"},
                               Sign{"≥", ">="}, Sign{"█", "#"},  Sign{"░", "-"}};

}  // namespace

std::string in_ascii(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto found =
        static_cast<unsigned char>(text.front()) < 0x80
            ? kSigns.end()
            : std::find_if(kSigns.begin(), kSigns.end(), [&](const Sign& one) { return text.starts_with(one.sign); });
    if (found == kSigns.end()) {
      out += text.front();
      text.remove_prefix(1);
    } else {
      out += found->plain;
      text.remove_prefix(found->sign.size());
    }
  }
  return out;
}

}  // namespace pawl
