// SPDX-License-Identifier: Apache-2.0
// Programs of a device in the shard dialect, read by the importer and run on all devices: every device's
// results are its tiles of what the whole program computes.
#include <doctest/doctest.h>

#include <map>

#include "support/number_of.hpp"
#include "unit/emit/plans_read_back.hpp"
#include "unit/emit/run_local_text.hpp"

namespace tw::emit_test_shard_local {

using namespace tw::test;
using partition::Plan;

// TW_SHARD_PROGRAMS says how many, from the seed TW_SEED.
TEST_CASE("random programs under random actions") {
  std::map<std::string, size_t> said;
  const uint64_t first = number_of("TW_SEED", 1), rounds = number_of("TW_SHARD_PROGRAMS", 600);
  size_t count = 0;
  for (uint64_t seed = first; seed < first + rounds; ++seed) {
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
  MESSAGE(count << " of " << rounds << " read");
  CHECK(count * 3 > rounds * 2);
}

TEST_CASE("every op is read of tiles that differ") {
  std::map<std::string, std::string> unread;
  size_t tiled = 0;
  each_instance(4, [&](const ops::OpDef &def, const Instance &instance, const auto &) {
    Plan plan(instance.graph, *sharding::Mesh::parse("a=2"));
    plan.begin_action({"tile", {}});
    for (graph::OpId op = 0; op < instance.graph->ops().size(); ++op)
      for (size_t f = 0; ops::op_def(instance.graph->op(op).code).name == def.name && plan.takes_part(op) &&
                         plan.nest(op).empty() && f < plan.rule(op).factors.size();
           ++f)
        static_cast<void>(plan.set(op, 0, static_cast<ops::FactorId>(f)));
    plan.propagate(partition::Mode::infer_propagate);
    const auto program = spmd::lower(plan);
    REQUIRE(program.has_value());
    const auto text = emit::shard::to_device_local_text(**program);
    REQUIRE_MESSAGE(text.has_value(), text.error().message());
    ++tiled;
    if (const auto read = import::import_text(*text); !read)
      unread[def.name] = read.error().message() + "\n" + *text;
  });
  // Tokens and random bits have no dimensions in front; what folds from a value of each device is told apart.
  for (const char *known : {"stablehlo.after_all", "stablehlo.reduce", "stablehlo.reduce_window",
                            "stablehlo.rng", "stablehlo.rng_bit_generator", "stablehlo.select_and_scatter"})
    unread.erase(known);
  for (const auto &[op, why] : unread)
    MESSAGE(op << ": " << why);
  CHECK(unread.empty());
  CHECK(tiled > 300);
}

// A tile of the kernel stands among zeros, and zero times anything must be zero.
TEST_CASE("what lies behind the end of a window's tile means nothing") {
  const import::Imported imported =
      load_text("func.func @main(%x: tensor<8x13x17xf32>, %k: tensor<1x13x17xf32>) -> tensor<1x8x4xf32> {\n"
                "  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[f, b, 0], "
                "window = {stride = [1], pad = [[3, 0]], lhs_dilate = [1], rhs_dilate = [1]} "
                "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} "
                ": (tensor<8x13x17xf32>, tensor<1x13x17xf32>) -> tensor<1x8x4xf32>\n"
                "  return %0 : tensor<1x8x4xf32>\n}\n");
  Plan plan = plan_of(imported, "a=4", true);
  REQUIRE(partition::apply_spec(
              plan, "tile(arg=x, dim=2, axis=a); tile(arg=k, dim=2, axis=a); infer-propagate", "spec")
              .has_value());
  Dice random(1);
  std::vector<kernels::ref::Array> inputs;
  for (const graph::OpId argument : imported.graph->arguments())
    inputs.push_back(random_array(imported.graph->type(imported.graph->result(argument)), -2, 2, random));
  std::map<std::string, size_t> said;
  CHECK(check_local_text(plan, inputs, "window", 0, said));
  CHECK(said["update_halo"] == 1);
}

TEST_CASE("what a grid has no words for") {
  check_refuses_loops([](const Plan &plan) {
    const auto program = spmd::lower(plan);
    REQUIRE(program.has_value());
    return emit::shard::to_device_local_text(**program);
  });
}

} // namespace tw::emit_test_shard_local
