// SPDX-License-Identifier: Apache-2.0
// Two ops border on each other where the dimensions of a value that one makes and the other reads are tiled
// over other axes. What all layers do is taken from those that stand for most of them.
#include "search/borders.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "ops/loop_names.hpp"
#include "ops/registry.hpp"

namespace tw::search {

using graph::kNone;
using graph::OpId;
using graph::ValueId;
using sharding::AxisId;

namespace {

class BorderFinder {
public:
  BorderFinder(const partition::Plan &plan, const Relaxed &relaxed, const FewLayers &few,
               const std::vector<Stack> &stacks, std::span<const AxisId> axes)
      : plan_(plan), graph_(*few.graph), relaxed_(relaxed), few_(few), stacks_(stacks), axes_(axes) {
    for (uint32_t s = 0; s < stacks.size(); ++s)
      for (uint32_t r = 0; r < stacks[s].roles.size(); ++r)
        for (const OpId op : stacks[s].roles[r])
          role_of_[op] = {s, r};
    for (const OpId op : graph_.region(0).ops)
      members_[key(op)].push_back(op);
  }

  std::vector<Border> run() {
    for (const OpId op : graph_.region(0).ops)
      for (uint32_t i = 0; i < graph_.operands(op).size(); ++i) {
        const ValueId v = graph_.operands(op)[i];
        const OpId maker = graph_.value(v).def;
        if (maker == kNone || !nest(op) || !nest(maker) ||
            axes_of_result(maker, graph_.value(v).index) == axes_of_operand(op, i))
          continue;
        add(maker);
        add(op);
      }
    // Where waves meet they may take another way between the borders.
    constexpr int kRounds = 4;
    for (int round = 0; round < kRounds && add_unlike(); ++round) {
    }
    std::ranges::stable_sort(found_, std::greater<>(), [](const auto &f) { return f.first; });
    std::vector<Border> borders;
    for (auto &[bytes, border] : found_)
      borders.push_back(std::move(border));
    return borders;
  }

private:
  using Key = std::pair<uint32_t, uint32_t>; // stack and role; no stack: an op of few_.graph

  Key key(OpId op) const {
    const OpId of = few_.from[op];
    const auto at = of == kNone ? role_of_.end() : role_of_.find(of);
    return at == role_of_.end() ? Key{UINT32_MAX, op} : at->second;
  }
  const std::optional<Nest> &nest(OpId op) const {
    static const std::optional<Nest> none;
    return op < relaxed_.nests.size() ? relaxed_.nests[op] : none;
  }
  bool is_of_use(OpId op) const {
    return !ops::is_signature(ops::op_def(graph_.op(op).code)) && graph_.op(op).num_results != 0;
  }
  double bytes(OpId op) const {
    return static_cast<double>(graph_.type(graph_.result(op)).bytes()) *
           static_cast<double>(few_.repeats.count[op]);
  }

  void add(OpId op) {
    if (!is_of_use(op) || !seen_.insert(key(op)).second)
      return;
    if (Border made = border(op); !made.nest.empty())
      found_.emplace_back(bytes(op), std::move(made));
  }

  // Adds ops that the borders and their waves bring elsewhere. Answers whether there are some.
  bool add_unlike() {
    partition::Plan plan = plan_;
    plan.begin_action({"search", {}});
    for (const auto &[bytes, border] : found_)
      for (const auto &[axis, factor] : border.nest)
        for (const OpId op : border.few)
          if (plan.entry(op, axis) == nullptr)
            (void)plan.set(op, axis, factor); // what cannot be there is found elsewhere
    plan.propagate(partition::Mode::infer_propagate);
    const size_t before = found_.size();
    for (const OpId op : graph_.region(0).ops)
      if (nest(op) && !has(plan, op, *nest(op)))
        add(op);
    return found_.size() > before;
  }
  // These loops in this order, maybe with others between them.
  static bool has(const partition::Plan &plan, OpId op, const Nest &loops) {
    auto next = loops.begin();
    for (const partition::NestEntry &e : plan.nest(op))
      if (next != loops.end() && e.axis == next->first && e.factor == next->second)
        ++next;
    return next == loops.end();
  }

  // By dimension, the axes of its factors.
  std::vector<std::vector<AxisId>> axes_of(const std::vector<ops::DimFactors> &dims, const Nest &nest) const {
    std::vector<std::vector<AxisId>> axes;
    for (const ops::DimFactors &dim : dims) {
      auto &of = axes.emplace_back();
      for (const auto &[axis, factor] : nest)
        if (std::ranges::count(dim, factor) != 0)
          of.push_back(axis);
    }
    return axes;
  }
  std::vector<std::vector<AxisId>> axes_of_result(OpId op, uint32_t result) const {
    return axes_of(plan_.rule(op).results[result], *nest(op));
  }
  std::vector<std::vector<AxisId>> axes_of_operand(OpId op, uint32_t operand) const {
    return axes_of(plan_.rule(op).operands[operand], *nest(op));
  }

  Border border(OpId op) const {
    Border made;
    const auto [stack, role] = key(op);
    if (stack == UINT32_MAX) {
      made = {{op}, {few_.from[op]}, {}};
    } else {
      made = {members_.at(key(op)), stacks_[stack].roles[role], {}};
      op = *std::ranges::max_element(made.few, {}, [&](OpId o) { return few_.repeats.count[o]; });
    }
    if (nest(op))
      for (const auto &[axis, factor] : *nest(op))
        if (std::ranges::count(axes_, axis) != 0 && !loop_name(plan_, op, factor).empty())
          made.nest.emplace_back(axis, factor);
    return made;
  }

  const partition::Plan &plan_;
  const graph::Graph &graph_;
  const Relaxed &relaxed_;
  const FewLayers &few_;
  const std::vector<Stack> &stacks_;
  const std::span<const AxisId> axes_;
  std::map<OpId, Key> role_of_; // by op of the program
  std::map<Key, Role> members_; // ops of few_.graph
  std::set<Key> seen_;
  std::vector<std::pair<double, Border>> found_; // and bytes of what they make
};

} // namespace

std::vector<Border> find_borders(const partition::Plan &few_plan, const Relaxed &relaxed,
                                 const FewLayers &few, const std::vector<Stack> &stacks,
                                 std::span<const AxisId> axes) {
  return BorderFinder(few_plan, relaxed, few, stacks, axes).run();
}

std::string loop_name(const partition::Plan &plan, OpId op, ops::FactorId factor) {
  const ops::Rule &rule = plan.rule(op);
  const std::string_view full = ops::op_def(plan.graph().op(op).code).name;
  const std::string_view name =
      ops::is_matrix_product(rule) ? std::string_view("matmul") : full.substr(full.find('.') + 1);
  for (const ops::NamedLoop &loop : ops::loop_names(rule))
    if (loop.factors == std::vector<ops::FactorId>{factor})
      return fmt::format("{}-{}", name, loop.name);
  return {};
}

} // namespace tw::search
