// SPDX-License-Identifier: Apache-2.0
// Halos in the shard dialect: programs that keep them are written at both levels, read as the same plan, and
// give the same results by halo exchanges alone.
#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "emit/shard/annotated.hpp"
#include "support/halo_text.hpp"
#include "support/simulate.hpp"
#include "support/stencil_text.hpp"
#include "unit/emit/plans_read_back.hpp"
#include "unit/emit/run_local_text.hpp"

namespace tw::test_shard_halos {

using namespace tw::test;
using kernels::ref::Array;
using partition::Plan;
using Said = std::map<std::string, size_t>;

namespace {

// What is written as annotations is read as the same plan, whose program gives the same results.
std::string check_annotated(const import::Imported &imported, const Plan &plan,
                            const std::vector<Array> &inputs, uint64_t seed) {
  const std::string text = text_of(emit::shard::to_annotated_text(plan));
  keep_text("halos", seed, text);
  CAPTURE(text);
  const import::Imported read = load_text(text);
  const Plan again = plan_of(read, nullptr, true);
  check_same(plan, again);
  const auto whole = kernels::ref::evaluate(*imported.graph, inputs);
  const auto program = spmd::lower(again);
  REQUIRE(whole.has_value());
  REQUIRE(program.has_value());
  const auto made = simulate(**program, inputs);
  REQUIRE_MESSAGE(made.has_value(), made.error().message());
  for (size_t i = 0; i < whole->size(); ++i)
    CHECK((*made)[i].bytes == (*whole)[i].bytes);
  return text;
}

struct Case {
  stencil::Ints grid, dims;
};

} // namespace

TEST_CASE("stencils that keep halos, on uneven tiles") {
  Dice random(1);
  uint64_t number = 0;
  for (const Case &c : {Case{{3, 2}, {13, 11}}, Case{{2, 2, 2}, {11, 8, 9}}})
    for (int64_t width = 1; width <= 3; ++width) {
      const import::Imported imported = load_text(stencil::annotated(c.grid, c.dims, width));
      const Plan plan = plan_of(imported, nullptr, true);
      const std::vector<Array> inputs = random_inputs(*imported.graph, -9, 9, random);
      const std::string text = check_annotated(imported, plan, inputs, ++number);
      CHECK(text.find("halo_sizes") != std::string::npos);
      Said said;
      CHECK(check_local_text(plan, inputs, "halos_local", number, said));
      CHECK(said["update_halo"] > 0);
      said.erase("update_halo");
      said.erase("process_linear_index");
      CHECK(said.empty());
    }
}

TEST_CASE("arguments that are given with halos") {
  Dice random(4);
  uint64_t number = 20;
  for (const Case &c : {Case{{4}, {16}}, Case{{5}, {7}}, Case{{3, 2}, {13, 11}}, Case{{2, 2, 2}, {11, 8, 9}}})
    for (int64_t width = 1; width <= 3; ++width) {
      if (std::ranges::min(c.dims) < 2 * width + 2)
        continue; // what is read at one known place is sent from there
      const import::Imported imported = load_text(stencil::given(c.grid, c.dims, width));
      const Plan plan = plan_of(imported, nullptr, true);
      const std::vector<Array> inputs = random_inputs(*imported.graph, -9, 9, random);
      const std::string text = check_annotated(imported, plan, inputs, ++number);
      CHECK(text.find("annotate_for_users") == std::string::npos);
      Said said;
      CHECK(check_local_text(plan, inputs, "halos_given", number, said));
      said.erase("process_linear_index");
      CHECK(said.empty());
    }
}

TEST_CASE("stencils of one device's code are written as such code again") {
  Dice random(2);
  uint64_t number = 0;
  for (const Case &c : {Case{{3, 2}, {4, 3}}, Case{{2, 2, 2}, {2, 3, 2}}, Case{{5}, {2}}})
    for (int64_t width = 1; width <= 3; ++width) {
      const import::Imported imported = load_text(stencil::local_code(c.grid, c.dims, width));
      const Plan plan = plan_of(imported, nullptr, true);
      Said said;
      CHECK(check_local_text(plan, random_inputs(*imported.graph, -9, 9, random), "halos_again", ++number,
                             said));
      CHECK(said["update_halo"] == 1);
      CHECK(said["shift"] == 0);
    }
}

// Of fewer steps, so that sums are exact.
TEST_CASE("the stencil of the zoo") {
  std::string program = read_file(source_path("examples/models/zoo/stencil.mlir"));
  const std::string steps = "dense<12>";
  program.replace(program.find(steps), steps.size(), "dense<3>");
  const import::Imported imported = load_text(program);
  Dice random(3);
  const std::vector<Array> inputs = random_inputs(*imported.graph, -1, 1, random);
  uint64_t number = 50;
  for (const char *actions : {"tile(arg=arg0, dim=0, axis=rows)", "tile(arg=arg0, dim=1, axis=columns)",
                              "tile(arg=arg0, dim=0, axis=rows); tile(arg=arg0, dim=1, axis=columns)"}) {
    CAPTURE(actions);
    Plan plan = plan_of(imported, "rows=2,columns=3", true);
    REQUIRE(partition::apply_spec(plan, std::string(actions) + "; infer-propagate", "spec").has_value());
    check_annotated(imported, plan, inputs, ++number);
    Said said;
    CHECK(check_local_text(plan, inputs, "zoo_local", number, said));
    CHECK(said["update_halo"] > 0);
    CHECK(said["all_gather"] == 0);
  }
}

// TW_SHARD_PROGRAMS says how many, from the seed TW_SEED. Those with seeds of their own were refused once.
TEST_CASE("random programs that keep halos") {
  size_t written = 0, refused = 0;
  Said said;
  const uint64_t first = number_of("TW_SEED", 1),
                 rounds = number_of("TW_SHARD_PROGRAMS", slice_of(1000, 150));
  std::vector<uint64_t> seeds = {1051, 4943, 5507, 7036, 7655, 8443};
  for (uint64_t seed = first; seed < first + rounds; ++seed)
    seeds.push_back(seed);
  for (const uint64_t seed : seeds) {
    Dice random(seed);
    const std::string program = HaloText(random).make();
    CAPTURE(seed);
    CAPTURE(program);
    const import::Imported imported = load_text(program);
    const Plan plan = plan_of(imported, nullptr, true);
    const std::vector<Array> inputs = random_inputs(*imported.graph, -9, 9, random);
    if (const auto text = emit::shard::to_annotated_text(plan); text) {
      check_annotated(imported, plan, inputs, 100 + seed);
      ++written;
    } else {
      INFO(text.error().message());
      CHECK(std::string_view(text.error().info().id) == "TW-730");
      ++refused;
    }
    CHECK(check_local_text(plan, inputs, "halos_local", 100 + seed, said));
  }
  MESSAGE(written << " written, " << refused << " refused");
  for (const auto &[op, count] : said)
    MESSAGE(op << " " << count);
  CHECK(refused == 0);
  CHECK(said["update_halo"] * 2 > rounds);
}

// x is made in rows, and its users keep halos around columns: one move brings both.
TEST_CASE("halos are kept in the tiles of their statement, whatever those of the operand") {
  const import::Imported imported =
      load_text("shard.grid @g(shape = 2)\n"
                "func.func @main(%x: tensor<6x8xi32>) -> tensor<6x8xi32> {\n"
                "  %rows = shard.sharding @g split_axes = [[0], []] : !shard.sharding\n"
                "  %columns = shard.sharding @g split_axes = [[], [0]] halo_sizes = [1, 1] : "
                "!shard.sharding\n"
                "  %0 = shard.shard %x to %rows : tensor<6x8xi32>\n"
                "  %1 = shard.shard %0 to %columns annotate_for_users : tensor<6x8xi32>\n"
                "  %2 = stablehlo.negate %1 : tensor<6x8xi32>\n"
                "  return %2 : tensor<6x8xi32>\n}\n");
  const auto program = spmd::lower(plan_of(imported, nullptr, true));
  REQUIRE(program.has_value());
  const std::string text = spmd::to_text(**program);
  CAPTURE(text);
  CHECK(text.find("all_to_all %x : i32[6,8] [{}, {g.0}:halo=[1,1]] local [6,5]") != std::string::npos);
  CHECK(text.find("stablehlo.negate %1 : i32[6,8] [{}, {g.0}:halo=[1,1]] local [6,5]") != std::string::npos);
}

} // namespace tw::test_shard_halos
