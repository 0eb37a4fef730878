// SPDX-License-Identifier: Apache-2.0
// Programs of a device in the shard dialect, read by the importer and run on all devices: every device's
// results are its tiles of what the whole program computes.
#include <doctest/doctest.h>

#include <map>

#include "partition/spec.hpp"
#include "support/random_program.hpp"
#include "unit/emit/run_local_text.hpp"

namespace tw::test_shard_local {

using namespace tw::test;
using partition::Plan;

TEST_CASE("random programs under random actions") {
  std::map<std::string, size_t> said;
  size_t count = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const RandomProgram program = random_program(random);
    const std::vector<const char *> meshes = {"a=2", "a=4", "a=2,b=2", "a=3", "a=3,b=2", "a=2,b=2,c=2"};
    Plan plan(program.graph, *sharding::Mesh::parse(random.pick(meshes)));
    const std::string actions = random_actions(plan, random);
    CAPTURE(actions);
    count += check_local_text(plan, program.inputs, "local", seed, said);
  }
  for (const char *op : {"all_gather", "all_reduce", "all_slice", "all_to_all", "reduce_scatter", "shift"}) {
    CAPTURE(op);
    CHECK(said[op] > 0);
  }
  CHECK(count > 400);
}

TEST_CASE("what a grid has no words for") {
  Dice random(1);
  const RandomProgram program = random_program(random);
  for (const auto kind : {sharding::AxisKind::serial, sharding::AxisKind::threads}) {
    Plan plan(program.graph, *sharding::Mesh::parse("a=2"));
    REQUIRE(plan.add_axis("micro", 2, kind));
    const auto lowered = spmd::lower(plan);
    REQUIRE(lowered.has_value());
    const auto text = emit::shard::to_device_local_text(**lowered);
    REQUIRE(!text.has_value());
    CHECK(std::string_view(text.error().info().id) == "TW-730");
    CHECK(text.error().message().find("'micro'") != std::string::npos);
  }
}

} // namespace tw::test_shard_local
