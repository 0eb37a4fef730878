// SPDX-License-Identifier: Apache-2.0
// What calls of foreign code say is written and read again word for word, in every form that has them.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "annotation/loop_program.hpp"
#include "emit/printer.hpp"
#include "emit/stablehlo/attributes.hpp"
#include "loops/spelling.hpp"
#include "ops/attributes.hpp"
#include "ops/opaque_rule.hpp"
#include "support/plans.hpp"
#include "support/tree_programs.hpp"
#include "unit/emit/graph_order.hpp"

namespace tw::test_foreign_calls {

using namespace tw::test;

namespace {

constexpr const char *kWhole[] = {"loops", "loops-extents", "stablehlo+sdy", "stablehlo+sdy-all", "shard"};
constexpr const char *kLocal[] = {"stablehlo", "shard-local"};

// As `<{properties}> {attributes}` stands behind the operands of an op.
std::string attributes_of(const graph::Graph &graph, graph::OpId op) {
  const auto said = emit::stablehlo::dictionaries(graph, ops::op_def(graph.op(op).code), graph.attrs(op));
  return fmt::format("{}{}", said.properties.empty() ? "" : fmt::format(" <{{{}}}>", said.properties),
                     said.others);
}
bool is_call(const graph::Graph &graph, graph::OpId op) {
  return ops::is(graph, op, ops::OpKind::custom_call);
}

// What is said of each op, in the order of the alphabet: forms order ops otherwise, and constrain values.
std::vector<std::string> all_attributes(const graph::Graph &graph) {
  std::vector<std::string> all;
  for (const graph::OpId op : text_order(graph))
    if (!ops::is(graph, op, ops::OpKind::barrier)) {
      const ops::OpViewHolder holder(graph, op);
      all.push_back(std::string(ops::op_def(graph.op(op).code).name) + attributes_of(graph, op));
      if (is_call(graph, op))
        all.back() += holder.view().string(ops::slot::custom_call::called_functions);
    }
  std::ranges::sort(all);
  return all;
}

std::vector<std::string> all_rules(const partition::Plan &plan) {
  std::vector<std::string> all;
  for (const ops::OpaqueRule &rule : plan.opaque_rules())
    all.push_back(rule.text);
  std::ranges::sort(all);
  return all;
}

// The rules of ops that a reader of a text finds in it.
std::vector<std::string> rules_of(const import::Imported &read) {
  std::vector<std::string> all;
  for (const annotation::StatedRule &rule : read.annotations.rules)
    all.push_back(rule.text);
  if (read.loops)
    for (const annotation::LoopBond &bond : read.loops->bonds)
      if (bond.kind == "rule_of")
        all.push_back(bond.names.substr(bond.names.find(' ') + 1));
  std::ranges::sort(all);
  return all;
}

// Without the sizes of its loops.
std::string shape_of(std::string rule) {
  const size_t open = std::min(rule.find('{'), rule.size()),
               close = std::min(rule.find('}', open), rule.size());
  return rule.erase(open, close - open);
}

// As far as the sizes of a rule.
std::string attributes_on_tiles(const partition::Plan &plan, graph::OpId op) {
  auto said = emit::stablehlo::dictionaries(plan.graph(), ops::op_def(plan.graph().op(op).code),
                                            plan.graph().attrs(op));
  const std::string_view rule = plan.rules().stated(op);
  if (!rule.empty()) {
    add_attribute(
        said, fmt::format("sdy.sharding_rule = #sdy.op_sharding_rule<{}", rule.substr(0, rule.find('{'))));
    said.others.pop_back();
  }
  return said.others + (rule.empty() ? " : " : "");
}

// A call on tiles has its rule, with the sizes of its tiles. A reader finds it in the call of all devices,
// whose arrays have dimensions of devices in front.
void check_local_rules(const partition::Plan &plan, const std::string &text, bool is_read) {
  std::vector<std::string> stated;
  for (const ops::OpaqueRule &rule : plan.opaque_rules())
    if (rule.op != graph::kNone && is_call(plan.graph(), rule.op))
      stated.push_back(rule.text);
  size_t said = 0;
  for (size_t at = 0; (at = text.find("sdy.sharding_rule", at)) != std::string::npos; ++at)
    ++said;
  CHECK(said == stated.size());
  if (stated.empty() || !is_read)
    return;
  const auto read = import::import_text(text);
  if (!read) { // data decide how long a loop runs: otherwise on each device, to a reader
    CHECK(std::string_view(read.error().info().id) == "TW-113");
    return;
  }
  size_t found = 0;
  for (const annotation::StatedRule &rule : read->annotations.rules)
    found += std::ranges::any_of(stated, [&](const std::string &own) {
      for (size_t n = 0; n <= plan.mesh().num_axes(); ++n)
        if (shape_of(ops::sharding_rule_with_dims(own, std::vector<int64_t>(n, 1))) == shape_of(rule.text))
          return true;
      return false;
    });
  CHECK(found == stated.size());
}

size_t check_forms(const partition::Plan &plan) {
  size_t written = 0;
  for (const char *form : kWhole) {
    CAPTURE(form);
    const auto text = emit::print(plan, form);
    if (!text)
      continue; // what the form cannot say; other tests are about that
    INFO(*text);
    const import::Imported read = load_text(*text);
    CHECK(all_attributes(*read.graph) == all_attributes(plan.graph()));
    CHECK(rules_of(read) == all_rules(plan));
    ++written;
  }
  const auto program = spmd::lower(plan);
  REQUIRE(program.has_value());
  for (const char *form : kLocal) {
    CAPTURE(form);
    const auto text = emit::print(**program, form);
    if (!text)
      continue;
    INFO(*text);
    for (const graph::OpId op : text_order(plan.graph()))
      if (is_call(plan.graph(), op))
        CHECK(text->find(attributes_on_tiles(plan, op)) != std::string::npos);
    CHECK(text->ends_with(loops::called_functions(plan.graph()) + "}\n"));
    check_local_rules(plan, *text, std::string_view(form) == "shard-local");
    ++written;
  }
  return written;
}

} // namespace

TEST_CASE("every program of the tree in every form") {
  for (const TreeProgram &program : tree_programs()) {
    if (program.imported.graph->ops().size() > 2000)
      continue;
    CAPTURE(program.name);
    check_forms(plan_of(program.imported, nullptr, true));
  }
}

TEST_CASE("rules of calls on tiles") {
  const auto sizes_of = [](const std::string &text) {
    std::vector<std::string> all;
    for (size_t at = 0; (at = text.find("#sdy.op_sharding_rule<", at)) != std::string::npos; ++at)
      all.push_back(text.substr(text.find('{', at), text.find('}', at) - text.find('{', at) + 1));
    return all;
  };
  const import::Imported imported = load_text(R"(sdy.mesh @m = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>}) -> (tensor<8x16xf32>, tensor<8x3xf32>, tensor<32x4xf32>) {
  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=16}, custom>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.custom_call @f(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k]) {i=8, j=16, k=3} reduction={j} need_replication={k}>} : (tensor<8x16xf32>) -> tensor<8x3xf32>
  %2 = stablehlo.custom_call @f(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, jk])->([ij, k]) {i=8, j=4, k=4}>} : (tensor<8x16xf32>) -> tensor<32x4xf32>
  return %0, %1, %2 : tensor<8x16xf32>, tensor<8x3xf32>, tensor<32x4xf32>
})");
  const partition::Plan plan = plan_of(imported, nullptr, true);
  CHECK(check_forms(plan) == 7);
  const auto program = spmd::lower(plan);
  REQUIRE(program.has_value());
  for (const char *form : kLocal)
    CHECK(sizes_of(emit::print(**program, form).value_or("")) ==
          std::vector<std::string>{"{i=2, j=8}", "{i=2, j=8, k=3}", "{i=2, j=4, k=4}"});
}

TEST_CASE("layouts, aliases, configurations, rules, memory kinds and called functions") {
  for (const TreeProgram &program : programs_of(source_path("tests/golden/cli/foreign_calls.mlir"))) {
    CHECK(check_forms(plan_of(program.imported, nullptr, true)) == 7);
    CHECK(check_forms(plan_of(program.imported, nullptr, false)) == 7);
  }
}

} // namespace tw::test_foreign_calls
