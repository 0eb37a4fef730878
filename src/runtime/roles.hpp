// SPDX-License-Identifier: Apache-2.0
// What becomes of each instruction when it is executed: memory of another value, something read through
// strides, something that runs once, a member of a fused step, or a step of its own. Looks only at the
// instruction and at who uses its results.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "ops/op_def.hpp"
#include "runtime/layout.hpp"
#include "runtime/step.hpp"
#include "spmd/program.hpp"

namespace tw::runtime {

enum class Role : uint8_t {
  signature,    // argument, result
  view,         // the result is the operand's memory
  strided_read, // a broadcast, splat or iota: read by fused steps through strides; stored only if dense
  fixed,        // never changes: runs once
  member,       // elementwise: part of a group
  single,       // a step of its own
  region,       // a marker: moves what its op carries, and says where to go on
  loop,         // the begin or end of a loop over an axis
};

class Roles {
public:
  Roles(const spmd::Program &program, const Layouts &layouts);

  Role of(uint32_t instr) const { return roles_[instr]; }
  // Of a strided read: somebody needs it as an array.
  bool dense(uint32_t instr) const { return dense_[instr]; }
  const View &view(spmd::ValueRef v) const { return views_[v]; }
  std::span<const View> views() const { return views_; }
  std::vector<View> take_views() { return std::move(views_); }
  bool from_zero(spmd::ValueRef v) const { return from_zero_[v]; }
  // Of values: see Schedule.
  std::vector<bool> take_from_zero() { return std::move(from_zero_); }
  // Whether what a marker is given for one variable lies where it belongs already.
  bool stays(spmd::ValueRef given, spmd::ValueRef variable) const {
    return canonical(given) == views_[variable].root;
  }
  // Of the largest tile of a value.
  int64_t most_bytes(spmd::ValueRef v) const { return layouts_.most_bytes(v); }
  // Made by a fixed instruction, or a strided read that could be.
  bool is_fixed_value(spmd::ValueRef v) const;
  // The value whose bytes stand for `v`: renames that keep the tiles as they are do not hide a member of a
  // group.
  spmd::ValueRef canonical(spmd::ValueRef v) const;
  // How a fused step over the space of `result` reads `v`, looking through strided reads.
  FusedRead read_of(spmd::ValueRef v, spmd::ValueRef result) const;

private:
  const spmd::Instr &instr(uint32_t i) const { return program_.instrs()[i]; }
  uint32_t def(spmd::ValueRef v) const { return program_.values()[v].def; }
  Role role_of(uint32_t i);
  bool make_views(uint32_t i);
  bool folds_nothing(uint32_t i);
  void find_uncombined();
  bool same_elements(spmd::ValueRef a, spmd::ValueRef b) const;
  void set_view(spmd::ValueRef v, spmd::ValueRef of, std::vector<int64_t> offset);
  bool is_broadcast(uint32_t i) const;
  std::span<const int64_t> broadcast_dims(uint32_t i) const;
  bool is_inflating_broadcast(uint32_t i) const;
  bool is_constant(uint32_t i) const;
  bool is_splat(uint32_t i) const;
  bool is_line(uint32_t i) const;
  bool never_changes(uint32_t i, const ops::OpDef &def) const;
  bool is_elementwise(uint32_t i, const ops::OpDef &def) const;
  void carry(uint32_t i);
  void keep_apart(const spmd::Instr &begin, const spmd::Instr &body, const spmd::Instr &end);
  std::vector<uint32_t> count_cheap_ops() const;
  void release_cheap();
  void find_dense();

  const spmd::Program &program_;
  const graph::Graph &graph_;
  const Layouts &layouts_;
  std::vector<Role> roles_;
  std::vector<bool> dense_;
  std::vector<View> views_; // per value
  std::vector<bool> uncombined_,
      from_zero_; // per value; uncombined: somebody takes it who does not combine it with others
  std::vector<std::vector<uint32_t>> open_; // markers of the regions around the instruction at hand
};

} // namespace tw::runtime
