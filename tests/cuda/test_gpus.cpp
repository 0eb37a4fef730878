// SPDX-License-Identifier: Apache-2.0
// On which GPUs devices go: the listed ones, or those that are alike and reach each other.
#include <cstdlib>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "device/cuda/gpus.hpp"

namespace tw::test_cuda_gpus {

using Numbers = std::vector<int32_t>;

namespace {

Numbers placed(int64_t devices, const Numbers &wished = {}) {
  const auto found = device::cuda::place(devices, {wished, 0});
  REQUIRE(found);
  return *found;
}

// Of the environment of this process, and back again.
class Variable {
public:
  Variable(const char *name, const char *value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;

private:
  const char *name_;
};

} // namespace

TEST_CASE("devices go in blocks to GPUs that reach each other") {
  const Variable gpus("TW_DOUBLE_GPUS", "4");
  CHECK(placed(1) == Numbers{0});
  CHECK(placed(2) == Numbers{0, 1});
  CHECK(placed(4) == Numbers{0, 1, 2, 3});
  CHECK(placed(6) == Numbers{0, 0, 1, 2, 2, 3});
  CHECK(placed(8) == Numbers{0, 0, 1, 1, 2, 2, 3, 3});
  CHECK(placed(4, {3, 1}) == Numbers{3, 3, 1, 1});
  CHECK(placed(2, {2, 1, 0}) == Numbers{2, 1});
  const Variable list("TW_CUDA_GPUS", "2");
  CHECK(placed(3) == Numbers{2, 2, 2});
  CHECK(placed(2, {1}) == Numbers{1, 1});
}

TEST_CASE("lists that cannot be used say what is wrong with them") {
  const auto message = [](const char *list) {
    const Variable variable("TW_CUDA_GPUS", list);
    const auto found = device::cuda::place(2, {});
    REQUIRE_FALSE(found);
    return std::string(found.error().info().id) + " " + found.error().message();
  };
  CHECK(message("0,x") ==
        "TW-684 TW_CUDA_GPUS is '0,x'; 'x' is no number of a GPU, and a list of GPUs is '0' or "
        "'0,1,3'");
  CHECK(message("1,0,1").find("GPU 1 is there twice") != std::string::npos);
  CHECK(message("-1").find("'-1' is no number") != std::string::npos);
  CHECK(message("0 1").find("' 1' follows a number") != std::string::npos);
  CHECK(message("0,9") == "TW-683 there is no GPU 9: this machine has GPUs 0 to 1");
}

// The last: what reaches what is found out once.
TEST_CASE("GPUs that GPU 0 does not reach are there for who names them") {
  const Variable none("TW_DOUBLE_NO_PEERS", "1"), gpus("TW_DOUBLE_GPUS", "7");
  CHECK(placed(8) == Numbers{0, 0, 1, 1, 2, 2, 3, 3}); // those of the first test reached each other
  CHECK(placed(4, {5, 6}) == Numbers{5, 5, 6, 6});
}

} // namespace tw::test_cuda_gpus
