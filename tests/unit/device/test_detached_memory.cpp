// SPDX-License-Identifier: Apache-2.0
// Whoever touches memory of a detached device without its queue dies there.
#include <doctest/doctest.h>

#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

#include "device/detached/memory.hpp"

namespace tw::test_detached_memory {

using device::detached::Memory;

namespace {

// The signal that ends a process that calls this.
template <class Touch> int signal_of(Touch &&touch) {
  const pid_t child = fork();
  if (child == 0) {
    for (const int number : {SIGSEGV, SIGBUS})
      signal(number, SIG_DFL); // a sanitizer's would report
    touch();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

} // namespace

TEST_CASE("a host access faults, one through the alias does not") {
  Memory memory(1 << 20);
  auto block = memory.allocate(0, 5000);
  REQUIRE(block.has_value());
  volatile std::byte *const seen = *block;
  std::byte *const alias = memory.alias(*block);
  CHECK(signal_of([&] { seen[0] = std::byte{1}; }) == SIGSEGV);
  CHECK(signal_of([&] { static_cast<void>(seen[4999]); }) == SIGSEGV);
  CHECK(signal_of([&] { static_cast<volatile std::byte *>(alias)[4999] = std::byte{1}; }) == 0);
  CHECK(signal_of([&] { static_cast<void>(static_cast<volatile std::byte *>(alias)[2 * 4096]); }) == SIGSEGV);
  alias[4999] = std::byte{3};
  CHECK(*memory.alias(*block + 4999) == std::byte{3});
  memory.free(*block);
}

TEST_CASE("addresses are found in their block, its end included, and nowhere else") {
  Memory memory(1 << 20);
  std::byte *const a = *memory.allocate(0, 4096), *const b = *memory.allocate(0, 1);
  CHECK(memory.alias(a + 17) == memory.alias(a) + 17);
  CHECK(memory.alias(a + 4096) == memory.alias(a) + 4096);
  CHECK(memory.alias(a + 4097) == nullptr);
  CHECK(memory.alias(b) != memory.alias(a));
  int local = 0;
  CHECK(memory.alias(&local) == nullptr);
  memory.free(a);
  CHECK(memory.alias(a) == nullptr);
  memory.free(b);
}

TEST_CASE("who asks for too much is told what was asked for and what is free") {
  Memory memory(10 * 4096);
  std::byte *const some = *memory.allocate(0, 4 * 4096);
  const auto much = memory.allocate(0, 7 * 4096);
  REQUIRE(!much.has_value());
  CHECK(much.error().code() == Code::resource_exhausted);
  CHECK(much.error().message() == "a detached device has no 28672 bytes: 24576 are free");
  memory.free(some);
  CHECK(memory.free_bytes() == 10 * 4096);
  for (int i = 0; i < 1000; ++i) // nothing is lost
    memory.free(*memory.allocate(0, 9 * 4096));
}

TEST_CASE("fresh memory holds no zeros") {
  Memory memory(1 << 20);
  std::byte *const block = *memory.allocate(0, 64);
  CHECK(*memory.alias(block) != std::byte{0});
  memory.free(block);
}

} // namespace tw::test_detached_memory
