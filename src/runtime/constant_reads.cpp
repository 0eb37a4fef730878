// SPDX-License-Identifier: Apache-2.0
// A line of an iota is made by its reference, as a tile of one element in the other dimensions.
#include "runtime/constant_reads.hpp"

#include "kernels/ref/references.hpp"
#include "ops/attributes.hpp"
#include "ops/literal.hpp"
#include "ops/registry.hpp"

namespace tw::runtime {

using spmd::InstrKind;
using spmd::ValueRef;

std::optional<size_t> counted_dim(const spmd::Program &program, ValueRef v) {
  const spmd::Instr &in = program.instrs()[program.values()[v].def];
  const graph::Graph &graph = program.graph();
  if (in.kind != InstrKind::compute || !ops::is(graph, in.op, ops::OpKind::iota))
    return std::nullopt;
  return static_cast<size_t>(std::get<int64_t>(graph.attrs(in.op)[ops::slot::iota::iota_dimension]));
}

int64_t constant_elements(const spmd::Program &program, const Layouts &layouts, ValueRef v,
                          Position position) {
  const auto dim = counted_dim(program, v);
  return dim ? layouts.box(layouts.of(v), position).extent[*dim] : 1;
}

std::vector<std::byte> constant_bytes(const spmd::Program &program, const Layouts &layouts, ValueRef v,
                                      Position position) {
  const graph::Graph &graph = program.graph();
  const graph::OpId op = program.instrs()[program.values()[v].def].op;
  const auto dim = counted_dim(program, v);
  if (!dim)
    return *ops::literal_of(graph, op)->bytes;
  const graph::TensorType &type = program.type(v);
  const sharding::Box &box = layouts.box(layouts.of(v), position);
  std::vector<int64_t> extent(type.rank(), 1);
  extent[*dim] = box.extent[*dim];
  std::vector<std::byte> bytes(static_cast<size_t>(extent[*dim]) * graph::byte_size(type.dtype));
  const kernels::Buffer line{bytes.data(), type.dtype, type.dims, box.offset, extent};
  const ops::OpViewHolder view(graph, op);
  const Status made =
      (*kernels::ref::reference_of(ops::op_def(graph.op(op).code)))({view.view(), {}, {&line, 1}});
  TW_ASSERT(made.has_value());
  return bytes;
}

} // namespace tw::runtime
