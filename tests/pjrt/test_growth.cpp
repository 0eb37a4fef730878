// SPDX-License-Identifier: Apache-2.0
// Memory: programs that are compiled, run and dropped leave nothing, on one device and on several.
#include <doctest/doctest.h>

#include <unistd.h>

#include <fstream>
#include <string>

#include "pjrt/plugin.hpp"
#include "support/number_of.hpp"

using namespace tw::test::plugin;

namespace {

int64_t resident_bytes() {
  int64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// Each is another program.
std::string on_one(int number) {
  return "module @jit_scale {\n  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {\n"
         "    %0 = stablehlo.constant dense<" +
         std::to_string(number) +
         ".0> : tensor<4xf32>\n    %1 = stablehlo.multiply %arg0, %0 : tensor<4xf32>\n"
         "    return %1 : tensor<4xf32>\n  }\n}";
}

std::string on_four(int number) {
  return "module @jit_scale attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {\n"
         "  sdy.mesh @mesh = <[\"x\"=4]>\n"
         "  func.func public @main(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>})\n"
         "      -> (tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) {\n"
         "    %0 = stablehlo.constant dense<" +
         std::to_string(number) +
         ".0> : tensor<f32>\n    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across "
         "dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>\n"
         "    return %1 : tensor<f32>\n  }\n}";
}

void round(const Client &client, bool is_one, int number) {
  auto *executable = client.compile(is_one ? on_one(number) : on_four(number),
                                    is_one ? options_for({0}) : options_for({0, 1, 2, 3}));
  std::vector<std::vector<tw::pjrt::Buffer *>> arguments;
  for (int p = 0; p < (is_one ? 1 : 4); ++p)
    arguments.push_back({client.floats({1, 2, 3, 4}, {4}, p)});
  const auto results = execute(executable, arguments, 1);
  REQUIRE(floats_of(results[0][0])[0] == static_cast<float>(is_one ? number : 40 + number));
  for (size_t p = 0; p < arguments.size(); ++p) {
    destroy(results[p][0]);
    destroy(arguments[p][0]);
  }
  end(executable);
}

} // namespace

TEST_CASE("test_growth__programs_that_are_dropped_leave_nothing") {
  const Client client(4);
  const auto rounds = static_cast<int>(tw::test::slice_of(10000, 1500));
  [[maybe_unused]] int64_t before = 0;
  for (int number = 1; number <= rounds; ++number) {
    if (number == 600) // the cache is full, and freed memory is used again
      before = resident_bytes();
    for (const bool is_one : {true, false})
      round(client, is_one, number);
  }
#ifndef __SANITIZE_ADDRESS__ // it keeps what was freed for a while
  CHECK(resident_bytes() - before < 4 << 20);
#endif
}
