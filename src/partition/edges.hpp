// SPDX-License-Identifier: Apache-2.0
// The edges of a node: what makes its operands, and who reads its results, with pins between them where there
// are any.
#pragma once

#include <algorithm>

#include "partition/propagation.hpp"

namespace tw::partition {

inline constexpr auto kEverySlot = [](uint32_t) { return true; };
inline constexpr auto kNobody = [](NodeId) { return false; };

// Calls visit(neighbour) for every edge of the slots that `wants(slot)` takes: operands first, in order, then
// uses. `skip(neighbour)` is asked before anything else of a neighbour is looked at.
template <class Wants, class Skip, class Visit>
void Propagation::each_edge(NodeId n, Wants wants, Skip skip, Visit visit) const {
  const bool is_pin = plan_.is_pin(n);
  if (!is_pin && (near_pin_.empty() || !near_pin_[n])) {
    for (const Neighbour &at : plan_.adjacency_->of(n))
      if (!skip(at.node) && wants(at.own_slot))
        visit(at);
    return;
  }
  const DataFlow &flow = plan_.flow();
  const auto producer = [&](graph::ValueId v, uint32_t own_slot) {
    if (const Port p = flow.maker(v); p.node != graph::kNone && !skip(p.node))
      visit(Neighbour{p.node, own_slot, plan_.flat_rule(p.node).result_slot(p.index)});
  };
  const auto users = [&](graph::ValueId v, uint32_t own_slot) {
    flow.each_reader(v, [&](const Port &reader) {
      if (!skip(reader.node))
        visit(Neighbour{reader.node, own_slot, reader.index});
    });
  };
  const FlatRule &own = plan_.flat_rule(n);
  if (is_pin) {
    const auto values = plan_.pinned(n);
    for (uint32_t i = 0; i < values.size(); ++i)
      if (const uint32_t slot = own.operand_slot(i); wants(slot))
        producer(values[i], slot);
    for (uint32_t i = 0; i < values.size(); ++i)
      if (const uint32_t slot = own.result_slot(i); wants(slot))
        users(values[i], slot);
    return;
  }
  const auto place = [&](NodeId pin, graph::ValueId v) { // of a value in its pin
    const auto values = plan_.pinned(pin);
    return static_cast<uint32_t>(std::ranges::find(values, v) - values.begin());
  };
  const auto operands = flow.reads(n);
  for (uint32_t p = 0; p < operands.size(); ++p)
    if (const uint32_t slot = own.operand_slot(p); wants(slot)) {
      if (const NodeId pin = plan_.pin_of(operands[p]); pin == graph::kNone)
        producer(operands[p], slot);
      else if (!skip(pin))
        visit(Neighbour{pin, slot, plan_.flat_rule(pin).result_slot(place(pin, operands[p]))});
    }
  for (uint32_t r = 0; r < flow.num_made(n); ++r)
    if (const uint32_t slot = own.result_slot(r); wants(slot)) {
      const graph::ValueId v = flow.made(n, r);
      if (const NodeId pin = plan_.pin_of(v); pin == graph::kNone)
        users(v, slot);
      else if (!skip(pin))
        visit(Neighbour{pin, slot, plan_.flat_rule(pin).operand_slot(place(pin, v))});
    }
}

} // namespace tw::partition
