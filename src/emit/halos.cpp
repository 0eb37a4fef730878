// SPDX-License-Identifier: Apache-2.0
// Finds the first op with a halo.
#include "emit/halos.hpp"

#include <fmt/format.h>

#include "ops/halo.hpp"
#include "ops/registry.hpp"

namespace tw::emit {

Status refuse_halos(const graph::Graph &graph, std::string_view form, const char *id) {
  for (graph::OpId op = 0; op < graph.ops().size(); ++op)
    if (ops::makes_halo(graph.op(op).code))
      return fail(Code::unimplemented, id,
                  fmt::format("{} cannot say halos, and op {}, {} of {}, makes one; emit loops or spmd", form,
                              op, ops::op_def(graph.op(op).code).name,
                              graph::to_short_text(graph.type(graph.operands(op)[0]))));
  return {};
}

} // namespace tw::emit
