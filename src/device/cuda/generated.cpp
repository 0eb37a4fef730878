// SPDX-License-Identifier: Apache-2.0
// Finds what generates the source of a request.
#include "device/cuda/generated.hpp"

#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "kernels/generated/group.hpp"
#include "kernels/generated/host_functions.hpp"
#include "kernels/generated/numbers.hpp"
#include "kernels/generated/reduction.hpp"
#include "kernels/generated/region_fold.hpp"
#include "ops/attributes.hpp"
#include "ops/expression.hpp"
#include "ops/reduction.hpp"

namespace tw::device::cuda {
namespace {

namespace generated = kernels::generated;
using kernels::Request;
using kernels::Tile;
using ops::OpKind;

struct Refusals {
  std::mutex mutex;
  std::map<std::string, std::string, std::less<>> by_op;
};
Refusals &refusals() {
  static auto &all = *new Refusals;
  return all;
}

// Of an op that a library was asked for first.
std::string declined_by_library(OpKind op) {
  static constexpr std::pair<OpKind, const char *> libraries[] = {{OpKind::dot, "cuBLASLt"},
                                                                  {OpKind::convolution, "cuDNN"},
                                                                  {OpKind::sort, "CUB"},
                                                                  {OpKind::top_k, "CUB"},
                                                                  {OpKind::fft, "cuFFT"},
                                                                  {OpKind::cholesky, "cuSOLVER"},
                                                                  {OpKind::triangular_solve, "cuBLAS"}};
  for (const auto &[kind, library] : libraries)
    if (kind == op)
      return fmt::format("{} is missing or does not take it in this form", library);
  return "no source is generated for it";
}

MadeKernel make_kernel(const Request &r) {
  switch (r.def.kind) {
  case OpKind::constant: return constant_kernel(r);
  case OpKind::map: return map_kernel(r);
  case OpKind::reduce: return reduction_kernel(r);
  case OpKind::iota:
  case OpKind::random_bits:
  case OpKind::random_numbers: return number_kernel(r);
  case OpKind::reduce_window: return window_kernel(r);
  case OpKind::select_and_scatter: return select_kernel(r);
  case OpKind::concatenate:
  case OpKind::pad: return move_kernel(r);
  case OpKind::dynamic_slice:
  case OpKind::dynamic_update_slice: return dynamic_kernel(r);
  case OpKind::gather:
  case OpKind::scatter: return indexed_kernel(r);
  default: break;
  }
  const std::string_view name = r.def.name;
  if (r.def.scalar != nullptr)
    return elementwise_kernel(r);
  if ((r.def.flags & (ops::kRearranges | ops::kRename)) != 0 || name == "shard.halo_tiles")
    return move_kernel(r);
  return tl::unexpected(no_kernel(declined_by_library(r.def.kind)));
}

std::unique_ptr<kernels::Kernel> bind_generated(const Request &request) {
  auto made = make_kernel(request);
  if (made)
    return std::move(*made);
  refused(request.def.name, made.error());
  return nullptr;
}

} // namespace

MadeKernel one_part(std::string name, generated::Source source, const Request &r,
                    std::vector<int64_t> numbers) {
  KernelPlan plan{std::move(name), {}};
  plan.parts.push_back({std::move(source), operand_places(r.operands.size()), result_places(r.results.size()),
                        std::move(numbers)});
  return CompiledKernel::make(std::move(plan));
}

Error no_kernel(std::string why) { return {Code::unimplemented, "TW-260", std::move(why)}; }

void refused(std::string_view op, const Error &error) {
  Refusals &all = refusals();
  const std::lock_guard lock(all.mutex);
  all.by_op.insert_or_assign(std::string(op), error.message());
}

std::string why_on_host(std::string_view op) {
  if (const auto &missing = Compiler::get().missing())
    return missing->message();
  Refusals &all = refusals();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_op.find(op);
  return found != all.by_op.end() ? found->second : "there is no kernel for GPUs";
}

kernels::Entry generated_entry() { return {"cuda:generated", {}, bind_generated}; }

std::vector<Place> operand_places(size_t count) {
  std::vector<Place> all;
  for (size_t i = 0; i < count; ++i)
    all.push_back({Place::Where::operand, static_cast<int64_t>(i)});
  return all;
}

std::vector<Place> result_places(size_t count) {
  std::vector<Place> all;
  for (size_t i = 0; i < count; ++i)
    all.push_back({Place::Where::result, static_cast<int64_t>(i)});
  return all;
}

MadeKernel elementwise_kernel(const Request &r) {
  generated::Group group;
  group.extent = r.results[0].extent;
  std::vector<uint32_t> args;
  for (const Tile &in : r.operands) {
    const bool is_scalar = in.extent.empty() && !group.extent.empty();
    group.inputs.push_back(
        {in.dtype, is_scalar ? std::vector<int64_t>(group.extent.size(), 0) : ops::dense_strides(in.extent)});
    args.push_back(static_cast<uint32_t>(args.size()));
  }
  group.nodes.push_back({r.def.scalar(r.op), std::move(args)});
  if (r.same_bits)
    TW_TRY(generated::take_host_bits(group.nodes));
  group.outputs = {0};
  TW_ASSIGN(auto source, generated::group_source(group, kEntry));
  return one_part("cuda:elementwise", std::move(source), r);
}

// A region that is applied to each element is a group.
MadeKernel map_kernel(const Request &r) {
  TW_ASSIGN(generated::ScalarRegion region, generated::scalar_region(r.op.graph, r.op.regions[0]));
  if (r.same_bits)
    TW_TRY(generated::take_host_bits(region.nodes));
  generated::Group group{r.results[0].extent, {}, std::move(region.nodes), {}};
  for (const Tile &in : r.operands)
    group.inputs.push_back({in.dtype, ops::dense_strides(in.extent)});
  uint32_t yield = region.yields[0];
  if (yield < r.operands.size()) { // an argument as it is
    ops::ScalarBuilder b({r.results[0].dtype}, r.results[0].dtype);
    const ops::Scalar same = b.operand(0);
    group.nodes.push_back({std::move(b).result(same), {yield}});
    yield = static_cast<uint32_t>(r.operands.size() + group.nodes.size() - 1);
  }
  group.outputs = {yield - static_cast<uint32_t>(r.operands.size())};
  TW_ASSIGN(auto source, generated::group_source(group, kEntry));
  return one_part("cuda:map", std::move(source), r);
}

MadeKernel reduction_kernel(const Request &r) {
  const auto dims = r.op.ints(ops::slot::reduce::dimensions);
  const std::vector<int64_t> folded(dims.begin(), dims.end());
  const auto kind = ops::reduction_of(r.op.graph, r.op.regions[0]);
  const Tile &in = r.operands[0];
  const size_t n = r.results.size();
  if (n == 1 && kind && in.dtype == r.results[0].dtype && r.operands[1].dtype == in.dtype)
    return one_part("cuda:reduce",
                    generated::reduction_source({in.dtype, *kind, in.extent, folded, r.use_init}, kEntry), r);
  if (!r.use_init && ops::reduction_of(r.op))
    return tl::unexpected(no_kernel("it begins with the identity of another type"));
  generated::RegionFold fold;
  TW_ASSIGN(fold.region, generated::scalar_region(r.op.graph, r.op.regions[0]));
  for (size_t i = 0; i < n; ++i) {
    if (r.operands[n + i].dtype != r.operands[i].dtype || r.results[i].dtype != fold.region.arguments[i])
      return tl::unexpected(no_kernel("its arrays and its region differ in type"));
    fold.dtypes.push_back(r.operands[i].dtype);
  }
  fold.extent = in.extent;
  fold.dims = folded;
  fold.from_first = !r.use_init;
  if (r.same_bits)
    TW_TRY(generated::take_host_bits(fold.region.nodes));
  TW_ASSIGN(auto source, generated::region_fold_source(fold, kEntry));
  return one_part("cuda:fold", std::move(source), r);
}

MadeKernel number_kernel(const Request &r) {
  const Tile &out = r.results.back();
  if (r.def.kind == OpKind::iota) {
    const auto dim = static_cast<size_t>(r.op.integer(ops::slot::iota::iota_dimension));
    return one_part("cuda:iota", generated::iota_source({out.dtype, out.extent, dim}, kEntry), r,
                    {out.offset[dim]});
  }
  if (r.def.kind == OpKind::random_numbers) {
    const bool normal = r.op.string(ops::slot::rng::rng_distribution) == "NORMAL";
    if (normal && r.same_bits)
      return tl::unexpected(no_kernel("logarithms and cosines have other bits there than on the host"));
    TW_ASSIGN(auto source,
              generated::random_numbers_source(
                  {out.dtype, normal, r.op.integer(ops::slot::rng::stream), out.global, out.extent}, kEntry));
    KernelPlan plan{"cuda:rng", {}};
    plan.parts.push_back({std::move(source), operand_places(2), result_places(1), out.offset});
    return CompiledKernel::make(std::move(plan));
  }
  const bool threefry = r.op.string(ops::slot::rng_bit_generator::rng_algorithm) == "THREE_FRY";
  return one_part("cuda:rng",
                  generated::random_bits_source(
                      {out.dtype, threefry, r.operands[0].global[0], out.global, out.extent}, kEntry),
                  r, out.offset);
}

} // namespace tw::device::cuda
