// SPDX-License-Identifier: Apache-2.0
// Requests are compared by everything a kernel may look at; where a tile lies in the global array counts only for ops
// that ask.
#include "runtime/binding.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "kernels/fused.hpp"
#include "ops/registry.hpp"
#include "ops/strided.hpp"
#include "runtime/accumulate.hpp"
#include "runtime/assign.hpp"

namespace tw::runtime {

using kernels::Kernel;
using spmd::Instr;
using spmd::ValueRef;

namespace {

// Ops whose result on a tile does not depend on where the tile lies.
bool ignores_offsets(const ops::OpDef &def) {
  constexpr std::array<std::string_view, 5> names = {"stablehlo.broadcast_in_dim", "stablehlo.dot_general",
                                                     "stablehlo.reduce", "stablehlo.reshape",
                                                     "stablehlo.transpose"};
  return (def.flags & ops::kElementwise) != 0 ||
         std::find(names.begin(), names.end(), def.name) != names.end();
}

void append(std::vector<int64_t> &key, std::span<const int64_t> values) {
  key.push_back(static_cast<int64_t>(values.size()));
  key.insert(key.end(), values.begin(), values.end());
}

enum : int64_t { kSingle, kFused, kAssign, kAccumulate };

} // namespace

kernels::Tile Binder::tile(ValueRef v, int64_t device) const {
  const sharding::Box &box = layouts_.box(layouts_.of(v), device);
  return {program_.type(v).dtype, program_.type(v).dims, box.offset, box.extent};
}

const Kernel *Binder::keep(Key key, std::unique_ptr<Kernel> kernel) {
  const Kernel *kept = kernel.get();
  scratch_bytes_ = std::max(scratch_bytes_, kernel->scratch_bytes());
  kernels_.emplace(std::move(key), std::move(kernel));
  return kept;
}

Result<std::vector<const Kernel *>> Binder::bind(const Step &step) {
  std::vector<const Kernel *> kernels;
  for (int64_t d = 0; d < layouts_.num_positions(); ++d) {
    if (!step.runs_at(program_.mesh(), d) || !devices_.contains(program_.mesh().device_of(d))) {
      kernels.push_back(nullptr);
      continue;
    }
    // A device without elements has nothing to do; a step without results (a check) is there for what it does.
    const bool idle = !step.results.empty() &&
                      std::all_of(step.results.begin(), step.results.end(),
                                  [&](ValueRef v) { return layouts_.elements(layouts_.of(v), d) == 0; });
    const bool assigns = step.kind == Step::Kind::assign;
    if (idle || (!assigns && sharing_.leader(sharing_.of(step), d) != d)) {
      kernels.push_back(nullptr);
      continue;
    }
    if (assigns) {
      kernels.push_back(bind_assign(step, d));
      continue;
    }
    TW_ASSIGN(const Kernel *kernel, step.kind == Step::Kind::fused        ? bind_fused(step, d)
                                    : step.kind == Step::Kind::accumulate ? bind_accumulate(step, d)
                                                                          : bind_single(step, d));
    kernels.push_back(kernel);
  }
  return kernels;
}

Result<const Kernel *> Binder::bind_single(const Step &step, int64_t device) {
  const Instr &in = program_.instrs()[step.instrs[0]];
  const graph::Graph &graph = program_.graph();
  const graph::Op &op = graph.op(in.op);
  const ops::OpDef &def = ops::op_def(op.code);
  std::vector<kernels::Tile> operands, results;
  for (const ValueRef v : step.operands)
    operands.push_back(tile(v, device));
  for (const ValueRef v : step.results)
    results.push_back(tile(v, device));
  const bool use_init = program_.uses_init(in, device);

  Key key{kSingle, op.code, op.attrs, use_init, op.num_regions == 0 ? -1 : static_cast<int64_t>(in.op)};
  const bool place_matters = !ignores_offsets(def);
  for (const auto *tiles : {&operands, &results})
    for (const kernels::Tile &t : *tiles) {
      key.push_back(static_cast<int64_t>(t.dtype));
      append(key, t.global);
      append(key, t.extent);
      if (place_matters)
        append(key, t.offset);
    }
  if (const auto known = kernels_.find(key); known != kernels_.end())
    return known->second.get();

  const ops::OpViewHolder view(graph, in.op);
  const kernels::Request request{view.view(), def, operands, results, use_init};
  std::unique_ptr<Kernel> kernel = first_ != nullptr ? first_(request) : nullptr;
  if (kernel == nullptr) {
    auto bound = kernels::bind(request, calls_);
    if (!bound) {
      const graph::Location at = graph.location(in.op);
      return fail(std::move(bound.error()).at({std::string(graph.file()), at.line, at.column}));
    }
    kernel = std::move(*bound);
  }
  return keep(std::move(key), std::move(kernel));
}

// The first step puts its partial value down, the others add theirs; of lanes all are there.
Result<const Kernel *> Binder::bind_accumulate(const Step &step, int64_t position) {
  const sharding::Mesh &mesh = program_.mesh();
  const ValueRef from = step.operands[0], to = step.results[0];
  const sharding::Box &part = layouts_.box(layouts_.of(from), position);
  if (part.empty())
    return nullptr;
  const sharding::Box &whole = layouts_.box(layouts_.of(to), position);
  const sharding::Reduction reduction = program_.reduction_of(program_.instrs()[step.instrs[0]]);
  size_t operands = 1;
  bool onto = false;
  comm::Combine combine;
  if (reduction != sharding::Reduction::raw) {
    TW_ASSIGN(combine, comm::combiner(reduction, program_.type(to).dtype));
    const auto &left = program_.sharding(program_.values()[to].sharding).stacked;
    for (const sharding::Stacked &stacked : program_.sharding(program_.values()[from].sharding).stacked) {
      if (std::ranges::count(left, stacked) != 0)
        continue;
      if (mesh.axis(stacked.axis).kind == sharding::AxisKind::threads)
        operands = static_cast<size_t>(mesh.size(stacked.axis));
      else
        onto = onto || mesh.coordinate(position, stacked.axis) != 0;
    }
  }
  Key key{kAccumulate, static_cast<int64_t>(reduction), static_cast<int64_t>(program_.type(to).dtype),
          static_cast<int64_t>(operands), onto};
  for (const sharding::Box *box : {&part, &whole}) {
    append(key, box->offset);
    append(key, box->extent);
  }
  if (const auto known = kernels_.find(key); known != kernels_.end())
    return known->second.get();
  return keep(std::move(key), std::make_unique<Accumulate>(part, whole, operands, onto,
                                                           byte_size(program_.type(to).dtype), combine));
}

const Kernel *Binder::bind_assign(const Step &step, int64_t device) {
  std::vector<int64_t> bytes;
  for (const ValueRef v : step.results)
    bytes.push_back(sharing_.leader(sharing_.of(v), device) == device ? tile(v, device).bytes() : 0);
  Key key{kAssign};
  append(key, bytes);
  if (const auto known = kernels_.find(key); known != kernels_.end())
    return known->second.get();
  return keep(std::move(key), std::make_unique<Assign>(std::move(bytes)));
}

Result<const Kernel *> Binder::bind_fused(const Step &step, int64_t device) {
  const graph::Graph &graph = program_.graph();
  kernels::FusedRequest request;
  request.extent = layouts_.box(step.space, device).extent;
  Key key{kFused};
  append(key, request.extent);
  for (const FusedRead &read : step.reads) {
    kernels::FusedInput input{program_.type(read.value).dtype,
                              std::vector<int64_t>(request.extent.size(), 0)};
    if (!read.splat) {
      const auto &extent = layouts_.box(layouts_.of(read.value), device).extent;
      const std::vector<int64_t> dense = ops::dense_strides(extent);
      for (size_t k = 0; k < request.extent.size(); ++k)
        if (read.dims[k] >= 0 && request.extent[k] != 1) {
          const auto d = static_cast<size_t>(read.dims[k]);
          TW_ASSERT(extent[d] == request.extent[k]);
          input.strides[k] = dense[d];
        }
    }
    key.push_back(static_cast<int64_t>(input.dtype));
    append(key, input.strides);
    request.inputs.push_back(std::move(input));
  }
  std::vector<ops::OpViewHolder> views;
  views.reserve(step.instrs.size());
  for (size_t m = 0; m < step.instrs.size(); ++m) {
    const Instr &in = program_.instrs()[step.instrs[m]];
    const graph::Op &op = graph.op(in.op);
    views.emplace_back(graph, in.op);
    const graph::DType dtype = program_.type(in.first_result).dtype;
    request.nodes.push_back({views.back().view(), &ops::op_def(op.code), dtype, step.args[m]});
    key.insert(key.end(), {op.code, op.attrs, static_cast<int64_t>(dtype)});
    for (const uint32_t a : step.args[m])
      key.push_back(a);
    if (std::find(step.results.begin(), step.results.end(), in.first_result) != step.results.end())
      request.outputs.push_back(static_cast<uint32_t>(m));
  }
  for (const uint32_t o : request.outputs)
    key.push_back(-1 - static_cast<int64_t>(o));
  if (const auto known = kernels_.find(key); known != kernels_.end())
    return known->second.get();
  std::unique_ptr<Kernel> kernel = kernels::bind_fused(request);
  if (kernel == nullptr)
    return fail(Code::internal, "TW-601",
                fmt::format("no fused kernel takes a group that begins with {}", request.nodes[0].def->name));
  return keep(std::move(key), std::move(kernel));
}

std::vector<std::unique_ptr<Kernel>> Binder::take_kernels() {
  std::vector<std::unique_ptr<Kernel>> all;
  for (auto &[key, kernel] : kernels_)
    all.push_back(std::move(kernel));
  kernels_.clear();
  return all;
}

} // namespace tw::runtime
