// SPDX-License-Identifier: Apache-2.0
// Texts inside HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace tw {

// So that it is read as text, between tags and in quotes.
std::string as_markup(std::string_view text);

} // namespace tw
