// SPDX-License-Identifier: Apache-2.0
// The same words in both directions.
#include "loops/notes.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/scanner.hpp"
#include "loops/spelling.hpp"
#include "loops/text_axes.hpp"
#include "partition/stated.hpp"
#include "sharding/range.hpp"

namespace tw::loops {

using sharding::AxisId;
using sharding::RangeCut;

std::vector<std::string_view> items(std::string_view list) {
  std::vector<std::string_view> all;
  if (list.starts_with('[') && list.ends_with(']'))
    list = list.substr(1, list.size() - 2);
  int depth = 0;
  bool quoted = false;
  size_t begin = 0;
  const auto add = [&](size_t end) {
    std::string_view item = list.substr(begin, end - begin);
    while (item.starts_with(' ') || item.starts_with('\n'))
      item.remove_prefix(1);
    while (item.ends_with(' ') || item.ends_with('\n'))
      item.remove_suffix(1);
    if (!item.empty())
      all.push_back(item);
    begin = end + 1;
  };
  for (size_t i = 0; i < list.size(); ++i) {
    quoted = quoted != (list[i] == '"');
    if (quoted)
      continue;
    depth += list[i] == '[' ? 1 : list[i] == ']' ? -1 : 0;
    if (list[i] == ',' && depth == 0)
      add(i);
  }
  add(list.size());
  return all;
}

namespace {

constexpr std::pair<std::string_view, partition::Direction> kDirections[] = {
    {"both", partition::Direction::both},
    {"forward", partition::Direction::forward},
    {"backward", partition::Direction::backward},
    {"none", partition::Direction::none}};

} // namespace

std::string_view direction_name(partition::Direction direction) {
  return std::ranges::find(kDirections, direction, [](const auto &p) { return p.second; })->first;
}
std::optional<partition::Direction> find_direction(std::string_view name) {
  const auto found = std::ranges::find(kDirections, name, [](const auto &p) { return p.first; });
  return found == std::end(kDirections) ? std::nullopt : std::optional(found->second);
}

std::string nest_text(const Plan &plan, NodeId n) {
  const ops::Rule &rule = plan.rule(n);
  std::vector<std::string> items;
  std::map<uint32_t, int64_t> before;
  for (const DimLoop &loop : dim_loops(plan, n)) {
    const std::string axis = quoted(plan.mesh().axis(loop.axis).name);
    if (loop.dim == DimLoop::kWhole) {
      items.push_back(fmt::format("any {}", axis));
      continue;
    }
    const auto &dims = rule.results.empty() ? rule.operands[0] : rule.results[0];
    int64_t &tiles = before.try_emplace(loop.dim, 1).first->second;
    const RangeCut cut{rule.factors[dims[loop.dim][0]].size, tiles, plan.mesh().size(loop.axis), loop.rule};
    tiles *= cut.tiles;
    items.push_back(
        fmt::format("tile {} {}{}", loop.dim, axis,
                    loop.rule == sharding::SplitRule{} ? "" : fmt::format(" by {}", width_text(cut))));
  }
  return fmt::format("[{}]", fmt::join(items, ", "));
}

Result<std::vector<DimLoop>> read_nest(Plan &plan, NodeId n, std::string_view text, const SourcePos &pos) {
  const ops::Rule &rule = plan.rule(n);
  const auto &dims = rule.results.empty() ? rule.operands[0] : rule.results[0];
  std::vector<DimLoop> loops;
  std::map<uint32_t, int64_t> before;
  for (std::string_view item : items(text)) {
    const auto wrong = [&] {
      return fail(
          error("TW-421", pos,
                fmt::format("partir.nest: expected 'tile D \"AXIS\"' or 'any \"AXIS\"', found '{}'", item)));
    };
    const size_t open = item.find('"'),
                 close = open == std::string_view::npos ? open : item.find('"', open + 1);
    if (close == std::string_view::npos)
      return wrong();
    TW_ASSIGN(const AxisId axis,
              find_axis(plan, import::unescape_name(item.substr(open + 1, close - open - 1)), pos));
    std::string_view head = item.substr(0, open), tail = item.substr(close + 1);
    while (head.ends_with(' '))
      head.remove_suffix(1);
    if (head == "any") {
      loops.push_back({axis, DimLoop::kWhole, {}});
      continue;
    }
    uint32_t dim = 0;
    if (!head.starts_with("tile ") ||
        std::from_chars(head.data() + 5, head.data() + head.size(), dim).ptr != head.data() + head.size() ||
        dim >= dims.size())
      return wrong();
    int64_t &tiles = before.try_emplace(dim, 1).first->second;
    RangeCut cut{rule.factors[dims[dim][0]].size, tiles, plan.mesh().size(axis), {}};
    tiles *= cut.tiles;
    if (tail.starts_with(" by ")) {
      auto width = parse_width(tail.substr(4), cut);
      if (!width)
        return fail(at(std::move(width.error()), pos));
      cut.rule = std::move(*width);
    } else if (!tail.empty()) {
      return wrong();
    }
    loops.push_back({axis, dim, std::move(cut.rule)});
  }
  return loops;
}

std::string layout_text(const Plan &plan, uint32_t result) {
  const graph::OpId op = plan.graph().results()[result];
  const bool overwrites = partition::overwritten_argument(plan.graph(), result) != graph::kNone;
  const bool is_implied = dim_loops(plan, op) == implied_of_result(plan, result);
  if (!partition::is_stated_result(plan, op)) // no reader takes what propagation did not bring
    return overwrites || is_implied || !plan.nest(op).empty() ? "" : "partir.nest = []";
  if (is_implied && !overwrites && !plan.has_fixed_layout(op))
    return "";
  if (plan.has_fixed_layout(op) || partition::takes_no_more(plan, op))
    return fmt::format("partir.layout = {}",
                       quoted(sharding::to_text(plan.operand_sharding(op, 0), plan.mesh())));
  return fmt::format("partir.nest = {}", nest_text(plan, op));
}

std::string variables_text(const Plan &plan, graph::OpId op) {
  const auto [first, count] = plan.flow().variables_of(op);
  std::vector<std::string> nests;
  bool any = false;
  for (NodeId n = first; n < first + count; ++n) {
    any = any || !plan.nest(n).empty();
    nests.push_back(nest_text(plan, n));
  }
  return any ? fmt::format("partir.nest = [{}]", fmt::join(nests, ", ")) : "";
}

} // namespace tw::loops
