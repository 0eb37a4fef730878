// SPDX-License-Identifier: Apache-2.0
// Requests of the runtime as generated source: single ops, fused groups, copies, what loops accumulate, and
// chains of these.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/cuda/compiled.hpp"
#include "device/kind.hpp"
#include "kernels/chain.hpp"
#include "kernels/fused.hpp"
#include "kernels/generated/box_moves.hpp"
#include "kernels/generated/group.hpp"

namespace tw::device::cuda {

using MadeKernel = Result<std::unique_ptr<CompiledKernel>>; // or why the host has to do it

// Single ops, by what they are. An error has the reason, TW-260.
MadeKernel elementwise_kernel(const kernels::Request &request);
MadeKernel reduction_kernel(const kernels::Request &request);
MadeKernel number_kernel(const kernels::Request &request); // iota, random numbers and bits
MadeKernel map_kernel(const kernels::Request &request);
MadeKernel window_kernel(const kernels::Request &request);
MadeKernel select_kernel(const kernels::Request &request); // select_and_scatter
MadeKernel move_kernel(const kernels::Request &request); // rearranged, put together, padded, unchanged, halos
MadeKernel constant_kernel(const kernels::Request &request);
MadeKernel dynamic_kernel(const kernels::Request &request); // slices and updates whose start is read
MadeKernel indexed_kernel(const kernels::Request &request); // gather and scatter

std::unique_ptr<kernels::Kernel> bind_fused(const kernels::FusedRequest &request);
std::unique_ptr<kernels::Kernel> bind_chain(kernels::ChainRequest request);
std::unique_ptr<kernels::Kernel> bind_row_chain(const kernels::RowChainRequest &request);
std::unique_ptr<kernels::Kernel> bind_copies(std::span<const int64_t> bytes);
std::unique_ptr<kernels::Kernel> bind_accumulation(const QueueKind::Accumulation &wanted);

// Any of the single ops above; a refusal is kept for why_on_host.
kernels::Entry generated_entry();
std::string why_on_host(std::string_view op);
void refused(std::string_view op, const Error &error);

// A node of a fused group: what an op computes of its arguments, or how several devices' values combine.
Result<kernels::generated::GroupNode> group_node(const kernels::FusedNode &node);
// A part that moves boxes of its operands into its result, by a table that it adds to the plan; for arrays
// that begin at multiples of `alignment`.
Part box_part(KernelPlan &plan, const std::vector<kernels::BoxMove> &moves,
              std::vector<Place> operands, Place result, int64_t element_size, int64_t alignment);
// A kernel of one source, whose operands and results are those of the request.
MadeKernel one_part(std::string name, kernels::generated::Source source, const kernels::Request &request,
                    std::vector<int64_t> numbers = {});
// Operands 0, 1, .. and results 0, 1, .. as they are.
std::vector<Place> operand_places(size_t count);
std::vector<Place> result_places(size_t count);
Error no_kernel(std::string why);

} // namespace tw::device::cuda
