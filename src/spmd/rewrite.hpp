// SPDX-License-Identifier: Apache-2.0
// Writes a program anew from itself, instruction by instruction, for passes that change the order or the
// number of instructions.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "spmd/lowering.hpp"

namespace tw::spmd {

// Instructions [begin, end) of a program: one, or a while, if, case or loop with all that it holds; or the
// body of one.
struct Node {
  uint32_t begin, end;
};

// Per instruction a number of the body in which it stands: that of the program, or of a region.
std::vector<uint32_t> find_bodies(const Program &program);

class Rewrite {
public:
  // Takes the program out of the lowering; what is there afterwards is empty.
  explicit Rewrite(Lowering &lowering);

  const Program &old() const { return old_; }
  // What stands in a body, side by side.
  std::vector<Node> nodes_of(const Node &body) const;

  // Appends an old instruction, with operands as they are now: of what was copied several times the last
  // copy.
  void copy(uint32_t instr);
  // Appends the markers, or the begin and end, of a node that holds bodies; these are left to `body`.
  void copy(const Node &node, const std::function<void(const Node &)> &body);
  // Appends several old collectives that move their arrays in one way as one.
  void copy_together(std::span<const uint32_t> collectives);
  // What an old value is now; and that it is another one from here on.
  ValueRef now(ValueRef old) const { return now_[old]; }
  void set_now(ValueRef old, ValueRef made) { now_[old] = made; }
  // Appends a new one without operands and results.
  void push(Instr instr) { program_.instrs_.push_back(instr); }

private:
  int nesting(uint32_t instr) const;
  void take(const Instr &instr);

  Program &program_;
  Program old_;
  std::vector<ValueRef> now_; // per old value
};

} // namespace tw::spmd
