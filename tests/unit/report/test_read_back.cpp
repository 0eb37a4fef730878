// SPDX-License-Identifier: Apache-2.0
// What is printed is read: each name, sharding, type, axis and spec line that reports and texts say of a plan
// means to actions what it meant there, and the loop text of a plan is the plan. On 2,000 random plans and
// every program of the tree.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "annotation/loop_program.hpp"
#include "loops/loops.hpp"
#include "ops/registry.hpp"
#include "ops/variables.hpp"
#include "partition/explain.hpp"
#include "partition/spec.hpp"
#include "redistribute/type_text.hpp"
#include "report/program_json.hpp"
#include "sharding/parts.hpp"
#include "spmd/program.hpp"
#include "support/number_of.hpp"
#include "support/plans.hpp"
#include "support/random_program.hpp"
#include "support/tree_programs.hpp"

namespace tw::test_read_back {

using namespace tw::test;
using partition::Plan;
using partition::Target;

namespace {

void check_names(const Plan &plan) {
  const graph::Graph &g = plan.graph();
  const partition::Targets targets(plan.names(), g);
  const auto is = [&](const std::string &name, Target::Kind kind, graph::ValueId v, uint32_t index) {
    CAPTURE(name);
    const auto found = targets.values(name);
    REQUIRE_MESSAGE(found.has_value(), found.error().message());
    REQUIRE(found->size() == 1);
    REQUIRE((*found)[0].kind == kind);
    REQUIRE((*found)[0].value == v);
    if (kind != Target::Kind::value)
      REQUIRE((*found)[0].index == index);
  };
  const ops::Variables variables(g);
  std::set<std::string> names;
  for (graph::ValueId v = 0; v < g.values().size(); ++v) {
    REQUIRE(names.insert(g.value_name(v)).second);
    if (!variables.is_body(g.region_of(v)))
      continue;
    const auto argument = std::ranges::find(g.arguments(), g.value(v).def);
    const bool is_argument = argument != g.arguments().end();
    const auto index = static_cast<uint32_t>(is_argument ? argument - g.arguments().begin() : 0);
    is(g.value_name(v), is_argument ? Target::Kind::argument : Target::Kind::value, v, index);
    is(g.value_name(v) + "/2", is_argument ? Target::Kind::argument : Target::Kind::value, v, index);
  }
  for (uint32_t i = 0; i < g.arguments().size(); ++i)
    for (const std::string &name : {g.argument_name(i), fmt::format("arg{}", i)}) {
      is(name, Target::Kind::argument, g.result(g.arguments()[i]), i);
      REQUIRE(plan.names().arguments(name).value_or(std::vector<size_t>()) == std::vector<size_t>{i});
    }
  for (uint32_t i = 0; i < g.results().size(); ++i)
    for (const std::string &name : {g.result_name(i), fmt::format("out{}", i)}) {
      REQUIRE(plan.names().results(name).value_or(std::vector<size_t>()) == std::vector<size_t>{i});
      const auto found = targets.values(name);
      REQUIRE(found.has_value());
      if ((*found)[0].kind != Target::Kind::argument) // which comes first
        is(name, Target::Kind::result, g.operands(g.results()[i])[0], i);
    }
}

void check_sharding(const Plan &plan, const sharding::Mesh &mesh, graph::ValueId v,
                    const sharding::Sharding &sharding) {
  const graph::TensorType &type = plan.graph().type(v);
  const std::string text = to_text(sharding, plan.mesh());
  const std::string whole = fmt::format("{} {}", graph::to_short_text(type), text);
  CAPTURE(whole);
  const auto parts = sharding::with_parts(mesh, whole);
  REQUIRE_MESSAGE(parts.has_value(), parts.error().message());
  const auto read = redistribute::parse_distributed_type(whole, *parts);
  REQUIRE_MESSAGE(read.has_value(), read.error().message());
  REQUIRE(read->type == type);
  REQUIRE(to_text(read->sharding, *parts) == text);
  for (sharding::Position d; d < mesh.num_devices(); ++d)
    REQUIRE(box_of(read->sharding, type.dims, *parts, d) == box_of(sharding, type.dims, plan.mesh(), d));
}

void check_shardings(const Plan &plan) {
  const auto mesh = sharding::Mesh::parse(plan.mesh().text()); // its axes whole
  if (!mesh || !plan.mesh().loop_axes().empty())
    return;
  const graph::Graph &g = plan.graph();
  for (graph::OpId op = 0; op < g.ops().size(); ++op) {
    if (!plan.takes_part(op))
      continue;
    for (uint32_t i = 0; i < g.op(op).num_results; ++i)
      if (g.type(g.result(op, i)).dtype != graph::DType::token)
        check_sharding(plan, *mesh, g.result(op, i), plan.result_sharding(op, i));
    for (uint32_t i = 0; i < g.op(op).num_operands; ++i)
      if (g.type(g.operands(op)[i]).dtype != graph::DType::token)
        check_sharding(plan, *mesh, g.operands(op)[i], plan.operand_sharding(op, i));
  }
}

// The names that stand left of each '=', and what stands right of it.
std::map<std::string, std::string> definitions(const std::string &text) {
  std::map<std::string, std::string> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t equals = line.find(" = "), begin = line.find_first_not_of(' ');
    if (equals == std::string::npos || line[begin] != '%')
      continue;
    std::istringstream names(line.substr(begin, equals - begin));
    for (std::string name; std::getline(names, name, ',');) {
      name = name.substr(name.find('%'));
      if (const size_t colon = name.rfind(':'); colon != std::string::npos)
        name = name.substr(0, colon) + "#0";
      REQUIRE_MESSAGE(all.emplace(name, line.substr(equals + 3)).second, name);
    }
  }
  return all;
}

// Names of ops in loop text are those of actions; other names there are no names of values. The text is the
// plan.
void check_loops(const Plan &plan) {
  const std::string text = loops::print(plan, sharding::Style::counts).text;
  INFO(text);
  const graph::Graph &g = plan.graph();
  std::set<graph::OpId> met;
  for (const auto &[value, right] : definitions(text)) {
    const std::string name(value); // clang 14 lets no macro's lambda have a structured binding
    CAPTURE(name);
    const auto found = plan.names().values(name);
    if (!found)
      continue; // in a combiner, a slice, or what a loop makes: checked by the count below
    const graph::OpId op = g.value(found->front()).def;
    REQUIRE(op != graph::kNone);
    const std::string wanted = ops::op_def(g.op(op).code).name;
    const std::string is =
        right.substr(right.starts_with('"'), right.find_first_of(" (\"", 1) - right.starts_with('"'));
    REQUIRE((is == wanted || (is == "matmul" && wanted == "stablehlo.dot_general")));
    met.insert(op);
  }
  size_t ops = 0;
  for (graph::OpId op = 0; op < g.ops().size(); ++op)
    ops += g.op(op).num_results > 0 && plan.flow().variables().is_body(g.op(op).parent) &&
           std::ranges::find(g.arguments(), op) == g.arguments().end();
  CHECK(met.size() == ops);
  import::ImportOptions options;
  options.file = "text.loops";
  const auto read = import::import_text(text, options);
  REQUIRE_MESSAGE(read.has_value(), read.error().message());
  Plan again(read->graph, sharding::Mesh());
  if (read->loops)
    REQUIRE(loops::apply(again, *read->loops).has_value());
  REQUIRE(loops::print(again, sharding::Style::counts).text == text);
}

void act(Plan &plan, const std::string &spec) {
  const auto status = partition::apply_spec(plan, spec, "spec.txt");
  REQUIRE_MESSAGE(status.has_value(), spec << ": " << status.error().message());
}

// What the report says of arguments, results and collectives.
void check_report(const import::Imported &imported, const Plan &plan) {
  auto program = spmd::lower(plan, {});
  if (!program)
    return; // not every random plan can be
  report::Subject subject;
  subject.imported = std::make_shared<const import::Imported>(imported);
  subject.plan = std::make_shared<const Plan>(plan);
  subject.program = *program;
  const auto json = report::program_json(subject);
  const partition::Targets targets(plan.names(), plan.graph());
  for (const auto &result : json.at("results"))
    REQUIRE(targets.values(result.at("name").get<std::string>()).has_value());
  const auto mesh = sharding::Mesh::parse(plan.mesh().text());
  for (const auto &c : json.at("collectives")) {
    REQUIRE(targets.values(c.at("value").get<std::string>()).has_value());
    if (!mesh || !plan.mesh().loop_axes().empty())
      continue;
    for (const char *key : {"type", "local_type"})
      REQUIRE(redistribute::parse_distributed_type(c.at(key).get<std::string>(), *mesh).has_value());
    std::string axes;
    for (const auto &axis : c.at("axes"))
      axes += fmt::format("{}{}", axes.empty() ? "" : ", ", axis.get<std::string>());
    Plan fresh(plan.graph_ptr(), *mesh);
    act(fresh, fmt::format("expect {} over {} >= 1", c.at("kind").get<std::string>(), axes));
  }
}

} // namespace

TEST_CASE("2,000 random plans: names, shardings, types, axes and loop text are read back") {
  for (uint64_t seed = 1; seed <= slice_of(2000, 300); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    import::Imported imported;
    imported.graph = random_program(random).graph;
    Plan plan(imported.graph, random_mesh(random));
    static_cast<void>(random_actions(plan, random));
    if (random.chance(2))
      static_cast<void>(random_parts(plan, random));
    check_names(plan);
    check_shardings(plan);
    check_loops(plan);
    check_report(imported, plan);
  }
}

TEST_CASE("every program of the tree: the same, and its spec lines give the same plan again") {
  Dice random(3);
  for (const TreeProgram &program : tree_programs()) {
    CAPTURE(program.name);
    const import::Imported &imported = program.imported;
    check_names(plan_of(imported, nullptr, true));
    if (imported.graph->arguments().empty() || imported.graph->ops().size() > 2000)
      continue;
    check_loops(plan_of(imported, nullptr, true));
    const Plan fresh = plan_of(imported, "a=4,b=2", false);
    for (uint64_t round = 0; round < slice_of(3, 1); ++round) {
      Plan plan = fresh;
      static_cast<void>(partition::apply_spec(plan, random_spec(*imported.graph, random), "spec.txt"));
      check_shardings(plan);
      check_loops(plan);
      check_report(imported, plan);
      Plan again = fresh;
      for (const partition::Action &action : plan.actions().subspan(fresh.actions().size()))
        act(again, action.text);
      CHECK(loops::print(again, sharding::Style::counts).text ==
            loops::print(plan, sharding::Style::counts).text);
      // What a plan says of an argument is what a line may ask for.
      const auto i =
          static_cast<size_t>(random.below(static_cast<int64_t>(imported.graph->arguments().size())));
      const std::string name = imported.graph->argument_name(i);
      const auto said = partition::sharding_text(plan, name);
      REQUIRE(said.has_value());
      Plan stated = fresh;
      act(stated, fmt::format("shard(arg=\"{}\", {})", name, *said));
      CHECK(partition::sharding_text(stated, name).value_or("") == *said);
    }
  }
}

} // namespace tw::test_read_back
