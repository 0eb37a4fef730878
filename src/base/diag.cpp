// SPDX-License-Identifier: Apache-2.0
// The diagnostics that diag_list.inc lists.
#include "base/diag.hpp"

namespace tw {
namespace {

constexpr Diagnostic kDiagnostics[] = {
#define TW_DIAG(number, meaning, advice) {"TW-" #number, meaning, advice},
#include "base/diag_list.inc"
#undef TW_DIAG
};

} // namespace

std::span<const Diagnostic> all_diagnostics() { return kDiagnostics; }

} // namespace tw
