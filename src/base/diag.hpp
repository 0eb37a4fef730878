// SPDX-License-Identifier: Apache-2.0
// The list of diagnostics: what each stable "TW-nnn" means.
#pragma once

#include <span>
#include <string_view>

namespace tw {

struct Diagnostic {
  std::string_view id;      // "TW-001"
  std::string_view meaning; // one line, no full stop
};

std::span<const Diagnostic> all_diagnostics(); // sorted by id

// The meaning of an id, empty for one that is not listed.
std::string_view diagnostic_meaning(std::string_view id);

} // namespace tw
