// SPDX-License-Identifier: Apache-2.0
// Estimates: figures that can be worked out by hand, and what must hold of every one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cost/estimate.hpp"
#include "partition/spec.hpp"
#include "runtime/executable.hpp"
#include "runtime/planned.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test_cost_estimate {

using cost::Estimate;
using graph::ValueId;
using test::ProgramBuilder;

namespace {

system::System machine(const std::string &more = "") {
  auto made = system::parse("[device] flops.f32=1e9 hbm_bytes=1e9 hbm_bw=1e8 launch_s=1e-3\n"
                            "[eff] matmul=0:0.5,1:1 by=flops\n[axis *] bw=1e6 lat=1e-2 base=0.5\n" +
                                more,
                            "test.conf");
  REQUIRE(made.has_value());
  return *made;
}

std::shared_ptr<const spmd::Program> lowered(std::shared_ptr<const graph::Graph> graph, std::string_view on,
                                             std::string_view spec) {
  partition::Plan plan(graph, test::mesh(on));
  test::act(plan, spec);
  auto program = spmd::lower(plan);
  REQUIRE(program.has_value());
  return *program;
}

Estimate estimate_of(std::shared_ptr<const spmd::Program> program, const system::System &on,
                     const cost::Options &options = {}) {
  auto made = cost::estimate(std::move(program), on, options);
  if (!made)
    FAIL(made.error().message());
  return std::move(*made);
}

} // namespace

TEST_CASE("a product over two devices, worked out by hand") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {128, 256}), w = p.arg("w", {256, 512});
  p.result(p.matmul(x, w), "y");
  const auto graph = p.finish();
  const double flops = 2.0 * 128 * 256 * 512, bytes = 4.0 * (128 * 256 + 256 * 512 + 128 * 512);
  const Estimate whole = estimate_of(lowered(graph, "", ""), machine());
  REQUIRE(whole.steps.size() == 1);
  CHECK(whole.steps[0].flops == flops);
  CHECK(whole.steps[0].bytes == bytes);
  CHECK(whole.serial_s == doctest::Approx(flops / (1e9 * 0.5) + 1e-3));
  CHECK(whole.compute_s == whole.serial_s);

  // Each multiplies half of the summands, and they add up 128 x 512 numbers.
  const Estimate half =
      estimate_of(lowered(graph, "m=2", "tile(arg=x, dim=1, axis=m); infer-propagate"), machine());
  CHECK(half.compute_s == doctest::Approx(flops / 2 / (1e9 * 0.5) + 1e-3));
  const double moved = 0.5 + 2 * 1e-2 + 2 * (4.0 * 128 * 512) * 0.5 / 1e6;
  CHECK(half.communication_s == doctest::Approx(moved));
  REQUIRE(half.by_axis_s.size() == 1);
  CHECK(half.by_axis_s[0] == doctest::Approx(moved));
  CHECK(half.serial_s == doctest::Approx(half.compute_s + half.memory_s + moved));

  // Its smallest side, where the file goes by that: 64 rows of x on a device.
  const Estimate rows = estimate_of(lowered(graph, "m=2", "tile(arg=x, dim=0, axis=m); infer-propagate"),
                                    *system::parse("[device] flops.f32=1e9 hbm_bytes=1e9 hbm_bw=1e12\n"
                                                   "[eff] matmul=0:0.25,65:1 by=min_dim\n[axis *] bw=1e6\n",
                                                   "test.conf"));
  CHECK(rows.communication_s == 0);
  CHECK(rows.serial_s == doctest::Approx(flops / 2 / (1e9 * 0.25)));
}

TEST_CASE("devices that share memory and take turns, worked out by hand") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {128, 256}), w = p.arg("w", {256, 512});
  p.result(p.matmul(x, w), "y");
  const auto graph = p.finish();
  const auto taking = [&](std::string_view spec) {
    const auto on =
        system::parse("[device] flops.f32=1e9 hbm_bytes=1e9 hbm_bw=1e12 at_once=1 shared_memory=1\n"
                      "[axis *] topology=switch bw=1e6 lat=1e-2 base=0.5\n[overlap] enabled=0\n",
                      "test.conf");
    return estimate_of(lowered(graph, "m=4", spec), *on);
  };
  const double flops = 2.0 * 128 * 256 * 512, bytes = 4.0 * 128 * 512;
  // One computes for all; or each its part, one after the other.
  CHECK(taking("").compute_s == doctest::Approx(flops / 1e9));
  const Estimate rows = taking("tile(arg=x, dim=0, axis=m); infer-propagate; shard(result=0, [{}, {}])");
  CHECK(rows.compute_s == doctest::Approx(flops / 1e9));
  // The rows are gathered once, for all.
  CHECK(rows.communication_s == doctest::Approx(0.5 + 2 * 1e-2 + bytes * 0.75 / 1e6));
  // All read what the others summed up, in turns, and what they write is there for all.
  const Estimate sums = taking("tile(arg=x, dim=1, axis=m); infer-propagate");
  CHECK(sums.communication_s == doctest::Approx(0.5 + 2 * 1e-2 + 4 * bytes * 0.75 / 1e6));
  // Nothing is equal on two of them.
  const Estimate parts = taking("tile(arg=x, dim=0, axis=m); infer-propagate; shard(result=0, [{}, {m}])");
  CHECK(parts.communication_s == doctest::Approx(0.5 + 2 * 1e-2 + 4 * (bytes / 4) * 0.75 / 1e6));
}

TEST_CASE("functions reach a part of the peak of their own") {
  ProgramBuilder p;
  p.result(p.tanh(p.arg("x", {1000})), "y");
  const ValueId z = p.arg("z", {1000});
  p.result(p.add(z, z), "u");
  const auto graph = p.finish();
  const auto seconds = [&](const std::string &eff) {
    return estimate_of(lowered(graph, "", ""),
                       *system::parse("[device] flops.f32=1e6 hbm_bytes=1e9 hbm_bw=1e12\n[eff] " + eff + "\n",
                                      "test.conf"))
        .compute_s;
  };
  CHECK(seconds("other=0.5") == doctest::Approx(2 * 2e-3));
  CHECK(seconds("other=0.5 functions=0.25") == doctest::Approx(2e-3 + 4e-3));
}

TEST_CASE("what crosses a level goes over the link of that name") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {128, 256}), w = p.arg("w", {256, 512});
  p.result(p.matmul(x, w), "y");
  partition::Plan plan(p.finish(), test::mesh("m=4"));
  test::act(plan, "tile(arg=x, dim=1, axis=m); infer-propagate");
  spmd::Options by_level;
  by_level.levels = "node=2";
  const auto program = spmd::lower(plan, by_level);
  REQUIRE(program.has_value());
  REQUIRE((*program)->level_names().size() == 1);
  CHECK((*program)->level_names()[0] == "node");
  const auto moves = [&](const std::string &levels) {
    return estimate_of(*program, machine(levels)).communication_s;
  };
  const double slow = moves("[level node] bw=1e5 lat=1e-2 base=0.5\n"),
               fast = moves("[level node] bw=1e6 lat=1e-2 base=0.5\n");
  CHECK(slow > 1.5 * fast);
  const Estimate e = estimate_of(*program, machine("[level node] bw=1e5 lat=1e-2 base=0.5\n"));
  REQUIRE(e.links == std::vector<std::string>{"level node", "inside node"});
  double on_links = 0;
  for (const cost::LinkTime &time : e.on_links)
    on_links += time.lasts_s;
  CHECK(on_links == doctest::Approx(e.communication_s)); // one level after the other
  // Another level's figures change nothing; where none has the name the slowest counts.
  CHECK(moves("[level node] bw=1e6 lat=1e-2 base=0.5\n[level a] bw=1\n") == fast);
  CHECK(moves("[level a] bw=1e9\n[level rack] bw=1e5 lat=1e-2 base=0.5\n") == slow);
}

TEST_CASE("devices with less of a step take less of its time") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {5, 1 << 20}), w = p.arg("w", {1 << 20, 1});
  p.result(p.matmul(x, w), "y");
  const auto graph = p.finish();
  const auto tiled = [&](const char *mesh) {
    partition::Plan plan(graph, test::mesh(mesh));
    test::act(plan, "tile(arg=x, dim=0, axis=m); infer-propagate");
    auto program = spmd::lower(plan, {});
    REQUIRE(program.has_value());
    return estimate_of(*program, machine());
  };
  const Estimate uneven = tiled("m=3"); // 1, 2 and 2 rows
  REQUIRE(uneven.kind_of.size() == 3);
  CHECK(std::set<uint32_t>(uneven.kind_of.begin(), uneven.kind_of.end()).size() == 2);
  std::vector<double> parts;
  for (const uint32_t kind : uneven.kind_of)
    parts.push_back(uneven.part_of_most.at(kind).at(0));
  CHECK(std::ranges::max(parts) == doctest::Approx(1));
  CHECK(std::ranges::min(parts) < 0.99);
  CHECK(std::ranges::count_if(parts, [](double part) { return part < 0.99; }) == 1);
  CHECK(tiled("m=5").part_of_most.size() == 1);
}

TEST_CASE("loops count as often as they turn, also where data say how often") {
  const Estimate one = estimate_of(lowered(test::looping_program(1), "", ""), machine()),
                 five = estimate_of(lowered(test::looping_program(5), "", ""), machine());
  const auto product = [](const Estimate &e) {
    const auto at = std::ranges::max_element(e.steps, {}, &cost::StepTime::flops);
    return static_cast<double>(at->times) * at->flops;
  };
  CHECK(product(five) == doctest::Approx(5 * product(one)));
  const auto open = test::import_of(R"(
func.func @main(%a: tensor<8xf32>, %n: tensor<i32>) -> tensor<8xf32> {
  %0:2 = stablehlo.while(%x = %a, %i = %n) : tensor<8xf32>, tensor<i32>
  cond {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %i, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.subtract %i, %one : tensor<i32>
    %s = stablehlo.tanh %x : tensor<8xf32>
    stablehlo.return %s, %j : tensor<8xf32>, tensor<i32>
  }
  return %0#0 : tensor<8xf32>
})");
  const Estimate guessed = estimate_of(lowered(open, "", ""), machine("[loops] trip_count=50\n"));
  REQUIRE(guessed.notes.size() == 1);
  CHECK(guessed.notes[0] == "loops that data end count 50 times (--trip-count says how often)");
  cost::Options often;
  often.trip_count = 100;
  const Estimate told = estimate_of(lowered(open, "", ""), machine("[loops] trip_count=50\n"), often);
  CHECK(told.serial_s > 1.9 * guessed.serial_s);
}

TEST_CASE("a faster link and a larger cap never cost more, whatever the program and its levels") {
  const uint64_t first = test::number_of("TW_SEED", 1), count = test::slice_of(2000, 100);
  size_t moving = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    test::Dice random(seed);
    const test::RandomProgram made = test::random_program(random);
    partition::Plan plan(made.graph, test::random_mesh(random));
    test::random_actions(plan, random);
    spmd::Options lowering;
    if (plan.mesh().num_devices() % 2 == 0 && random.chance(2))
      lowering.levels = "node=2";
    const auto program = spmd::lower(plan, lowering);
    REQUIRE(program.has_value());

    const auto figure = [&](double most) {
      return most * static_cast<double>(random.between(1, 1000)) / 1000;
    };
    system::System on = machine(random.chance(2) ? "[overlap] slowdown=1.3\n" : "");
    const auto draw = [&]() -> system::Link {
      return {static_cast<system::Link::Topology>(random.below(3)), figure(1e7), figure(0.1), figure(1)};
    };
    std::vector<system::Link *> links = {&on.axes["*"]};
    for (const char *axis : {"a", "b", "c"})
      if (random.chance(2))
        links.push_back(&(on.axes[axis] = draw()));
    for (const char *level : {"node", "rack", "pod"})
      if (random.chance(3))
        links.push_back(&(on.levels[level] = draw()));
    const Estimate before = estimate_of(*program, on);
    moving += before.communication_s > 0;
    system::Link &link = *random.pick(links);
    link.bytes_per_s *= static_cast<double>(random.between(1, 4));
    link.step_s *= figure(1);
    link.base_s *= figure(1);
    const Estimate after = estimate_of(*program, on);
    CHECK(after.serial_s <= before.serial_s * (1 + 1e-12));
    CHECK(after.overlapped_s <= before.overlapped_s * (1 + 1e-12));
    CHECK(after.peak_bytes == before.peak_bytes);

    cost::Options less, more;
    less.cap_bytes = 1 + static_cast<double>(random.below(2 * static_cast<int64_t>(before.peak_bytes) + 1));
    more.cap_bytes = less.cap_bytes + figure(1e4);
    const Estimate tight = estimate_of(*program, on, less), loose = estimate_of(*program, on, more);
    CHECK(tight.serial_s == loose.serial_s);
    CHECK(tight.overlapped_s == loose.overlapped_s);
    CHECK((loose.fits() || !tight.fits()));
  }
  CHECK(moving * 4 > count);
}

TEST_CASE("an axis of one device changes nothing") {
  for (const auto &[on, spec] : test::kStepPlans) {
    const std::string more = std::string(on) + (on[0] == 0 ? "" : ",") + "one=1";
    const std::string tiled =
        std::string(spec) + (spec[0] == 0 ? "" : "; ") + "tile(arg=w1, dim=0, axis=one); infer-propagate";
    const Estimate without = estimate_of(lowered(test::step_program(), on, spec), machine());
    // Of which a system need not say anything.
    const auto known = system::parse("[device] flops.f32=1e9 hbm_bytes=1e9 hbm_bw=1e8 launch_s=1e-3\n"
                                     "[eff] matmul=0:0.5,1:1 by=flops\n[axis data] bw=1e6 lat=1e-2 base=0.5\n"
                                     "[axis model] bw=1e6 lat=1e-2 base=0.5\n",
                                     "test.conf");
    REQUIRE(known.has_value());
    for (const system::System &system : {machine(), *known}) {
      const Estimate with = estimate_of(lowered(test::step_program(), more, tiled), system);
      CHECK(with.serial_s == without.serial_s);
      CHECK(with.overlapped_s == without.overlapped_s);
      CHECK(with.peak_bytes == without.peak_bytes);
    }
  }
}

TEST_CASE("what must hold of every estimate") {
  const uint64_t first = test::number_of("TW_SEED", 1), count = test::slice_of(2000, 100);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    test::Dice random(seed);
    const test::RandomProgram made = test::random_program(random);
    sharding::Mesh mesh = test::random_mesh(random);
    if (random.below(4) == 0)
      mesh = test::with_random_loops(mesh, random);
    partition::Plan plan(made.graph, mesh);
    test::random_actions(plan, random);
    const auto program = spmd::lower(plan);
    REQUIRE(program.has_value());

    const std::string more = random.below(2) == 0 ? "[overlap] slowdown=1.3\n" : "";
    const system::System on = machine(more);
    const Estimate e = estimate_of(*program, on);
    CHECK(std::isfinite(e.serial_s));
    CHECK(e.serial_s == doctest::Approx(e.compute_s + e.memory_s + e.communication_s));
    double sum = 0, axes = 0;
    for (const cost::StepTime &step : e.steps)
      sum += step.seconds * static_cast<double>(step.times);
    for (const double axis : e.by_axis_s)
      axes += axis;
    CHECK(sum == doctest::Approx(e.serial_s));
    CHECK(axes == doctest::Approx(e.communication_s));
    CHECK(e.overlapped_s <= e.serial_s * on.slowdown * (1 + 1e-9));
    CHECK(e.overlapped_s >=
          std::max(e.communication_s / static_cast<double>(std::max<size_t>(e.by_axis_s.size(), 1)),
                   e.compute_s + e.memory_s) *
              (1 - 1e-9));

    // What an executable counts where devices share no memory.
    runtime::Options apart;
    apart.without = {"share_replicated"};
    const auto planned = runtime::Executable::plan(*program, std::move(apart));
    REQUIRE(planned.has_value());
    CHECK(e.peak_bytes == static_cast<double>(planned->peak.bytes));

    // What lies in memory over time: at the peak what is held, nowhere more, and each step at its place.
    int64_t held = 0;
    for (const cost::HeldValue &value : e.held)
      held += value.bytes;
    CHECK(e.places[e.peak_place].bytes == held);
    CHECK(static_cast<double>(held) <= e.peak_bytes);
    CHECK(std::ranges::max(e.places, {}, &cost::MemoryPlace::bytes).bytes == held);
    uint32_t steps = 0;
    for (const cost::MemoryPlace &place : e.places)
      if (place.step != graph::kNone) {
        CHECK(place.step == steps);
        CHECK(place.instr == e.steps[steps++].instr);
      }
    CHECK(steps == e.steps.size());

    cost::Options large;
    large.cap_bytes = e.peak_bytes;
    CHECK(estimate_of(*program, on, large).fits());
    large.cap_bytes = e.peak_bytes - 1;
    CHECK((e.peak_bytes <= 1 || !estimate_of(*program, on, large).fits()));
  }
}

} // namespace tw::test_cost_estimate
