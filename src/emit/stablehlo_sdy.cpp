// SPDX-License-Identifier: Apache-2.0
// stablehlo+sdy, stablehlo+sdy-all: the whole program, with Shardy's annotations of a plan.
#include "emit/halos.hpp"
#include "emit/printer.hpp"
#include "emit/stablehlo/annotated.hpp"

namespace tw::emit::stablehlo_sdy_printer {
namespace {

template <bool every_value> Result<std::string> print_annotated(const partition::Plan &plan) {
  if (!plan.mesh().loop_axes().empty())
    return fail(Code::unimplemented, "TW-705", "Shardy's annotations know no axes of steps or threads");
  TW_TRY(refuse_halos(plan.graph(), "StableHLO", "TW-705"));
  return stablehlo::to_annotated_text(plan, every_value);
}

constexpr Form kForms[] = {{"stablehlo+sdy",
                            "the whole program with Shardy's annotations (-all: of every value)",
                            print_annotated<false>},
                           {"stablehlo+sdy-all", "", print_annotated<true>}};

} // namespace

Printer printer() { return kForms; }

} // namespace tw::emit::stablehlo_sdy_printer
