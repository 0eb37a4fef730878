// SPDX-License-Identifier: Apache-2.0
// Donated arguments give their memory to their results, others are never written, and updates do not wait.
#include <set>

#include "runtime/schedule.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test_pair_donations {

using namespace tw::test;
using runtime::Step;

namespace {

runtime::Options donating() {
  runtime::Options options;
  options.workers = 2;
  options.donate = true;
  return options;
}

std::string bytes_of(const runtime::Tensor &t) {
  return {reinterpret_cast<const char *>(t.data()), static_cast<size_t>(t.type().bytes())};
}

} // namespace

TEST_CASE("a result is made in the memory of the argument that is donated to it") {
  const auto graph = descent(kFirst, kSecond);
  for (const auto &[mesh, spec] :
       {std::pair{"", ""},
        {"d=2", "tile(arg=x, dim=0, axis=\"d\"); infer-propagate"}, // p and q whole, and shared
        {"d=3", "tile(arg=p, dim=0, axis=\"d\"); infer-propagate"}}) {
    Runner plain(graph, mesh, spec), donates(graph, mesh, spec, donating());
    const std::string p = bytes_of(plain.inputs[0]);
    REQUIRE(plain.run().has_value());
    CHECK(plain.executable->donated_to(0) == graph::kNone);
    CHECK(bytes_of(plain.inputs[0]) == p);

    REQUIRE(donates.executable->donated_to(0) == 0);
    CHECK(donates.executable->donated_to(1) == 1);
    CHECK(donates.executable->donated_to(2) == graph::kNone);
    const std::string x = bytes_of(donates.inputs[2]);
    REQUIRE(donates.run().has_value());
    CHECK(donates.bytes() == plain.bytes());
    CHECK(bytes_of(donates.inputs[0]) == bytes_of(plain.outputs[0]));
    CHECK(bytes_of(donates.inputs[2]) == x);
    CHECK(donates.executable->peak_bytes({}) <= plain.executable->peak_bytes({}));
  }
}

TEST_CASE("a state in one tensor goes on from run to run") {
  const auto graph = descent(kFirst, kDonor);
  Runner plain(graph, "", ""), donates(graph, "", "", donating());
  REQUIRE(donates.executable->donated_to(1) == 1); // the result that is left
  donates.output_views[0] = donates.input_views[0];
  donates.output_views[1] = donates.input_views[1];
  for (int step = 0; step < 3; ++step) {
    REQUIRE(plain.run().has_value());
    REQUIRE(donates.run().has_value());
    for (const size_t i : {0, 1}) {
      CHECK(bytes_of(donates.inputs[i]) == bytes_of(plain.outputs[i]));
      std::memcpy(plain.inputs[i].data(), plain.outputs[i].data(),
                  static_cast<size_t>(plain.outputs[i].type().bytes()));
    }
  }
}

TEST_CASE("nothing is written over that is read afterwards, or in another order") {
  const auto donated_to = [](std::string_view text) {
    const auto graph = import_of(fmt::format("func.func @main(%p: tensor<8x8xf32> {} loc(\"p\"), %x: "
                                             "tensor<8x8xf32> loc(\"x\")) -> {}",
                                             kFirst, text));
    Runner plain(graph, "", ""), donates(graph, "", "", donating());
    REQUIRE(plain.run().has_value());
    REQUIRE(donates.run().has_value());
    CHECK(donates.bytes() == plain.bytes());
    return donates.executable->donated_to(0);
  };
  CHECK(donated_to(R"(tensor<8x8xf32> {
  %y = stablehlo.dot_general %p, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
})") == graph::kNone);
  CHECK(donated_to(R"(tensor<8x8xf32> {
  %t = stablehlo.transpose %p, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.add %t, %p : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
})") == 0); // the transpose is an array before
  CHECK(donated_to(R"((tensor<8x8xf32>, tensor<8x8xf32>) {
  %y = stablehlo.add %p, %x : tensor<8x8xf32>
  %z = stablehlo.dot_general %y, %p, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y, %z : tensor<8x8xf32>, tensor<8x8xf32>
})") == graph::kNone);
  CHECK(donated_to(R"(tensor<8x8xf32> {
  return %p : tensor<8x8xf32>
})") == graph::kNone);
}

TEST_CASE("memory of a donated array is nobody else's") {
  Runner runner(descent(kFirst, ""), "", "", donating());
  auto inputs = runner.input_views, outputs = runner.output_views;
  const auto refused = [&] {
    const Status status = runner.executable->run(inputs, outputs);
    REQUIRE(!status.has_value());
    return std::string(status.error().info().id) + " " + status.error().message();
  };
  inputs[1] = inputs[0];
  CHECK(refused() == "TW-628 p is donated, and q has some of its memory");
  inputs = runner.input_views;
  outputs[1] = inputs[0];
  CHECK(refused() == "TW-628 p is donated, and out1 has some of its memory");
  outputs[1] = inputs[1]; // which is only read
  outputs[0] = inputs[0];
  CHECK(runner.executable->run(inputs, outputs).has_value());
}

TEST_CASE("a run that fails keeps what is not donated") {
  for (const bool donate : {false, true}) {
    auto options = donating();
    options.donate = donate;
    Runner runner(descent(kFirst, kSecond), "d=2", "tile(arg=x, dim=0, axis=\"d\"); infer-propagate",
                  std::move(options));
    const std::string before = runner.bytes(), x = bytes_of(runner.inputs[2]);
    runtime::Hooks hooks;
    hooks.faults = {
        {runtime::Fault::Kind::error, {}, static_cast<uint32_t>(runner.executable->num_steps()) - 1}};
    runner.executable->set_hooks(std::move(hooks));
    CHECK(!runner.run().has_value());
    CHECK(runner.bytes() == before);
    CHECK(bytes_of(runner.inputs[2]) == x);
  }
}

} // namespace tw::test_pair_donations
