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
        CHECK(text->find(attributes_of(plan.graph(), op) + " : ") != std::string::npos);
    CHECK(text->ends_with(loops::called_functions(plan.graph()) + "}\n"));
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

TEST_CASE("layouts, aliases, configurations, rules, memory kinds and called functions") {
  for (const TreeProgram &program : programs_of(source_path("tests/golden/cli/foreign_calls.mlir"))) {
    CHECK(check_forms(plan_of(program.imported, nullptr, true)) == 7);
    CHECK(check_forms(plan_of(program.imported, nullptr, false)) == 7);
  }
}

} // namespace tw::test_foreign_calls
