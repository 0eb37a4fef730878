// SPDX-License-Identifier: Apache-2.0
// Products of a few rows by a large matrix, which take as long as reading that matrix: it is read once, where
// it lies. oneDNN would bring it into its own order first. The bits are those of oneDNN's products of more
// rows, of which these may be tiles.
#pragma once

#include <memory>

#include "kernels/dot_layout.hpp"

namespace tw::kernels::onednn {

// Of f32. Null: oneDNN is no slower. `idle_cores`: as in a request.
std::unique_ptr<Kernel> bind_few_rows(const DotLayout &dot, bool idle_cores);

} // namespace tw::kernels::onednn
