// SPDX-License-Identifier: Apache-2.0
// Gathers the references of reference_list.inc into one table by op.
#include "kernels/ref/references.hpp"

#include <unordered_map>

#include "kernels/ref/elementwise.hpp"
#include "kernels/ref/rearrange.hpp"
#include "ops/registry.hpp"

namespace tw::kernels::ref {

#define TW_REFERENCE(name)                                                                                   \
  namespace name##_reference {                                                                               \
    References references();                                                                                 \
  }
#include "kernels/ref/reference_list.inc"
#undef TW_REFERENCE

namespace {

using Table = std::unordered_map<const OpDef *, Reference>;

Table all_references() {
  Table table;
  for (const OpDef *def : all_ops())
    if (def->rearranges != nullptr)
      table.emplace(def, Reference{def->name, nullptr, nullptr, def->rearranges});
  const auto take = [&](References references) {
    for (const Reference &reference : references) {
      const auto code = find_op(reference.op);
      TW_ASSERT(code.has_value());
      [[maybe_unused]] const bool added = table.emplace(&op_def(*code), reference).second;
      TW_ASSERT(added); // an op has one reference
    }
  };
#define TW_REFERENCE(name) take(name##_reference::references());
#include "kernels/ref/reference_list.inc"
#undef TW_REFERENCE
  return table;
}

} // namespace

Status Reference::operator()(const KernelArgs &args) const {
  if (block != nullptr)
    return run_block(args, block(args.op));
  return rearranges != nullptr ? rearrange(args, rearranges(args.op)) : run(args);
}

const Reference *reference_of(const OpDef &def) {
  static const Table table = all_references();
  const auto found = table.find(&def);
  return found == table.end() ? nullptr : &found->second;
}

BlockFn block_of(const OpDef &def, const OpView &op) {
  const Reference *reference = reference_of(def);
  return reference != nullptr && reference->block != nullptr ? reference->block(op) : nullptr;
}

} // namespace tw::kernels::ref
