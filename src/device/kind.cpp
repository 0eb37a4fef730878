// SPDX-License-Identifier: Apache-2.0
// Finds a kind by its name.
#include "device/kind.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "device/queue.hpp"

namespace tw::device {
namespace {

std::span<const Kind *const> all_kinds() {
#define TW_DEVICE(name, file) &name::file(),
  static const std::array kinds{
#include "device/kind_list.inc"
  };
#undef TW_DEVICE
  return kinds;
}

std::atomic<uint64_t> g_recordings{0};

} // namespace

Recording::Recording() : number_(++g_recordings) {}

const Kind &host_kind() { return host::kind(); }

std::vector<std::string_view> kind_names() {
  std::vector<std::string_view> names;
  for (const Kind *kind : all_kinds())
    names.emplace_back(kind->name());
  return names;
}

Result<const Kind *> find_kind(std::string_view name) {
  const auto found =
      std::ranges::find(all_kinds(), name, [](const Kind *k) { return std::string_view(k->name()); });
  if (found == all_kinds().end())
    return fail(
        Code::not_found, "TW-670",
        fmt::format("there is no device kind '{}': this build has {}", name, fmt::join(kind_names(), ", ")));
  return *found;
}

Result<Crossing> QueueKind::cross(const CrossingWish &wish) const {
  std::string why = fmt::format("{} devices have no way of their own between processes", name());
  if (wish.is_required)
    return fail(Code::unavailable, "TW-654", why);
  return Crossing{nullptr, nullptr, std::move(why)};
}

Result<Memory> allocate(const Kind &kind, int32_t unit, size_t bytes, const Allocator &allocator) {
  TW_ASSIGN(std::byte * memory, kind.allocate(unit, bytes, allocator));
  return Memory(memory, Free{&kind, unit, bytes, allocator});
}

} // namespace tw::device
