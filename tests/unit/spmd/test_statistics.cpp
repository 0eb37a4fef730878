// SPDX-License-Identifier: Apache-2.0
// What a program communicates equals what is counted device by device.
#include <doctest/doctest.h>

#include <algorithm>

#include "spmd/program.hpp"
#include "support/random_program.hpp"

namespace tw::test_statistics {

TEST_CASE("received bytes, counted device by device") {
  int uneven = 0;
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    test::Dice random(seed);
    const test::RandomProgram made = test::random_program(random);
    partition::Plan plan(made.graph, test::random_mesh(random));
    test::random_actions(plan, random);
    const auto lowered = spmd::lower(plan);
    REQUIRE(lowered.has_value());
    const spmd::Program &program = **lowered;
    CAPTURE(seed);

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
  CHECK(uneven > 5);
}

} // namespace tw::test_statistics
