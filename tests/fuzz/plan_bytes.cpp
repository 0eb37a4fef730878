// SPDX-License-Identifier: Apache-2.0
// Fuzzes plans from outside: bytes are refused, or they are a plan that the checker accepts.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "redistribute/check.hpp"
#include "redistribute/plan_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto loaded = tw::redistribute::from_bytes({reinterpret_cast<const char *>(data), size});
  if (loaded && !tw::redistribute::check(*loaded->plan).pass())
    std::abort();
  if (!loaded && loaded.error().code() == tw::Code::internal)
    std::abort();
  return 0;
}
