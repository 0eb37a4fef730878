// SPDX-License-Identifier: Apache-2.0
// Kinds are found by name, and who asks for another is told which there are.
#include <doctest/doctest.h>

#include "device/kind.hpp"

namespace tw::test_kinds {

TEST_CASE("kinds are found by name") {
  for (const std::string_view name : device::kind_names())
    CHECK((*device::find_kind(name))->name() == name);
  CHECK(*device::find_kind("host") == &device::host_kind());
  CHECK(device::host_kind().as_queues() == nullptr);
  CHECK((*device::find_kind("detached"))->as_queues() != nullptr);
}

TEST_CASE("an unknown kind lists those there are") {
  const auto found = device::find_kind("toaster");
  REQUIRE(!found.has_value());
  CHECK(found.error().code() == Code::not_found);
  CHECK(found.error().message() == "there is no device kind 'toaster': this build has cuda, detached, host");
}

TEST_CASE("the host's memory can be used in place") {
  auto memory = device::allocate(device::host_kind(), 0, 100, {});
  REQUIRE(memory.has_value());
  memory->get()[99] = std::byte{7};
  CHECK(memory->get()[99] == std::byte{7});
  const Allocator poor{[](size_t, size_t, void *) -> void * { return nullptr; },
                       [](void *, size_t, void *) {}, nullptr};
  const auto none = device::allocate(device::host_kind(), 0, 100, poor);
  REQUIRE(!none.has_value());
  CHECK(none.error().message() == "no memory for the devices' 100 bytes");
  CHECK(none.error().info().id == std::string("TW-623"));
}

} // namespace tw::test_kinds
