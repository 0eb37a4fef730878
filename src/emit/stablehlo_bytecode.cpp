// SPDX-License-Identifier: Apache-2.0
// stablehlo-bytecode, stablehlo+sdy-bytecode: what the forms without this ending print, as artifacts.
#include "emit/artifact/artifact.hpp"
#include "emit/printer.hpp"

namespace tw::emit::stablehlo_bytecode_printer {
namespace {

constexpr std::string_view kDevice = "stablehlo", kAnnotated = "stablehlo+sdy";

Result<std::string> write_device(const spmd::Program &program) {
  TW_ASSIGN(const std::string text, print(program, kDevice));
  return artifact::to_artifact(text, kDevice);
}

Result<std::string> write_annotated(const partition::Plan &plan) {
  TW_ASSIGN(const std::string text, print(plan, kAnnotated));
  return artifact::to_artifact(text, kAnnotated);
}

constexpr Form kForms[] = {
    {.name = "stablehlo-bytecode",
     .doc = "stablehlo and stablehlo+sdy as portable artifacts, which are no text",
     .of_program = write_device,
     .is_binary = true},
    {.name = "stablehlo+sdy-bytecode", .doc = "", .of_plan = write_annotated, .is_binary = true}};

} // namespace

Printer printer() { return kForms; }

} // namespace tw::emit::stablehlo_bytecode_printer
