// SPDX-License-Identifier: Apache-2.0
// The reference of all ops that put the elements of operand 0 elsewhere (ops/rearrange.hpp).
#pragma once

#include <span>

#include "kernels/kernel_args.hpp"

namespace tw::kernels::ref {

// Copies, or writes zeros where the elements do not lie in the operand's tile (of a factor that picks).
Status rearrange(const KernelArgs &args, std::span<const ops::ElementRead> reads);

} // namespace tw::kernels::ref
