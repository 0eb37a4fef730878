// SPDX-License-Identifier: Apache-2.0
// Loops come and go anywhere in a nest, and the bits of their axes with them.
#include "partition/nests.hpp"

#include <algorithm>

namespace tw::partition {

using sharding::AxisId;

Nests::Nests(size_t nodes, size_t axes)
    : capacity_(std::clamp<size_t>(axes, 1, 4)), entries_(nodes * capacity_), counts_(nodes, 0) {
  refuses_.resize(nodes);
  set_num_axes(axes);
}

const NestEntry *Nests::entry(NodeId n, AxisId axis) const {
  if (!is_decided(n, axis))
    return nullptr;
  const auto nest = of(n);
  const auto found = std::ranges::find(nest, axis, &NestEntry::axis);
  return found == nest.end() ? nullptr : &*found;
}

void Nests::add_node() {
  entries_.resize(entries_.size() + capacity_);
  counts_.push_back(0);
  resize_bits();
}

void Nests::remove_last_node() {
  entries_.resize(entries_.size() - capacity_);
  counts_.pop_back();
  resize_bits();
}

void Nests::resize_bits() {
  refuses_.resize(num_nodes());
  for (auto *bits : {&decided_, &reduced_})
    for (NodeBits &of_axis : *bits)
      of_axis.resize(num_nodes());
}

void Nests::set_num_axes(size_t axes) {
  NodeBits none;
  none.resize(num_nodes());
  decided_.resize(axes, refuses_);
  reduced_.resize(axes, none);
}

void Nests::refuse(NodeId n) {
  refuses_.add(n);
  for (NodeBits &of_axis : decided_)
    of_axis.add(n);
}

void Nests::accept(NodeId n) {
  refuses_.remove(n);
  for (NodeBits &of_axis : decided_)
    of_axis.remove(n);
  for (const NestEntry &e : of(n))
    decided_[e.axis].add(n);
}

void Nests::grow_capacity() {
  const size_t wider = capacity_ * 2;
  std::vector<NestEntry> entries(num_nodes() * wider);
  for (NodeId n = 0; n < num_nodes(); ++n)
    std::ranges::copy(of(n), entries.begin() + static_cast<ptrdiff_t>(n * wider));
  entries_ = std::move(entries);
  capacity_ = wider;
}

NestEntry *Nests::open(NodeId n, size_t depth) {
  if (counts_[n] == capacity_)
    grow_capacity();
  NestEntry *nest = entries_.data() + first(n);
  std::copy_backward(nest + depth, nest + counts_[n], nest + counts_[n] + 1);
  ++counts_[n];
  return nest + depth;
}

void Nests::insert(NodeId n, size_t depth, const NestEntry &e, bool reduces) {
  *open(n, depth) = e;
  decided_[e.axis].add(n);
  if (reduces)
    reduced_[e.axis].add(n);
}

void Nests::remove(NodeId n, size_t depth) {
  NestEntry *nest = entries_.data() + first(n);
  const AxisId axis = nest[depth].axis;
  std::copy(nest + depth + 1, nest + counts_[n], nest + depth);
  --counts_[n];
  decided_[axis].set(n, refuses_.contains(n));
  reduced_[axis].remove(n);
}

std::optional<size_t> Nests::move_axes(NodeId n, AxisId axis) {
  std::optional<size_t> at;
  NestEntry *nest = entries_.data() + first(n);
  for (size_t d = 0; d < counts_[n]; ++d)
    if (nest[d].axis == axis)
      at = d;
    else if (nest[d].axis > axis)
      ++nest[d].axis;
  return at;
}

void Nests::split_loop(NodeId n, size_t depth, SplitId major) {
  NestEntry *loop = open(n, depth); // twice the same
  loop[0].split = major;
  ++loop[1].axis;
}

void Nests::join_axes(AxisId axis) {
  for (NodeId n = 0; n < num_nodes(); ++n) {
    NestEntry *nest = entries_.data() + first(n);
    uint8_t kept = 0;
    for (uint8_t d = 0; d < counts_[n]; ++d) {
      if (nest[d].axis == axis + 1) {
        nest[kept - 1].split = nest[d].split;
        continue;
      }
      nest[kept] = nest[d];
      if (nest[d].axis > axis)
        --nest[kept].axis;
      ++kept;
    }
    counts_[n] = kept;
  }
  decided_.erase(decided_.begin() + axis + 1);
  reduced_.erase(reduced_.begin() + axis + 1);
}

size_t Nests::memory_bytes() const {
  size_t bytes = entries_.capacity() * sizeof(NestEntry) + counts_.capacity() + refuses_.memory_bytes();
  for (const auto *bits : {&decided_, &reduced_})
    for (const NodeBits &of_axis : *bits)
      bytes += of_axis.memory_bytes();
  return bytes;
}

bool Nests::operator==(const Nests &other) const {
  if (counts_ != other.counts_ || refuses_ != other.refuses_ || decided_ != other.decided_ ||
      reduced_ != other.reduced_)
    return false;
  for (NodeId n = 0; n < num_nodes(); ++n)
    if (!std::ranges::equal(of(n), other.of(n)))
      return false;
  return true;
}

} // namespace tw::partition
