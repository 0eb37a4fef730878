// SPDX-License-Identifier: Apache-2.0
// Per-device modules, read by the importer and run for all devices at once: every device's results are its
// tiles of what the program computes.
#include <doctest/doctest.h>

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/stablehlo/per_device.hpp"
#include "kernels/ref/evaluate.hpp"
#include "ops/registry.hpp"
#include "partition/spec.hpp"
#include "spmd/program.hpp"
#include "support/number_of.hpp"
#include "support/plans.hpp"
#include "support/stencil_text.hpp"
#include "unit/emit/device_tiles.hpp"
#include "unit/emit/graph_order.hpp"

namespace tw::test_per_device {

using namespace tw::test;
using kernels::ref::Array;
using partition::Plan;
using spmd::ValueRef;

namespace {

// @main of all devices' tiles runs the module's function on a replica each.
std::string for_all(std::string text, const spmd::Program &program, const std::vector<ValueRef> &arguments,
                    const std::vector<ValueRef> &results) {
  const int64_t devices = program.mesh().num_devices();
  const auto types = [&](const std::vector<ValueRef> &values) {
    std::vector<std::string> all;
    for (sharding::Position p; p < devices; ++p)
      for (const ValueRef v : values)
        all.push_back(graph::to_text({program.type(v).dtype, stored_tile(program, v)}));
    return all;
  };
  const std::vector<std::string> taken = types(arguments), made = types(results);
  std::vector<std::string> parameters, operands, values;
  for (size_t i = 0; i < taken.size(); ++i) {
    operands.push_back(fmt::format("%a{}", i));
    parameters.push_back(fmt::format("{}: {}", operands[i], taken[i]));
  }
  for (size_t i = 0; i < made.size(); ++i)
    values.push_back(made.size() == 1 ? "%r" : fmt::format("%r#{}", i));
  const std::string_view name = "func.func public @main(";
  text.replace(text.find(name), name.size(), "func.func private @device(");
  text.resize(text.rfind('}'));
  text += fmt::format("  func.func public @main({}) -> ({}) {{\n    %r{} = \"interpreter.run_parallel\"({}) "
                      "{{programs = [[@device]",
                      fmt::join(parameters, ", "), fmt::join(made, ", "),
                      made.size() == 1 ? "" : fmt::format(":{}", made.size()), fmt::join(operands, ", "));
  for (int64_t p = 1; p < devices; ++p)
    text += ", [@device]";
  return text + fmt::format("]}} : ({}) -> ({})\n    return {} : {}\n  }}\n}}\n", fmt::join(taken, ", "),
                            fmt::join(made, ", "), fmt::join(values, ", "), fmt::join(made, ", "));
}

// False where the module does not run here.
bool check_runs(const Plan &plan, const std::vector<Array> &inputs) {
  const auto lowered = spmd::lower(plan);
  REQUIRE(lowered.has_value());
  const spmd::Program &program = **lowered;
  const std::string text = emit::stablehlo::to_device_text(program);
  const std::vector<ValueRef> arguments = arguments_of(program), results = results_of(program);
  const std::string module = for_all(text, program, arguments, results);
  INFO(module);
  const auto read = import::import_text(module);
  if (!read && std::string_view(read.error().info().id) == "TW-113")
    return false; // to a reader of modules in general, what decides differs between devices
  REQUIRE_MESSAGE(read.has_value(), read.error().info().pos.line << ": " << read.error().message());
  std::vector<Array> tiles;
  for (sharding::Position p; p < program.mesh().num_devices(); ++p)
    for (size_t i = 0; i < arguments.size(); ++i)
      tiles.push_back(cut(inputs[i], tile_box(program, arguments[i], p), stored_tile(program, arguments[i])));
  const auto whole = kernels::ref::evaluate(plan.graph(), inputs);
  const auto made = kernels::ref::evaluate(*read->graph, tiles);
  REQUIRE(whole.has_value());
  REQUIRE_MESSAGE(made.has_value(), made.error().message());
  check_tiles(program, *whole, [&](sharding::Position p, size_t i) {
    return (*made)[static_cast<size_t>(p) * results.size() + i];
  });
  return true;
}

} // namespace

TEST_CASE("random programs under random actions") {
  std::map<std::string, size_t> ran; // ops that a device ran on tiles
  const uint64_t programs = slice_of(2000, 250);
  uint64_t count = 0;
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const RandomProgram program = random_program(random);
    const std::vector<const char *> meshes = {"a=2", "a=4", "a=2,b=2", "a=3", "a=3,b=2"};
    Plan plan(program.graph, *sharding::Mesh::parse(random.pick(meshes)));
    const std::string actions = random_actions(plan, random);
    CAPTURE(actions);
    if (!check_runs(plan, program.inputs))
      continue;
    ++count;
    for (const graph::Op &op : program.graph->ops())
      ++ran[ops::op_def(op.code).name];
  }
  MESSAGE(count << " programs of " << ran.size() << " ops ran");
  CHECK(count * 2 > programs);
}

TEST_CASE("stencils that keep halos") {
  Dice random(1);
  for (int64_t width = 1; width <= 3; ++width)
    for (const std::string &text :
         {stencil::annotated({3, 2}, {13, 11}, width), stencil::annotated({2, 2}, {11, 9}, width)}) {
      const import::Imported imported = load_text(text);
      const graph::OpId argument = imported.graph->arguments()[0];
      const Array input = random_array(imported.graph->type(imported.graph->result(argument)), -9, 9, random);
      CHECK(check_runs(plan_of(imported, nullptr, true), {input}));
    }
}

// Each loop of an op over devices by itself, and two of them at once. Sums of floats may be rounded
// otherwise.
TEST_CASE("every op on tiles") {
  std::map<std::string, size_t> ran;
  each_instance(12, [&](const ops::OpDef &def, const Instance &instance, RandomChoices &random) {
    std::vector<Array> inputs;
    for (size_t i = 0; i < instance.operands.size(); ++i)
      inputs.push_back({instance.graph->type(instance.graph->result(instance.graph->arguments()[i])),
                        instance.operands[i]});
    const ops::RuleTable rules(*instance.graph);
    const ops::Rule &rule = rules.rule(instance.op);
    const bool exact = graph::is_int(instance.graph->type(instance.graph->result(instance.op)).dtype);
    const auto may_split = [&](size_t f) {
      const ops::Factor &factor = rule.factors[f];
      return factor.kind == ops::FactorKind::pass ||
             (factor.kind == ops::FactorKind::reduce &&
              (exact || factor.reduction == sharding::Reduction::pick));
    };
    for (size_t f = 0; f < rule.factors.size(); ++f) {
      if (!may_split(f))
        continue;
      CAPTURE(rule.text());
      CAPTURE(f);
      Plan plan(instance.graph, *sharding::Mesh::parse(random.chance(50) ? "a=3,b=2" : "a=2,b=2"));
      if (plan.is_source(instance.op) || !plan.set(instance.op, 0, static_cast<ops::FactorId>(f)))
        continue;
      const auto other = static_cast<size_t>(random.range(0, static_cast<int64_t>(rule.factors.size()) - 1));
      if (may_split(other))
        static_cast<void>(plan.set(instance.op, 1, static_cast<ops::FactorId>(other)));
      ran[def.name] += check_runs(plan, inputs);
    }
  });
  size_t count = 0;
  for (const auto &[name, times] : ran)
    count += times;
  MESSAGE(ran.size() << " ops, " << count << " plans");
  CHECK(ran.size() > 80);
}

} // namespace tw::test_per_device
