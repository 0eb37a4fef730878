// SPDX-License-Identifier: Apache-2.0
// List scheduling with a stack of open loops: whatever can go on in the innermost loop does, then what can in
// the one around it. Nodes that need no further loop come before those that open one, and small loops before
// large ones, so that a loop finds at hand what it takes from outside.
#include "loops/order.hpp"

#include <algorithm>
#include <compare>
#include <functional>
#include <queue>
#include <unordered_map>

#include "ops/registry.hpp"

namespace tw::loops {

using graph::kNone;
using graph::OpId;
using graph::ValueId;

namespace {

constexpr uint32_t kRoot = 0; // the component of nodes without loops

class UnionFind {
public:
  explicit UnionFind(size_t n) : parent_(n) {
    for (uint32_t i = 0; i < n; ++i)
      parent_[i] = i;
  }
  uint32_t find(uint32_t i) {
    while (parent_[i] != i)
      i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(uint32_t a, uint32_t b) {
    a = find(a), b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

private:
  std::vector<uint32_t> parent_;
};

struct Edge {
  uint32_t from;    // the node that makes what is read: its place in the body
  uint32_t result;  // of it
  uint32_t operand; // of the reader; kNone: something inside a region of it
};

// Of nodes, each with the size of the component whose loop it would open, and its turn among those of one
// size.
struct Entry {
  uint32_t size;
  uint64_t turn;
  uint32_t node;
  auto operator<=>(const Entry &) const = default;
};
using Heap = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

class Arranger {
public:
  Arranger(const Plan &plan, graph::RegionId body, std::span<const OpId> ops)
      : plan_(plan), graph_(plan.graph()), body_(body), ops_(ops) {}

  Order run() {
    find_nodes();
    find_edges();
    find_components();
    schedule();
    find_results();
    return std::move(order_);
  }

private:
  struct Component {
    Heap direct; // nodes that need no further loop
    Heap below;  // nodes that need one
    uint32_t size = 0;
  };
  struct Open {
    uint32_t component, loop;
    std::vector<uint32_t>
        deferred; // members that cannot go on in this loop, as they need what it makes whole
  };

  void find_nodes() {
    place_.assign(plan_.num_nodes(), kNone);
    const auto add = [&](NodeId n, ValueId pinned) {
      nodes_.push_back(n);
      pinned_.push_back(pinned);
    };
    const auto add_pin = [&](ValueId v) {
      if (const NodeId pin = pin_of(plan_, v); pin != kNone) {
        pin_place_[v] = static_cast<uint32_t>(nodes_.size());
        add(pin, v);
      }
    };
    static const auto argument = ops::code_of(ops::OpKind::argument),
                      result = ops::code_of(ops::OpKind::result);
    for (const ValueId v : graph_.region(body_).args)
      add_pin(v);
    for (const OpId op : ops_) {
      if (graph_.op(op).code == result)
        continue;
      if (graph_.op(op).code != argument) {
        place_[op] = static_cast<uint32_t>(nodes_.size());
        add(op, kNone);
      }
      for (uint32_t i = 0; i < graph_.op(op).num_results; ++i)
        add_pin(graph_.result(op, i));
    }
  }

  // Of a value as a reader finds it; its pin reads it as it is made.
  uint32_t maker(ValueId v, uint32_t reader) const {
    if (reader == kNone || pinned_[reader] != v)
      if (const auto pin = pin_place_.find(v); pin != pin_place_.end())
        return pin->second;
    return graph_.value(v).def == kNone ? kNone : place_[graph_.value(v).def];
  }
  void add_edge(uint32_t to, ValueId v, uint32_t operand) {
    if (const uint32_t from = maker(v, to); from != kNone && from != to)
      edges_[to].push_back({from, plan_.is_pin(nodes_[from]) ? 0 : graph_.value(v).index, operand});
  }
  void add_inner_edges(uint32_t to, OpId op) {
    for (uint32_t r = 0; r < graph_.op(op).num_regions; ++r) {
      const graph::Region &region = graph_.region(graph_.op(op).first_region + r);
      for (const OpId inner : region.ops) {
        for (const ValueId v : graph_.operands(inner))
          add_edge(to, v, kNone);
        add_inner_edges(to, inner);
      }
      for (const ValueId v : region.yields)
        add_edge(to, v, kNone);
    }
  }

  void find_edges() {
    edges_.resize(nodes_.size());
    uint32_t effect = kNone; // the last op that does more than compute its results
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      const NodeId n = nodes_[i];
      if (plan_.is_pin(n)) {
        add_edge(i, pinned_[i], 0);
        continue;
      }
      for (uint32_t p = 0; p < graph_.op(n).num_operands; ++p)
        add_edge(i, graph_.operands(n)[p], p);
      add_inner_edges(i, n);
      if ((ops::op_def(graph_.op(n).code).flags & ops::kSideEffect) != 0) {
        if (effect != kNone)
          edges_[i].push_back({effect, kNone, kNone});
        effect = i;
      }
    }
  }

  // Whether what passes an edge is the same tile on both sides of it, as far as the loop at this depth goes.
  bool agrees(uint32_t to, const Edge &edge, uint32_t depth) const {
    if (edge.operand == kNone)
      return edge.result == kNone; // an order of effects passes nothing
    const NodeId maker = nodes_[edge.from], reader = nodes_[to];
    const auto axis = plan_.nest(maker)[depth].axis;
    if (plan_.is_op(maker) && plan_.is_materialised(graph_.result(maker, edge.result), axis))
      return false;
    const auto made = plan_.result_cut(maker, edge.result, axis),
               read = plan_.operand_cut(reader, edge.operand, axis);
    if (made != read)
      return false;
    const partition::NestEntry &e = plan_.nest(maker)[depth];
    return made || e.factor == partition::kAny ||
           plan_.rule(maker).factors[e.factor].kind != ops::FactorKind::reduce;
  }
  // Whether the loops of a nest behind the first `shared` cut the tiles that those make of an array further;
  // cuts that begin anew, as ceil's and explicit ones may, make something else of them.
  template <class CutOf> bool refines(NodeId n, size_t shared, const graph::Shape &dims, CutOf cut_of) const {
    const auto nest = plan_.nest(n);
    for (size_t d = shared; d < nest.size(); ++d) {
      const std::optional<Plan::Cut> inner = cut_of(nest[d].axis);
      if (!inner)
        continue;
      for (size_t o = shared; o-- > 0;) {
        const std::optional<Plan::Cut> outer = cut_of(nest[o].axis);
        if (!outer || outer->dim != inner->dim)
          continue;
        const int64_t size = dims[inner->dim], few = outer->before * plan_.mesh().size(nest[o].axis),
                      many = inner->before * plan_.mesh().size(nest[d].axis);
        if (!(outer->rule == sharding::SplitRule{} && inner->rule == sharding::SplitRule{}))
          for (int64_t t = 0; t < few; ++t)
            if (tile(outer->rule, size, few, t).begin !=
                tile(inner->rule, size, many, t * (many / few)).begin)
              return false;
        break;
      }
    }
    return true;
  }
  // The same of what passes an edge between nodes that share so many loops, on both sides.
  bool refines(uint32_t to, const Edge &edge, size_t shared) const {
    if (edge.result == kNone)
      return true;
    const NodeId maker = nodes_[edge.from], reader = nodes_[to];
    const graph::Shape &dims =
        graph_.type(plan_.is_pin(maker) ? pinned_[edge.from] : graph_.result(maker, edge.result)).dims;
    return refines(maker, shared, dims,
                   [&](sharding::AxisId axis) { return plan_.result_cut(maker, edge.result, axis); }) &&
           refines(reader, shared, dims,
                   [&](sharding::AxisId axis) { return plan_.operand_cut(reader, edge.operand, axis); });
  }
  size_t depth(uint32_t i) const { return plan_.nest(nodes_[i]).size(); }

  void find_components() {
    size_t deepest = 0;
    for (uint32_t i = 0; i < nodes_.size(); ++i)
      deepest = std::max(deepest, depth(i));
    paths_.assign(nodes_.size(), {});
    components_.resize(1);
    for (uint32_t d = 0; d < deepest; ++d) {
      UnionFind sets(nodes_.size());
      for (uint32_t i = 0; i < nodes_.size(); ++i)
        for (const Edge &e : edges_[i])
          if (!plan_.is_pin(nodes_[i]) && !plan_.is_pin(nodes_[e.from]) && depth(i) > d &&
              depth(e.from) > d && plan_.nest(nodes_[i])[d].axis == plan_.nest(nodes_[e.from])[d].axis &&
              paths_[i] == paths_[e.from] && agrees(i, e, d))
            sets.join(i, e.from);
      std::vector<uint32_t> component(nodes_.size(), kNone);
      for (uint32_t i = 0; i < nodes_.size(); ++i)
        if (depth(i) > d) {
          uint32_t &id = component[sets.find(i)];
          if (id == kNone) {
            id = static_cast<uint32_t>(components_.size());
            components_.emplace_back();
          }
          next_.push_back({i, id});
        }
      for (const auto &[i, id] : next_) {
        paths_[i].push_back(id);
        ++components_[id].size;
      }
      next_.clear();
    }
  }

  // Pins before ops, in the order in which their values were made: a text numbers ops as they stand in it,
  // and its reader must find the same turns.
  uint64_t turn(uint32_t i) const {
    if (pinned_[i] == kNone)
      return uint64_t{1} << 32 | i;
    return edges_[i].empty() ? i : nodes_.size() + turn_made_[edges_[i][0].from];
  }
  void make_ready(uint32_t i) {
    uint32_t at = kRoot;
    for (const uint32_t component : paths_[i]) {
      components_[at].below.push({components_[component].size, turn(i), i});
      at = component;
    }
    components_[at].direct.push({0, turn(i), i});
  }

  // Whether a node may go on in the loops that are open, the first `level` of them.
  bool joins(uint32_t i, size_t level) const {
    return std::ranges::all_of(edges_[i], [&](const Edge &e) {
      size_t shared = 0;
      for (uint32_t loop = loop_of_[e.from]; loop != kNone; loop = order_.loops[loop].parent)
        if (const uint32_t d = order_.loops[loop].depth; d < level && open_[d].loop == loop) {
          if (!agrees(i, e, d))
            return false;
          shared = std::max<size_t>(shared, d + 1);
        }
      return shared == 0 || refines(i, e, shared);
    });
  }

  // The next node of a heap that may go on in the first `level` loops; kNone where there is none.
  uint32_t take(Heap &heap, size_t level) {
    while (!heap.empty()) {
      const uint32_t i = heap.top().node;
      if (done_[i]) {
        heap.pop();
      } else if (!joins(i, level)) {
        heap.pop();
        open_[level - 1].deferred.push_back(i);
      } else {
        return i;
      }
    }
    return kNone;
  }

  void close() {
    order_.steps.push_back({Step::Kind::close, open_.back().loop});
    std::vector<uint32_t> deferred = std::move(open_.back().deferred);
    open_.pop_back();
    for (const uint32_t i : deferred)
      if (!done_[i])
        make_ready(i);
  }

  void schedule() {
    done_.assign(nodes_.size(), false);
    loop_of_.assign(nodes_.size(), kNone);
    turn_made_.assign(nodes_.size(), 0);
    std::vector<uint32_t> waits(nodes_.size());
    std::vector<std::vector<uint32_t>> readers(nodes_.size());
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      waits[i] = static_cast<uint32_t>(edges_[i].size());
      for (const Edge &e : edges_[i])
        readers[e.from].push_back(i);
      if (waits[i] == 0)
        make_ready(i);
    }
    for (size_t left = nodes_.size(); left > 0; --left) {
      uint32_t i = kNone;
      for (;;) {
        Component &at = components_[open_.empty() ? kRoot : open_.back().component];
        if ((i = take(at.direct, open_.size())) != kNone || (i = take(at.below, open_.size())) != kNone)
          break;
        TW_ASSERT(!open_.empty());
        close();
      }
      for (size_t d = open_.size(); d < paths_[i].size(); ++d) {
        const auto loop = static_cast<uint32_t>(order_.loops.size());
        order_.loops.push_back({plan_.nest(nodes_[i])[d].axis,
                                open_.empty() ? kNone : open_.back().loop,
                                static_cast<uint32_t>(d),
                                {}});
        open_.push_back({paths_[i][d], loop, {}});
        order_.steps.push_back({Step::Kind::open, loop});
      }
      loop_of_[i] = open_.empty() ? kNone : open_.back().loop;
      order_.steps.push_back(pinned_[i] == kNone ? Step{Step::Kind::op, nodes_[i]}
                                                 : Step{Step::Kind::pin, pinned_[i]});
      done_[i] = true;
      turn_made_[i] = static_cast<uint32_t>(nodes_.size() - left);
      for (const uint32_t reader : readers[i])
        if (--waits[reader] == 0)
          make_ready(reader);
    }
    while (!open_.empty())
      close();
  }

  // What is made in a loop and read outside it, or nowhere.
  void find_results() {
    std::vector<std::vector<std::vector<uint32_t>>> outside(
        nodes_.size()); // node, result -> loops that it leaves
    const auto leave = [&](uint32_t from, uint32_t result, uint32_t reader_loop) {
      std::vector<uint32_t> around;
      for (uint32_t l = reader_loop; l != kNone; l = order_.loops[l].parent)
        around.push_back(l);
      auto &left = outside[from];
      if (left.size() <= result)
        left.resize(result + 1);
      for (uint32_t l = loop_of_[from]; l != kNone; l = order_.loops[l].parent)
        if (std::ranges::find(around, l) == around.end() &&
            std::ranges::find(left[result], l) == left[result].end())
          left[result].push_back(l);
    };
    std::vector<std::vector<bool>> read(nodes_.size());
    const auto mark = [&](uint32_t from, uint32_t result) {
      if (read[from].size() <= result)
        read[from].resize(result + 1);
      read[from][result] = true;
    };
    for (uint32_t i = 0; i < nodes_.size(); ++i)
      for (const Edge &e : edges_[i])
        if (e.result != kNone) {
          leave(e.from, e.result, loop_of_[i]);
          mark(e.from, e.result);
        }
    const auto yielded = [&](ValueId v) {
      if (const uint32_t from = maker(v, kNone); from != kNone) {
        const uint32_t result = plan_.is_pin(nodes_[from]) ? 0 : graph_.value(v).index;
        leave(from, result, kNone);
        mark(from, result);
      }
    };
    for (const ValueId v : graph_.region(body_).yields)
      yielded(v);
    if (body_ == 0)
      for (const OpId result : graph_.results())
        yielded(graph_.operands(result)[0]);
    for (const Step &step : order_.steps) {
      if (step.kind != Step::Kind::op && step.kind != Step::Kind::pin)
        continue;
      const bool pin = step.kind == Step::Kind::pin;
      const uint32_t i = pin ? pin_place_.at(step.id) : place_[step.id];
      const uint32_t count = pin ? 1 : graph_.op(step.id).num_results;
      for (uint32_t r = 0; r < count; ++r) {
        if (r >= read[i].size() || !read[i][r])
          leave(i, r, kNone);
        if (r < outside[i].size())
          for (const uint32_t loop : outside[i][r])
            order_.loops[loop].results.push_back({pin ? step.id : graph_.result(step.id, r), pin});
      }
    }
  }

  const Plan &plan_;
  const graph::Graph &graph_;
  graph::RegionId body_;
  std::span<const OpId> ops_; // of the body
  std::vector<NodeId> nodes_;
  std::vector<ValueId> pinned_;                     // what each of them holds, where it is a pin
  std::vector<uint32_t> place_;                     // of each op in nodes_
  std::unordered_map<ValueId, uint32_t> pin_place_; // of the pin of a value
  std::vector<std::vector<Edge>> edges_;
  std::vector<std::vector<uint32_t>> paths_; // the components of a node's loops, outer to inner
  std::vector<std::pair<uint32_t, uint32_t>> next_;
  std::vector<Component> components_;
  std::vector<Open> open_;
  std::vector<bool> done_;
  std::vector<uint32_t> turn_made_; // of those done
  std::vector<uint32_t> loop_of_;   // innermost
  Order order_;
};

} // namespace

NodeId pin_of(const Plan &plan, ValueId v) {
  const NodeId pin = plan.pin_of(v);
  return pin == kNone || plan.nest(pin).empty() ? kNone : pin;
}

Order arrange(const Plan &plan, graph::RegionId body) {
  return arrange(plan, body, plan.graph().region(body).ops);
}
Order arrange(const Plan &plan, graph::RegionId body, std::span<const OpId> ops) {
  return Arranger(plan, body, ops).run();
}

} // namespace tw::loops
