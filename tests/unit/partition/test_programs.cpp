// SPDX-License-Identifier: Apache-2.0
// On every program of the tree, and on the real ones: renumbering ops and arguments changes nothing, whatever
// is tiled.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include <fmt/format.h>

#include "import/import.hpp"
#include "partition/conflicts.hpp"
#include "partition/explain.hpp"
#include "random_values.hpp"
#include "support/number_of.hpp"
#include "support/same_plan.hpp"
#include "support/tree_programs.hpp"
#include "support/unit.hpp"

namespace tw::partition_test_programs {

using namespace tw::test;
using partition::NodeId;
using partition::Plan;

namespace {

std::string read(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::shared_ptr<const graph::Graph> load(const std::string &path) {
  import::ImportOptions options;
  options.file = path;
  auto imported = import::import_text(read(path), options);
  REQUIRE_MESSAGE(imported.has_value(), path << ": " << imported.error().message());
  return imported->graph;
}

std::vector<std::string> lines_of(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

// Tiles random dimensions of arguments and values of a program and of one whose ops are numbered otherwise.
void check_order_free(const std::string &name, const std::shared_ptr<const graph::Graph> &g, size_t rounds) {
  CAPTURE(name);
  RandomValues program{g, {}};
  for (ValueId v = 0; v < g->values().size(); ++v)
    if (const graph::OpId def = g->value(v).def;
        def != graph::kNone && g->op(def).parent == 0 && g->type(v).rank() > 0)
      program.values.push_back(v);
  if (program.values.empty())
    return;
  for (uint64_t seed = 1; seed <= rounds; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const Renumbered other = renumber(*g, seed);
    REQUIRE(ops::verify(*other.graph));
    const sharding::Mesh m = mesh(seed % 2 == 0 ? "a=2,b=4" : "a=3,b=2");
    Plan plan(g, m), again(other.graph, m);
    const auto policy = seed % 4 == 3   ? partition::Policy::explicit_
                        : seed % 4 == 1 ? partition::Policy::shardy
                                        : partition::Policy::conservative;
    plan.set_policy(policy);
    again.set_policy(policy);
    auto actions = random_actions(random, program, m.num_axes(), 6);
    for (size_t i = 0; i < g->arguments().size() && i < 3; ++i) { // arguments reach furthest
      const ValueId v = g->result(g->arguments()[random() % g->arguments().size()]);
      if (const auto at = std::ranges::find(program.values, v); at != program.values.end())
        actions.insert(actions.begin() + static_cast<std::ptrdiff_t>(i),
                       {RandomAction::tile, static_cast<size_t>(at - program.values.begin()),
                        static_cast<int64_t>(random() % g->type(v).rank()),
                        static_cast<sharding::AxisId>(random() % 2), false});
    }
    for (const RandomAction &action : actions) {
      const ValueId v = program.values[action.value];
      REQUIRE(act(plan, action, v) == act(again, action, other.value[v]));
    }
    REQUIRE(difference(plan, again, other) == "");
  }
}

} // namespace

TEST_CASE("programs of the tree: renumbering changes nothing") {
  for (const TreeProgram &program : tree_programs())
    check_order_free(program.name, program.imported.graph, test::slice_of(100, 8));
}

TEST_CASE("real programs: renumbering changes nothing") {
  for (const char *name : {"searchless_chess_9m_jax.mlir", "kan1_reactant.mlir", "nanogpt_forward_mhlo.mlir"})
    if (const auto path = real_program(name))
      check_order_free(name, load(*path), test::slice_of(100, 4));
}

TEST_CASE("Megatron on the training step: its sums and no conflict") {
  const auto g = load(source_path("examples/models/gpt_step.mlir"));
  Plan plan(g, mesh("data=2,model=4"));
  act(plan, read(source_path("examples/specs/gpt_megatron.txt")));
  size_t over_data = 0, over_model = 0;
  for (NodeId n = 0; n < g->ops().size(); ++n)
    if (g->op(n).num_results > 0)
      for (const auto &s : plan.result_sharding(n, 0).partial)
        ++(s.axis == 0 ? over_data : over_model);
  CHECK(over_data == 70);
  CHECK(over_model == 24);
  CHECK(partition::real_conflicts(plan).empty());
}

TEST_CASE(
    "training step: every argument's explanation ends in a line of the spec, or says what stopped the axis") {
  const auto g = load(source_path("examples/models/gpt_step.mlir"));
  for (const auto &how :
       {std::pair{"gpt_data.txt", "data=8"}, std::pair{"gpt_megatron.txt", "data=2,model=4"}}) {
    const char *spec = how.first;
    CAPTURE(spec);
    Plan plan(g, mesh(how.second));
    act(plan, read(source_path("examples/specs/") + spec));
    size_t tiled = 0, stopped = 0;
    for (size_t i = 0; i < g->arguments().size(); ++i) {
      CAPTURE(g->argument_name(i));
      const auto text = partition::explain(plan, g->argument_name(i), "");
      REQUIRE(text.has_value());
      CHECK(text->starts_with(fmt::format("argument '{}' ", g->argument_name(i))));
      for (sharding::AxisId a = 0; a < plan.mesh().num_axes(); ++a) {
        const auto answer = partition::explain(plan, g->argument_name(i), plan.mesh().axis(a).name);
        REQUIRE(answer.has_value());
        const std::vector<std::string> lines = lines_of(*answer);
        REQUIRE(lines.size() >= 3); // the argument, the axis, and why
        if (plan.entry(g->arguments()[i], a) != nullptr) {
          CHECK(lines.back().find(", by spec.txt:") != std::string::npos);
          ++tiled;
        } else {
          CHECK(lines[1].ends_with(": whole"));
          CHECK(lines[2].size() > 10);
          ++stopped;
        }
      }
    }
    CHECK(tiled > 1);
    CHECK(stopped > 1);
  }
}

} // namespace tw::partition_test_programs
