// SPDX-License-Identifier: Apache-2.0
// Finds the kernel of a request: the first of the list that takes it.
#include "kernels/kernel.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "kernels/bind.hpp"
#include "kernels/custom_calls.hpp"
#include "kernels/ref/references.hpp"
#if TW_WITH_ONEDNN
#include "kernels/onednn/product.hpp"
#endif

namespace tw::kernels {

std::span<const Entry> host_entries() {
#define TW_KERNEL(folder, name) folder::name##_kernel::entry(),
  static const std::array entries{
#include "kernels/kernel_list.inc"
  };
#undef TW_KERNEL
  return entries;
}

namespace {

// Those of `entries` that may take an op, in order.
std::vector<const Entry *> entries_for(const ops::OpDef &def, std::span<const Entry> entries) {
  const bool has_reference = ref::reference_of(def) != nullptr;
  std::vector<const Entry *> found;
  for (const Entry &entry : entries) {
    const bool by_flags = entry.ops.empty() || entry.flags != 0;
    if ((by_flags && has_reference && (def.flags & entry.flags) == entry.flags) ||
        std::ranges::find(entry.ops, def.kind) != entry.ops.end())
      found.push_back(&entry);
  }
  return found;
}

} // namespace

int64_t Tile::elements() const {
  int64_t n = 1;
  for (int64_t e : extent)
    n *= e;
  return n;
}

void prepare_thread() {
#if TW_WITH_ONEDNN
  onednn::prepare_thread();
#endif
}

Result<std::unique_ptr<Kernel>> bind(const Request &request, const CustomCalls *calls) {
  return bind(request, calls, host_entries());
}

Result<std::unique_ptr<Kernel>> bind(const Request &request, const CustomCalls *calls,
                                     std::span<const Entry> entries) {
  if (const CustomCall *known = find_kernel(calls, request.def, request.op))
    return known->bind(request);
  for (const Entry *entry : entries_for(request.def, entries))
    if (auto kernel = entry->bind(request))
      return kernel;
  return fail(Code::unimplemented, "TW-601",
              fmt::format("{} has no kernel", called(request.def, request.op)));
}

Status run_serially(const Kernel &kernel, std::span<const void *const> operands,
                    std::span<void *const> results, void *scratch) {
  const auto given = operands.first(operands.size() - 1);
  for (int64_t part = 0; part < kernel.prepare_parts(); ++part)
    TW_TRY(kernel.prepare(part, given, const_cast<void *>(operands.back())));
  for (int64_t part = 0; part < kernel.parts(); ++part)
    TW_TRY(kernel.run(part, kernel.prepare_parts() > 0 ? operands : given, results, scratch));
  return {};
}

bool has_kernel(const ops::OpDef &def) { return !entries_for(def, host_entries()).empty(); }

std::vector<const char *> kernels_for(const ops::OpDef &def) {
  std::vector<const char *> names;
  for (const Entry *entry : entries_for(def, host_entries()))
    names.push_back(entry->name);
  return names;
}

} // namespace tw::kernels
