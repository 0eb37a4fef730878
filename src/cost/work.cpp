// SPDX-License-Identifier: Apache-2.0
// An op does the part of its operations that its tile is of the result, and where it splits a sum, of that.
#include "cost/work.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/dot_sides.hpp"
#include "ops/registry.hpp"

namespace tw::cost {
namespace {

using runtime::Step;
using sharding::Position;
using spmd::Instr;
using spmd::InstrKind;
using spmd::ValueRef;

class Counter {
public:
  Counter(const spmd::Program &program, const runtime::Layouts &layouts, const system::System &system,
          std::optional<Position> position)
      : program_(program), layouts_(layouts), system_(system), position_(position) {}

  Work count(const Step &step) {
    for (const uint32_t i : step.instrs)
      add_operations(program_.instrs()[i]);
    if (step.kind == Step::Kind::kernel)
      add_kernel_bytes(step);
    else
      add_outer_bytes(step);
    return work_;
  }

private:
  double tile_bytes(ValueRef v) const {
    return static_cast<double>(position_ ? layouts_.bytes(v, *position_) : layouts_.most_bytes(v));
  }

  // The part of an op that the device does.
  double share(const Instr &in) const {
    const auto whole = static_cast<double>(std::max<int64_t>(program_.type(in.first_result).elements(), 1));
    const runtime::LayoutId made = layouts_.of(in.first_result);
    return static_cast<double>(position_ ? layouts_.elements(made, *position_)
                                         : layouts_.most_elements(made)) /
           whole / static_cast<double>(program_.num_sum_parts(in));
  }

  Position where(runtime::LayoutId layout) const {
    if (position_)
      return *position_;
    Position best;
    for (Position p; p < layouts_.num_positions(); ++p)
      if (layouts_.elements(layout, p) > layouts_.elements(layout, best))
        best = p;
    return best;
  }

  void add_operations(const Instr &in) {
    if (in.kind != InstrKind::compute || in.num_results == 0)
      return;
    cost::add_operations(work_, program_.graph(), in.op, share(in), system_, [&](size_t operand, int64_t d) {
      const runtime::LayoutId layout = layouts_.of(program_.operands(in)[operand]);
      return layouts_.box(layout, where(layout)).extent[static_cast<size_t>(d)];
    });
  }

  // What the op says that it reads and writes, for the tiles: a gather reads no more than it gives.
  void add_kernel_bytes(const Step &step) {
    const Instr &in = program_.instrs()[step.instrs[0]];
    if (in.kind != InstrKind::compute)
      return add_outer_bytes(step);
    const ops::Cost cost = ops::op_cost(program_.graph(), in.op);
    double tiles = 0, wholes = 0, made = 0;
    for (const ValueRef v : program_.operands(in)) {
      tiles += tile_bytes(v);
      wholes += static_cast<double>(program_.type(v).bytes());
    }
    for (uint32_t i = 0; i < in.num_results; ++i)
      made += tile_bytes(in.first_result + i);
    const bool said = cost.bytes_read > 0 || cost.bytes_written > 0;
    work_.bytes += made + (said && wholes > 0 ? std::min(tiles, cost.bytes_read * tiles / wholes) : tiles);
  }

  // Arrays that it shares with others, once each.
  void add_outer_bytes(const Step &step) {
    step.each_read([&](ValueRef v) { work_.bytes += tile_bytes(v); });
    for (const runtime::FusedRead &read : step.reads) // what other devices have of a sum
      work_.bytes += static_cast<double>(read.parts(program_.mesh()) - 1) * tile_bytes(read.value);
    for (const ValueRef v : step.results)
      work_.bytes += tile_bytes(v);
  }

  const spmd::Program &program_;
  const runtime::Layouts &layouts_;
  const system::System &system_;
  const std::optional<Position> position_;
  Work work_;
};

// The smallest of a product's rows, columns and summands on a device.
double smallest_dimension(const graph::Graph &graph, graph::OpId op, const Extent &extent) {
  const ops::OpViewHolder of(graph, op);
  const auto elements = [&](size_t operand, std::span<const int64_t> dims) {
    double all = 1;
    for (const int64_t d : dims)
      all *= static_cast<double>(extent(operand, d));
    return all;
  };
  if (ops::op_def(graph.op(op).code).kind != ops::OpKind::dot)
    return std::numeric_limits<double>::infinity(); // a convolution: no ladder of sides fits it
  const ops::DotSide left = ops::dot_side(of.view(), 0), right = ops::dot_side(of.view(), 1);
  return std::min({elements(0, left.free), elements(1, right.free), elements(0, left.contracting)});
}

} // namespace

double reached_of(const ops::OpDef &def, const system::System &system) {
  const bool is_function = (def.flags & ops::kElementwise) != 0 && (def.flags & ops::kCheap) == 0;
  return is_function ? system.functions : system.other;
}

void add_operations(Work &work, const graph::Graph &graph, graph::OpId op, double share,
                    const system::System &system, const Extent &extent) {
  const double flops = ops::op_cost(graph, op).flops * share;
  const ops::OpDef &def = ops::op_def(graph.op(op).code);
  const auto kind = def.kind;
  work.opaque |= ops::is_opaque(graph, op);
  work.flops += flops;
  const auto operands = graph.operands(op);
  const graph::DType type = graph.type(operands.empty() ? graph.result(op) : operands[0]).dtype;
  const double peak = system.flops_of(type);
  if (kind != ops::OpKind::dot && kind != ops::OpKind::convolution) {
    work.other_s += flops / (peak * reached_of(def, system));
    return;
  }
  const double size = system.matmul_by_min_dim ? smallest_dimension(graph, op, extent) : flops / 1e9;
  work.product_s += flops / (peak * system.matmul_at(type, size));
}

Work work_of(const Step &step, const spmd::Program &program, const runtime::Layouts &layouts,
             const system::System &system, std::optional<Position> position) {
  return Counter(program, layouts, system, position).count(step);
}

double turns_of(const sharding::Mesh &mesh, const system::System &system, sharding::AxisSet whole) {
  if (system.device.at_once == 0)
    return 1;
  int64_t sharers = 1;
  if (system.device.shared_memory)
    for (const sharding::AxisId axis : whole)
      sharers *= mesh.size(axis);
  return std::ceil(static_cast<double>(mesh.num_devices() / sharers) /
                   static_cast<double>(system.device.at_once));
}

double seconds(const Work &work, const system::System &system, bool &by_memory) {
  const double operations = work.product_s + work.other_s;
  const double memory = work.bytes / (system.device.hbm_bytes_per_s * system.hbm.at(work.bytes));
  by_memory = memory > operations;
  return std::max(operations, memory) + system.device.launch_s;
}

} // namespace tw::cost
