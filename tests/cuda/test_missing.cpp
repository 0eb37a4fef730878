// SPDX-License-Identifier: Apache-2.0
// A machine without a driver: clean answers that name what is missing.
#include <algorithm>
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include "device/cuda/cuda.hpp"
#include "device/kind.hpp"
#include "device/queue.hpp"

namespace tw::test_cuda_missing {

TEST_CASE("without a driver the plug-in opens and says what is missing") {
  REQUIRE(std::string(std::getenv("TW_CUDA_DRIVER")) == "libno_driver.so");
  for (int again = 0; again < 2; ++again) {
    const auto plugin = device::cuda::find_plugin();
    REQUIRE_FALSE(plugin);
    CHECK(plugin.error().code() == Code::unavailable);
    CHECK(std::string(plugin.error().info().id) == "TW-680");
    CHECK(plugin.error().message().find("libno_driver.so") != std::string::npos);
    const auto gpu = device::cuda::Gpu::open(0);
    REQUIRE_FALSE(gpu);
    CHECK(gpu.error().code() == Code::unavailable);
  }
  CHECK(device::cuda::all_facts().empty());
}

TEST_CASE("devices on a GPU are refused before anything is made") {
  const auto kind = device::find_kind("cuda");
  REQUIRE(kind);
  const auto memory = device::allocate(**kind, 0, 64, {});
  REQUIRE_FALSE(memory);
  CHECK(memory.error().code() == Code::unavailable);
  const auto queue = (*kind)->as_queues()->make_queue(0);
  REQUIRE_FALSE(queue);
  CHECK(queue.error().message().find("libno_driver.so") != std::string::npos);
  CHECK((*kind)->as_queues()->make_event(0)->is_reached());
}

TEST_CASE("the build information says what was found and why not") {
  const auto info = device::cuda::build_info();
  const auto value = [&](const std::string &key) {
    const auto found = std::find_if(info.begin(), info.end(), [&](const auto &e) { return e.first == key; });
    return found == info.end() ? std::string() : found->second;
  };
  CHECK(value("plug-in") == "found");
  CHECK(value("driver").find("libno_driver.so") != std::string::npos);
  CHECK(value("cublaslt").find("libno_products.so") != std::string::npos);
  CHECK(value("headers").find('.') != std::string::npos);
  // Libraries that were not found say the file; those without a header say that.
  for (const std::string name : {"cub", "cudnn", "cufft", "cusolver", "cublas"}) {
    CAPTURE(name);
    CHECK((value(name).find("libno_") != std::string::npos ||
           value(name).find("built without") != std::string::npos));
  }
}

} // namespace tw::test_cuda_missing
