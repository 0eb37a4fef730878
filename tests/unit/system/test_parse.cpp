// SPDX-License-Identifier: Apache-2.0
// System files: what they say, and where they are wrong.
#include <doctest/doctest.h>

#include "system/system.hpp"

namespace tw::test_system_parse {

using system::Link;

namespace {

constexpr const char *kExample = R"(# an example
[device]  name=a100-40g  flops.bf16=312e12  flops.tf32=156e12  flops.f32=19.5e12  hbm_bytes=40e9  hbm_bw=1.555e12
          reserve_bytes=1.5e9  launch_s=4e-6
[eff]     matmul=0:0.10,16:0.60,128:0.90      # by flops
          hbm=0:0.3,1e6:0.6,1e7:0.75,1e8:0.9
[axis gpu]  topology=ring  bw=230e9  lat=3.4e-6  base=8.4e-6
[axis *]    topology=switch bw=25GB lat=14e-6 base=8.4e-6
[level node] topology=torus bw=1
[overlap] enabled=0 slowdown=1.15
[fusion] chains=0
[loops] trip_count=7
)";

} // namespace

TEST_CASE("a system file says what a machine is") {
  const auto made = system::parse(kExample, "a.conf");
  REQUIRE(made.has_value());
  CHECK(made->device.name == "a100-40g");
  CHECK(made->device.hbm_bytes == 40e9);
  CHECK(made->device.reserve_bytes == 1.5e9);
  CHECK(made->device.launch_s == 4e-6);
  CHECK(made->flops_of(graph::DType::bf16) == 312e12);
  CHECK(made->flops_of(graph::DType::f16) == 312e12); // bf16's, the nearest
  CHECK(made->flops_of(graph::DType::f32) == 19.5e12);
  CHECK(made->flops_of(graph::DType::s32) == 19.5e12);
  CHECK(made->matmul.at(15.9) == 0.10);
  CHECK(made->matmul.at(16) == 0.60);
  CHECK(made->matmul.at(1e9) == 0.90);
  CHECK(made->hbm.at(2e7) == 0.75);
  REQUIRE(made->find_link("gpu") != nullptr);
  CHECK(made->find_link("gpu")->topology == Link::Topology::ring);
  CHECK(made->find_link("gpu")->bytes_per_s == 230e9);
  REQUIRE(made->find_link("other") != nullptr);
  CHECK(made->find_link("other")->topology == Link::Topology::switched);
  CHECK(made->find_link("other")->bytes_per_s == 25e9);
  CHECK(made->levels.at("node").topology == Link::Topology::torus);
  CHECK_FALSE(made->overlaps);
  CHECK(made->slowdown == 1.15);
  CHECK_FALSE(made->chains);
  CHECK(made->trip_count == 7);
}

TEST_CASE("products of a type may have figures of their own, and so has the rest") {
  const auto made = system::parse("[device] flops.f32=1 hbm_bytes=1 hbm_bw=1\n"
                                  "[eff] matmul=0:0.5 matmul.bf16=0:0.1,8:0.25 other=0.125\n",
                                  "a.conf");
  REQUIRE(made.has_value());
  CHECK(made->matmul_at(graph::DType::f32, 9) == 0.5);
  CHECK(made->matmul_at(graph::DType::bf16, 8) == 0.5); // computed at the figure of f32
  const auto both = system::parse("[device] flops.f32=1 flops.bf16=2 hbm_bytes=1 hbm_bw=1\n"
                                  "[eff] matmul=0:0.5 matmul.bf16=0:0.1,8:0.25\n",
                                  "a.conf");
  REQUIRE(both.has_value());
  CHECK(both->matmul_at(graph::DType::bf16, 8) == 0.25);
  CHECK(both->matmul_at(graph::DType::f16, 7) == 0.1); // bf16's figure is the nearest
  CHECK(made->other == 0.125);
}

TEST_CASE("every system that comes with the library is whole") {
  for (const std::string &name : system::shipped_names()) {
    INFO(name);
    const auto made = system::load(name);
    REQUIRE(made.has_value());
    CHECK(made->device.name == name);
    CHECK(system::check_axes(*made, {"data", "model"}).has_value());
  }
  const auto none = system::load("a100-40");
  REQUIRE_FALSE(none.has_value());
  CHECK(none.error().message().find("nearest: 'a100-40g'") != std::string::npos);
  CHECK_FALSE(system::load("/dev/zero").has_value());
  CHECK_FALSE(system::load("/").has_value());
}

TEST_CASE("axes that nothing is said of, and those that are misspelt") {
  const auto made = system::parse("[device] flops.f32=1 hbm_bytes=1 hbm_bw=1\n[axis model] bw=1\n", "a.conf");
  REQUIRE(made.has_value());
  CHECK(system::check_axes(*made, {"model"}).has_value());
  const auto missing = system::check_axes(*made, {"model", "data"});
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().message() ==
        "a.conf says nothing of axis 'data': add [axis data], or [axis *] for every other axis");
  const auto slip = system::check_axes(*made, {"modle"});
  REQUIRE_FALSE(slip.has_value());
  CHECK(slip.error().message() == "the mesh has no axis 'model'; nearest: 'modle'");
  CHECK(slip.error().info().pos.line == 2);
}

TEST_CASE("a damaged file says what is wrong and where") {
  const std::string device = "[device] flops.f32=1e12 hbm_bytes=1e9 hbm_bw=1e9\n";
  struct Case {
    std::string text;
    const char *id;
    uint32_t line, column;
  };
  const Case cases[] = {
      {"", "TW-442", 1, 1},
      {"# nothing\n", "TW-442", 1, 1},
      {"x=1\n", "TW-440", 1, 1},
      {"[device\n", "TW-440", 1, 1},
      {"[]\n", "TW-441", 1, 1},
      {"[devcie] a=1\n", "TW-441", 1, 1},
      {"[device]\n", "TW-442", 1, 1},
      {"[device] hbm_bytes=1 hbm_bw=1\n", "TW-442", 1, 1},
      {"[device] flops.f32=1 hbm_bw=1\n", "TW-442", 1, 1},
      {"[device] flops.f32=1 hbm_bytes=1\n", "TW-442", 1, 1},
      {"[device] flops.f33=1\n", "TW-441", 1, 10},
      {"[eff] matmul.b16=0:1\n", "TW-441", 1, 7},
      {"[eff] matmul.tf32=0:1\n", "TW-441", 1, 7},
      {"[eff] matmul.bf16=1:1\n", "TW-442", 1, 19},
      {"[eff] other=2\n", "TW-442", 1, 13},
      {"[axis x] bw=1 matmul.bf16=0:1\n", "TW-441", 1, 15},
      {"[device] flops.f32=\n", "TW-440", 1, 20},
      {"[device] flops.f32=fast\n", "TW-440", 1, 20},
      {"[device] flops.f32=0\n", "TW-442", 1, 20},
      {"[device] flops.f32=-1\n", "TW-442", 1, 20},
      {"[device] flops.f32=nan\n", "TW-442", 1, 20},
      {"[device] flops.f32=inf\n", "TW-442", 1, 20},
      {"[device] flops.f32=1e999\n", "TW-440", 1, 20},
      {"[device] flops.f32=1e12 flops.f32=2e12\n", "TW-440", 1, 25},
      {"[device] hbm_bytes=40GiBs\n", "TW-441", 1, 22},
      {"[device] hbm_bytes=40e9B40\n", "TW-441", 1, 24},
      {"[device] hbmbytes=40e9\n", "TW-441", 1, 10},
      {"[device] =1\n", "TW-440", 1, 10},
      {"[device] launch_s\n", "TW-440", 1, 10},
      {"[device] launch_s = 1\n", "TW-440", 1, 10},
      {"[device] shared_memory=2\n", "TW-442", 1, 24},
      {"[device] at_once=1.5\n", "TW-442", 1, 18},
      {device + "[device] name=b\n", "TW-440", 2, 1},
      {device + "[axis] bw=1\n", "TW-440", 2, 1},
      {device + "[axis x]\n", "TW-442", 2, 1},
      {device + "[axis x] bw=0\n", "TW-442", 2, 13},
      {device + "[axis x] bw=1 topology=mesh\n", "TW-441", 2, 24},
      {device + "[axis x] bw=1 latency=1\n", "TW-441", 2, 15},
      {device + "[axis x] bw=1\n[axis x] bw=2\n", "TW-440", 3, 1},
      {device + "[level] bw=1\n", "TW-440", 2, 1},
      {device + "[level node] lat=1\n", "TW-442", 2, 1},
      {device + "[eff] matmul=0.5\n", "TW-440", 2, 14},
      {device + "[eff] matmul=1:0.5\n", "TW-442", 2, 14},
      {device + "[eff] matmul=0:0.5,0:0.6\n", "TW-442", 2, 20},
      {device + "[eff] matmul=0:0.5,8:1.6\n", "TW-442", 2, 22},
      {device + "[eff] matmul=0:0.5,\n", "TW-440", 2, 20},
      {device + "[eff] by=size\n", "TW-441", 2, 10},
      {device + "[overlap] slowdown=0.5\n", "TW-442", 2, 20},
      {device + "[overlap] enabled=yes\n", "TW-440", 2, 19},
      {device + "[fusion] chain=1\n", "TW-441", 2, 10},
      {device + "[loops] trip_count=-3\n", "TW-442", 2, 20},
      {device + "[loops] trip\xff=3\n", "TW-003", 2, 13},
  };
  static_assert(std::size(cases) >= 40);
  for (const Case &c : cases) {
    INFO(c.text);
    const auto made = system::parse(c.text, "a.conf");
    REQUIRE_FALSE(made.has_value());
    const ErrorInfo &info = made.error().info();
    CHECK(std::string(info.id) == c.id);
    CHECK(info.pos.file == "a.conf");
    CHECK(info.pos.line == c.line);
    CHECK(info.pos.column == c.column);
  }
  const std::string whole(kExample);
  for (size_t i = 0; i < whole.size(); ++i) // cut off, or with a byte of another kind, anywhere
    for (const std::string &text : {whole.substr(0, i), whole.substr(0, i) + '\0' + whole.substr(i + 1)})
      if (const auto made = system::parse(text, "a.conf"); !made)
        CHECK(made.error().info().pos.line > 0);
}

} // namespace tw::test_system_parse
