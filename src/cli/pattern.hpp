// SPDX-License-Identifier: Apache-2.0
// Patterns over names.
#pragma once

#include <string_view>

namespace tw::cli {

// `*` stands for any text, `?` for one character; everything else for itself (names hold brackets and
// quotes).
bool matches(std::string_view pattern, std::string_view name);

} // namespace tw::cli
