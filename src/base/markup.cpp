// SPDX-License-Identifier: Apache-2.0
// Characters that mean something to HTML and XML become entities.
#include "base/markup.hpp"

namespace tw {

std::string as_markup(std::string_view text) {
  std::string made;
  for (const char c : text)
    switch (c) {
    case '&': made += "&amp;"; break;
    case '<': made += "&lt;"; break;
    case '>': made += "&gt;"; break;
    case '"': made += "&quot;"; break;
    case '\'': made += "&#39;"; break;
    default: made += c;
    }
  return made;
}

} // namespace tw
