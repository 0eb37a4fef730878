// SPDX-License-Identifier: Apache-2.0
// spmd-naive and its two other spellings: the steps from loops to the program of a device.
#include "emit/printer.hpp"
#include "spmd/naive/form.hpp"

namespace tw::emit::spmd_naive_printer {
namespace {

using spmd::naive::Spelling;

template <Spelling spelling>
Result<std::string> print_naive(const partition::Plan &plan, std::string_view pass) {
  return spmd::naive::text_after(plan, {}, pass, spelling);
}

template <Spelling spelling> constexpr Form form(const char *name) {
  return {.name = name,
          .doc = "the steps between loops and spmd",
          .of_plan_after = print_naive<spelling>,
          .passes = spmd::naive::passes};
}
constexpr Form kForms[] = {form<Spelling::counts>("spmd-naive"),
                           form<Spelling::intervals>("spmd-naive-extents"),
                           form<Spelling::paper>("spmd-naive-paper")};

} // namespace

Printer printer() { return kForms; }

} // namespace tw::emit::spmd_naive_printer
