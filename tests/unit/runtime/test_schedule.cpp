// SPDX-License-Identifier: Apache-2.0
// How instructions become steps: what fuses, what becomes a view or a stride, and what must not.
#include "runtime/schedule.hpp"

#include <cmath>
#include <limits>

#include "unit/runtime/float_program.hpp"

namespace tw::test_schedule {

using namespace tw::test;
using runtime::Step;

TEST_CASE("a chain is one step, and a bias is a stride of it") {
  FloatProgram p;
  const ValueId x = p.arg({6, 8}), bias = p.arg({8});
  const ValueId y = p.op("tanh", {p.op("add", {x, p.broadcast(bias, {6, 8}, {1})})});
  const Scheduled s(p.finish({y}));
  CHECK(s.text() == "add+tanh");
  const Step &step = s.schedule.steps[0];
  REQUIRE(step.reads.size() == 2);
  CHECK(step.reads[0].dims == std::vector<int>{0, 1});
  CHECK(step.reads[1].dims == std::vector<int>{-1, 0});
  CHECK(step.results.size() == 1);
}

TEST_CASE("broadcasts of broadcasts and splats reach the value behind them") {
  FloatProgram p;
  const ValueId x = p.arg({4, 6, 8}), scale = p.arg({8});
  const ValueId wide = p.broadcast(p.broadcast(scale, {1, 1, 8}, {2}), {4, 6, 8}, {0, 1, 2});
  const ValueId two = p.broadcast(p.constant(2), {4, 6, 8}, {});
  const Scheduled s(p.finish({p.op("multiply", {p.op("multiply", {x, wide}), two})}));
  CHECK(s.text() == "multiply+multiply");
  REQUIRE(s.schedule.steps[0].reads.size() == 3);
  CHECK(s.schedule.steps[0].reads[1].dims.back() == 2); // of scale as [1,1,8], a view
  CHECK(s.schedule.views[s.schedule.steps[0].reads[1].value].root != s.schedule.steps[0].reads[1].value);
  CHECK(s.schedule.steps[0].reads[2].constant);
}

TEST_CASE("of an iota one line is read, and no array is made unless somebody needs it") {
  FloatProgram p;
  const ValueId x = p.arg({4, 6, 8}), columns = p.iota({6, 8}, 1);
  const ValueId sum = p.op("add", {x, p.iota({4, 6, 8}, 1)});
  const auto reads_of = [](const Scheduled &s) { return s.schedule.steps.back().reads; };
  const Scheduled s(p.finish({p.op("add", {sum, p.broadcast(columns, {4, 6, 8}, {1, 2})})}));
  CHECK(s.text() == "add+add");
  REQUIRE(reads_of(s).size() == 3);
  CHECK(reads_of(s)[1].constant);
  CHECK(reads_of(s)[1].dims == std::vector<int>{-1, 1, -1});
  CHECK(reads_of(s)[2].constant);
  CHECK(reads_of(s)[2].dims == std::vector<int>{-1, -1, 1});

  FloatProgram q;
  const ValueId counted = q.iota({6, 8}, 0);
  const Scheduled both(q.finish({counted, q.op("tanh", {counted})}));
  CHECK(both.text() == "[iota] [tanh]");
}

TEST_CASE("a reduction of one element a device is left to the collective") {
  FloatProgram p;
  const ValueId x = p.arg({4, 6});
  const auto graph = p.finish({p.reduce(x, "add", {0})});
  const std::string tile = "tile(arg=0, dim=0, axis=\"a\"); infer-propagate\n";
  const Scheduled parts(graph, "a=4", tile);
  CHECK(parts.text() == "[constant] all_reduce");
  CHECK(parts.schedule.from_zero[parts.schedule.steps[0].operands[0]]);
  CHECK(Scheduled(graph, "a=2", tile).text() == "[constant] reduce all_reduce"); // of two elements
  CHECK(Scheduled(graph).text() == "[constant] reduce");

  Runner whole(graph, "one=1", ""), split(graph, "a=4", tile);
  for (Runner *r : {&whole, &split})
    for (size_t i = 0; i < 4; ++i) {
      r->inputs[0].as<float>()[6 * i] = -0.0f; // zero was added to the first column once
      r->inputs[0].as<float>()[6 * i + 1] = i == 2 ? 0.0f : -0.0f;
      for (size_t k = 2; k < 6; ++k)
        r->inputs[0].as<float>()[6 * i + k] = static_cast<float>(i * k);
    }
  REQUIRE(whole.run());
  REQUIRE(split.run());
  CHECK(whole.bytes() == split.bytes());
  CHECK(!std::signbit(split.outputs[0].as<float>()[0]));
}

TEST_CASE("a reduction of one element that others than a collective read adds zero to it") {
  FloatProgram p;
  const ValueId x = p.arg({1, 6});
  const Scheduled sum(p.finish({p.op("tanh", {p.reduce(x, "add", {0})})}));
  CHECK(sum.text() == "[constant] reduce tanh");
  FloatProgram q; // zero is not the identity of a maximum
  const Scheduled max(q.finish({q.op("tanh", {q.reduce(q.arg({1, 6}), "maximum", {0})})}));
  CHECK(max.text() == "[constant] reduce tanh");
  FloatProgram r; // and its identity makes one NaN of any
  const float lowest = -std::numeric_limits<float>::infinity();
  const Scheduled least(r.finish({r.op("tanh", {r.reduce(r.arg({1, 6}), "maximum", {0}, lowest)})}));
  CHECK(least.text() == "[constant] reduce tanh");
}

TEST_CASE("a group may be entered late while nothing outside depends on it") {
  // b comes after a matrix product that does not use a: a + tanh join all the same.
  FloatProgram p;
  const ValueId x = p.arg({4, 4}), y = p.arg({4, 4});
  const ValueId a = p.op("add", {x, y});
  const ValueId product = p.op("dot_general", {x, y},
                               {{"lhs_batching_dimensions", Ints{}},
                                {"rhs_batching_dimensions", Ints{}},
                                {"lhs_contracting_dimensions", Ints{1}},
                                {"rhs_contracting_dimensions", Ints{0}}});
  const ValueId b = p.op("multiply", {a, product});
  const Scheduled s(p.finish({b}));
  CHECK(s.text() == "dot_general add+multiply");
}

TEST_CASE("a value between two members keeps them apart") {
  FloatProgram p;
  const ValueId x = p.arg({4, 4});
  const ValueId a = p.op("tanh", {x});
  const ValueId through = p.op("transpose", {a}, {{"permutation", Ints{1, 0}}});
  const ValueId b = p.op("add", {a, through}); // a -> transpose -> b
  const Scheduled s(p.finish({b}));
  CHECK(s.text() == "tanh transpose add");
}

TEST_CASE("an early consumer closes a group only to late operands") {
  FloatProgram p;
  const ValueId x = p.arg({4, 4}), y = p.arg({4, 4});
  const ValueId a = p.op("tanh", {x});
  const ValueId flipped = p.op("transpose", {a}, {{"permutation", Ints{1, 0}}});
  const ValueId b = p.op("add", {a, y});            // could have run before the transpose: joins
  const ValueId c = p.op("multiply", {b, flipped}); // could not
  const Scheduled s(p.finish({c, flipped}));
  CHECK(s.text() == "tanh+add transpose multiply");
}

TEST_CASE("two groups that meet become one") {
  FloatProgram p;
  const ValueId x = p.arg({4, 4}), y = p.arg({4, 4});
  const ValueId a = p.op("tanh", {x}), b = p.op("negate", {y});
  const Scheduled s(p.finish({p.op("add", {a, b})}));
  CHECK(s.text() == "tanh+negate+add");
}

TEST_CASE("renames and small constants cost nothing in a run") {
  FloatProgram p;
  const ValueId x = p.arg({4, 6});
  const graph::Shape flat = {24}, back = {6, 4};
  const ValueId y = p.op("reshape", {p.op("reshape", {x}, {}, &flat)}, {}, &back);
  const graph::Shape row = {4};
  const ValueId index = p.op("iota", {}, {{"iota_dimension", int64_t{0}}}, &row);
  const ValueId z = p.op("add", {y, p.broadcast(p.op("tanh", {index}), {6, 4}, {1})});
  const Scheduled s(p.finish({z}));
  CHECK(s.text() == "[iota] [tanh] add");
  const auto &read = s.schedule.steps[0].reads[0];
  CHECK(s.schedule.views[read.value].root == 0); // the argument itself
}

TEST_CASE("a broadcast that something else needs is stored for it") {
  FloatProgram p;
  const ValueId x = p.arg({4, 6}), v = p.arg({6});
  const ValueId wide = p.broadcast(v, {4, 6}, {1});
  const ValueId sum = p.op("add", {x, wide});
  const ValueId flipped = p.op("transpose", {wide}, {{"permutation", Ints{1, 0}}});
  const Scheduled s(p.finish({sum, flipped}));
  CHECK(s.text() == "broadcast_in_dim transpose add");
  CHECK(s.schedule.steps.back().reads[1].dims == std::vector<int>{-1, 0});
}

TEST_CASE("what cheap ops make of iotas is made where it is used, unless it is small") {
  const auto masked = [](graph::Shape shape) {
    FloatProgram p;
    const ValueId x = p.arg(shape);
    const ValueId mask = p.op("subtract", {p.iota(shape, 0), p.iota(shape, 1)});
    return Scheduled(p.finish({p.op("multiply", {x, p.op("negate", {mask})})})).text();
  };
  CHECK(masked({64, 64}) == "subtract+negate+multiply");
  CHECK(masked({8, 8}) == "[iota] [iota] [subtract] [negate] multiply");
}

TEST_CASE("what is made of iotas alone is kept where it is dear") {
  const graph::Shape shape{64, 64};
  FloatProgram p;
  const ValueId x = p.arg(shape);
  const ValueId mask = p.op("subtract", {p.iota(shape, 0), p.iota(shape, 1)});
  const ValueId dear = p.op("add", {x, p.op("tanh", {mask})});
  CHECK(Scheduled(p.finish({dear})).text() == "[iota] [iota] [subtract] [tanh] add");
}

TEST_CASE("a mask that is read in more dimensions lives no longer than its reader") {
  FloatProgram p;
  const ValueId x = p.arg({2, 64, 64});
  const ValueId mask = p.op("subtract", {p.iota({64, 64}, 0), p.iota({64, 64}, 1)});
  const Scheduled s(p.finish({p.op("multiply", {x, p.broadcast(mask, {2, 64, 64}, {1, 2})})}));
  CHECK(s.text() == "subtract multiply");
}

TEST_CASE("groups do not cross the collectives of a partitioned program") {
  const Scheduled s(step_program(), "data=2,model=4", kStepSpec);
  std::vector<uint32_t> made(s.program->values().size(), 0);
  uint32_t at = 1;
  for (const Step &step : s.schedule.steps) {
    const auto ready = [&](spmd::ValueRef v) {
      const spmd::ValueRef root = s.schedule.views[v].root;
      return s.program->instrs()[s.program->values()[root].def].kind == spmd::InstrKind::argument ||
             s.schedule.is_static[root] || made[root] != 0;
    };
    for (const spmd::ValueRef v : step.operands)
      CHECK(ready(v));
    for (const auto &read : step.reads)
      CHECK((read.constant || ready(read.value)));
    for (const spmd::ValueRef v : step.results)
      made[v] = at;
    ++at;
  }
  for (const spmd::Instr &in : s.program->instrs())
    if (in.kind == spmd::InstrKind::result)
      CHECK(made[s.schedule.views[s.program->operands(in)[0]].root] != 0);
}

} // namespace tw::test_schedule
