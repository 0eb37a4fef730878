// SPDX-License-Identifier: Apache-2.0
// Steps that are no single op: fused groups, what loops carry and accumulate.
#include <algorithm>
#include <utility>

#include "device/cuda/generated.hpp"
#include "kernels/generated/group.hpp"
#include "kernels/generated/host_functions.hpp"
#include "ops/element.hpp"
#include "ops/registry.hpp"

namespace tw::device::cuda {
namespace {

namespace generated = kernels::generated;
using graph::DType;
using kernels::BoxMove;

// Of which bits are combined by or: `pick`.
std::optional<DType> bits_of(DType dtype) {
  if (graph::is_int(dtype) || dtype == DType::i1)
    return dtype;
  if (graph::is_complex(dtype) || ops::element_bits(dtype) != 8 * static_cast<int>(graph::byte_size(dtype)))
    return std::nullopt;
  switch (graph::byte_size(dtype)) {
  case 1: return DType::u8;
  case 2: return DType::u16;
  case 4: return DType::u32;
  default: return DType::u64;
  }
}

Result<ops::Expression> combined(sharding::Reduction kind, DType dtype, size_t parts, bool from_zero) {
  if (kind != sharding::Reduction::pick)
    return generated::combination(kind, dtype, parts, from_zero);
  const auto bits = bits_of(dtype);
  if (!bits)
    return tl::unexpected(no_kernel("bits of its type are not combined there"));
  ops::ScalarBuilder b(std::vector<DType>(parts, dtype), dtype);
  const auto part = [&](uint32_t p) {
    return *bits == dtype ? b.operand(p) : ops::recast(b.operand(p), *bits);
  };
  ops::Scalar all = part(0);
  for (uint32_t p = 1; p < parts; ++p)
    all = all | part(p);
  return std::move(b).result(*bits == dtype ? all : ops::recast(all, dtype));
}

MadeKernel fused_kernel(const kernels::FusedRequest &r) {
  generated::Group group{r.extent, {}, {}, r.outputs};
  for (const kernels::FusedInput &input : r.inputs)
    group.inputs.push_back({input.dtype, input.strides});
  bool over_devices = false;
  for (const kernels::FusedNode &node : r.nodes) {
    over_devices = over_devices || node.combine != nullptr;
    TW_ASSIGN(auto made, group_node(node));
    group.nodes.push_back(std::move(made));
  }
  if (r.same_bits)
    TW_TRY(generated::take_host_bits(group.nodes));
  TW_ASSIGN(auto source, generated::group_source(group, kEntry));
  KernelPlan plan{over_devices ? "cuda:fused over devices" : "cuda:fused", {}};
  plan.parts.push_back({std::move(source), operand_places(r.inputs.size()), result_places(r.outputs.size())});
  return CompiledKernel::make(std::move(plan));
}

class Copies final : public GpuKernel {
public:
  explicit Copies(std::span<const int64_t> bytes) : bytes_(bytes.begin(), bytes.end()) {}
  const char *name() const override { return "cuda:copy"; }
  Status enqueue(CudaQueue &queue, std::span<const void *const> operands,
                 std::span<void *const> results) const override {
    for (size_t i = 0; i < bytes_.size(); ++i)
      if (operands[i] != results[i] && bytes_[i] > 0)
        TW_TRY(queue.copy(results[i], operands[i], static_cast<size_t>(bytes_[i])));
    return {};
  }

private:
  std::vector<int64_t> bytes_;
};

MadeKernel accumulation_kernel(const QueueKind::Accumulation &a) {
  const auto size = static_cast<int64_t>(graph::byte_size(a.dtype));
  const int64_t bytes = kernels::aligned(a.part.elements() * size);
  const bool is_whole = a.part == a.whole;
  // The part in the result, and the part by itself.
  BoxMove there{
      0, a.part.extent, 0, 0, ops::dense_strides(a.part.extent), ops::dense_strides(a.whole.extent)};
  for (size_t d = 0; d < a.part.rank(); ++d)
    there.result_offset += (a.part.offset[d] - a.whole.offset[d]) * there.result_strides[d];
  BoxMove back{0, a.part.extent, there.result_offset, 0, there.result_strides, there.source_strides};
  const Place result{Place::Where::result, 0}, sum{Place::Where::scratch, 0},
      old{Place::Where::scratch, bytes};
  KernelPlan plan{"cuda:accumulate", {}};
  for (auto *parts : {&plan.parts, &plan.anywhere}) {
    const int64_t alignment = parts == &plan.parts ? 16 : size;
    const size_t terms = a.operands + (a.onto ? 1 : 0);
    if (!a.kind || terms == 1) {
      parts->push_back(box_part(plan, {there}, operand_places(1), result, size, alignment));
      continue;
    }
    if (a.onto && !is_whole)
      parts->push_back(box_part(plan, {back}, {result}, old, size, alignment));
    TW_ASSIGN(auto value, combined(*a.kind, a.dtype, terms, false));
    generated::Group group{{a.part.elements()}, {}, {}, {0}};
    std::vector<uint32_t> args;
    std::vector<Place> places;
    if (a.onto)
      places.push_back(is_whole ? result : old);
    for (const Place &place : operand_places(a.operands))
      places.push_back(place);
    for (uint32_t i = 0; i < terms; ++i) {
      group.inputs.push_back({a.dtype, {1}});
      args.push_back(i);
    }
    group.nodes.push_back({std::move(value), std::move(args)});
    TW_ASSIGN(auto source, generated::group_source(group, kEntry));
    parts->push_back({std::move(source), std::move(places), {is_whole ? result : sum}});
    if (!is_whole)
      parts->push_back(box_part(plan, {there}, {sum}, result, size, alignment));
  }
  plan.scratch_bytes = 2 * bytes;
  return CompiledKernel::make(std::move(plan));
}

} // namespace

Result<generated::GroupNode> group_node(const kernels::FusedNode &node) {
  if (node.combine != nullptr) {
    TW_ASSIGN(auto value, combined(node.how, node.dtype, node.args.size(), node.adds_zero));
    return generated::GroupNode{std::move(value), node.args};
  }
  if (node.def->scalar == nullptr)
    return tl::unexpected(no_kernel(std::string(node.def->name) + " is no scalar expression"));
  return generated::GroupNode{node.def->scalar(node.op), node.args};
}

std::unique_ptr<kernels::Kernel> bind_fused(const kernels::FusedRequest &request) {
  auto made = fused_kernel(request);
  if (made)
    return std::move(*made);
  for (const kernels::FusedNode &node : request.nodes) // which of them a step is called by, nobody knows here
    if (node.def != nullptr)
      refused(node.def->name, made.error());
  return nullptr;
}

std::unique_ptr<kernels::Kernel> bind_copies(std::span<const int64_t> bytes) {
  return std::make_unique<Copies>(bytes);
}

std::unique_ptr<kernels::Kernel> bind_accumulation(const QueueKind::Accumulation &wanted) {
  auto made = accumulation_kernel(wanted);
  if (made)
    return std::move(*made);
  refused("accumulate", made.error());
  return nullptr;
}

} // namespace tw::device::cuda
