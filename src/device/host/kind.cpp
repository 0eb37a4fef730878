// SPDX-License-Identifier: Apache-2.0
// The host: memory of the process, which workers read and write in place.
#include "device/kind.hpp"

#include <fmt/format.h>

namespace tw::device::host {
namespace {

constexpr size_t kPage = 4096;

class Host final : public Kind {
public:
  const char *name() const override { return "host"; }
  std::span<const kernels::Entry> kernels() const override { return kernels::host_entries(); }

  Result<std::byte *> allocate(int32_t, size_t bytes, const Allocator &allocator) const override {
    auto *memory = static_cast<std::byte *>(allocator.allocate(bytes, kPage));
    if (memory == nullptr)
      return fail(Code::resource_exhausted, "TW-623",
                  fmt::format("no memory for the devices' {} bytes", bytes));
    return memory;
  }
  void free(int32_t, std::byte *memory, size_t bytes, const Allocator &allocator) const override {
    allocator.release(memory, bytes, kPage);
  }
};

} // namespace

const Kind &kind() {
  static const Host host;
  return host;
}

} // namespace tw::device::host
