// SPDX-License-Identifier: Apache-2.0
// A product of too few rows to be cut by them, in slices of columns that different cores take.
#pragma once

#include <memory>

#include "kernels/dot_layout.hpp"

namespace tw::kernels::onednn {

// One product of dense matrices, of f32. Null where it makes no more than one slice. `packs`: as in Proven.
std::unique_ptr<Kernel> bind_column_slices(const DotLayout &dot, bool packs);

} // namespace tw::kernels::onednn
