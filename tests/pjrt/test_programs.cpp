// SPDX-License-Identifier: Apache-2.0
// Programs: compiled, run on one device and several, with donated arguments, and refused.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>
#include <thread>

#include "pjrt/plugin.hpp"
#include "pjrt/proto.hpp"
#include "support/unit.hpp"

using namespace tw::test::plugin;
using tw::pjrt::LoadedExecutable;

namespace {

constexpr const char *kAdd = R"(module @jit_add {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
})";

// Rows on x, columns on y; the second result is not stated, and lies in tiles of 2 and 1.
constexpr const char *kSharded =
    R"(module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
      -> (tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<3x6xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %1 = stablehlo.slice %arg0 [0:3, 0:6] : (tensor<4x6xf32>) -> tensor<3x6xf32>
    return %0, %1 : tensor<6x4xf32>, tensor<3x6xf32>
  }
})";

} // namespace

TEST_CASE("test_programs__on_any_device") {
  const Client client(3);
  auto *executable = client.compile(kAdd, options_for({2}));
  auto *x = client.floats({1, 2, 3, 4}, {4}, 2);
  const auto results = execute(executable, {{x, x}}, 1);
  CHECK(floats_of(results[0][0]) == std::vector<float>{2, 4, 6, 8});
  CHECK((ask<abi::Get<tw::pjrt::Buffer, tw::pjrt::Device *>>(buffer_device, results[0][0]).value ==
         client.device(2)));
  // In either order.
  auto *inner =
      ask<abi::Get<LoadedExecutable, tw::pjrt::Executable *>>(loaded_executable_get_executable, executable)
          .value;
  end(executable);
  const auto name = ask<abi::GetText<tw::pjrt::Executable>>(executable_name, inner);
  CHECK(std::string_view(name.text, name.size) == "jit_add");
  ask<abi::Of<tw::pjrt::Executable>>(executable_destroy, inner);
  destroy(results[0][0]);
  destroy(x);
}

TEST_CASE("test_programs__as_bytes_and_back") {
  const Client client(1);
  auto *executable = client.compile(kAdd, options_for({0}));
  auto *inner =
      ask<abi::Get<LoadedExecutable, tw::pjrt::Executable *>>(loaded_executable_get_executable, executable)
          .value;
  end(executable);
  auto bytes = ask<abi::GetBytes<tw::pjrt::Executable>>(executable_serialize, inner);
  abi::ExecutableLoad load{};
  load.object = client.get();
  load.bytes = bytes.bytes;
  load.size = bytes.size;
  executable = done(executable_deserialize_and_load, load).executable;
  auto *x = client.floats({1, 2, 3, 4}, {4});
  const auto results = execute(executable, {{x, x}}, 1);
  CHECK(floats_of(results[0][0]) == std::vector<float>{2, 4, 6, 8});
  load.size /= 2;
  CHECK(call(executable_deserialize_and_load, load).code == abi::Code::invalid_argument);
  bytes.deleter(bytes.backing);
  end(executable);
  ask<abi::Of<tw::pjrt::Executable>>(executable_destroy, inner);
  destroy(results[0][0]);
  destroy(x);
}

TEST_CASE("test_programs__compiled_without_a_client") {
  abi::TopologyDeserialize read{};
  read.bytes = "tilewright:4";
  read.size = 12;
  auto *topology = done(topology_deserialize, read).topology;
  read.size = 10;
  CHECK(call(topology_deserialize, read).code == abi::Code::invalid_argument);
  std::string code = kAdd;
  const std::string options = options_for({3});
  abi::Program program{};
  program.code = code.data();
  program.code_size = code.size();
  program.format = "mlir";
  program.format_size = 4;
  abi::TopologyCompile compile{};
  compile.topology = topology;
  compile.program = &program;
  compile.options = options.data();
  compile.options_size = options.size();
  auto *compiled = done(compile_for_topology, compile).executable;
  program.format_size = 3;
  CHECK(call(compile_for_topology, compile).message ==
        "a program in format 'mli': StableHLO is read, format 'mlir'");
  ask<abi::Of<tw::pjrt::Topology>>(topology_destroy, topology);
  const Client client(4);
  abi::ClientLoad load{};
  load.object = client.get();
  load.executable = compiled;
  auto *executable = done(client_load, load).loaded;
  auto *x = client.floats({1, 2, 3, 4}, {4}, 3);
  const auto results = execute(executable, {{x, x}}, 1);
  CHECK(floats_of(results[0][0]) == std::vector<float>{2, 4, 6, 8});
  destroy(results[0][0]);
  destroy(x);
  end(executable);
  ask<abi::Of<tw::pjrt::Executable>>(executable_destroy, compiled);
}

TEST_CASE("test_programs__tiles_on_devices_in_any_order") {
  const Client client(4);
  auto *executable = client.compile(kSharded, options_for({3, 1, 0, 2}));
  std::vector<float> values(24);
  std::iota(values.begin(), values.end(), 0.0f);
  // Partition p is at x = p / 2, y = p % 2.
  std::vector<std::vector<tw::pjrt::Buffer *>> arguments;
  const int devices[] = {3, 1, 0, 2};
  for (int p = 0; p < 4; ++p) {
    const int x = p / 2, y = p % 2;
    arguments.push_back({client.buffer(abi::Type::f32, {2, 3}, values.data() + y * 12 + x * 3, devices[p],
                                       std::vector<int64_t>{24, 4})});
  }
  const auto results = execute(executable, arguments, 2);
  for (int p = 0; p < 4; ++p) {
    const int x = p / 2, y = p % 2;
    CHECK((ask<abi::Get<tw::pjrt::Buffer, tw::pjrt::Device *>>(buffer_device, results[p][0]).value ==
           client.device(devices[p])));
    CHECK(dims_of(results[p][0]) == std::vector<int64_t>{3, 2});
    std::vector<float> expected;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j)
        expected.push_back(values[static_cast<size_t>((y * 2 + j) * 6 + x * 3 + i)]);
    CHECK(floats_of(results[p][0]) == expected);
    // What lies unevenly is whole for the caller.
    CHECK(dims_of(results[p][1])[0] == 3);
    for (auto *result : results[p])
      destroy(result);
    destroy(arguments[p][0]);
  }
  auto *inner =
      ask<abi::Get<LoadedExecutable, tw::pjrt::Executable *>>(loaded_executable_get_executable, executable)
          .value;
  const auto *extension = reinterpret_cast<const abi::ShardingsExtension *>(table().extensions);
  abi::ExecutableShardings shardings{};
  shardings.struct_size = sizeof shardings;
  shardings.object = inner;
  expect_ok(take(extension->parameters(&shardings)));
  REQUIRE(shardings.count == 1);
  // {devices=[2,2]0,2,1,3}
  tw::pjrt::ProtoWriter wanted;
  wanted.integer(1, 3);
  wanted.integers(3, {2, 2});
  wanted.integers(4, {0, 2, 1, 3});
  CHECK(std::string(shardings.shardings[0], shardings.sizes[0]) == wanted.take());
  ask<abi::Of<tw::pjrt::Executable>>(executable_destroy, inner);
  end(executable);
}

TEST_CASE("test_programs__several_threads") {
  Client client(2);
  auto *shared = client.compile(kAdd, options_for({0}));
  auto *common = client.floats({1, 2, 3, 4}, {4});
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      auto *own = client.compile(kDonates, options_for({t % 2}));
      auto *step = client.floats({1, 1, 1, 1}, {4}, t % 2);
      auto *x = client.floats({50, 50, 50, 50}, {4}, t % 2);
      for (int i = 0; i < 40; ++i) {
        const auto sums = execute(shared, {{common, common}}, 1);
        const auto next = execute(own, {{x, step}}, 1);
        destroy(x);
        x = next[0][0];
        good += floats_of(sums[0][0]) == std::vector<float>{2, 4, 6, 8};
        destroy(sums[0][0]);
      }
      good += floats_of(x) == std::vector<float>{10, 10, 10, 10};
      destroy(x);
      destroy(step);
      end(own);
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(good == 4 * 41);
  destroy(common);
  end(shared);
}

// Its runs are handed over to the queue: each reads what the one before makes, and a client that is destroyed
// waits for them. Whoever opened the library may close it meanwhile: its code stays.
TEST_CASE("test_programs__runs_that_are_under_way") {
  Client client(1);
  auto *executable = client.compile(kSlow, options_for({0}));
  std::vector<tw::pjrt::Buffer *> made{client.floats(std::vector<float>(256 * 256, 1.0f / 256), {256, 256})};
  for (int i = 0; i < 20; ++i) {
    tw::pjrt::Buffer *in = made.back(), *out = nullptr;
    tw::pjrt::Buffer *const *ins = &in;
    tw::pjrt::Buffer **outs = &out;
    abi::ExecuteOptions options{};
    options.struct_size = sizeof options;
    abi::Execute args{};
    args.object = executable;
    args.options = &options;
    args.arguments = &ins;
    args.num_devices = 1;
    args.num_args = 1;
    args.outputs = &outs;
    done(loaded_executable_execute, args);
    made.push_back(out);
  }
  unload();
  client.destroy();
  const std::vector<float> last = floats_of(made.back());
  CHECK(std::abs(last[5] - 1.0f / 256) < 1e-6f);
  for (auto *buffer : made)
    destroy(buffer);
  end(executable);
}

TEST_CASE("test_programs__wrong_arguments_are_named") {
  const Client client(1);
  auto *executable = client.compile(kAdd, options_for({0}));
  auto *x = client.floats({1, 2, 3}, {3});
  Said said;
  execute(executable, {{x, x}}, 1, &said);
  CHECK(said.message == "argument 0 of jit_add is f32[3] on partition 0, it takes f32[4]");
  execute(executable, {{x}}, 1, &said);
  CHECK(said.message == "jit_add takes 2 arguments, 1 were given");
  ask<abi::Of<LoadedExecutable>>(loaded_executable_delete, executable);
  execute(executable, {{x, x}}, 1, &said);
  CHECK(said.message == "the executable was deleted");
  destroy(x);
  end(executable);
}

TEST_CASE("test_programs__what_is_refused_has_its_place") {
  const Client client(2);
  Said said;
  client.compile(R"(module {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.custom_call @nobody_knows(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
})",
                 options_for({0}), &said);
  CHECK(said.code == abi::Code::unimplemented);
  CHECK(said.message.find("nobody_knows") != std::string::npos);
  client.compile("module {\n  what is this", options_for({0}), &said);
  CHECK(said.code == abi::Code::invalid_argument);
  CHECK(said.message.starts_with("program:2:"));
  client.compile(kAdd, options_for({7}), &said);
  CHECK(said.message == "the program is for device 7: the client has 2 (option devices, TW_PJRT_DEVICES)");
  client.compile(kAdd, "\x1a\x7f", &said);
  CHECK(said.message == "CompileOptionsProto: a field of 127 bytes where 0 are left");
}

TEST_CASE("test_programs__damaged_bytes_end_in_an_error") {
  const Client client(4);
  std::mt19937 draw(7);
  const auto damage = [&](std::string bytes) {
    for (int i = 0; i < 3; ++i)
      bytes[draw() % bytes.size()] = static_cast<char>(draw());
    return bytes.substr(0, draw() % 4 == 0 ? draw() % bytes.size() : bytes.size());
  };
  std::ifstream file(tw::test::source_path("tests/unit/import/artifacts/v1_17_0.mlirbc"), std::ios::binary);
  const std::string artifact{std::istreambuf_iterator<char>(file), {}};
  REQUIRE(artifact.size() > 100);
  const std::string options = options_for({0, 1, 2, 3});
  int refused = 0;
  for (int i = 0; i < 600; ++i) {
    Said said;
    auto *executable = i % 3 == 0   ? client.compile(damage(kSharded), options, &said)
                       : i % 3 == 1 ? client.compile(damage(artifact), options, &said)
                                    : client.compile(kSharded, damage(options), &said);
    if (said.code == abi::Code::ok)
      end(executable);
    else
      ++refused;
  }
  CHECK(refused > 100);
}
