// SPDX-License-Identifier: Apache-2.0
// The verifier finds what a broken lowering would leave behind: every test breaks a good program in one
// place.
#include <doctest/doctest.h>

#include <functional>

#include "ops/builder.hpp"
#include "ops/registry.hpp"
#include "spmd/program.hpp"
#include "support/random_program.hpp"

namespace tw::test_verify {

using graph::DType;

namespace {

// Megatron's two products: w1 tiled by columns, w2 by rows, one sum.
partition::Plan megatron(sharding::AxisKind model = sharding::AxisKind::device) {
  graph::GraphBuilder b("mlp", "test");
  const auto argument = [&](const char *name, graph::Shape dims) {
    return b.graph().result(ops::add_argument(b, {DType::f32, std::move(dims)}, name));
  };
  const auto dot = [&](graph::ValueId x, graph::ValueId y) {
    const auto code = *ops::find_op("stablehlo.dot_general");
    const ops::NamedAttr attrs[] = {{"lhs_contracting_dimensions", std::vector<int64_t>{1}},
                                    {"rhs_contracting_dimensions", std::vector<int64_t>{0}}};
    const graph::ValueId operands[] = {x, y};
    return b.graph().result(*ops::add(b, code, operands, *ops::check_attrs(ops::op_def(code), attrs)));
  };
  const graph::ValueId x = argument("x", {4, 6}), w1 = argument("w1", {6, 7}), w2 = argument("w2", {7, 5});
  const graph::ValueId h = dot(x, w1);
  ops::add_result(b, dot(h, w2), "y");
  const auto graph = b.finish();
  partition::Plan plan(graph,
                       *sharding::Mesh::create({{"data", 2, "data", 1}, {"model", 3, "model", 1, model}}));
  REQUIRE(plan.set(graph->arguments()[0], 0, 0));
  REQUIRE(plan.set(graph->arguments()[1], 1, 1));
  plan.propagate(partition::Mode::infer_propagate);
  return plan;
}

// What verify says of the program after a change.
std::string broken(const std::function<void(spmd::Program &)> &change,
                   sharding::AxisKind model = sharding::AxisKind::device) {
  const auto lowered = spmd::lower(megatron(model));
  REQUIRE(lowered.has_value());
  spmd::Program program = **lowered;
  REQUIRE(verify(program).has_value());
  change(program);
  const auto status = verify(program);
  return status ? "good" : status.error().message();
}

spmd::ShardingId add_sharding(spmd::Program &p, const char *text) {
  p.shardings_.push_back(*sharding::parse_sharding(text, p.mesh_));
  return static_cast<spmd::ShardingId>(p.shardings_.size() - 1);
}

} // namespace

TEST_CASE("the program of two products") {
  const auto program = spmd::lower(megatron());
  REQUIRE(program.has_value());
  CHECK(to_text(**program) ==
        R"(spmd @mlp over data=2,model=3 (6 devices) {
  %arg0 = argument 0 "x" : f32[4,6] [{data}, {}] local [2,6]
  %arg1 = argument 1 "w1" : f32[6,7] [{}, {model}] local [6,2..3]
  %arg2 = argument 2 "w2" : f32[7,5] [{model}, {}] local [2..3,5]
  %3 = stablehlo.dot_general %arg0, %arg1 : f32[4,7] [{data}, {model}] local [2,2..3]
  %4 = stablehlo.dot_general %3, %arg2 : f32[4,5] [{data}, {}] +model local [2,5]
  %4/1 = all_reduce %4 : f32[4,5] [{data}, {}] local [2,5] // over model, sum, 54 bytes
  result 0 "y" %4/1
}
)");
}

TEST_CASE("operands and results whose tiles do not fit together") {
  CHECK(broken([](spmd::Program &p) { p.values_[0].sharding = add_sharding(p, "[{}, {}]"); }) ==
        "instruction 3 (stablehlo.dot_general): result 0, dimension 0, 0..2 on the device at position 0: it "
        "is the part 0..2 of a loop of which another operand or result is 0..4");
  CHECK(broken([](spmd::Program &p) { p.values_[1].sharding = add_sharding(p, "[{}, {model}:ceil]"); }) ==
        "instruction 3 (stablehlo.dot_general): result 0, dimension 1, 0..2 on the device at position 0: it "
        "is the part 0..2 of a loop of which another operand or result is 0..3");
  CHECK(broken([](spmd::Program &p) { p.values_[2].sharding = add_sharding(p, "[{}, {}]"); }) ==
        "instruction 4 (stablehlo.dot_general): operand 1, dimension 0, 0..7 on the device at position 0: it "
        "is the part 0..7 of a loop of which another operand or result is 0..2");
  CHECK(broken([](spmd::Program &p) { p.values_[4].sharding = add_sharding(p, "[{data}, {}]"); }) ==
        "instruction 4 (stablehlo.dot_general): result 0 is not partial over the axes that are reduced");
  CHECK(broken([](spmd::Program &p) {
          p.values_[4].sharding = add_sharding(p, "[{data}, {}] +max:model");
        }) == "instruction 4 (stablehlo.dot_general): no loop of its op reduces by max");
  CHECK(broken([](spmd::Program &p) { p.values_[0].sharding = add_sharding(p, "[{data,data}, {}]"); }) ==
        "axis 'data' is used twice");
}

TEST_CASE("sums that not every part enters, or that enter twice") {
  CHECK(broken([](spmd::Program &p) {
          p.values_[3].sharding = add_sharding(p, "[{data}, {}]");
          p.values_[1].sharding = p.values_[2].sharding = add_sharding(p, "[{}, {}]");
        }) == "instruction 4 (stablehlo.dot_general): the devices that reduce together run 21 of 7 points of "
              "the reduced loops");
  CHECK(broken([](spmd::Program &p) { p.instrs_[4].reduce_axes = {}; }) ==
        "instruction 4 (stablehlo.dot_general): result 0 is not partial over the axes that are reduced");
}

TEST_CASE("instructions that are not where they should be") {
  CHECK(broken([](spmd::Program &p) {
          std::swap(p.operand_refs_[p.instrs_[3].first_operand],
                    p.operand_refs_[p.instrs_[3].first_operand + 1]);
        }) == "instruction 3 (stablehlo.dot_general): takes or makes %arg1 in place of %arg0");
  CHECK(broken([](spmd::Program &p) { p.operand_refs_[p.instrs_[3].first_operand] = 4; }) ==
        "instruction 3 (stablehlo.dot_general): reads value 4, which is not made before it");
  CHECK(broken([](spmd::Program &p) { p.instrs_[0].index = 1; }) ==
        "instruction 0 (func.argument): is number 1 of the signature, which is another op");
  CHECK(broken([](spmd::Program &p) { p.instrs_[5].index = 9; }) ==
        "instruction 5 (stablehlo.dot_general): is not the instruction of its collective");
  CHECK(broken([](spmd::Program &p) { p.instrs_.pop_back(); }) ==
        "the program has 3 of 3 arguments, 0 of 1 results and 1 of 1 collectives");
  CHECK(broken([](spmd::Program &p) { p.operand_refs_.back() = 4; }) ==
        "instruction 6 (func.result): the caller cannot hold partial values");
  CHECK(broken([](spmd::Program &p) { p.collectives_[0].summary.bytes_received_max = 1; }) ==
        "instruction 5 (stablehlo.dot_general): the collective is summarised wrongly");
  CHECK(broken([](spmd::Program &p) {
          p.values_[5].sharding = add_sharding(p, "[{data}, {}] +max:model");
        }) == "instruction 5 (stablehlo.dot_general): the result is partial where the operand is not");
  CHECK(broken([](spmd::Program &p) { p.values_[5].def = 99; }) ==
        "value 5 is made by no instruction or has no layout");
}

TEST_CASE("loops over axes") {
  const auto broken_loop = [](const std::function<void(spmd::Program &)> &change) {
    return broken(change, sharding::AxisKind::serial);
  };
  CHECK(broken_loop([](spmd::Program &p) { p.instrs_[3].index = 0; }) ==
        "instruction 3 (loop): axis 0 is not run through in a loop");
  CHECK(broken_loop([](spmd::Program &p) { p.instrs_[3].kind = spmd::InstrKind::end_loop; }) ==
        "instruction 3 (loop): ends a loop that is not the one around it");
  CHECK(broken_loop([](spmd::Program &p) { p.instrs_.erase(p.instrs_.begin() + 9); }) ==
        "instruction 9 (func.result): reads value 7 before the loop that completes it is over");
  CHECK(broken_loop([](spmd::Program &p) {
          std::swap(p.instrs_[3], p.instrs_[4]);
          p.values_[3].def = 3;
        }) ==
        "instruction 3 (stablehlo.dot_general): is tiled or partial along 'model' outside of a loop over it");
  CHECK(broken_loop([](spmd::Program &p) { p.values_[7].sharding = add_sharding(p, "[{}, {}]"); }) ==
        "instruction 8 (stablehlo.dot_general): moves along 'data', over which it is no loop");
}

} // namespace tw::test_verify
