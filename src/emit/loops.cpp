// SPDX-License-Identifier: Apache-2.0
// loops, loops-extents: a plan in PartIR's loops; ranges count tiles, or have an extent and a width.
#include "loops/loops.hpp"

#include "emit/printer.hpp"

namespace tw::emit::loops_printer {
namespace {

template <sharding::Style style> Result<std::string> print_loops(const partition::Plan &plan) {
  return loops::print(plan, style).text;
}

constexpr const char *kDoc = "the program in the loops of the plan";
constexpr Form kForms[] = {{"loops", kDoc, print_loops<sharding::Style::counts>},
                           {"loops-extents", kDoc, print_loops<sharding::Style::extents>}};

} // namespace

Printer printer() { return kForms; }

} // namespace tw::emit::loops_printer
