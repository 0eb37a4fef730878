// SPDX-License-Identifier: Apache-2.0
// Binds Shardy's axes by name and GSPMD's tile assignments by their device order; rules, groups and barriers
// come before, since they say where layouts spread.
#include "partition/annotations.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/suggest.hpp"
#include "partition/annotated_nests.hpp"
#include "partition/groups.hpp"
#include "partition/stated.hpp"
#include "partition/target.hpp"

namespace tw::partition {

using annotation::Annotation;
using annotation::Annotations;
using annotation::AxisRef;
using annotation::ShardingAnnotation;
using sharding::AxisId;

namespace {

// Priorities as Shardy counts them: a dimension that names none comes first.
int32_t priority_of(const annotation::DimAnnotation &dim) { return std::max<int32_t>(dim.priority, 0); }

Result<sharding::Mesh> declared_mesh(const Annotations &annotations) {
  const annotation::MeshDecl *decl = annotations.declared_mesh();
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
  for (const annotation::DimAnnotation &dim : s.dims)
    for (const AxisRef &axis : dim.axes)
      visit(axis);
  for (const auto *list : {&s.replicated, &s.unreduced})
    for (const AxisRef &axis : *list)
      visit(axis);
}

// The axes that a tile dimension walks, major to minor, by what stepping along it does to the device; nothing
// where a step is no axis.
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
std::optional<std::vector<std::vector<AxisId>>> factorise(const annotation::TileAssignment &a,
                                                          const sharding::Mesh &mesh) {
  std::vector<int64_t> devices = a.device_list();
  if (static_cast<int64_t>(devices.size()) != mesh.num_devices() || devices.empty())
    return std::nullopt;
  if (!mesh.device_ids().empty()) // where they stand in the mesh
    for (int64_t &device : devices)
      device = std::ranges::find(mesh.device_ids(), device) - mesh.device_ids().begin();
  if (devices[0] != 0)
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

class Binder {
public:
  Binder(Plan &plan, std::vector<std::string> &notes) : plan_(plan), notes_(notes) {}

  Result<std::optional<BoundAnnotation>> bind(const Annotation &a) {
    const ShardingAnnotation &s = a.sharding;
    BoundAnnotation bound{&a, target(a), {}, {}, {}};
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
      for (const annotation::DimAnnotation &dim : s.dims) {
        bound.dims.push_back({{}, priority_of(dim), dim.open, dim.cuts});
        for (const AxisRef &axis : dim.axes)
          TW_TRY(add_axes(a, axis, bound.dims.back().axes));
      }
      for (const AxisRef &axis : s.replicated)
        TW_TRY(add_axes(a, axis, bound.whole));
      for (const AxisRef &axis : s.unreduced)
        TW_TRY(add_axes(a, axis, bound.unreduced));
    }
    if (!bound.unreduced.empty() && a.at != Annotation::At::value) {
      note_left_out(notes_, a, "the unreduced axes of",
                    a.at == Annotation::At::argument
                        ? "an argument is given as a whole, not as parts that add up"
                        : "a result is handed out as a whole, not as parts that add up");
      bound.unreduced.clear();
    }
    return bound;
  }

private:
  Target target(const Annotation &a) const {
    const graph::Graph &g = plan_.graph();
    if (a.at == Annotation::At::argument)
      return {Target::Kind::argument, a.index, g.result(g.arguments()[a.index])};
    if (a.at == Annotation::At::result)
      return {Target::Kind::result, a.index, g.operands(g.results()[a.index])[0]};
    graph::ValueId v = a.index;
    const bool is_read = !g.uses(v).empty() || !plan_.flow().variables().readers(v).empty();
    if (const auto held = behind_barrier(g, v); held && !is_read)
      v = *held; // a constraint that nobody uses is about its operand
    return target_of(g, v);
  }

  std::optional<BoundAnnotation> leave_out(const Annotation &a, std::string_view why) {
    note_left_out(notes_, a, {}, why);
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

// As a member of a group says it. GSPMD closes no dimension.
StatedLayout stated_layout(const BoundAnnotation &bound) {
  const ShardingAnnotation &said = bound.annotation->sharding;
  StatedLayout layout{bound.target.value, {}, bound.whole, said.text, bound.annotation->pos};
  for (const BoundAnnotation::Dim &dim : bound.dims)
    layout.dims.push_back({dim.axes, dim.open || said.mesh.empty()});
  return layout;
}

Direction direction_of(const annotation::PropagationBarrier &barrier) {
  return barrier.forward ? Direction::forward : barrier.backward ? Direction::backward : Direction::none;
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
  for (const annotation::LeftOut &left : annotations.left_out)
    notes.push_back(fmt::format("{}:{}: {}", left.pos.file, left.pos.line, left.text));
  for (const annotation::StatedRule &rule : annotations.rules)
    if (auto status = plan.set_opaque_rule({{}, rule.text, rule.op}); !status)
      return fail(std::move(status.error()).at(rule.pos));
  form_groups(plan, annotations.members, notes);
  for (const annotation::PropagationBarrier &barrier : annotations.barriers)
    plan.set_direction(barrier.value, direction_of(barrier));

  std::vector<BoundAnnotation> all;
  std::vector<StatedLayout> of_members;
  Binder binder(plan, notes);
  for (const Annotation &a : annotations.all) {
    TW_ASSIGN(std::optional<BoundAnnotation> bound, binder.bind(a));
    if (!bound)
      continue;
    all.push_back(std::move(*bound));
    const Target said = all.back().target;
    if (said.kind == Target::Kind::result || plan.pin_of(said.value) == graph::kNone)
      continue;
    of_members.push_back(stated_layout(all.back()));
    if (said.kind == Target::Kind::argument) { // what is said of an argument is said of its group
      BoundAnnotation group = all.back();
      group.target = {Target::Kind::value, 0, said.value};
      all.push_back(std::move(group));
    }
  }
  TW_TRY(check_groups(plan, of_members));
  if (all.empty())
    return notes;
  AnnotatedNests nests(plan, all, notes);
  nests.write();
  nests.propagate();
  return notes;
}

} // namespace tw::partition
