// SPDX-License-Identifier: Apache-2.0
// What a test and the double of NCCL have in common: streams, and a table by which the test provokes faults
// and asks what the double has seen.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include <dlfcn.h>

namespace tw::nccl_double {

// What stands for a cudaStream_t: commands run on a thread of its own, in order, some time later. Where the
// environment variable TW_CUDA_DRIVER names the double of the CUDA driver, streams and memory are that one's.
class Stream {
public:
  virtual ~Stream() = default;
  virtual void push(std::function<void()> command) = 0;
};

// What goes wrong at the `at`-th group that a rank of the first communicator launches, splits not counted.
struct Fault {
  enum class Kind : uint8_t {
    none,
    error,       // the call fails with `result`
    async_error, // it never ends, and asking for errors answers with `result`
    never_comes, // it is in progress for ever
    hangs,       // it is taken, and never ends
    init_error,  // in place of a group, making a communicator or splitting one fails
    init_hangs,  // the same is in progress for ever
  } kind = Kind::none;
  int32_t rank = 0;
  int64_t at = 0;
  int32_t result = 2;
};

// The table behind the symbol "nccl_double_control".
struct Control {
  // Delays are drawn from now on; faults, counts and reports are forgotten.
  void (*reset)(uint64_t seed);
  void (*arm)(const Fault &fault);
  bool (*fault_happened)();
  int64_t (*launched)(int32_t rank); // groups, since the reset
  int64_t (*made)(int32_t rank);     // communicators and splits, since the reset
  int64_t (*live)();                 // communicators that have not ended
  int64_t (*collectives)();          // of NCCL's own, since the reset
  std::string (*reports)();          // what the caller did wrong: a line each
};

// That of the double that the environment variable TW_NCCL names.
inline const Control &control() {
  static const Control *const table = [] {
    const char *path = std::getenv("TW_NCCL");
    void *library = path != nullptr ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
    const void *found = library != nullptr ? dlsym(library, "nccl_double_control") : nullptr;
    if (found == nullptr) {
      std::fputs("TW_NCCL does not name the double of NCCL\n", stderr);
      std::exit(1);
    }
    return static_cast<const Control *>(found);
  }();
  return *table;
}

} // namespace tw::nccl_double
