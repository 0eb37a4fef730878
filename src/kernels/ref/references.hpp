// SPDX-License-Identifier: Apache-2.0
// How the host computes an op: slow and obvious, on boxes, the oracle of every other kernel. The files of
// reference_list.inc say it for all ops but those that only put elements elsewhere, which say where
// (ops/rearrange.hpp).
#pragma once

#include <span>
#include <vector>

#include "kernels/kernel_args.hpp"
#include "ops/op_def.hpp"

namespace tw::kernels::ref {

using namespace ops; // element types, views of ops, traits: what references are written with

struct Reference {
  const char *op; // "stablehlo.add"
  Status (*run)(const KernelArgs &args) = nullptr;
  // Elementwise ops only, in place of `run`: the function for these operand types (the result's type
  // follows), or null where the op does not take them.
  BlockFn (*block)(const OpView &op) = nullptr;
  // Ops that rearrange only, in place of `run`: OpDef::rearranges.
  std::vector<ElementRead> (*rearranges)(const OpView &op) = nullptr;

  Status operator()(const KernelArgs &args) const;
};

// What one file of this folder registers: `References NAME_reference::references()` for the line
// TW_REFERENCE(NAME).
using References = std::span<const Reference>;

// Null: nothing here computes it. The answer stays valid, so whoever runs an op often asks once.
const Reference *reference_of(const OpDef &def);
// Null: the op is not elementwise, or does not take these types.
BlockFn block_of(const OpDef &def, const OpView &op);

} // namespace tw::kernels::ref
