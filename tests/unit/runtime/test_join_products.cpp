// SPDX-License-Identifier: Apache-2.0
// Which steps may join a product, where the devices have a kernel for them, and where its result may lie.
// `tests/cuda/test_joined_products` runs them.
#include <vector>

#include "runtime/memory.hpp"
#include "unit/runtime/float_program.hpp"

namespace tw::test_join_products {

using namespace tw::test;
using runtime::Step;

namespace {

// Scheduled for devices that have a kernel for whatever they are asked.
struct Joining : Scheduled {
  explicit Joining(const std::shared_ptr<const graph::Graph> &graph, runtime::ScheduleOptions options = {})
      : Scheduled(graph) {
    options.has_product = [](const Step &step) {
      CHECK(step.kind == Step::Kind::product);
      CHECK(step.members.size() == 2);
      return true;
    };
    schedule = runtime::schedule(*program, layouts, options);
  }
};

ValueId product(FloatProgram &p, ValueId a, ValueId b) {
  return p.op("dot_general", {a, b},
              {{"lhs_contracting_dimensions", Ints{1}}, {"rhs_contracting_dimensions", Ints{0}}});
}

} // namespace

TEST_CASE("a product and the op that alone reads it are a step, where devices have such") {
  FloatProgram p;
  const ValueId x = p.arg({6, 8}), w = p.arg({8, 8}), c = p.arg({6, 8});
  const auto graph = p.finish({p.op("add", {product(p, x, w), c})});
  CHECK(Scheduled(graph).text() == "dot_general add"); // the host
  const Joining s(graph);
  CHECK(s.text() == "dot_general+add");
  const Step &step = s.schedule.steps[0];
  CHECK(step.kind == Step::Kind::product);
  CHECK(step.operands.size() == 3);
  CHECK(step.results.size() == 1);
  CHECK(Joining(graph, {.without = {"join_products"}}).text() == "dot_general add");
}

TEST_CASE("the op may come later, unless what it reads does too") {
  FloatProgram p;
  const ValueId x = p.arg({6, 8}), w = p.arg({8, 8}), v = p.arg({8});
  const ValueId q = p.op("add", {product(p, x, w), p.broadcast(v, {6, 8}, {1})});
  const ValueId k = p.op("add", {product(p, x, w), p.broadcast(v, {6, 8}, {1})});
  CHECK(Joining(p.finish({p.op(
                    "dot_general", {q, k},
                    {{"lhs_contracting_dimensions", Ints{1}}, {"rhs_contracting_dimensions", Ints{1}}})}))
            .text() == "dot_general+add dot_general+add dot_general");

  FloatProgram late;
  const ValueId y = late.arg({6, 8}), u = late.arg({8, 8});
  const ValueId first = product(late, y, u), second = product(late, y, u);
  CHECK(Joining(late.finish({late.op("add", {first, second})})).text() == "dot_general dot_general+add");
}

TEST_CASE("groups of several ops, and products that others read, stay apart") {
  FloatProgram p;
  const ValueId x = p.arg({6, 8}), w = p.arg({8, 8}), c = p.arg({6, 8});
  const ValueId d = product(p, x, w);
  CHECK(Joining(p.finish({p.op("tanh", {p.op("add", {d, c})})})).text() == "dot_general add+tanh");

  FloatProgram q;
  const ValueId y = q.arg({6, 8}), u = q.arg({8, 8});
  const ValueId e = product(q, y, u);
  CHECK(Joining(q.finish({q.op("add", {e, y}), e})).text() == "dot_general add");
}

// A sum may be made where what is added lies, never where a factor does.
TEST_CASE("a sum lies over what is added, and over no factor") {
  const auto places = [](bool factor_is_added) {
    FloatProgram p;
    const ValueId x = p.arg({8, 8}), w = p.arg({8, 8});
    const ValueId h = product(p, x, w), g = factor_is_added ? h : product(p, w, x);
    const ValueId z = p.op("add", {product(p, h, w), g});
    const Joining s(p.finish({product(p, z, w)}));
    REQUIRE(s.schedule.steps[factor_is_added ? 1 : 2].kind == Step::Kind::product);
    const runtime::Memory memory(*s.program, s.layouts, s.schedule,
                                 std::vector<bool>(s.schedule.steps.size(), false));
    const Step &step = s.schedule.steps[factor_is_added ? 1 : 2];
    std::vector<int64_t> offsets;
    for (const spmd::ValueRef v : {step.operands[0], step.operands[2], step.results[0]})
      offsets.push_back(memory.locate(v, runtime::Position()).offset);
    return offsets;
  };
  const auto apart = places(false), same = places(true);
  CHECK(apart[2] == apart[1]);
  CHECK(apart[2] != apart[0]);
  CHECK(same[2] != same[0]);
}

} // namespace tw::test_join_products
