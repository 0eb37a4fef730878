// SPDX-License-Identifier: Apache-2.0
// A program whose steps are as many as one likes: products, each of the one before.
#pragma once

#include "unit/runtime/step_program.hpp"

namespace tw::test {

inline std::shared_ptr<const graph::Graph> products_in_line(int count) {
  std::string text = "func.func @main(%v0: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {\n";
  for (int i = 0; i < count; ++i)
    text += fmt::format("  %v{} = stablehlo.dot_general %v{}, %w, contracting_dims = [1] x [0] : "
                        "(tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>\n",
                        i + 1, i);
  return import_of(text + fmt::format("  return %v{} : tensor<4x4xf32>\n}}\n", count));
}

} // namespace tw::test
