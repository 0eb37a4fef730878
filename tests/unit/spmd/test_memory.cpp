// SPDX-License-Identifier: Apache-2.0
// Peak memory and communication figures equal those counted device by device.
#include <doctest/doctest.h>

#include <algorithm>

#include "spmd/program.hpp"
#include "support/random_program.hpp"

namespace tw::spmd_test_memory {

namespace {

// The peak of one device, instruction by instruction.
int64_t peak_of(const spmd::Program &program, sharding::Position device) {
  const auto size = [&](spmd::ValueRef v) {
    return program.box(v, device).elements() * static_cast<int64_t>(byte_size(program.type(v).dtype));
  };
  int64_t held = 0, peak = 0;
  std::vector<bool> by_caller(program.values().size(), false);
  for (const spmd::Instr &instr : program.instrs()) {
    if (instr.kind != spmd::InstrKind::argument && instr.kind != spmd::InstrKind::result)
      continue;
    const spmd::ValueRef v = instr.num_results != 0 ? instr.first_result : program.operands(instr)[0];
    held += size(v);
    by_caller[v] = true;
  }
  for (uint32_t i = 0; i < program.instrs().size(); ++i) {
    int64_t alive = 0;
    for (spmd::ValueRef v = 0; v < program.values().size(); ++v) {
      bool read_later = false; // now or later
      for (uint32_t j = i; j < program.instrs().size(); ++j)
        read_later |= std::ranges::count(program.operands(program.instrs()[j]), v) != 0;
      const uint32_t made = program.values()[v].def;
      if (!by_caller[v] && (made == i || (made < i && read_later)))
        alive += size(v);
    }
    peak = std::max(peak, alive);
  }
  return held + peak;
}

// Without loops and branches, of which test_control_flow knows.
bool is_straight(const spmd::Program &program) {
  return std::ranges::count(program.instrs(), spmd::InstrKind::region, &spmd::Instr::kind) == 0;
}

bool is_balanced(const spmd::Program &program) {
  for (spmd::ShardingId s = 0; s < program.num_shardings(); ++s)
    for (const auto &dim : program.sharding(s).dims)
      if (dim.rule.kind != sharding::SplitRule::Kind::balanced)
        return false;
  return true;
}

} // namespace

TEST_CASE("peak memory and received bytes, counted device by device") {
  int exact = 0, uneven = 0;
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    test::Dice random(seed);
    const test::RandomProgram made = test::random_program(random);
    partition::Plan plan(made.graph, test::random_mesh(random));
    test::random_actions(plan, random);
    const auto lowered = spmd::lower(plan);
    REQUIRE(lowered.has_value());
    const spmd::Program &program = **lowered;
    CAPTURE(seed);

    int64_t peak = 0;
    for (sharding::Position device; device < program.mesh().num_devices(); ++device)
      peak = std::max(peak, peak_of(program, device));
    const spmd::MemoryUse memory = plan_memory(program);
    if (is_straight(program))
      REQUIRE(memory.peak_bytes >= peak);
    if (is_straight(program) && is_balanced(program)) {
      REQUIRE(memory.peak_bytes == peak);
      ++exact;
    }

    const spmd::Statistics statistics = find_statistics(program);
    std::vector<int64_t> received(static_cast<size_t>(program.mesh().num_devices()), 0);
    std::array<int64_t, redistribute::kNumKinds> counts{};
    double mean = 0;
    for (size_t id = 0; id < program.collectives().size(); ++id) {
      const spmd::Collective &c = program.collectives()[id];
      const int64_t times = statistics.times[id];
      const spmd::Instr &instr = program.instrs()[c.instr];
      for (uint32_t i = 0; i < instr.num_operands; ++i) { // what a region combines moves together
        const spmd::ValueRef from = program.operands(instr)[i], to = instr.first_result + i;
        const std::vector<int64_t> bytes = redistribute::bytes_received(redistribute::Problem::within(
            program.mesh(), program.type(from), program.sharding(program.values()[from].sharding),
            program.sharding(program.values()[to].sharding)));
        REQUIRE(bytes.size() == received.size());
        for (size_t device = 0; device < received.size(); ++device)
          received[device] += bytes[device] * times;
      }
      ++counts[static_cast<size_t>(c.summary.kind)];
      mean += c.summary.bytes_received_mean * static_cast<double>(times);
    }
    REQUIRE(statistics.counts == counts);
    REQUIRE(statistics.bytes_received_max == std::ranges::max(received));
    REQUIRE(statistics.bytes_received_mean == doctest::Approx(mean));
    uneven += std::ranges::min(received) != std::ranges::max(received) ? 1 : 0;
  }
  CHECK(exact > 10);
  CHECK(uneven > 5);
}

} // namespace tw::spmd_test_memory
