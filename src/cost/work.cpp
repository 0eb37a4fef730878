// SPDX-License-Identifier: Apache-2.0
// An op does the part of its operations that its tile is of the result, and where it splits a sum, of that.
#include "cost/work.hpp"

#include <algorithm>
#include <limits>

#include "ops/dot_sides.hpp"
#include "ops/registry.hpp"

namespace tw::cost {
namespace {

using runtime::Step;
using spmd::Instr;
using spmd::InstrKind;
using spmd::ValueRef;

class Counter {
public:
  Counter(const spmd::Program &program, const runtime::Layouts &layouts, const system::System &system)
      : program_(program), layouts_(layouts), system_(system) {}

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
  double tile_bytes(ValueRef v) const { return static_cast<double>(layouts_.most_bytes(v)); }

  // The part of an op that is done where it has most of it.
  double share(const Instr &in) const {
    const auto whole = static_cast<double>(std::max<int64_t>(program_.type(in.first_result).elements(), 1));
    return static_cast<double>(layouts_.most_elements(layouts_.of(in.first_result))) / whole /
           static_cast<double>(program_.num_sum_parts(in));
  }

  // The smallest of a product's rows, columns and summands on a device.
  double smallest_dimension(const Instr &in) const {
    const ops::OpViewHolder op(program_.graph(), in.op);
    const auto extent = [&](size_t operand, std::span<const int64_t> dims) {
      const ValueRef v = program_.operands(in)[operand];
      const sharding::Box &box = layouts_.box(layouts_.of(v), largest(layouts_.of(v)));
      double elements = 1;
      for (const int64_t d : dims)
        elements *= static_cast<double>(box.extent[static_cast<size_t>(d)]);
      return elements;
    };
    if (ops::op_def(program_.graph().op(in.op).code).kind != ops::OpKind::dot)
      return std::numeric_limits<double>::infinity(); // a convolution: no ladder of sides fits it
    const ops::DotSide left = ops::dot_side(op.view(), 0), right = ops::dot_side(op.view(), 1);
    return std::min({extent(0, left.free), extent(1, right.free), extent(0, left.contracting)});
  }

  sharding::Position largest(runtime::LayoutId layout) const {
    sharding::Position best;
    for (sharding::Position p; p < layouts_.num_positions(); ++p)
      if (layouts_.elements(layout, p) > layouts_.elements(layout, best))
        best = p;
    return best;
  }

  void add_operations(const Instr &in) {
    if (in.kind != InstrKind::compute || in.num_results == 0)
      return;
    const double flops = ops::op_cost(program_.graph(), in.op).flops * share(in);
    const auto kind = ops::op_def(program_.graph().op(in.op).code).kind;
    work_.opaque |= ops::is_opaque(program_.graph(), in.op);
    work_.flops += flops;
    const auto type = in.num_operands > 0 ? program_.type(program_.operands(in)[0]).dtype
                                          : program_.type(in.first_result).dtype;
    const double peak = system_.flops_of(type);
    if (kind != ops::OpKind::dot && kind != ops::OpKind::convolution) {
      work_.other_s += flops / peak;
      return;
    }
    const double size = system_.matmul_by_min_dim ? smallest_dimension(in) : flops / 1e9;
    work_.product_s += flops / (peak * system_.matmul.at(size));
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
    for (const ValueRef v : step.results)
      work_.bytes += tile_bytes(v);
  }

  const spmd::Program &program_;
  const runtime::Layouts &layouts_;
  const system::System &system_;
  Work work_;
};

} // namespace

Work work_of(const Step &step, const spmd::Program &program, const runtime::Layouts &layouts,
             const system::System &system) {
  return Counter(program, layouts, system).count(step);
}

double seconds(const Work &work, const system::System &system, bool &by_memory) {
  const double operations = work.product_s + work.other_s;
  const double memory = work.bytes / (system.device.hbm_bytes_per_s * system.hbm.at(work.bytes));
  by_memory = memory > operations;
  return std::max(operations, memory) + system.device.launch_s;
}

} // namespace tw::cost
