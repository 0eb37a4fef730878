// SPDX-License-Identifier: Apache-2.0
// Products over more of k than oneDNN sums in one order here: it sums blocks of k, whose sums are added in
// f32, one after the other.
#pragma once

#include <memory>

#include "kernels/dot_layout.hpp"
#include "kernels/onednn/proven.hpp"

namespace tw::kernels::onednn {

// `blocks` is what is known of products of these operands into f32. An element's bits follow from its row,
// its column and k. Null where oneDNN has no such products.
std::unique_ptr<Kernel> bind_blocks(const DotLayout &dot, graph::DType operand, graph::DType result,
                                    const Proven &blocks);

} // namespace tw::kernels::onednn
