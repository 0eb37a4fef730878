// SPDX-License-Identifier: Apache-2.0
// Looks diagnostics up in the list that diag_list.inc makes.
#include "base/diag.hpp"

#include <algorithm>

namespace tw {
namespace {

constexpr Diagnostic kDiagnostics[] = {
#define TW_DIAG(number, meaning) {"TW-" #number, meaning},
#include "base/diag_list.inc"
#undef TW_DIAG
};

} // namespace

std::span<const Diagnostic> all_diagnostics() { return kDiagnostics; }

std::string_view diagnostic_meaning(std::string_view id) {
  const auto *found = std::ranges::lower_bound(kDiagnostics, id, {}, &Diagnostic::id);
  return found != std::end(kDiagnostics) && found->id == id ? found->meaning : std::string_view();
}

} // namespace tw
