// SPDX-License-Identifier: Apache-2.0
// spmd: the instructions that every device runs.
#include "emit/printer.hpp"

namespace tw::emit::spmd_printer {
namespace {

Result<std::string> print_spmd(const spmd::Program &program) { return spmd::to_text(program); }

constexpr Form kForms[] = {
    {.name = "spmd", .doc = "the device-local program with every collective", .of_program = print_spmd}};

} // namespace

Printer printer() { return kForms; }

} // namespace tw::emit::spmd_printer
