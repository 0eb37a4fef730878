// SPDX-License-Identifier: Apache-2.0
// The list of diagnostics: what each stable "TW-nnn" means, and what to do about it.
#pragma once

#include <span>

namespace tw {

struct Diagnostic {
  const char *id;      // "TW-001"
  const char *meaning; // one line, no full stop
  const char *advice;  // one to three sentences
};

std::span<const Diagnostic> all_diagnostics(); // sorted by id

} // namespace tw
