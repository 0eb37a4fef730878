// SPDX-License-Identifier: Apache-2.0
// shard, shard-local: both levels of MLIR's shard dialect, annotations of the whole program and code of one
// device.
#include "emit/printer.hpp"
#include "emit/shard/annotated.hpp"
#include "emit/shard/device_local.hpp"
#include "emit/shard/passes.hpp"

namespace tw::emit::shard_printer {
namespace {

Result<std::string> to_annotated(const partition::Plan &plan) { return shard::to_annotated_text(plan); }

constexpr Form kForms[] = {{.name = "shard",
                            .doc = "the whole program with annotations of MLIR's shard dialect",
                            .of_plan = to_annotated,
                            .of_plan_after = shard::text_after,
                            .passes = shard::passes},
                           {.name = "shard-local",
                            .doc = "the program of a device with collectives of MLIR's shard dialect",
                            .of_program = shard::to_device_local_text,
                            .passes = shard::local_passes}};

} // namespace

Printer printer() { return kForms; }

} // namespace tw::emit::shard_printer
