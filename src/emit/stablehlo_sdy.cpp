// SPDX-License-Identifier: Apache-2.0
// stablehlo+sdy, stablehlo+sdy-all: the whole program, with Shardy's annotations of a plan.
#include <fmt/format.h>

#include "emit/printer.hpp"
#include "emit/stablehlo/annotated.hpp"
#include "ops/halo.hpp"
#include "ops/registry.hpp"

namespace tw::emit::stablehlo_sdy_printer {
namespace {

Status refuse_halos(const graph::Graph &graph) {
  for (graph::OpId op = 0; op < graph.ops().size(); ++op)
    if (ops::makes_halo(graph.op(op).code))
      return fail(Code::unimplemented, "TW-705",
                  fmt::format("Shardy's annotations know no halos, and op {}, {} of {}, makes one; emit "
                              "shard, loops, or the program of a device",
                              op, ops::op_def(graph.op(op).code).name,
                              graph::to_short_text(graph.type(graph.operands(op)[0]))));
  return {};
}

template <bool every_value> Result<std::string> print_annotated(const partition::Plan &plan) {
  if (!plan.mesh().loop_axes().empty())
    return fail(Code::unimplemented, "TW-705", "Shardy's annotations know no axes of steps or threads");
  TW_TRY(refuse_halos(plan.graph()));
  return stablehlo::to_annotated_text(plan, every_value);
}

constexpr Form kForms[] = {{"stablehlo+sdy",
                            "the whole program with Shardy's annotations (-all: of every value)",
                            print_annotated<false>},
                           {"stablehlo+sdy-all", "", print_annotated<true>}};

} // namespace

Printer printer() { return kForms; }

} // namespace tw::emit::stablehlo_sdy_printer
