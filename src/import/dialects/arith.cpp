// SPDX-License-Identifier: Apache-2.0
// arith: constants, which MLIR's own passes leave among ops of other dialects.
#include "import/dialect.hpp"

namespace tw::import {

namespace {

constexpr Alias kAliases[] = {{"arith.constant", "stablehlo.constant"}};

} // namespace

Dialect arith_dialect() { return {.aliases = kAliases}; }

} // namespace tw::import
