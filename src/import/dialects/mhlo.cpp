// SPDX-License-Identifier: Apache-2.0
// MHLO: StableHLO under its older name, with some of CHLO's functions.
#include <fmt/format.h>

#include "import/dialect.hpp"
#include "ops/registry.hpp"

namespace tw::import::mhlo_dialect {

namespace {

std::string name_elsewhere(std::string_view written) {
  static constexpr std::string_view kPrefix = "mhlo.";
  if (!written.starts_with(kPrefix))
    return {};
  const std::string_view op = written.substr(kPrefix.size());
  std::string name = fmt::format("stablehlo.{}", op), chlo = fmt::format("chlo.{}", op);
  return !ops::find_op(name) && ops::find_op(chlo) ? chlo : name;
}

} // namespace

Dialect dialect() { return {.rename = name_elsewhere}; }

} // namespace tw::import::mhlo_dialect
