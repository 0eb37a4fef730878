// SPDX-License-Identifier: Apache-2.0
// Groups of elementwise instructions, which become fused steps: grown greedily from producer to consumer in
// one sweep over the program, with a place in the order for each of them and for every other instruction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "runtime/layout.hpp"
#include "runtime/roles.hpp"
#include "spmd/program.hpp"

namespace tw::runtime {

struct Group {
  static constexpr uint32_t kFloating = UINT32_MAX;

  LayoutId space;
  uint32_t region; // which marker it stands behind; 0: in the entry body
  uint32_t place = kFloating;
  std::vector<uint32_t> instrs = {};
  std::vector<FusedRead> reads = {};
  std::vector<uint32_t> makers = {}; // groups that make what it reads, as far as they float; merged ones too
  uint32_t merged_into = graph::kNone;
  uint32_t visit = 0; // mark of the last search that came here

  bool floats() const { return place == kFloating; }
};

// Places keep groups convex without searching the program. An instruction, or a group, gets its place (a
// rising number) when something outside first uses it; until then a group *floats*: nothing that has a place
// depends on it. A floating group may take any member whose operands do not come from the group by way of
// another floating group; a placed one only members whose operands have earlier places. So what is sorted by
// place is in order.
class Groups {
public:
  Groups(const spmd::Program &program, const Layouts &layouts, const Roles &roles)
      : program_(program), layouts_(layouts), roles_(roles), group_of_(program.instrs().size(), graph::kNone),
        place_(program.instrs().size(), Group::kFloating) {}

  // Puts a member into a group of this region that makes one of its operands, or into a new one.
  void join(uint32_t instr, uint32_t region);
  // Something with a place will use `v`: its maker gets an earlier one.
  void settle(spmd::ValueRef v);
  void settle_all(); // that may float
  // Of what is here nothing floats that later instructions could use.
  void begin_region() { first_unsettled_ = static_cast<uint32_t>(groups_.size()); }

  void give_place(uint32_t instr) { place_[instr] = next_place_++; }
  uint32_t place(uint32_t instr) const { return place_[instr]; }
  std::vector<Group> take() {
    return std::move(groups_);
  } // those that were merged into others have no members

private:
  uint32_t def(spmd::ValueRef v) const { return program_.values()[v].def; }
  uint32_t find(uint32_t g) const;
  uint32_t group_making(spmd::ValueRef v) const;
  uint32_t maker_of_read(const FusedRead &read) const;
  uint32_t place_of_read(const FusedRead &read) const;
  bool is_inner(const FusedRead &read, uint32_t g) const;
  void settle_group(uint32_t g);
  bool depends(uint32_t from, uint32_t target, bool skip_direct);
  bool may_join(uint32_t g, std::span<const FusedRead> reads);
  bool may_merge(uint32_t a, uint32_t b);
  bool only_inner_edges(uint32_t from, uint32_t of) const;
  size_t reads_together(uint32_t a, uint32_t b) const;
  void merge(uint32_t a, uint32_t b);

  const spmd::Program &program_;
  const Layouts &layouts_;
  const Roles &roles_;
  std::vector<uint32_t> group_of_, place_; // by instruction
  std::vector<Group> groups_;
  std::vector<uint32_t> search_;
  uint32_t visit_ = 0, next_place_ = 1;
  uint32_t first_unsettled_ = 0; // groups from here on may float
};

} // namespace tw::runtime
