// SPDX-License-Identifier: Apache-2.0
// Turns a region of scalar ops into a list of block functions over small buffers.
#include "kernels/ref/region_fn.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "kernels/ref/strided.hpp"
#include "ops/element.hpp"
#include "ops/literal.hpp"
#include "ops/registry.hpp"

namespace tw::kernels::ref {

Result<RegionFn> RegionFn::make(const graph::Graph &graph, graph::RegionId id) {
  const graph::Region &region = graph.region(id);
  RegionFn fn;
  fn.graph_ = &graph;
  std::vector<std::pair<graph::ValueId, uint32_t>> numbers;
  const auto add_literal = [&](const graph::Constant &literal) {
    const size_t size = graph::byte_size(graph.type_at(literal.type).dtype);
    fill(fn.buffers_.emplace_back(size * kBlock).data(), literal.bytes->data(), kBlock, size);
  };
  auto number = [&](graph::ValueId v) -> Result<uint32_t> {
    for (const auto &[value, n] : numbers)
      if (value == v)
        return n;
    if (is_scalar_constant(graph, v)) { // of the program around, where canonical text keeps it
      numbers.emplace_back(v, static_cast<uint32_t>(fn.buffers_.size()));
      add_literal(*literal_of_value(graph, v));
      return numbers.back().second;
    }
    return fail(Code::unimplemented, "TW-248",
                fmt::format("its region uses {}, a value from outside", graph.value_name(v)));
  };
  for (graph::ValueId arg : region.args) {
    numbers.emplace_back(arg, static_cast<uint32_t>(fn.buffers_.size()));
    fn.buffers_.emplace_back();
  }
  for (graph::OpId op_id : region.ops) {
    const OpDef &def = op_def(graph.op(op_id).code);
    const OpViewHolder holder(graph, op_id);
    const OpView &op = holder.view();
    const auto out = static_cast<uint32_t>(fn.buffers_.size());
    if ((def.flags & kRename) && op.operands.size() == 1 &&
        has_same_bytes(op.operands[0]->dtype, op.results[0]->dtype)) {
      TW_ASSIGN(const uint32_t same, number(graph.operands(op_id)[0]));
      numbers.emplace_back(graph.result(op_id), same);
      continue;
    }
    if (const graph::Constant *literal = literal_of(graph, op_id)) {
      add_literal(*literal);
      numbers.emplace_back(graph.result(op_id), out);
      continue;
    }
    const size_t size = op.results.empty() ? 0 : graph::byte_size(op.results[0]->dtype);
    fn.buffers_.emplace_back(size * kBlock);
    const auto is_scalar = [](const graph::TensorType *t) { return t->rank() == 0; };
    const bool scalars = op.results.size() == 1 && is_scalar(op.results[0]) && op.regions.empty() &&
                         std::ranges::all_of(op.operands, is_scalar) && !op.operands.empty();
    const Reference *reference = reference_of(def);
    if (reference != nullptr && ((def.flags & kElementwise) || scalars)) {
      Operation step{block_of(def, op), reference, {}, out, op_id};
      for (graph::ValueId v : graph.operands(op_id)) {
        TW_ASSIGN(const uint32_t n, number(v));
        step.in.push_back(n);
      }
      fn.steps_.push_back(std::move(step));
    } else {
      return fail(Code::unimplemented, "TW-248",
                  fmt::format("its region has {}, which does not work on scalars alone", def.name));
    }
    numbers.emplace_back(graph.result(op_id), out);
  }
  for (graph::ValueId v : region.yields) {
    TW_ASSIGN(const uint32_t n, number(v));
    fn.yields_.push_back(n);
    fn.yield_sizes_.push_back(graph::byte_size(graph.type(v).dtype));
  }
  fn.values_.resize(fn.buffers_.size());
  return fn;
}

void RegionFn::run_elements(const Operation &step, int64_t n) {
  const OpViewHolder holder(*graph_, step.op);
  const OpView &op = holder.view();
  std::vector<Buffer> in(step.in.size());
  for (int64_t i = 0; i < n; ++i) {
    const auto element = [&](const void *block, const graph::TensorType &type) {
      auto *at = static_cast<std::byte *>(const_cast<void *>(block)) +
                 i * static_cast<int64_t>(graph::byte_size(type.dtype));
      return Buffer{at, type.dtype, {}, {}, {}};
    };
    for (size_t v = 0; v < in.size(); ++v)
      in[v] = element(inputs_[v], *op.operands[v]);
    const Buffer out[] = {element(buffers_[step.out].data(), *op.results[0])};
    [[maybe_unused]] const Status status = (*step.reference)({op, in, out});
    TW_ASSERT(status.has_value()); // kernels of scalars cannot fail
  }
}

void RegionFn::run(std::span<const void *const> args, std::span<void *const> yields, int64_t n) {
  TW_ASSERT(n <= kBlock);
  for (size_t v = 0; v < values_.size(); ++v)
    values_[v] = v < args.size() ? args[v] : buffers_[v].data();
  for (const Operation &step : steps_) {
    inputs_.clear();
    for (uint32_t v : step.in)
      inputs_.push_back(values_[v]);
    if (step.fn)
      step.fn(inputs_.data(), buffers_[step.out].data(), n);
    else
      run_elements(step, n);
  }
  // An argument may be yielded while another yield overwrites it: those are saved first.
  for (size_t i = 0; i < yields.size(); ++i)
    if (yields_[i] < args.size() && yields.size() > 1) {
      auto &saved = buffers_[yields_[i]];
      saved.resize(yield_sizes_[i] * kBlock);
      std::memcpy(saved.data(), args[yields_[i]], yield_sizes_[i] * static_cast<size_t>(n));
      values_[yields_[i]] = saved.data();
    }
  for (size_t i = 0; i < yields.size(); ++i)
    if (values_[yields_[i]] != yields[i])
      std::memcpy(yields[i], values_[yields_[i]], yield_sizes_[i] * static_cast<size_t>(n));
}

} // namespace tw::kernels::ref
