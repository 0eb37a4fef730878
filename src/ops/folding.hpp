// SPDX-License-Identifier: Apache-2.0
// What ops make of arrays that are known before a program runs: literals that decide a shape, numbers of
// devices, every way in which the arguments of a combiner may compare. The folders above `kernels` see this
// much of what computes; kernels/ref/folding.cpp defines it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "ops/op_def.hpp"

namespace tw::ops {

using ArrayBytes = std::span<const std::byte>; // dense, row-major

// The one result of an op without regions, from whole operands; nothing where nobody here computes the op.
Result<std::optional<std::vector<std::byte>>> fold(const OpDef &def, const OpView &op,
                                                   std::span<const ArrayBytes> operands);

// What a region of ops on scalars gives for n elements of each of its arguments. An error names the first op
// that does not work on scalars alone.
Result<std::vector<std::vector<std::byte>>> fold_region(const graph::Graph &graph, graph::RegionId region,
                                                        std::span<const ArrayBytes> arguments, size_t n);

} // namespace tw::ops
