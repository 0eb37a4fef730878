// SPDX-License-Identifier: Apache-2.0
// Functions with the bits of this host, as source for devices: the same roundings in the same order. There is
// source for functions of f32, and through it of narrower floats, that the host computes by polynomials. What
// it leaves to the C library has other bits on a device.
#pragma once

#include <vector>

#include "base/status.hpp"
#include "kernels/generated/group.hpp"
#include "ops/expression.hpp"

namespace tw::kernels::generated {

// The same expression, whose functions have the bits of this host. An error names one that cannot.
Result<ops::Expression> with_host_bits(const ops::Expression &expression);

// The same of all nodes.
Status take_host_bits(std::vector<GroupNode> &nodes);

} // namespace tw::kernels::generated
