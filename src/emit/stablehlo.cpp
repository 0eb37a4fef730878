// SPDX-License-Identifier: Apache-2.0
// stablehlo: the program of a device as a module with collectives.
#include "emit/printer.hpp"
#include "emit/stablehlo/per_device.hpp"

namespace tw::emit::stablehlo_printer {
namespace {

Result<std::string> print_stablehlo(const spmd::Program &program) {
  if (!program.mesh().loop_axes().empty())
    return fail(Code::unimplemented, "TW-705", "a module of a device has no axes of steps or threads yet");
  return stablehlo::to_device_text(program);
}

constexpr Form kForms[] = {
    {.name = "stablehlo", .doc = "the same as a module for JAX and XLA", .of_program = print_stablehlo}};

} // namespace

Printer printer() { return kForms; }

} // namespace tw::emit::stablehlo_printer
