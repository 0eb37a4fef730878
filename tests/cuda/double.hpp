// SPDX-License-Identifier: Apache-2.0
// What a test asks of the double of the driver that the plug-in has opened.
#pragma once

#include <cstdlib>

#include <doctest/doctest.h>

#include "base/dynlib.hpp"
#include "cuda/driver_double.hpp"

namespace tw::test {

// Opening it again gives the one that the plug-in has.
inline const DynLib &double_library() {
  static auto &library = *new Result<DynLib>(DynLib::open(std::getenv("TW_CUDA_DRIVER")));
  REQUIRE(library);
  return *library;
}

class Double {
public:
  void add_kernel(const char *name, tw_double_kernel kernel, const size_t *sizes, size_t count) const {
    get<decltype(tw_double_add_kernel)>("tw_double_add_kernel")(name, kernel, sizes, count);
  }
  void fail_command(int64_t n, int code) const {
    get<decltype(tw_double_fail_command)>("tw_double_fail_command")(n, code);
  }
  void fail_allocation(int64_t n) const {
    get<decltype(tw_double_fail_allocation)>("tw_double_fail_allocation")(n);
  }
  void delays(uint64_t seed) const { get<decltype(tw_double_delays)>("tw_double_delays")(seed); }
  int64_t alive() const { return get<decltype(tw_double_alive)>("tw_double_alive")(); }
  int64_t calls() const { return get<decltype(tw_double_calls)>("tw_double_calls")(); }
  int64_t graph_launches() const {
    return get<decltype(tw_double_graph_launches)>("tw_double_graph_launches")();
  }

private:
  template <class Function> static Function *get(const char *symbol) {
    auto found = double_library().get<Function>(symbol);
    REQUIRE(found);
    return *found;
  }
};

// For kernels of the host, which run in threads of streams.
inline void *alias_of(const void *memory) {
  static auto *const alias = [] {
    auto found = double_library().get<decltype(tw_double_alias)>("tw_double_alias");
    REQUIRE(found);
    return *found;
  }();
  return alias(memory);
}

} // namespace tw::test
