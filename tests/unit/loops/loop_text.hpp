// SPDX-License-Identifier: Apache-2.0
// Reads loop text into a plan, and compares plans that should be the same.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <unordered_map>

#include "annotation/loop_program.hpp"
#include "import/import.hpp"
#include "loops/loops.hpp"
#include "loops/order.hpp"
#include "ops/registry.hpp"
#include "partition/plan.hpp"
#include "partition/stated.hpp"

namespace tw::test {

inline std::string read_file(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE_MESSAGE(in.good(), path);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct LoopText {
  import::Imported imported;
  partition::Plan plan;
};

inline Result<LoopText> parse_loops(std::string_view text) {
  import::ImportOptions options;
  options.file = "text.loops";
  TW_ASSIGN(import::Imported imported, import::import_text(text, options));
  partition::Plan plan(imported.graph, sharding::Mesh());
  if (imported.loops)
    TW_TRY(loops::apply(plan, *imported.loops));
  return LoopText{std::move(imported), std::move(plan)};
}

// The text without what only separates.
inline std::string squeezed(std::string_view text) {
  std::string all;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("//"))
      i = std::min(text.find('\n', i), text.size() - 1);
    if (text[i] != ' ' && text[i] != '\n')
      all += text[i];
  }
  return all;
}

inline bool same_constant(const graph::Graph &g, graph::ConstantId a, const graph::Graph &h,
                          graph::ConstantId b) {
  const graph::Constant &x = g.constant(a), &y = h.constant(b);
  const int64_t count = g.type_at(x.type).elements();
  return g.type_at(x.type) == h.type_at(y.type) &&
         (count == 0 || ((x.splat == y.splat || count == 1) && *x.bytes == *y.bytes));
}

inline bool is_empty(const graph::AttrValue &value) {
  const auto *list = std::get_if<std::vector<int64_t>>(&value);
  return value.index() == 0 || (list != nullptr && list->empty());
}

// The layout of a result: the one asked for, or as it is made.
inline std::string handed_out(const partition::Plan &plan, size_t i) {
  const auto result = static_cast<uint32_t>(i);
  const auto asked =
      partition::asked_layout(plan, result, partition::overwritten_argument(plan.graph(), result));
  if (asked)
    return sharding::to_text(*asked, plan.mesh());
  const graph::ValueId v = plan.graph().operands(plan.graph().results()[i])[0];
  const partition::Port maker = plan.flow().maker(v);
  const partition::NodeId pin = plan.pin_of(v);
  if (maker.node == graph::kNone && pin == graph::kNone)
    return "";
  sharding::Sharding made =
      pin != graph::kNone ? plan.result_sharding(pin, 0) : plan.result_sharding(maker.node, maker.index);
  made.partial.clear();
  return sharding::to_text(made, plan.mesh());
}

// The same graph, op by op in the order of the text, and the same loops around each.
inline void check_same_plan(const partition::Plan &plan, const loops::Printed &printed,
                            const partition::Plan &other) {
  const graph::Graph &g = plan.graph(), &h = other.graph();
  std::vector<graph::OpId> order(g.arguments().begin(), g.arguments().end());
  order.insert(order.end(), printed.ops.begin(), printed.ops.end());
  order.insert(order.end(), g.results().begin(), g.results().end());
  REQUIRE(order.size() == h.ops().size());
  REQUIRE(order.size() == g.ops().size());
  std::unordered_map<graph::ValueId, graph::ValueId> value;
  for (graph::OpId n = 0; n < order.size(); ++n) {
    const graph::Op &a = g.op(order[n]), &b = h.op(n);
    REQUIRE(a.code == b.code);
    REQUIRE(a.num_results == b.num_results);
    REQUIRE(a.num_regions == b.num_regions);
    for (uint32_t i = 0; i < a.num_results; ++i) {
      value[g.result(order[n], i)] = h.result(n, i);
      REQUIRE(g.type(g.result(order[n], i)) == h.type(h.result(n, i)));
    }
    for (uint32_t r = 0; r < a.num_regions; ++r)
      for (size_t i = 0; i < g.region(a.first_region + r).args.size(); ++i)
        value[g.region(a.first_region + r).args[i]] = h.region(b.first_region + r).args[i];
  }
  const auto same_nest = [&](partition::NodeId a, partition::NodeId b) {
    REQUIRE(plan.nest(a).size() == other.nest(b).size());
    for (size_t d = 0; d < plan.nest(a).size(); ++d) {
      const partition::NestEntry &x = plan.nest(a)[d], &y = other.nest(b)[d];
      REQUIRE(plan.mesh().axis(x.axis).name == other.mesh().axis(y.axis).name);
      REQUIRE(x.factor == y.factor);
      REQUIRE(plan.split(x.split) == other.split(y.split));
    }
  };
  for (graph::OpId n = 0; n < order.size(); ++n) {
    CAPTURE(std::string(ops::op_def(h.op(n).code).name));
    for (uint32_t p = 0; p < g.op(order[n]).num_operands; ++p)
      REQUIRE(value.at(g.operands(order[n])[p]) == h.operands(n)[p]);
    const graph::Attrs &a = g.attrs(order[n]), &b = h.attrs(n);
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      const graph::AttrValue none, &x = i < a.size() ? a[i] : none, &y = i < b.size() ? b[i] : none;
      if (const auto *c = std::get_if<graph::ConstantId>(&x);
          c != nullptr && std::holds_alternative<graph::ConstantId>(y))
        REQUIRE(same_constant(g, *c, h, std::get<graph::ConstantId>(y)));
      else if (!is_empty(x) || !is_empty(y)) // no dimensions are as good as none said
        REQUIRE_MESSAGE(x == y, "attribute " << i << " " << x.index() << " " << y.index());
    }
    if (!ops::is(g, order[n], ops::OpKind::result)) // what its nest means is what it asks for
      same_nest(order[n], n);
  }
  const auto variables = plan.flow().variables().all(), others = other.flow().variables().all();
  REQUIRE(variables.size() == others.size());
  for (uint32_t i = 0; i < variables.size(); ++i) { // in the order of their ops
    const auto match = std::ranges::find_if(others, [&](const ops::Variable &v) {
      return order[v.op] == variables[i].op && v.index == variables[i].index;
    });
    REQUIRE(match != others.end());
    same_nest(static_cast<partition::NodeId>(g.ops().size()) + i,
              static_cast<partition::NodeId>(h.ops().size() + static_cast<size_t>(match - others.begin())));
  }
  for (const auto &[from, to] : value) {
    const partition::NodeId a = loops::pin_of(plan, from), b = loops::pin_of(other, to);
    REQUIRE((a == graph::kNone) == (b == graph::kNone));
    if (a != graph::kNone)
      same_nest(a, b);
    REQUIRE(plan.is_materialised(from) == other.is_materialised(to));
    const auto held = [&](const partition::Plan &p, graph::ValueId v) {
      return p.pin_of(v) == graph::kNone ? size_t{1} : p.pinned(p.pin_of(v)).size();
    };
    REQUIRE(held(plan, from) == held(other, to));
  }
  REQUIRE(plan.directions().size() == other.directions().size());
  for (size_t i = 0; i < plan.directions().size(); ++i) {
    REQUIRE(value.at(plan.directions()[i].first) == other.directions()[i].first);
    REQUIRE(plan.directions()[i].second == other.directions()[i].second);
  }
  for (size_t i = 0; i < g.arguments().size(); ++i) {
    REQUIRE(g.argument_name(i) == h.argument_name(i));
    REQUIRE(g.alias_of_argument(i) == h.alias_of_argument(i));
  }
  for (size_t i = 0; i < g.results().size(); ++i) {
    REQUIRE(g.result_name(i) == h.result_name(i));
    REQUIRE(handed_out(plan, i) == handed_out(other, i));
  }
}

// print(parse(t)) == t and parse(print(p)) == p, in both styles. Returns the text of the 2021 PartIR slides'.
inline std::string check_round_trip(const partition::Plan &plan) {
  std::string first;
  for (const auto style : {sharding::Style::counts, sharding::Style::extents}) {
    const loops::Printed printed = loops::print(plan, style);
    if (first.empty())
      first = printed.text;
    auto read = parse_loops(printed.text);
    REQUIRE_MESSAGE(read.has_value(), read.error().message() << " at " << read.error().info().pos.line << "\n"
                                                             << printed.text);
    INFO(printed.text);
    check_same_plan(plan, printed, read->plan);
    REQUIRE(loops::print(read->plan, style).text == printed.text);
  }
  return first;
}

} // namespace tw::test
