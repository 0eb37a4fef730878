// SPDX-License-Identifier: Apache-2.0
// Binds Shardy's axes by name and GSPMD's tile assignments by their device order, then tiles what they say; rules, groups and barriers come
// before, since they say where it spreads.
#include "partition/annotations.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/suggest.hpp"
#include "partition/target.hpp"

namespace tw::partition {

using import::Annotation;
using import::Annotations;
using import::AxisRef;
using import::ShardingAnnotation;
using sharding::AxisId;

namespace {

// Priorities as Shardy counts them: a dimension that names none comes first.
int32_t priority_of(const import::DimAnnotation &dim) { return std::max<int32_t>(dim.priority, 0); }

Result<sharding::Mesh> declared_mesh(const Annotations &annotations) {
  const import::MeshDecl *decl = annotations.declared_mesh();
  if (decl == nullptr)
    return sharding::Mesh();
  std::vector<sharding::Axis> axes;
  for (const auto &[name, size] : decl->axes)
    axes.push_back({name, size, name, 1});
  for (const int64_t id : decl->device_ids) // a program runs on all devices from 0 on
    if (id >= static_cast<int64_t>(decl->device_ids.size()))
      return fail(Code::invalid_argument, "TW-303",
                  fmt::format("mesh @{} names device {}: its {} devices count from 0", decl->name, id,
                              decl->device_ids.size()));
  return sharding::Mesh::create(std::move(axes), decl->device_ids);
}

template <class Visit> void each_axis(const ShardingAnnotation &s, Visit visit) {
  for (const import::DimAnnotation &dim : s.dims)
    for (const AxisRef &axis : dim.axes)
      visit(axis);
  for (const auto *list : {&s.replicated, &s.unreduced})
    for (const AxisRef &axis : *list)
      visit(axis);
}

// The axes that a tile dimension walks, major to minor, by what stepping along it does to the device; nothing where a step is no axis.
std::optional<std::vector<AxisId>> walk(const sharding::Mesh &mesh, const std::vector<int64_t> &devices,
                                        int64_t count, int64_t stride, uint64_t &used) {
  std::vector<AxisId> axes; // minor to major
  for (int64_t done = 1; done < count;) {
    const int64_t step = devices[static_cast<size_t>(done * stride)];
    std::optional<AxisId> found;
    for (size_t i = 0; i < mesh.num_axes() && !found; ++i) {
      const auto a = static_cast<AxisId>(i);
      if (mesh.stride(a) == step && mesh.size(a) > 1 && (used >> a & 1) == 0 &&
          (count / done) % mesh.size(a) == 0)
        found = a;
    }
    if (!found)
      return std::nullopt;
    used |= uint64_t{1} << *found;
    axes.push_back(*found);
    done *= mesh.size(*found);
  }
  std::ranges::reverse(axes);
  return axes;
}

// The axes of each array dimension; nothing where this mesh does not have that device order.
std::optional<std::vector<std::vector<AxisId>>> factorise(const import::TileAssignment &a,
                                                          const sharding::Mesh &mesh) {
  const std::vector<int64_t> devices = a.device_list();
  if (static_cast<int64_t>(devices.size()) != mesh.num_devices() || devices.empty() || devices[0] != 0 ||
      !mesh.device_ids().empty())
    return std::nullopt;
  uint64_t used = 0;
  std::vector<std::vector<AxisId>> dims;
  int64_t stride = mesh.num_devices();
  for (const int64_t count : a.tiles) {
    stride /= count;
    auto axes = walk(mesh, devices, count, stride, used);
    if (!axes)
      return std::nullopt;
    dims.push_back(std::move(*axes));
  }
  // Steps along several dimensions at once must add up.
  for (size_t tile = 0; tile < devices.size(); ++tile) {
    int64_t device = 0, inner = mesh.num_devices();
    for (size_t d = 0; d < dims.size(); ++d) {
      inner /= a.tiles[d];
      int64_t digit = static_cast<int64_t>(tile) / inner % a.tiles[d];
      for (size_t i = dims[d].size(); i-- > 0;) {
        device += digit % mesh.size(dims[d][i]) * mesh.stride(dims[d][i]);
        digit /= mesh.size(dims[d][i]);
      }
    }
    if (device != devices[tile])
      return std::nullopt;
  }
  dims.resize(dims.size() - a.subgroups); // replicated subgroups are no dimensions
  return dims;
}

// One annotation with its axes found.
struct Bound {
  const Annotation *annotation;
  Target target;
  struct Dim {
    std::vector<AxisId> axes;
    int32_t priority;
    bool open;
  };
  std::vector<Dim> dims;
  std::vector<AxisId> whole;
  std::vector<AxisId> unreduced;

  bool closed() const { // no dimension takes further axes
    return std::ranges::none_of(dims, &Dim::open);
  }
  bool names(AxisId axis) const {
    return std::ranges::any_of(
        dims, [&](const Dim &dim) { return std::ranges::find(dim.axes, axis) != dim.axes.end(); });
  }
};

// Why nothing can be asked of a value; empty where something can.
std::string_view out_of_reach(const Plan &plan, graph::ValueId v) {
  const NodeId maker = plan.flow().maker(v).node;
  if (maker == graph::kNone || !plan.takes_part(maker))
    return "it is inside a combiner";
  if (plan.is_source(maker))
    return "a constant is made anew wherever it is used";
  return {};
}

// What stands alone behind a barrier of one value: the constraint of a value is such a barrier.
std::optional<graph::ValueId> behind_barrier(const graph::Graph &g, graph::ValueId v) {
  const graph::OpId op = g.value(v).def;
  if (op == graph::kNone || g.operands(op).size() != 1 ||
      std::string_view(ops::op_def(g.op(op).code).name) != "stablehlo.optimization_barrier")
    return std::nullopt;
  return g.operands(op)[0];
}

class Binder {
public:
  Binder(Plan &plan, std::vector<std::string> &notes) : plan_(plan), notes_(notes) {}

  Result<std::optional<Bound>> bind(const Annotation &a) {
    const ShardingAnnotation &s = a.sharding;
    Bound bound{&a, target(a), {}, {}, {}};
    if (s.kind == ShardingAnnotation::Kind::maximal)
      return leave_out(a, "every device takes part in every array; none holds one alone");
    if (s.kind == ShardingAnnotation::Kind::manual)
      return leave_out(a, "the code there is device-local");
    if (bound.target.kind == Target::Kind::value)
      if (const auto why = out_of_reach(plan_, bound.target.value); !why.empty())
        return leave_out(a, why);
    if (s.assignment) {
      auto dims = factorise(*s.assignment, plan_.mesh());
      if (!dims)
        return leave_out(a, fmt::format("the mesh {} has no such device order", plan_.mesh().text()));
      for (size_t d = 0; d < dims->size(); ++d)
        bound.dims.push_back({std::move((*dims)[d]), 0, d < s.dims.size() && s.dims[d].open});
    } else {
      for (const import::DimAnnotation &dim : s.dims) {
        bound.dims.push_back({{}, priority_of(dim), dim.open});
        for (const AxisRef &axis : dim.axes)
          TW_TRY(add_axes(a, axis, bound.dims.back().axes));
      }
      for (const AxisRef &axis : s.replicated)
        TW_TRY(add_axes(a, axis, bound.whole));
      for (const AxisRef &axis : s.unreduced)
        TW_TRY(add_axes(a, axis, bound.unreduced));
    }
    if (!bound.unreduced.empty() && a.at != Annotation::At::value) {
      note(a, "the unreduced axes of",
           a.at == Annotation::At::argument ? "an argument is given as a whole, not as parts that add up"
                                            : "a result is handed out as a whole, not as parts that add up");
      bound.unreduced.clear();
    }
    return bound;
  }

  void note(const Annotation &a, std::string_view what, std::string_view why) {
    notes_.push_back(fmt::format("{}:{}: {}sharding {} is left out: {}", a.pos.file, a.pos.line,
                                 what.empty() ? "" : fmt::format("{} ", what), a.sharding.text, why));
  }

private:
  Target target(const Annotation &a) const {
    const graph::Graph &g = plan_.graph();
    if (a.at == Annotation::At::argument)
      return {Target::Kind::argument, a.index, g.result(g.arguments()[a.index])};
    if (a.at == Annotation::At::result)
      return {Target::Kind::result, a.index, g.operands(g.results()[a.index])[0]};
    graph::ValueId v = a.index;
    if (const auto held = behind_barrier(g, v); held && g.uses(v).empty())
      v = *held; // a constraint that nobody uses is about its operand
    const auto arguments = g.arguments();
    const auto argument = std::ranges::find(arguments, g.value(v).def);
    if (argument != arguments.end())
      return {Target::Kind::argument, static_cast<uint32_t>(argument - arguments.begin()), v};
    return {Target::Kind::value, 0, v};
  }

  std::optional<Bound> leave_out(const Annotation &a, std::string_view why) {
    note(a, {}, why);
    return std::nullopt;
  }

  Status add_axes(const Annotation &a, const AxisRef &ref, std::vector<AxisId> &axes) {
    auto found = find_axes(plan_.mesh(),
                           ref.size == 0 ? ref.name : fmt::format("{}:({}){}", ref.name, ref.pre, ref.size));
    if (!found)
      return fail(Error(Code::not_found, "TW-411",
                        fmt::format("sharding {}: {}; give a mesh that has it, or ignore the annotations",
                                    a.sharding.text, found.error().message()))
                      .at(a.pos));
    axes.insert(axes.end(), found->begin(), found->end());
    return {};
  }

  Plan &plan_;
  std::vector<std::string> &notes_;
};

// One pin for the members of each group; groups that share a member are one.
void form_groups(Plan &plan, const std::vector<import::GroupMember> &members,
                 std::vector<std::string> &notes) {
  std::map<std::string, size_t> by_name;
  std::map<graph::ValueId, size_t> by_value;
  std::vector<std::vector<graph::ValueId>> groups;
  for (const import::GroupMember &member : members) {
    if (const auto why = out_of_reach(plan, member.value); !why.empty()) {
      notes.push_back(fmt::format("{}:{}: a member of sharding group {} is left out: {}", member.pos.file,
                                  member.pos.line, member.group, why));
      continue;
    }
    const auto [named, is_new] = by_name.emplace(member.group, groups.size());
    if (is_new)
      groups.emplace_back();
    const size_t into = named->second;
    const auto [known, first] = by_value.emplace(member.value, into);
    if (first) {
      groups[into].push_back(member.value);
    } else if (known->second != into) {
      const size_t from = known->second;
      groups[into].insert(groups[into].end(), groups[from].begin(), groups[from].end());
      groups[from].clear();
      for (auto &[name, group] : by_name)
        group = group == from ? into : group;
      for (auto &[value, group] : by_value)
        group = group == from ? into : group;
    }
  }
  for (std::vector<graph::ValueId> &group : groups)
    if (group.size() > 1)
      plan.pin_together(std::move(group));
}

// A constraint on a value with a layout of its own: what lies between is made as that value is, and the constraint moves it.
void follow_operand(Plan &plan, const Target &target) {
  const auto held =
      target.kind == Target::Kind::value ? behind_barrier(plan.graph(), target.value) : std::nullopt;
  if (!held || plan.is_source(plan.flow().maker(*held).node))
    return;
  const NodeId barrier = plan.flow().maker(target.value).node, from = plan.source(*held),
               pin = plan.pin_of(target.value);
  if (pin == graph::kNone || from == graph::kNone)
    return;
  if (!plan.is_pin(from) &&
      std::ranges::find(plan.graph().arguments(), from) == plan.graph().arguments().end())
    return;
  for (size_t i = 0; i < plan.mesh().num_axes(); ++i) {
    const auto axis = static_cast<AxisId>(i);
    const NestEntry *theirs = plan.entry(from, axis), *ours = plan.entry(pin, axis);
    if (theirs == nullptr || ours == nullptr || theirs->factor == kAny || ours->factor == kAny ||
        plan.entry(barrier, axis) != nullptr)
      continue;
    const auto &dims = plan.rule(from).results[0];
    for (size_t d = 0; d < dims.size(); ++d)
      if (dims[d][0] == theirs->factor && plan.rule(pin).results[0][d][0] != ours->factor) {
        const auto cut = plan.split(theirs->split);
        if (auto status = plan.set(barrier, axis, plan.rule(barrier).results[0][d][0], &cut); !status)
          break; // left to propagation
      }
  }
}

Passage passage_of(const import::PropagationBarrier &barrier) {
  return barrier.forward ? Passage::forward : barrier.backward ? Passage::backward : Passage::none;
}

// The value is made as partial sums over an axis: the longest sum of what makes it is split.
Status make_partial(Plan &plan, graph::ValueId v, AxisId axis) {
  while (const auto held = behind_barrier(plan.graph(), v))
    v = *held;
  const NodeId maker = plan.flow().maker(v).node;
  const ops::Rule &rule = plan.rule(maker);
  std::optional<ops::FactorId> longest;
  for (size_t f = 0; f < rule.factors.size(); ++f)
    if (const ops::Factor &factor = rule.factors[f]; factor.kind == ops::FactorKind::reduce &&
                                                     factor.reduction == sharding::Reduction::sum &&
                                                     (!longest || rule.factors[*longest].size < factor.size))
      longest = static_cast<ops::FactorId>(f);
  if (!longest)
    return fail(Code::invalid_argument, "TW-406", "what makes the value is no sum");
  if (const NestEntry *e = plan.entry(maker, axis); e != nullptr && e->factor == *longest)
    return {};
  return plan.set(maker, axis, *longest);
}

// Only where it does not say what is there already: the same value may be annotated twice alike.
bool holds(const Plan &plan, NodeId n, AxisId axis, const Target &target, size_t dim) {
  const NestEntry *e = plan.entry(n, axis);
  if (e == nullptr || e->factor == kAny)
    return false;
  const auto &dims = target.kind == Target::Kind::result ? plan.rule(n).operands[0] : plan.rule(n).results[0];
  return std::ranges::find(dims[dim], e->factor) != dims[dim].end();
}

} // namespace

Result<sharding::Mesh> mesh_for(const Annotations &annotations, const std::optional<sharding::Mesh> &given) {
  sharding::Mesh mesh;
  if (given) {
    mesh = *given;
  } else {
    TW_ASSIGN(mesh, declared_mesh(annotations));
  }
  std::map<std::string, std::set<int64_t>>
      cuts; // where parts of an axis begin or end, as products of what lies before
  for (const Annotation &a : annotations.all)
    each_axis(a.sharding, [&](const AxisRef &axis) {
      if (axis.size != 0)
        cuts[axis.name].insert({axis.pre, axis.pre * axis.size});
    });
  for (auto &[name, at] : cuts) {
    const auto axis = mesh.find(name);
    if (!axis)
      continue; // applying the annotation says so
    at.insert({1, mesh.size(*axis)});
    std::vector<int64_t> parts;
    for (auto next = std::next(at.begin()); next != at.end(); ++next) {
      const int64_t before = *std::prev(next);
      if (*next % before != 0 || mesh.size(*axis) % *next != 0)
        return fail(Code::invalid_argument, "TW-411",
                    fmt::format("axis '{}' of size {} has no parts that begin at both {} and {}, as the "
                                "shardings of the module ask",
                                name, mesh.size(*axis), before, *next));
      parts.push_back(*next / before);
    }
    TW_ASSIGN(mesh, mesh.refine(*axis, parts));
  }
  return mesh;
}

Result<std::vector<std::string>> apply_annotations(Plan &plan, const Annotations &annotations) {
  std::vector<std::string> notes;
  for (const import::StatedRule &rule : annotations.rules)
    if (auto status = plan.set_opaque_rule({{}, rule.text, rule.op}); !status)
      return fail(std::move(status.error()).at(rule.pos));
  form_groups(plan, annotations.members, notes);
  for (const import::PropagationBarrier &barrier : annotations.barriers)
    plan.set_passage(barrier.value, passage_of(barrier));

  std::vector<Bound> all;
  std::set<int32_t> priorities;
  Binder binder(plan, notes);
  for (const Annotation &a : annotations.all) {
    TW_ASSIGN(std::optional<Bound> bound, binder.bind(a));
    if (!bound)
      continue;
    for (const Bound::Dim &dim : bound->dims)
      priorities.insert(dim.priority);
    all.push_back(std::move(*bound));
    // What is said of an argument is said of its group.
    if (const Target said = all.back().target;
        said.kind == Target::Kind::argument && plan.pin_of(said.value) != graph::kNone) {
      Bound group = all.back();
      group.target = {Target::Kind::value, 0, said.value};
      all.push_back(std::move(group));
    }
  }
  if (all.empty())
    return notes;
  priorities.insert(0);

  for (const int32_t priority : priorities) {
    for (const Bound &bound : all) {
      const bool first = priority == *priorities.begin();
      const auto concerns = [&](const Bound::Dim &dim) {
        return dim.priority == priority && !dim.axes.empty();
      };
      const auto note = [&](const Error &error) { binder.note(*bound.annotation, {}, error.message()); };
      if (first && !bound.unreduced.empty()) {
        plan.begin_tactic({bound.annotation->sharding.text, bound.annotation->pos});
        for (const AxisId axis : bound.unreduced)
          if (auto status = make_partial(plan, bound.target.value, axis); !status)
            binder.note(*bound.annotation,
                        fmt::format("the unreduced axis '{}' of", plan.mesh().axis(axis).name),
                        status.error().message());
      }
      const bool limits =
          first && (!bound.whole.empty() || !std::ranges::all_of(bound.dims, &Bound::Dim::open) ||
                    (bound.dims.empty() && bound.unreduced.empty()));
      if (!limits && std::ranges::none_of(bound.dims, concerns))
        continue;
      const NodeId n = node_of(plan, bound.target);
      plan.begin_tactic({bound.annotation->sharding.text, bound.annotation->pos});
      for (size_t d = 0; d < bound.dims.size(); ++d)
        if (concerns(bound.dims[d]))
          for (const AxisId axis : bound.dims[d].axes)
            if (!holds(plan, n, axis, bound.target, d))
              if (auto status = tile(plan, bound.target, static_cast<int64_t>(d), {axis}); !status)
                note(status.error());
      // What must stay as it is must so from the start: propagation of a first priority would fill it.
      if (!first)
        continue;
      const auto &slots =
          bound.target.kind == Target::Kind::result ? plan.rule(n).operands[0] : plan.rule(n).results[0];
      for (size_t d = 0; d < bound.dims.size(); ++d)
        if (!bound.dims[d].open)
          for (const ops::FactorId f : slots[d])
            plan.close(n, f);
      for (size_t i = 0; i < plan.mesh().num_axes(); ++i) {
        const auto axis = static_cast<AxisId>(i);
        const bool whole = bound.closed() || std::ranges::find(bound.whole, axis) != bound.whole.end();
        if (whole && !bound.names(axis) && plan.entry(n, axis) == nullptr)
          if (auto status = keep_whole(plan, bound.target, {axis}); !status)
            note(status.error());
      }
    }
    for (const Bound &bound : all)
      if (std::ranges::any_of(bound.dims, [&](const Bound::Dim &dim) { return dim.priority <= priority; }))
        follow_operand(plan, bound.target);
    plan.propagate(Mode::infer_propagate);
  }
  return notes;
}

} // namespace tw::partition
