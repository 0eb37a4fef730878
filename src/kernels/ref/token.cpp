// SPDX-License-Identifier: Apache-2.0
// Tokens, which hold nothing.
#include "kernels/ref/references.hpp"

namespace tw::kernels::ref::token_reference {
namespace {

Status nothing(const KernelArgs &) { return {}; }

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.after_all", nothing},
      {"stablehlo.create_token", nothing},
  };
  return all;
}

} // namespace tw::kernels::ref::token_reference
