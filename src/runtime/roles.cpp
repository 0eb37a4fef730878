// SPDX-License-Identifier: Apache-2.0
// Gives every instruction its role, in program order, and looks through the ones that move nothing.
#include "runtime/roles.hpp"

#include <algorithm>

#include "kernels/fused.hpp"
#include "ops/attributes.hpp"
#include "ops/element.hpp"
#include "ops/literal.hpp"
#include "ops/placement.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"
#include "ops/variables.hpp"
#include "runtime/constant_reads.hpp"

namespace tw::runtime {

using spmd::Instr;
using spmd::InstrKind;
using spmd::ValueRef;

namespace {

// A value that never changes is kept from run to run if it is no larger than this on any device.
constexpr int64_t kMostStaticBytes = 1 << 20;
// But what takes more than this, and a few cheap ops make of iotas, is made where it is used.
constexpr int64_t kSmallBytes = 4096;
constexpr uint32_t kMostOps = 16;

} // namespace

Roles::Roles(const spmd::Program &program, const Layouts &layouts)
    : program_(program), graph_(program.graph()), layouts_(layouts), dense_(program.instrs().size(), false) {
  views_.reserve(program.values().size());
  for (ValueRef v = 0; v < program.values().size(); ++v)
    views_.push_back({v, {}});
  from_zero_.assign(program.values().size(), false);
  find_uncombined();
  roles_.reserve(program.instrs().size());
  for (uint32_t i = 0; i < program.instrs().size(); ++i)
    roles_.push_back(role_of(i));
  release_cheap();
  find_dense();
}

Role Roles::role_of(uint32_t i) {
  const Instr &in = instr(i);
  if (in.kind == InstrKind::argument || in.kind == InstrKind::result)
    return Role::signature;
  if (in.kind == InstrKind::region) {
    carry(i);
    return Role::region;
  }
  if (in.kind == InstrKind::loop || in.kind == InstrKind::end_loop)
    return Role::loop;
  if (in.kind == InstrKind::accumulate)
    return Role::single;
  if (make_views(i))
    return Role::view;
  if (in.kind == InstrKind::collective)
    return Role::single;
  if (is_broadcast(i) || is_splat(i) || is_line(i))
    return Role::strided_read;
  const ops::OpDef &def = ops::op_def(graph_.op(in.op).code);
  if (never_changes(i, def))
    return Role::fixed;
  if (is_elementwise(i, def))
    return Role::member;
  return Role::single;
}

// What a loop carries lies in one place under all of its names: that of the arguments of the condition.
void Roles::carry(uint32_t i) {
  const Instr &in = instr(i);
  if (in.index == 0)
    open_.emplace_back();
  open_.back().push_back(i);
  const bool loop = ops::is_loop(graph_, in.op);
  if (loop && in.index > 0)
    for (uint32_t r = 0; r < in.num_results; ++r)
      set_view(in.first_result + r, instr(open_.back()[0]).first_result + r, {});
  if (in.index < graph_.op(in.op).num_regions)
    return;
  const std::vector<uint32_t> markers = std::move(open_.back());
  open_.pop_back();
  if (loop)
    keep_apart(instr(markers[0]), instr(markers[1]), in);
}

// A body that hands one variable to another, as in a swap, would read what was written already: it works on a
// copy.
void Roles::keep_apart(const Instr &begin, const Instr &body, const Instr &end) {
  const auto yields = program_.operands(end);
  for (uint32_t j = 0; j < end.num_operands; ++j) {
    const ValueRef root = views_[yields[j]].root;
    if (root < begin.first_result || root >= begin.first_result + begin.num_results ||
        stays(yields[j], begin.first_result + j))
      continue;
    const ValueRef copy = body.first_result + (root - begin.first_result);
    for (ValueRef v = body.first_result; v < end.first_result; ++v)
      if (views_[v].root == root)
        views_[v].root = copy;
  }
}

// Renames, and local slices that are one run of what the device holds, cost nothing.
bool Roles::make_views(uint32_t i) {
  const Instr &in = instr(i);
  const auto operands = program_.operands(in);
  if (in.kind == InstrKind::collective) {
    if (program_.collectives()[in.index].summary.kind != redistribute::Kind::copy)
      return false;
    std::vector<int64_t> offset;
    if (!layouts_.contiguous_within(layouts_.of(in.first_result), layouts_.of(operands[0]), offset))
      return false;
    set_view(in.first_result, operands[0], offset);
    return true;
  }
  const ops::OpDef &def = ops::op_def(graph_.op(in.op).code);
  const bool rename = ((def.flags & ops::kRename) != 0 && in.num_results == in.num_operands) ||
                      ops::is_placement(graph_, in.op);
  if (!rename && !is_inflating_broadcast(i) && !folds_nothing(i))
    return false;
  for (uint32_t r = 0; r < in.num_results; ++r)
    if (!same_elements(in.first_result + r, operands[r]) ||
        !ops::has_same_bytes(program_.type(operands[r]).dtype, program_.type(in.first_result + r).dtype))
      return false;
  for (uint32_t r = 0; r < in.num_results; ++r)
    set_view(in.first_result + r, operands[r], {});
  return true;
}

// A reduction from the identity, of as many elements as it makes: the elements. Where the identity would
// change bits of them, those who combine them with others leave that to their combination.
bool Roles::folds_nothing(uint32_t i) {
  const Instr &in = instr(i);
  if (in.kind != InstrKind::compute || in.num_results != 1 || !ops::is(graph_, in.op, ops::OpKind::reduce))
    return false;
  const auto operands = program_.operands(in);
  const ValueRef made = in.first_result;
  const graph::DType dtype = program_.type(made).dtype;
  const auto kind = ops::reduction_of(graph_, graph_.op(in.op).first_region);
  if (!kind || !same_elements(made, operands[0]) || !is_constant(def(operands[1])) ||
      !ops::is_identity(*ops::literal_of(graph_, instr(def(operands[1])).op), dtype, *kind))
    return false;
  if (ops::keeps_bits(*kind, dtype))
    return true;
  const auto &partial = program_.sharding(program_.values()[made].sharding).partial;
  if (uncombined_[made] || (graph::is_complex(dtype) && *kind == sharding::Reduction::prod) ||
      !std::ranges::all_of(partial, [&](const sharding::Partial &s) { return s.kind == *kind; }))
    return false;
  from_zero_[made] = *kind == sharding::Reduction::sum;
  return true;
}

void Roles::find_uncombined() {
  const sharding::Mesh &mesh = program_.mesh();
  uncombined_.assign(program_.values().size(), false);
  const auto sharding_of = [&](ValueRef v) -> const sharding::Sharding & {
    return program_.sharding(program_.values()[v].sharding);
  };
  const auto combines = [&](ValueRef from, ValueRef to) {
    const auto &left = sharding_of(to).partial;
    return std::ranges::any_of(sharding_of(from).partial, [&](const sharding::Partial &s) {
      return std::ranges::count(left, s) == 0 && mesh.size(s.axis) > 1;
    });
  };
  for (const Instr &in : program_.instrs()) {
    const auto operands = program_.operands(in);
    for (uint32_t a = 0; a < in.num_operands; ++a)
      if (in.kind != InstrKind::collective || !combines(operands[a], in.first_result + a))
        uncombined_[operands[a]] = true;
  }
}

bool Roles::same_elements(ValueRef a, ValueRef b) const {
  for (Position d; d < layouts_.num_positions(); ++d)
    if (layouts_.elements(layouts_.of(a), d) != layouts_.elements(layouts_.of(b), d))
      return false;
  return true;
}

void Roles::set_view(ValueRef v, ValueRef of, std::vector<int64_t> offset) {
  const View &outer = views_[of];
  if (offset.empty())
    offset = outer.offset;
  else if (!outer.offset.empty())
    for (size_t d = 0; d < offset.size(); ++d)
      offset[d] += outer.offset[d];
  views_[v] = {outer.root, std::move(offset)};
}

bool Roles::is_broadcast(uint32_t i) const {
  return instr(i).kind == InstrKind::compute && ops::is(graph_, instr(i).op, ops::OpKind::broadcast);
}

std::span<const int64_t> Roles::broadcast_dims(uint32_t i) const {
  return std::get<std::vector<int64_t>>(
      graph_.attrs(instr(i).op)[ops::slot::broadcast_in_dim::broadcast_dimensions]);
}

// A broadcast that only adds dimensions of size 1: the same elements in the same order.
bool Roles::is_inflating_broadcast(uint32_t i) const {
  if (!is_broadcast(i))
    return false;
  const auto dims = broadcast_dims(i);
  return std::is_sorted(dims.begin(), dims.end()) &&
         program_.type(program_.operands(instr(i))[0]).elements() ==
             program_.type(instr(i).first_result).elements();
}

bool Roles::is_constant(uint32_t i) const {
  return instr(i).kind == InstrKind::compute && ops::literal_of(graph_, instr(i).op) != nullptr;
}
bool Roles::is_splat(uint32_t i) const {
  return is_constant(i) && ops::literal_of(graph_, instr(i).op)->splat;
}

// An iota of several lines that are alike, one of which may be kept.
bool Roles::is_line(uint32_t i) const {
  const ValueRef v = instr(i).first_result;
  const auto dim = instr(i).num_results == 1 ? counted_dim(program_, v) : std::nullopt;
  if (!dim || !program_.loop_axes(v).empty())
    return false;
  const auto &type = program_.type(v);
  return type.elements() > type.dims[*dim] &&
         type.dims[*dim] * static_cast<int64_t>(byte_size(type.dtype)) <= kMostStaticBytes;
}

bool Roles::never_changes(uint32_t i, const ops::OpDef &def) const {
  const Instr &in = instr(i);
  if ((def.flags & (ops::kSideEffect | ops::kOpaque)) != 0)
    return false;
  for (const ValueRef v : program_.operands(in))
    if (!is_fixed_value(v))
      return false;
  const bool literal = in.num_operands == 0 && is_constant(i);
  for (uint32_t r = 0; r < in.num_results; ++r)
    if ((most_bytes(in.first_result + r) > kMostStaticBytes && !literal) ||
        !program_.loop_axes(in.first_result + r)
             .empty()) // another one at each step, though tiles may be alike
      return false;
  return true;
}

bool Roles::is_fixed_value(ValueRef v) const {
  const ValueRef root = views_[v].root;
  const uint32_t i = def(root);
  if (roles_[i] == Role::fixed)
    return true;
  if (roles_[i] != Role::strided_read || most_bytes(root) > kMostStaticBytes ||
      !program_.loop_axes(root).empty())
    return false;
  return is_splat(i) || is_line(i) || is_fixed_value(program_.operands(instr(i))[0]);
}

bool Roles::is_elementwise(uint32_t i, const ops::OpDef &def) const {
  const Instr &in = instr(i);
  if ((def.flags & ops::kElementwise) == 0 || in.num_results != 1)
    return false;
  const LayoutId space = layouts_.of(in.first_result);
  const size_t rank = program_.type(in.first_result).rank();
  for (const ValueRef v : program_.operands(in))
    if (layouts_.of(v) != space && !(program_.type(v).rank() == 0 && rank > 0))
      return false;
  return kernels::fuses(def, ops::OpViewHolder(graph_, in.op).view());
}

// How many ops make each fixed value of iotas and splats, all cheap and elementwise; 0: others do too.
std::vector<uint32_t> Roles::count_cheap_ops() const {
  std::vector<uint32_t> counts(roles_.size(), 0);
  for (uint32_t i = 0; i < roles_.size(); ++i) {
    if (roles_[i] != Role::fixed)
      continue;
    const ops::OpDef &op = ops::op_def(graph_.op(instr(i).op).code);
    if ((op.flags & ops::kCheap) == 0 || !is_elementwise(i, op))
      continue;
    uint32_t count = 1;
    for (const ValueRef v : program_.operands(instr(i))) {
      const FusedRead read = read_of(v, instr(i).first_result);
      const ValueRef root = views_[read.value].root;
      if (read.constant || counted_dim(program_, root))
        continue;
      const uint32_t made_by = counts[def(root)];
      count = made_by == 0 ? kMostOps + 1 : count + made_by;
    }
    counts[i] = count <= kMostOps ? count : 0;
  }
  return counts;
}

// Masks, counters of random bits and the like need no memory from run to run where fused steps read them.
void Roles::release_cheap() {
  const std::vector<uint32_t> cheap = count_cheap_ops();
  std::vector<bool> needed(roles_.size(), false); // somebody needs it before the first run, or as it is
  for (auto i = static_cast<uint32_t>(roles_.size()); i-- > 0;) { // users come after what they use
    if (roles_[i] == Role::fixed && cheap[i] != 0 && !needed[i] &&
        most_bytes(instr(i).first_result) > kSmallBytes)
      roles_[i] = Role::member;
    const bool passes_on = roles_[i] == Role::view || roles_[i] == Role::strided_read;
    if (roles_[i] != Role::member && (!passes_on || needed[i]))
      for (const ValueRef v : program_.operands(instr(i)))
        needed[def(v)] = true;
  }
}

void Roles::find_dense() {
  for (uint32_t i = static_cast<uint32_t>(roles_.size()); i-- > 0;) {
    // What a fused step reads, or another strided read that nobody stores, needs no array.
    if (roles_[i] == Role::member || (roles_[i] == Role::strided_read && !dense_[i]))
      continue;
    for (const ValueRef v : program_.operands(instr(i)))
      dense_[def(views_[v].root)] = true;
  }
}

ValueRef Roles::canonical(ValueRef v) const {
  const View &view = views_[v];
  return view.offset.empty() && layouts_.of(view.root) == layouts_.of(v) ? view.root : v;
}

FusedRead Roles::read_of(ValueRef v, ValueRef result) const {
  const size_t rank = program_.type(result).rank();
  FusedRead read{canonical(v), std::vector<int>(rank, -1), false};
  if (program_.type(v).rank() == rank)
    for (size_t k = 0; k < rank; ++k)
      read.dims[k] = static_cast<int>(k);
  while (roles_[def(read.value)] == Role::strided_read) {
    const uint32_t i = def(read.value);
    if (is_splat(i) || is_line(i)) {
      const auto counted = counted_dim(program_, read.value);
      for (int &d : read.dims)
        d = counted && d == static_cast<int>(*counted) ? d : -1;
      read.constant = true;
      return read;
    }
    const ValueRef source = program_.operands(instr(i))[0];
    const auto dims = broadcast_dims(i);
    std::vector<int> inner(program_.type(read.value).rank(),
                           -1); // dimension of the result -> of the source
    for (size_t s = 0; s < dims.size(); ++s)
      if (program_.type(source).dims[s] != 1 ||
          program_.type(read.value).dims[static_cast<size_t>(dims[s])] == 1)
        inner[static_cast<size_t>(dims[s])] = static_cast<int>(s);
    for (int &d : read.dims)
      d = d < 0 ? -1 : inner[static_cast<size_t>(d)];
    read.value = canonical(source);
  }
  return read;
}

} // namespace tw::runtime
