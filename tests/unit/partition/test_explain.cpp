// SPDX-License-Identifier: Apache-2.0
// Explanations end in a line of the spec, or say what stopped the axis.
#include <doctest/doctest.h>

#include "partition/conflicts.hpp"
#include "partition/explain.hpp"
#include "program.hpp"

namespace tw::test_explain {

using namespace tw::test;
using partition::explain;
using partition::Plan;

namespace {

std::string text(const Plan &plan, std::string_view value, std::string_view axis = "") {
  auto answer = explain(plan, value, axis);
  REQUIRE_MESSAGE(answer.has_value(), answer.error().message());
  return *answer;
}

} // namespace

TEST_CASE("the chain leads from an inferred argument back to the line of the spec") {
  const Mlp m = mlp();
  Plan plan(m.graph, mesh("data=2,model=4"));
  act(plan, "# Megatron\ntile(arg=w, dim=1, axis=model)\ninfer-propagate");
  CHECK(text(plan, "u", "model") ==
        "argument 'u' f32[256,256]: [{model}, {}]\n"
        "  axis model: tile 0\n"
        "    argument 'u': tile 0, after its user\n"
        "    " +
            m.graph->value_name(m.y) +
            " stablehlo.dot_general: partial sum each, after its operand\n"
            "    " +
            m.graph->value_name(m.h) +
            " stablehlo.dot_general: tile 1, after its operand\n"
            "    argument 'w': tile 1, by spec.txt:2 tile(arg=w, dim=1, axis=model)\n");
  CHECK(text(plan, "w", "model").find("argument 'w': tile 1, by spec.txt:2") != std::string::npos);
  CHECK(text(plan, "w").find("axis data: whole\n    no neighbour is tiled on the axis") != std::string::npos);
}

TEST_CASE("what stopped an axis: gate, tie, atomic, a closed sum, another dimension") {
  const Mlp m = mlp();
  {
    Plan plan(m.graph, mesh("model=4"));
    act(plan, "tile(arg=w, dim=1, axis=model); propagate");
    CHECK(text(plan, m.graph->value_name(m.y)).find("gate: axis 'model'") != std::string::npos);
    CHECK(text(plan, m.graph->value_name(m.y)).find("infer-propagate") != std::string::npos);
    CHECK(text(plan, "x").find("uses the axis for tile 1, which is not in this value: it needs all of it") !=
          std::string::npos);
    act(plan, "infer-propagate");
    CHECK(text(plan, "y").find("sums over the axis, and its sum is whole") != std::string::npos);
  }
  {
    Plan plan(m.graph, mesh("model=4"));
    act(plan, "atomic(arg=w, axis=model); tile(arg=x, dim=1, axis=model); infer-propagate");
    CHECK(text(plan, "w") == "argument 'w' f32[256,256]: [{}, {}]\n  axis model: kept whole\n"
                             "    argument 'w': kept whole, by spec.txt:1 atomic(arg=w, axis=model)\n");
  }
  {
    ProgramBuilder p;
    const ValueId a = p.arg("a", {8, 8}), b = p.arg("b", {8, 8}), c = p.name(p.add(a, b), "c");
    p.result(c);
    Plan plan(p.finish(), mesh("x=2"));
    act(plan, "tile(arg=a,dim=0,axis=x)\ntile(arg=b,dim=1,axis=x)\npropagate");
    const std::string why = text(plan, "c");
    CHECK(why.find("tie: axis 'x' at ") != std::string::npos);
    CHECK(why.find("tile 0 from argument 'a' (spec.txt:1 tile(arg=a,dim=0,axis=x)), or tile 1 from argument "
                   "'b' (spec.txt:2") != std::string::npos);
  }
}

TEST_CASE("a name or an axis that does not exist") {
  const Mlp m = mlp();
  const Plan plan(m.graph, mesh("model=4"));
  CHECK(explain(plan, "nothing").error().message().find("no value is called 'nothing'") == 0);
  CHECK(explain(plan, "w", "modle").error().message() ==
        "there is no axis 'modle' in the mesh model=4; nearest: 'model'");
}

} // namespace tw::test_explain
