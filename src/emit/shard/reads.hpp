// SPDX-License-Identifier: Apache-2.0
// In which layout each op reads its operands in the program of a plan, which may be more than the op needs.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "partition/plan.hpp"
#include "spmd/program.hpp"

namespace tw::emit::shard {

class Reads {
public:
  explicit Reads(const spmd::Program &program);

  // Whether a value is made, or read anywhere, in parts that add up.
  bool is_in_parts(graph::ValueId v) const { return in_parts_[v]; }
  bool reads_parts(graph::OpId op, uint32_t operand) const { return parts_.contains({op, operand}); }
  // In which the program makes a value; null where it does not.
  const sharding::Sharding *made(graph::ValueId v) const;
  // Of the copy that is read, as it has moved; null where the program does not read it.
  const sharding::Sharding *layout(graph::OpId op, uint32_t operand) const;
  // Whether two ops read one copy of a value, or tiles of it.
  bool read_the_same(graph::OpId op, uint32_t operand, graph::OpId other, uint32_t its_operand) const;
  // The region in which an op reads a copy that users there alone read; kNone where the value itself is made
  // there, or others read the same copy.
  graph::RegionId own_region(graph::OpId op, uint32_t operand) const;

private:
  using Use = std::pair<graph::OpId, uint32_t>;
  // The operand of what moves a value here; kNone where it is made so.
  spmd::ValueRef moved_from(spmd::ValueRef v) const;
  bool is_cut(spmd::ValueRef v) const; // out of a tile on the same device
  spmd::ValueRef as_moved(spmd::ValueRef v) const;

  const spmd::Program &program_;
  std::vector<bool> in_parts_; // by value
  std::vector<spmd::ValueRef> made_;
  std::map<Use, spmd::ValueRef> copies_;
  std::set<Use> parts_;
};

} // namespace tw::emit::shard
