// SPDX-License-Identifier: Apache-2.0
// The same program with its ops in another order: what means the same must come out the same.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "graph/graph.hpp"

namespace tw::test {

struct Renumbered {
  std::shared_ptr<const graph::Graph> graph;
  std::vector<graph::OpId> op;       // by old id; kNone inside regions
  std::vector<graph::ValueId> value; // by old id
};

// A random topological order of the entry body; arguments stay in order among themselves, results too.
class Renumber {
public:
  Renumber(const graph::Graph &g, uint64_t seed)
      : g_(g), random_(seed), builder_(std::string(g.module_name()), std::string(g.file())),
        op_(g.ops().size(), graph::kNone), value_(g.values().size(), graph::kNone) {}

  Renumbered run() {
    std::vector<std::vector<graph::OpId>> next(g_.ops().size());
    std::vector<size_t> waits(g_.ops().size(), 0);
    const auto edge = [&](graph::OpId before, graph::OpId after) {
      next[before].push_back(after);
      ++waits[after];
    };
    for (graph::OpId id = 0; id < g_.ops().size(); ++id) {
      const graph::OpId holder = entry_op(id); // captures by a region are operands of its op
      for (const graph::ValueId v : g_.operands(id))
        if (const graph::OpId def = entry_def(v); def != graph::kNone && def != holder)
          edge(def, holder);
    }
    for (graph::RegionId r = 1; r < g_.num_regions(); ++r)
      for (const graph::ValueId v : g_.region(r).yields)
        if (const graph::OpId def = entry_def(v), holder = entry_op(g_.region(r).parent);
            def != graph::kNone && def != holder)
          edge(def, holder);
    for (size_t i = 1; i < g_.arguments().size(); ++i)
      edge(g_.arguments()[i - 1], g_.arguments()[i]);
    for (size_t i = 1; i < g_.results().size(); ++i)
      edge(g_.results()[i - 1], g_.results()[i]);

    std::vector<graph::OpId> ready;
    for (graph::OpId id = 0; id < g_.ops().size(); ++id)
      if (g_.op(id).parent == 0 && waits[id] == 0)
        ready.push_back(id);
    while (!ready.empty()) {
      std::swap(ready[random_() % ready.size()], ready.back());
      const graph::OpId id = ready.back();
      ready.pop_back();
      add(id);
      for (const graph::OpId after : next[id])
        if (--waits[after] == 0)
          ready.push_back(after);
    }
    return {builder_.finish(), std::move(op_), std::move(value_)};
  }

private:
  graph::OpId entry_op(graph::OpId id) const {
    while (g_.op(id).parent != 0)
      id = g_.region(g_.op(id).parent).parent;
    return id;
  }
  graph::OpId entry_def(graph::ValueId v) const {
    const graph::Value &value = g_.value(v);
    return entry_op(value.def != graph::kNone ? value.def : g_.region(value.region).parent);
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
      for (const graph::OpId inner : region.ops)
        add(inner);
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
      added = builder_.add_argument(op.code, results[0], attrs_id, builder_.name(g_.argument_name(argument)),
                                    0, g_.alias_of_argument(argument));
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
  std::mt19937_64 random_;
  graph::GraphBuilder builder_;
  std::vector<graph::OpId> op_;
  std::vector<graph::ValueId> value_;
};

inline Renumbered renumber(const graph::Graph &g, uint64_t seed) { return Renumber(g, seed).run(); }

} // namespace tw::test
