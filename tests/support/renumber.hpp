// SPDX-License-Identifier: Apache-2.0
// The same program with its ops and arguments in another order: what means the same must come out the same.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.hpp"

namespace tw::test {

struct Renumbered {
  std::shared_ptr<const graph::Graph> graph;
  std::vector<graph::OpId> op;       // by old id
  std::vector<graph::ValueId> value; // by old id
};

// A random topological order of the entry body and of each region, and the arguments in a random order;
// results stay in theirs.
class Renumber {
public:
  enum class What : uint8_t { all, arguments }; // arguments: they have other names too, and ops stay in order
  // `aliases`: by argument, where they are other than those of the program.
  Renumber(const graph::Graph &g, uint64_t seed, std::vector<int32_t> aliases = {}, What what = What::all)
      : g_(g), what_(what), aliases_(std::move(aliases)), random_(seed),
        builder_(std::string(g.module_name()), std::string(g.file())), op_(g.ops().size(), graph::kNone),
        value_(g.values().size(), graph::kNone), place_(g.ops().size(), graph::kNone) {}

  Renumbered run() {
    add_all(0);
    return {builder_.finish(), std::move(op_), std::move(value_)};
  }

private:
  // The op of a region that is, or holds, this one; kNone where it lies outside.
  graph::OpId holder_in(graph::RegionId region, graph::OpId op) const {
    while (op != graph::kNone && g_.op(op).parent != region)
      op = g_.op(op).parent == 0 ? graph::kNone : g_.region(g_.op(op).parent).parent;
    return op;
  }
  graph::OpId maker_in(graph::RegionId region, graph::ValueId v) const {
    const graph::Value &value = g_.value(v);
    return holder_in(region, value.def != graph::kNone ? value.def : g_.region(value.region).parent);
  }
  // What an op reads, and what is read inside it.
  template <class Visit> void each_read(graph::OpId op, Visit visit) const {
    for (const graph::ValueId v : g_.operands(op))
      visit(v);
    for (uint32_t r = 0; r < g_.op(op).num_regions; ++r) {
      const graph::Region &region = g_.region(g_.op(op).first_region + r);
      for (const graph::OpId inner : region.ops)
        each_read(inner, visit);
      for (const graph::ValueId v : region.yields)
        visit(v);
    }
  }

  void add_all(graph::RegionId id) {
    const std::vector<graph::OpId> &ops = g_.region(id).ops;
    for (uint32_t i = 0; i < ops.size(); ++i)
      place_[ops[i]] = i;
    std::vector<std::vector<uint32_t>> next(ops.size());
    std::vector<uint32_t> waits(ops.size(), 0);
    const auto edge = [&](graph::OpId before, graph::OpId after) {
      next[place_[before]].push_back(place_[after]);
      ++waits[place_[after]];
    };
    for (const graph::OpId op : ops)
      each_read(op, [&](graph::ValueId v) {
        if (const graph::OpId maker = maker_in(id, v); maker != graph::kNone && maker != op)
          edge(maker, op);
      });
    for (size_t i = 1; id == 0 && i < g_.results().size(); ++i)
      edge(g_.results()[i - 1], g_.results()[i]);
    std::vector<uint32_t> ready;
    for (uint32_t i = 0; i < ops.size(); ++i)
      if (waits[i] == 0)
        ready.push_back(i);
    while (!ready.empty()) {
      std::swap(ready[next_of(ready, ops)], ready.back());
      const uint32_t i = ready.back();
      ready.pop_back();
      add(ops[i]);
      for (const uint32_t after : next[i])
        if (--waits[after] == 0)
          ready.push_back(after);
    }
  }
  size_t next_of(const std::vector<uint32_t> &ready, const std::vector<graph::OpId> &ops) {
    if (what_ == What::all)
      return random_() % ready.size();
    std::vector<size_t> arguments;
    for (size_t i = 0; i < ready.size(); ++i)
      if (std::ranges::count(g_.arguments(), ops[ready[i]]) != 0)
        arguments.push_back(i);
    return arguments.empty() ? static_cast<size_t>(std::ranges::min_element(ready) - ready.begin())
                             : arguments[random_() % arguments.size()];
  }
  uint32_t name(uint32_t old) { return old == graph::kNone ? old : builder_.name(g_.name_at(old)); }

  void add(graph::OpId id) {
    const graph::Op &op = g_.op(id);
    std::vector<graph::RegionId> regions;
    for (uint32_t r = 0; r < op.num_regions; ++r) {
      const graph::Region &region = g_.region(op.first_region + r);
      std::vector<graph::TypeId> types;
      for (const graph::ValueId v : region.args)
        types.push_back(builder_.type(g_.type(v)));
      regions.push_back(builder_.open_region(types));
      for (size_t i = 0; i < region.args.size(); ++i)
        value_[region.args[i]] = builder_.graph().region(regions.back()).args[i];
      add_all(op.first_region + r);
      std::vector<graph::ValueId> yields;
      for (const graph::ValueId v : region.yields)
        yields.push_back(value_[v]);
      builder_.close_region(std::move(yields));
    }
    graph::Attrs attrs = g_.attrs(id);
    for (graph::AttrValue &a : attrs)
      if (const auto *c = std::get_if<graph::ConstantId>(&a)) {
        graph::Constant constant = g_.constant(*c);
        constant.type = builder_.type(g_.type_at(constant.type));
        a = builder_.constant(std::move(constant));
      }
    const graph::AttrsId attrs_id = builder_.attrs(std::move(attrs));
    std::vector<graph::ValueId> operands;
    for (const graph::ValueId v : g_.operands(id))
      operands.push_back(value_[v]);
    std::vector<graph::TypeId> results;
    for (uint32_t r = 0; r < op.num_results; ++r)
      results.push_back(builder_.type(g_.type(g_.result(id, r))));

    const auto arguments = g_.arguments(), outs = g_.results();
    const auto argument =
        static_cast<size_t>(std::find(arguments.begin(), arguments.end(), id) - arguments.begin());
    const auto out = static_cast<size_t>(std::find(outs.begin(), outs.end(), id) - outs.begin());
    graph::OpId added;
    if (argument < arguments.size())
      added =
          builder_.add_argument(op.code, results[0], attrs_id,
                                builder_.name(what_ == What::all ? std::string(g_.argument_name(argument))
                                                                 : "n" + std::to_string(random_())),
                                0, aliases_.empty() ? g_.alias_of_argument(argument) : aliases_[argument]);
    else if (out < outs.size())
      added = builder_.add_result(op.code, operands[0], attrs_id, builder_.name(g_.result_name(out)));
    else
      added = builder_.add_op({op.code, operands, results, attrs_id, 0, regions});
    op_[id] = added;
    for (uint32_t r = 0; r < op.num_results; ++r) {
      value_[g_.result(id, r)] = builder_.graph().result(added, r);
      if (const uint32_t named = g_.value(g_.result(id, r)).name; named != graph::kNone)
        builder_.set_value_name(value_[g_.result(id, r)], name(named));
    }
  }

  const graph::Graph &g_;
  const What what_;
  const std::vector<int32_t> aliases_;
  std::mt19937_64 random_;
  graph::GraphBuilder builder_;
  std::vector<graph::OpId> op_;
  std::vector<graph::ValueId> value_;
  std::vector<uint32_t> place_; // of an op in its region
};

inline Renumbered renumber(const graph::Graph &g, uint64_t seed) { return Renumber(g, seed).run(); }
inline Renumbered renumber_arguments(const graph::Graph &g, uint64_t seed) {
  return Renumber(g, seed, {}, Renumber::What::arguments).run();
}

} // namespace tw::test
