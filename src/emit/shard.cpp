// SPDX-License-Identifier: Apache-2.0
// shard, shard-local: both levels of MLIR's shard dialect, annotations of the whole program and code of one
// device.
#include "emit/printer.hpp"
#include "emit/shard/annotated.hpp"
#include "emit/shard/device_local.hpp"

namespace tw::emit::shard_printer {
namespace {

constexpr Form kForms[] = {{.name = "shard",
                            .doc = "the whole program with annotations of MLIR's shard dialect",
                            .of_plan = shard::to_annotated_text},
                           {.name = "shard-local",
                            .doc = "the program of a device with collectives of MLIR's shard dialect",
                            .of_program = shard::to_device_local_text}};

} // namespace

Printer printer() { return kForms; }

} // namespace tw::emit::shard_printer
