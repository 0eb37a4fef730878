// SPDX-License-Identifier: Apache-2.0
// oneDNN's convolutions as kernels. They are faster than ours, but an element's bits depend on the tile that
// it is computed in, so the library does not use them: a partitioned run would differ from the whole one.
#pragma once

#include <memory>

#include "kernels/kernel.hpp"

namespace tw::bench {

// Null where oneDNN has no optimised implementation.
std::unique_ptr<kernels::Kernel> onednn_convolution(const kernels::Request &r);

} // namespace tw::bench
