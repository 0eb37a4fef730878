// SPDX-License-Identifier: Apache-2.0
// What the ops of a program look like, whatever they are called and in whatever order they stand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/hash.hpp"
#include "graph/graph.hpp"

namespace tw::search {

// Also when they can run.
class Looks {
public:
  explicit Looks(const graph::Graph &graph)
      : graph_(graph), own_(graph.ops().size()), time_(own_.size(), 0), behind_(own_.size(), 0) {
    for (graph::OpId op = 0; op < own_.size(); ++op)
      own_[op] = hash_of(op);
    far_ = own_;
    for (int round = 0; round < kRounds; ++round)
      take_in_neighbours();
    find_times();
  }

  uint64_t own(graph::OpId op) const { return own_[op]; }
  uint64_t far(graph::OpId op) const { return far_[op]; } // with what is around it
  // When an argument first meets what comes from others: the level of that op.
  uint32_t time_of(graph::OpId argument) const { return time_[argument]; }
  // Ops, one behind the other, from this one to the end.
  uint32_t ops_behind(graph::OpId op) const { return behind_[op]; }

  // Whether two ops differ in nothing but what they use and who uses them.
  bool alike(graph::OpId a, graph::OpId b) const {
    const graph::Op &x = graph_.op(a), &y = graph_.op(b);
    if (own_[a] != own_[b] || x.code != y.code || x.num_results != y.num_results ||
        x.num_operands != y.num_operands || x.num_regions != y.num_regions || !same_attrs(a, b))
      return false;
    for (uint32_t i = 0; i < x.num_results; ++i)
      if (type(graph_.result(a, i)) != type(graph_.result(b, i)))
        return false;
    for (uint32_t i = 0; i < x.num_operands; ++i)
      if (type(graph_.operands(a)[i]) != type(graph_.operands(b)[i]))
        return false;
    std::unordered_map<graph::ValueId, graph::ValueId> inside;
    for (uint32_t r = 0; r < x.num_regions; ++r)
      if (!same_region(x.first_region + r, y.first_region + r, inside))
        return false;
    return true;
  }

private:
  static constexpr int kRounds = 3; // of neighbours that a look takes in

  // What is made of one argument alone, as it is converted or broadcast, can run before anything else has:
  // such ops say nothing of when it is used.
  void find_times() {
    std::vector<uint32_t> level(time_.size(), 0);
    std::vector<bool> depends(time_.size(), false); // on arguments
    for (const graph::OpId argument : graph_.arguments())
      depends[argument] = true;
    for (graph::OpId op = 0; op < level.size(); ++op) { // ops stand behind what they use
      depends[op] = depends[op] || graph_.op(op).parent != 0;
      for (const graph::ValueId v : graph_.operands(op))
        if (const graph::OpId def = graph_.value(v).def; def != graph::kNone) {
          level[op] = std::max(level[op], level[def] + 1);
          depends[op] = depends[op] || depends[def];
        }
    }
    const auto is_of_one = [&](graph::OpId op) {
      graph::ValueId one = graph::kNone;
      for (const graph::ValueId v : graph_.operands(op)) {
        const graph::OpId def = graph_.value(v).def;
        if (v == one || (def != graph::kNone && !depends[def]))
          continue;
        if (one != graph::kNone)
          return false;
        one = v;
      }
      return graph_.op(op).num_regions == 0;
    };
    for (auto op = static_cast<graph::OpId>(time_.size()); op-- > 0;) {
      time_[op] = level[op];
      uint32_t first = UINT32_MAX;
      if (is_of_one(op))
        for (uint32_t i = 0; i < graph_.op(op).num_results; ++i)
          for (const graph::Use &use : graph_.uses(graph_.result(op, i)))
            first = std::min(first, time_[use.op]);
      if (first != UINT32_MAX)
        time_[op] = first;
      for (const graph::ValueId v : graph_.operands(op))
        if (const graph::OpId def = graph_.value(v).def; def != graph::kNone)
          behind_[def] = std::max(behind_[def], behind_[op] + 1);
    }
  }

  graph::TypeId type(graph::ValueId v) const { return graph_.value(v).type; }
  uint64_t type_hash(graph::ValueId v) const { return graph::hash_value(graph_.type(v)); }

  // Attributes are kept once each, but for what literals hold.
  bool same_attrs(graph::OpId a, graph::OpId b) const {
    if (graph_.op(a).attrs == graph_.op(b).attrs)
      return true;
    const auto &x = graph_.attrs(a), &y = graph_.attrs(b);
    return std::ranges::equal(x, y, [&](const graph::AttrValue &p, const graph::AttrValue &q) {
      const auto *c = std::get_if<graph::ConstantId>(&p), *d = std::get_if<graph::ConstantId>(&q);
      if (c == nullptr || d == nullptr)
        return p == q;
      const graph::Constant &one = graph_.constant(*c), &other = graph_.constant(*d);
      return one.type == other.type && one.splat == other.splat && *one.bytes == *other.bytes;
    });
  }

  uint64_t hash_of(graph::OpId op) const {
    const graph::Op &o = graph_.op(op);
    uint64_t h = mix(mix(o.code, o.num_operands), o.num_regions);
    for (uint32_t i = 0; i < o.num_results; ++i)
      h = mix(h, type_hash(graph_.result(op, i)));
    for (const graph::ValueId v : graph_.operands(op))
      h = mix(h, type_hash(v));
    return h;
  }

  void take_in_neighbours() {
    std::vector<uint64_t> next = own_;
    std::vector<uint64_t> users;
    for (graph::OpId op = 0; op < next.size(); ++op) {
      uint64_t h = far_[op];
      for (const graph::ValueId v : graph_.operands(op)) {
        const graph::Value &value = graph_.value(v);
        h = mix(h, value.def == graph::kNone ? 0 : mix(far_[value.def], value.index));
      }
      for (uint32_t i = 0; i < graph_.op(op).num_results; ++i) {
        users.clear(); // in no order
        for (const graph::Use &use : graph_.uses(graph_.result(op, i)))
          users.push_back(mix(far_[use.op], use.operand));
        std::ranges::sort(users);
        for (const uint64_t user : users)
          h = mix(h, user);
      }
      next[op] = h;
    }
    far_ = std::move(next);
  }

  static uint64_t mix(uint64_t a, uint64_t b) { return hash_mix(a, b); }

  // The same ops in the same order on the same values, `inside` by their places.
  bool same_region(graph::RegionId a, graph::RegionId b,
                   std::unordered_map<graph::ValueId, graph::ValueId> &inside) const {
    const graph::Region &x = graph_.region(a), &y = graph_.region(b);
    if (x.args.size() != y.args.size() || x.ops.size() != y.ops.size() || x.yields.size() != y.yields.size())
      return false;
    const auto same = [&](graph::ValueId v, graph::ValueId w) {
      const auto found = inside.find(v);
      return found == inside.end() ? v == w : found->second == w;
    };
    for (size_t i = 0; i < x.args.size(); ++i) {
      if (type(x.args[i]) != type(y.args[i]))
        return false;
      inside[x.args[i]] = y.args[i];
    }
    for (size_t i = 0; i < x.ops.size(); ++i) {
      const graph::Op &p = graph_.op(x.ops[i]), &q = graph_.op(y.ops[i]);
      if (p.code != q.code || !same_attrs(x.ops[i], y.ops[i]) || p.num_operands != q.num_operands ||
          p.num_results != q.num_results || p.num_regions != q.num_regions ||
          !std::ranges::equal(graph_.operands(x.ops[i]), graph_.operands(y.ops[i]), same))
        return false;
      for (uint32_t r = 0; r < p.num_results; ++r) {
        if (type(graph_.result(x.ops[i], r)) != type(graph_.result(y.ops[i], r)))
          return false;
        inside[graph_.result(x.ops[i], r)] = graph_.result(y.ops[i], r);
      }
      for (uint32_t r = 0; r < p.num_regions; ++r)
        if (!same_region(p.first_region + r, q.first_region + r, inside))
          return false;
    }
    return std::ranges::equal(x.yields, y.yields, same);
  }

  const graph::Graph &graph_;
  std::vector<uint64_t> own_, far_;
  std::vector<uint32_t> time_, behind_; // by op
};

} // namespace tw::search
