// SPDX-License-Identifier: Apache-2.0
// Numbers of nodes are hashes of what they are, refined by those of their neighbours.
#include "partition/alike.hpp"

#include "base/hash.hpp"

namespace tw::partition {

using graph::kNone;
using graph::ValueId;

namespace {

uint64_t hash_of_node(const Plan &plan, NodeId n) {
  Hasher hash;
  if (plan.is_op(n))
    hash.add(plan.graph().op(n).code);
  else
    hash.add(plan.is_pin(n) ? -1 : -2);
  for (const ValueId v : plan.reads(n))
    hash.add(graph::hash_value(plan.graph().type(v)));
  for (uint32_t i = 0; i < plan.num_made(n); ++i)
    hash.add(graph::hash_value(plan.graph().type(plan.made(n, i))));
  return hash.value();
}

} // namespace

std::vector<uint64_t> find_alike(const Plan &plan, int depth) {
  std::vector<uint64_t> of(plan.num_nodes());
  for (NodeId n = 0; n < of.size(); ++n)
    of[n] = hash_of_node(plan, n);
  for (; depth > 0; --depth) {
    std::vector<uint64_t> next(of.size());
    for (NodeId n = 0; n < of.size(); ++n) {
      Hasher hash(of[n]);
      for (const ValueId v : plan.reads(n)) {
        const Port maker = plan.flow().maker(v);
        hash.add(maker.node == kNone ? 0 : of[maker.node]).add(maker.index);
      }
      for (uint32_t i = 0; i < plan.num_made(n); ++i) {
        uint64_t readers = 0; // in no order
        plan.flow().each_reader(plan.made(n, i), [&](const Port &reader) {
          readers += Hasher(of[reader.node]).add(reader.index).value();
        });
        hash.add(readers);
      }
      next[n] = hash.value();
    }
    of = std::move(next);
  }
  return of;
}

} // namespace tw::partition
