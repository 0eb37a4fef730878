// SPDX-License-Identifier: Apache-2.0
// Arguments that are given away: their memory is written over where nobody else has it.
#include <doctest/doctest.h>

#include <cmath>

#include "pjrt/plugin.hpp"

using namespace tw::test::plugin;
using tw::pjrt::LoadedExecutable;

namespace {

constexpr const char *kDonatesTwo = R"(module @jit_update {
  func.func public @main(%arg0: tensor<2xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2xf32>) -> (tensor<2xf32>) {
    %0 = stablehlo.subtract %arg0, %arg1 : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
})";

// Whole on y, so that two devices each hold the same.
constexpr const char *kHeldByTwo =
    R"(module @jit_update attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, tf.aliasing_output = 0 : i32},
      %arg1: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
      -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = stablehlo.subtract %arg0, %arg1 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
})";

constexpr const char *kDonatesMuch = R"(module @jit_twice {
  func.func public @main(%arg0: tensor<256x256xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<256x256xf32>) {
    %0 = stablehlo.add %arg0, %arg0 : tensor<256x256xf32>
    return %0 : tensor<256x256xf32>
  }
})";

} // namespace

TEST_CASE("test_donation__donated_memory_is_written_over") {
  const Client client(1);
  auto *executable = client.compile(kDonates, options_for({0}));
  auto *step = client.floats({1, 1, 1, 1}, {4});
  const std::vector<float> values{5, 6, 7, 8}, less{4, 5, 6, 7};

  auto *x = client.floats(values, {4});
  void *const memory = address(x);
  auto results = execute(executable, {{x, step}}, 1);
  CHECK(is_deleted(x));
  CHECK(floats_of(results[0][0]) == less);
  CHECK(address(results[0][0]) == memory);
  destroy(results[0][0]);
  destroy(x);

  // Somebody looks at it: it is not written.
  x = client.floats(values, {4});
  ask<abi::Of<tw::pjrt::Buffer>>(buffer_increase_external_references, x);
  const auto *seen = static_cast<const float *>(address(x));
  results = execute(executable, {{x, step}}, 1);
  CHECK(is_deleted(x));
  CHECK(floats_of(results[0][0]) == less);
  CHECK(std::vector<float>(seen, seen + 4) == values);
  ask<abi::Of<tw::pjrt::Buffer>>(buffer_decrease_external_references, x);
  destroy(results[0][0]);
  destroy(x);

  // The caller keeps it.
  x = client.floats(values, {4});
  results = execute(executable, {{x, step}}, 1, nullptr, {0});
  CHECK_FALSE(is_deleted(x));
  CHECK(floats_of(results[0][0]) == less);
  CHECK(floats_of(x) == values);
  destroy(results[0][0]);

  // It is given twice: refused, and still there.
  Said said;
  execute(executable, {{x, x}}, 1, &said);
  CHECK(said.message == "argument 0 of jit_update is donated, and argument 1 is the same buffer");
  CHECK_FALSE(is_deleted(x));
  destroy(x);
  destroy(step);
  end(executable);
}

// Devices that hold the same hold it in one memory, which is written over when all of them gave it away.
TEST_CASE("test_donation__one_memory_for_devices_that_hold_the_same") {
  const Client client(4);
  auto *executable = client.compile(kHeldByTwo, options_for({0, 1, 2, 3}));
  std::vector<tw::pjrt::Buffer *> steps;
  std::vector<std::vector<tw::pjrt::Buffer *>> arguments;
  for (int p = 0; p < 4; ++p) {
    steps.push_back(client.floats({1, 2}, {2}, p));
    const float first = p < 2 ? 10.0f : 20.0f;
    arguments.push_back({client.floats({first, first + 1}, {2}, p), steps.back()});
  }
  const auto step = [&] {
    const auto results = execute(executable, arguments, 1);
    for (int p = 0; p < 4; ++p) {
      CHECK(is_deleted(arguments[p][0]));
      destroy(arguments[p][0]);
      arguments[p][0] = results[p][0];
    }
  };
  const auto check = [&](float less) {
    for (int p = 0; p < 4; ++p) {
      const float first = p < 2 ? 10.0f : 20.0f;
      CHECK(floats_of(arguments[p][0]) == std::vector<float>{first - less, first + 1 - 2 * less});
      CHECK(address(arguments[p][0]) == address(arguments[p / 2 * 2][0]));
    }
  };
  step();
  check(1);
  void *const memory = address(arguments[0][0]);
  step();
  check(2);
  CHECK(address(arguments[3][0]) != memory);
  CHECK(address(arguments[1][0]) == memory);

  // Somebody looks at what the second device has: it is not written.
  auto *seen_one = arguments[1][0];
  ask<abi::Of<tw::pjrt::Buffer>>(buffer_increase_external_references, seen_one);
  const auto *seen = static_cast<const float *>(address(seen_one));
  const auto results = execute(executable, arguments, 1);
  CHECK(std::vector<float>(seen, seen + 2) == std::vector<float>{8, 7});
  ask<abi::Of<tw::pjrt::Buffer>>(buffer_decrease_external_references, seen_one);
  for (int p = 0; p < 4; ++p) {
    destroy(arguments[p][0]);
    arguments[p][0] = results[p][0];
  }
  check(3);

  // One device's is given to a run of another program, which leaves the other device's as it is.
  auto *alone = client.compile(kDonatesTwo, options_for({0}));
  const auto other = execute(alone, {{arguments[0][0], steps[0]}}, 1);
  CHECK(is_deleted(arguments[0][0]));
  CHECK(floats_of(other[0][0]) == std::vector<float>{6, 3});
  CHECK(floats_of(arguments[1][0]) == std::vector<float>{7, 5});
  destroy(other[0][0]);
  for (int p = 0; p < 4; ++p) {
    destroy(arguments[p][0]);
    destroy(steps[p]);
  }
  end(alone);
  end(executable);
}

// The caller asks where it lies while its run waits for others, and waits then.
TEST_CASE("test_donation__donated_memory_is_known_at_once") {
  const Client client(1);
  auto *slow = client.compile(kSlow, options_for({0}));
  auto *donating = client.compile(kDonatesMuch, options_for({0}));
  constexpr size_t kSize = 256 * 256;
  auto *x = client.floats(std::vector<float>(kSize, 1.0f / 256), {256, 256});
  std::vector<tw::pjrt::Buffer *> made;
  const auto start = [&](LoadedExecutable *executable, tw::pjrt::Buffer *in) {
    tw::pjrt::Buffer *out = nullptr, *const *ins = &in;
    tw::pjrt::Buffer **outs = &out;
    abi::ExecuteOptions options{};
    options.struct_size = sizeof options;
    abi::Execute args{};
    args.object = executable;
    args.options = &options;
    args.arguments = &ins;
    args.num_devices = args.num_args = 1;
    args.outputs = &outs;
    done(loaded_executable_execute, args);
    made.push_back(in);
    return out;
  };
  for (int i = 0; i < 8; ++i)
    x = start(slow, x);
  x = start(donating, x);
  ask<abi::Of<tw::pjrt::Buffer>>(buffer_increase_external_references, x);
  const auto *seen =
      static_cast<const float *>(ask<abi::Get<tw::pjrt::Buffer, void *>>(buffer_data_pointer, x).value);
  REQUIRE(seen != nullptr);
  const std::vector<float> values = floats_of(x);
  CHECK(std::abs(values[7] - 2.0f / 256) < 1e-6f);
  CHECK(std::vector<float>(seen, seen + kSize) == values);
  ask<abi::Of<tw::pjrt::Buffer>>(buffer_decrease_external_references, x);
  made.push_back(x);
  for (auto *buffer : made)
    destroy(buffer);
  end(slow);
  end(donating);
}
