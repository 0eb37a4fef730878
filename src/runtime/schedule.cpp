// SPDX-License-Identifier: Apache-2.0
// Two sweeps over the program. The first gives every instruction a role; it looks only at the instruction and at who
// uses its results. The second grows groups of elementwise instructions, greedily from producer to consumer, and gives
// every step its place.
//
// Places keep groups convex without searching the program. A step gets its place (a rising number) when something
// outside first uses it; until then a group *floats*: nothing that has a place depends on it. A floating group may take
// any member whose operands do not come from the group by way of another floating group; a placed one only members
// whose operands have earlier places. So steps sorted by place are always in order.
#include "runtime/schedule.hpp"

#include <algorithm>
#include <utility>

#include "graph/graph.hpp"
#include "ops/attributes.hpp"
#include "ops/registry.hpp"

namespace tw::runtime {
namespace {

using spmd::Instr;
using spmd::InstrKind;
using spmd::ValueRef;

// A value that never changes is kept from run to run if it is no larger than this on any device.
constexpr int64_t kMostStaticBytes = 1 << 20;
// A fused step's blocks should stay in the first-level cache.
constexpr size_t kMostMembers = 64;
constexpr size_t kMostReads = 24;

constexpr uint32_t kFloating = UINT32_MAX;

enum class Role : uint8_t {
  signature, // argument, result
  view,      // the result is the operand's memory
  fold,      // a broadcast or splat: read by fused steps through strides; stored only if `dense`
  fixed,     // never changes: runs once
  member,    // elementwise: part of a group
  single,    // a step of its own
};

struct Group {
  LayoutId space;
  uint32_t place = kFloating;
  std::vector<uint32_t> instrs;
  std::vector<FusedRead> reads;
  uint32_t merged_into = graph::kNone;
  uint32_t visit = 0; // mark of the last search that came here
};

class Scheduler {
public:
  Scheduler(const spmd::Program &program, const Layouts &layouts)
      : program_(program), graph_(program.graph()), layouts_(layouts), roles_(program.instrs().size()),
        dense_(program.instrs().size(), false), group_of_(program.instrs().size(), graph::kNone),
        place_(program.instrs().size(), kFloating) {
    out_.views.reserve(program.values().size());
    for (ValueRef v = 0; v < program.values().size(); ++v)
      out_.views.push_back({v, {}});
    out_.is_static.assign(program.values().size(), false);
  }

  Schedule run() {
    give_roles();
    find_dense();
    for (uint32_t i = 0; i < roles_.size(); ++i)
      place_instr(i);
    emit();
    return std::move(out_);
  }

private:
  const Instr &instr(uint32_t i) const { return program_.instrs()[i]; }
  uint32_t def(ValueRef v) const { return program_.values()[v].def; }
  const ops::OpDef &op_def(uint32_t i) const { return ops::op_def(graph_.op(instr(i).op).code); }
  int64_t most_bytes(ValueRef v) const {
    return layouts_.most_elements(layouts_.of(v)) * static_cast<int64_t>(byte_size(program_.type(v).dtype));
  }

  // --- roles ---

  void give_roles() {
    for (uint32_t i = 0; i < roles_.size(); ++i)
      roles_[i] = role_of(i);
  }

  Role role_of(uint32_t i) {
    const Instr &in = instr(i);
    if (in.kind == InstrKind::argument || in.kind == InstrKind::result)
      return Role::signature;
    if (make_views(i))
      return Role::view;
    if (in.kind == InstrKind::collective)
      return Role::single;
    if (is_broadcast(i) || is_splat(i))
      return Role::fold;
    const ops::OpDef &def = op_def(i);
    if (never_changes(i, def)) {
      for (uint32_t r = 0; r < in.num_results; ++r)
        out_.is_static[in.first_result + r] = true;
      return Role::fixed;
    }
    if (is_elementwise(i, def))
      return Role::member;
    return Role::single;
  }

  // Renames, and local slices that are one run of what the device holds, cost nothing.
  bool make_views(uint32_t i) {
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
    const ops::OpDef &def = op_def(i);
    const bool rename = (def.flags & ops::kRename) != 0 && in.num_results == in.num_operands;
    if (!rename && !is_inflating_broadcast(i))
      return false;
    for (uint32_t r = 0; r < in.num_results; ++r)
      if (!same_elements(in.first_result + r, operands[r]))
        return false;
    for (uint32_t r = 0; r < in.num_results; ++r)
      set_view(in.first_result + r, operands[r], {});
    return true;
  }

  bool same_elements(ValueRef a, ValueRef b) const {
    for (int64_t d = 0; d < layouts_.num_devices(); ++d)
      if (layouts_.elements(layouts_.of(a), d) != layouts_.elements(layouts_.of(b), d))
        return false;
    return true;
  }

  void set_view(ValueRef v, ValueRef of, std::vector<int64_t> offset) {
    const View &outer = out_.views[of];
    if (offset.empty())
      offset = outer.offset;
    else if (!outer.offset.empty())
      for (size_t d = 0; d < offset.size(); ++d)
        offset[d] += outer.offset[d];
    out_.views[v] = {outer.root, std::move(offset)};
  }

  bool is_broadcast(uint32_t i) const {
    static const graph::OpCode code = *ops::find_op("stablehlo.broadcast_in_dim");
    return instr(i).kind == InstrKind::compute && graph_.op(instr(i).op).code == code;
  }

  std::span<const int64_t> broadcast_dims(uint32_t i) const {
    return std::get<std::vector<int64_t>>(
        graph_.attrs(instr(i).op)[ops::slot::broadcast_in_dim::broadcast_dimensions]);
  }

  // A broadcast that only adds dimensions of size 1: the same elements in the same order.
  bool is_inflating_broadcast(uint32_t i) const {
    if (!is_broadcast(i))
      return false;
    const auto dims = broadcast_dims(i);
    return std::is_sorted(dims.begin(), dims.end()) &&
           program_.type(program_.operands(instr(i))[0]).elements() ==
               program_.type(instr(i).first_result).elements();
  }

  bool is_constant(uint32_t i) const {
    static const graph::OpCode code = *ops::find_op("stablehlo.constant");
    return instr(i).kind == InstrKind::compute && graph_.op(instr(i).op).code == code;
  }
  bool is_splat(uint32_t i) const {
    if (!is_constant(i))
      return false;
    const auto &value = graph_.attrs(instr(i).op)[ops::slot::constant::value];
    return graph_.constant(std::get<graph::ConstantId>(value)).splat;
  }

  bool never_changes(uint32_t i, const ops::OpDef &def) const {
    const Instr &in = instr(i);
    if ((def.flags & (ops::kSideEffect | ops::kOpaque)) != 0)
      return false;
    for (const ValueRef v : program_.operands(in))
      if (!is_fixed_value(v))
        return false;
    const bool literal = in.num_operands == 0 && is_constant(i);
    for (uint32_t r = 0; r < in.num_results; ++r)
      if (most_bytes(in.first_result + r) > kMostStaticBytes && !literal)
        return false;
    return true;
  }

  // Made by a fixed instruction, or a fold that could be.
  bool is_fixed_value(ValueRef v) const {
    const ValueRef root = out_.views[v].root;
    const uint32_t i = def(root);
    if (roles_[i] == Role::fixed)
      return true;
    if (roles_[i] != Role::fold || most_bytes(root) > kMostStaticBytes)
      return false;
    return is_splat(i) || is_fixed_value(program_.operands(instr(i))[0]);
  }

  bool is_elementwise(uint32_t i, const ops::OpDef &def) const {
    const Instr &in = instr(i);
    if ((def.flags & ops::kElementwise) == 0 || def.block == nullptr || in.num_results != 1)
      return false;
    const LayoutId space = layouts_.of(in.first_result);
    const size_t rank = program_.type(in.first_result).rank();
    for (const ValueRef v : program_.operands(in))
      if (layouts_.of(v) != space && !(program_.type(v).rank() == 0 && rank > 0))
        return false;
    const ops::OpViewHolder view(graph_, in.op);
    return def.block(view.view()) != nullptr;
  }

  // --- folds that somebody needs as an array ---

  void find_dense() {
    for (uint32_t i = static_cast<uint32_t>(roles_.size()); i-- > 0;) {
      // What a fused step reads, or another fold that nobody stores, needs no array.
      if (roles_[i] == Role::member || (roles_[i] == Role::fold && !dense_[i]))
        continue;
      for (const ValueRef v : program_.operands(instr(i)))
        dense_[def(out_.views[v].root)] = true;
    }
  }

  // --- groups ---

  Group &group(uint32_t g) { return groups_[find(g)]; }
  uint32_t find(uint32_t g) const {
    while (groups_[g].merged_into != graph::kNone)
      g = groups_[g].merged_into;
    return g;
  }

  // The value whose bytes stand for `v`: renames that keep the tiles as they are do not hide a member of a group.
  ValueRef canonical(ValueRef v) const {
    const View &view = out_.views[v];
    return view.offset.empty() && layouts_.of(view.root) == layouts_.of(v) ? view.root : v;
  }

  // The group that makes this value, or kNone.
  uint32_t group_making(ValueRef v) const {
    const uint32_t i = def(out_.views[v].root);
    return roles_[i] == Role::member ? find(group_of_[i]) : graph::kNone;
  }

  // How a fused step over the space of `result` reads `v`, looking through folds.
  FusedRead read_of(ValueRef v, ValueRef result) const {
    const size_t rank = program_.type(result).rank();
    FusedRead read{canonical(v), std::vector<int>(rank, -1), false};
    if (program_.type(v).rank() == rank)
      for (size_t k = 0; k < rank; ++k)
        read.dims[k] = static_cast<int>(k);
    while (roles_[def(read.value)] == Role::fold) {
      const uint32_t i = def(read.value);
      if (is_splat(i)) {
        read.splat = true;
        read.dims.assign(rank, -1);
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

  void place_instr(uint32_t i) {
    switch (roles_[i]) {
    case Role::view: return;
    case Role::fixed: return; // places itself: `statics` are in program order
    case Role::fold:
      if (!dense_[i])
        return;
      break;
    case Role::member: join(i); return;
    case Role::signature:
    case Role::single: break;
    }
    for (const ValueRef v : program_.operands(instr(i)))
      settle(v);
    place_[i] = next_place_++;
  }

  // Something with a place uses `v`: its maker gets an earlier one.
  void settle(ValueRef v) {
    const uint32_t g = group_making(v);
    if (g != graph::kNone)
      settle_group(g);
  }

  void settle_group(uint32_t g) {
    // Depth first over floating groups, without recursion: chains can be long.
    std::vector<std::pair<uint32_t, size_t>> stack{{g, 0}};
    while (!stack.empty()) {
      auto &[top, next] = stack.back();
      Group &at = groups_[top];
      if (at.place != kFloating) {
        stack.pop_back();
        continue;
      }
      bool descended = false;
      while (next < at.reads.size()) {
        const uint32_t maker = maker_of_read(at.reads[next++]);
        if (maker != graph::kNone && maker != top && groups_[maker].place == kFloating) {
          stack.emplace_back(maker, 0);
          descended = true;
          break;
        }
      }
      if (descended)
        continue;
      at.place = next_place_++;
      stack.pop_back();
    }
  }

  uint32_t maker_of_read(const FusedRead &read) const {
    return read.splat ? graph::kNone : group_making(read.value);
  }

  uint32_t place_of_read(const FusedRead &read) {
    if (read.splat)
      return 0;
    const uint32_t maker = group_making(read.value);
    if (maker != graph::kNone)
      return groups_[maker].place;
    const uint32_t i = def(out_.views[read.value].root);
    return roles_[i] == Role::fixed ? 0 : place_[i];
  }

  // Does `from` use, directly or by way of other floating groups, a value of `target`? The edge from -> target itself
  // counts unless `skip_direct`.
  bool depends(uint32_t from, uint32_t target, bool skip_direct) {
    const uint32_t mark = ++visit_;
    search_.assign(1, from);
    groups_[from].visit = mark;
    while (!search_.empty()) {
      const uint32_t at = search_.back();
      search_.pop_back();
      for (const FusedRead &read : groups_[at].reads) {
        const uint32_t maker = maker_of_read(read);
        if (maker == graph::kNone || groups_[maker].place != kFloating || groups_[maker].visit == mark)
          continue;
        if (maker == target) {
          if (at == from && skip_direct)
            continue;
          return true;
        }
        groups_[maker].visit = mark;
        search_.push_back(maker);
      }
    }
    return false;
  }

  bool may_join(uint32_t g, const std::vector<FusedRead> &reads) {
    Group &to = groups_[g];
    if (to.instrs.size() >= kMostMembers || to.reads.size() + reads.size() > kMostReads)
      return false;
    for (const FusedRead &read : reads) {
      const uint32_t maker = maker_of_read(read);
      if (maker == g && !is_inner(read, g))
        return false; // reads the group's result in another arrangement
      if (maker == g)
        continue;
      if (to.place != kFloating) {
        if (place_of_read(read) >= to.place)
          return false;
      } else if (maker != graph::kNone && groups_[maker].place == kFloating && depends(maker, g, false)) {
        return false;
      }
    }
    return true;
  }

  // The read is of a member of the group at the same index.
  bool is_inner(const FusedRead &read, uint32_t g) const {
    return !read.splat && roles_[def(read.value)] == Role::member && find(group_of_[def(read.value)]) == g &&
           read.dims.size() == program_.type(read.value).rank() && is_identity(read.dims);
  }
  static bool is_identity(const std::vector<int> &dims) {
    for (size_t k = 0; k < dims.size(); ++k)
      if (dims[k] != static_cast<int>(k))
        return false;
    return true;
  }

  void join(uint32_t i) {
    const Instr &in = instr(i);
    std::vector<FusedRead> reads;
    for (const ValueRef v : program_.operands(in))
      reads.push_back(read_of(v, in.first_result));

    uint32_t home = graph::kNone;
    for (const FusedRead &read : reads) {
      const uint32_t g = maker_of_read(read);
      if (home == graph::kNone && g != graph::kNone && is_inner(read, g) && may_join(g, reads))
        home = g;
    }
    if (home != graph::kNone) {
      for (const FusedRead &read : reads) {
        const uint32_t g = maker_of_read(read);
        if (g != graph::kNone && g != home && is_inner(read, g) && may_merge(home, g))
          merge(home, g);
      }
    } else {
      home = static_cast<uint32_t>(groups_.size());
      groups_.push_back({layouts_.of(in.first_result), kFloating, {}, {}, graph::kNone, 0});
    }
    Group &to = groups_[home];
    to.instrs.push_back(i);
    group_of_[i] = home;
    for (FusedRead &read : reads)
      if (!is_inner(read, home) && std::find(to.reads.begin(), to.reads.end(), read) == to.reads.end())
        to.reads.push_back(std::move(read));
  }

  // Two floating groups may become one unless a third lies between them.
  bool may_merge(uint32_t a, uint32_t b) {
    return groups_[a].place == kFloating && groups_[b].place == kFloating &&
           groups_[a].instrs.size() + groups_[b].instrs.size() < kMostMembers &&
           groups_[a].reads.size() + groups_[b].reads.size() <= kMostReads && only_inner_edges(a, b) &&
           only_inner_edges(b, a) && !depends(a, b, true) && !depends(b, a, true);
  }
  // Every read that `from` makes of `of` would be inside the merged group.
  bool only_inner_edges(uint32_t from, uint32_t of) const {
    return std::all_of(groups_[from].reads.begin(), groups_[from].reads.end(), [&](const FusedRead &read) {
      return maker_of_read(read) != of || is_inner(read, of);
    });
  }

  void merge(uint32_t a, uint32_t b) {
    Group &to = groups_[a], &from = groups_[b];
    to.instrs.insert(to.instrs.end(), from.instrs.begin(), from.instrs.end());
    for (FusedRead &read : from.reads)
      if (std::find(to.reads.begin(), to.reads.end(), read) == to.reads.end())
        to.reads.push_back(std::move(read));
    from.merged_into = a;
    from.instrs.clear();
    from.reads.clear();
    std::erase_if(to.reads, [&](const FusedRead &read) { return is_inner(read, a); });
  }

  // --- steps ---

  void emit() {
    std::vector<std::pair<uint32_t, Step>> placed;
    std::vector<bool> stored = find_stored();
    for (uint32_t i = 0; i < roles_.size(); ++i) {
      const bool fixed_fold = roles_[i] == Role::fold && dense_[i] && is_fixed_value(instr(i).first_result);
      if (roles_[i] == Role::fixed || fixed_fold) {
        out_.statics.push_back(single_step(i));
        out_.is_static[instr(i).first_result] = true;
      } else if (roles_[i] == Role::single || (roles_[i] == Role::fold && dense_[i])) {
        placed.emplace_back(place_[i], single_step(i));
      }
    }
    for (Group &g : groups_)
      if (g.place != kFloating && g.merged_into == graph::kNone)
        placed.emplace_back(g.place, fused_step(g, stored));
    std::sort(placed.begin(), placed.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    for (auto &[place, step] : placed)
      out_.steps.push_back(std::move(step));
  }

  // Values that something outside their own group reads.
  std::vector<bool> find_stored() {
    std::vector<bool> stored(program_.values().size(), false);
    for (uint32_t i = 0; i < roles_.size(); ++i)
      if (roles_[i] != Role::member && roles_[i] != Role::view && !(roles_[i] == Role::fold && !dense_[i]))
        for (const ValueRef v : program_.operands(instr(i)))
          stored[out_.views[v].root] = true;
    for (const Group &g : groups_)
      if (g.place != kFloating)
        for (const FusedRead &read : g.reads)
          stored[out_.views[read.value].root] = true;
    return stored;
  }

  Step single_step(uint32_t i) const {
    const Instr &in = instr(i);
    Step step{in.kind == InstrKind::collective ? Step::Kind::collective : Step::Kind::kernel,
              {i},
              {},
              {},
              0,
              {},
              {}};
    for (uint32_t r = 0; r < in.num_results; ++r)
      step.results.push_back(in.first_result + r);
    const auto operands = program_.operands(in);
    step.operands.assign(operands.begin(), operands.end());
    return step;
  }

  Step fused_step(Group &g, const std::vector<bool> &stored) const {
    std::sort(g.instrs.begin(), g.instrs.end());
    Step step{Step::Kind::fused, g.instrs, {}, {}, g.space, g.reads, {}};
    for (const uint32_t i : g.instrs) {
      const Instr &in = instr(i);
      if (stored[in.first_result])
        step.results.push_back(in.first_result);
      std::vector<uint32_t> args;
      for (const ValueRef v : program_.operands(in)) {
        const FusedRead read = read_of(v, in.first_result);
        const auto at = std::find(g.reads.begin(), g.reads.end(), read);
        if (at != g.reads.end()) {
          args.push_back(static_cast<uint32_t>(at - g.reads.begin()));
        } else {
          const auto member = std::lower_bound(g.instrs.begin(), g.instrs.end(), def(read.value));
          args.push_back(
              static_cast<uint32_t>(g.reads.size() + static_cast<size_t>(member - g.instrs.begin())));
        }
      }
      step.args.push_back(std::move(args));
    }
    return step;
  }

  const spmd::Program &program_;
  const graph::Graph &graph_;
  const Layouts &layouts_;
  std::vector<Role> roles_;
  std::vector<bool> dense_;
  std::vector<uint32_t> group_of_;
  std::vector<uint32_t> place_;
  std::vector<Group> groups_;
  std::vector<uint32_t> search_;
  uint32_t visit_ = 0;
  uint32_t next_place_ = 1;
  Schedule out_;
};

} // namespace

Schedule schedule(const spmd::Program &program, const Layouts &layouts) {
  return Scheduler(program, layouts).run();
}

} // namespace tw::runtime
