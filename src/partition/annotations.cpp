// SPDX-License-Identifier: Apache-2.0
// Binds Shardy's axes by name and GSPMD's tile assignments by their device order, then tiles what they say.
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
  if (decl == nullptr || decl->axes.empty())
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
  for (const AxisRef &axis : s.replicated)
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

// The device of every tile, tiles counted row-major.
std::vector<int64_t> device_list(const import::TileAssignment &a) {
  if (a.iota.empty())
    return a.devices;
  const size_t rank = a.iota.size();
  std::vector<size_t> order(rank);
  for (size_t i = 0; i < rank; ++i)
    order[i] = a.transpose.empty() ? i : static_cast<size_t>(a.transpose[i]);
  std::vector<int64_t> strides(rank, 1), devices{0};
  for (size_t i = rank - 1; i-- > 0;)
    strides[i] = strides[i + 1] * a.iota[i + 1];
  for (const size_t i : order) { // each digit is more minor than those before it
    std::vector<int64_t> longer;
    for (const int64_t device : devices)
      for (int64_t digit = 0; digit < a.iota[i]; ++digit)
        longer.push_back(device + digit * strides[i]);
    devices = std::move(longer);
  }
  return devices;
}

// The axes of each array dimension; nothing where this mesh does not have that device order.
std::optional<std::vector<std::vector<AxisId>>> factorise(const import::TileAssignment &a,
                                                          const sharding::Mesh &mesh) {
  const std::vector<int64_t> devices = device_list(a);
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
  };
  std::vector<Dim> dims;
  std::vector<AxisId> whole;
  bool closed; // no dimension takes further axes
};

class Binder {
public:
  Binder(Plan &plan, std::vector<std::string> &notes) : plan_(plan), notes_(notes) {}

  Result<std::optional<Bound>> bind(const Annotation &a) {
    const ShardingAnnotation &s = a.sharding;
    Bound bound{&a, target(a), {}, {}, true};
    if (!s.unreduced.empty())
      return leave_out(a, "partial sums cannot be asked for");
    if (s.kind == ShardingAnnotation::Kind::maximal)
      return leave_out(a, "arrays on a single device are not in this version");
    if (s.kind == ShardingAnnotation::Kind::manual)
      return leave_out(a, "device-local code is not in this version");
    if (bound.target.kind == Target::Kind::value) {
      const NodeId maker = plan_.flow().maker(bound.target.value).node;
      if (maker == graph::kNone || !plan_.takes_part(maker))
        return leave_out(a, "it is inside a combiner");
      if (plan_.is_source(maker))
        return leave_out(a, "a constant is made anew wherever it is used");
    }
    if (s.assignment) {
      auto dims = factorise(*s.assignment, plan_.mesh());
      if (!dims)
        return leave_out(a, fmt::format("the mesh {} has no such device order", plan_.mesh().text()));
      for (auto &axes : *dims)
        bound.dims.push_back({std::move(axes), 0});
      return bound;
    }
    for (const import::DimAnnotation &dim : s.dims) {
      bound.closed &= !dim.open;
      bound.dims.push_back({{}, priority_of(dim)});
      for (const AxisRef &axis : dim.axes)
        TW_TRY(add_axes(a, axis, bound.dims.back().axes));
    }
    for (const AxisRef &axis : s.replicated)
      TW_TRY(add_axes(a, axis, bound.whole));
    return bound;
  }

private:
  Target target(const Annotation &a) const {
    const graph::Graph &g = plan_.graph();
    if (a.at == Annotation::At::argument)
      return {Target::Kind::argument, a.index, g.result(g.arguments()[a.index])};
    if (a.at == Annotation::At::result)
      return {Target::Kind::result, a.index, g.operands(g.results()[a.index])[0]};
    const auto arguments = g.arguments();
    const auto argument = std::ranges::find(arguments, g.value(a.index).def);
    if (argument != arguments.end())
      return {Target::Kind::argument, static_cast<uint32_t>(argument - arguments.begin()), a.index};
    return {Target::Kind::value, 0, a.index};
  }

  std::optional<Bound> leave_out(const Annotation &a, std::string_view why) {
    notes_.push_back(
        fmt::format("{}:{}: sharding {} is left out: {}", a.pos.file, a.pos.line, a.sharding.text, why));
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
      if (!first && std::ranges::none_of(bound.dims, concerns))
        continue;
      const NodeId n = node_of(plan, bound.target);
      plan.begin_tactic({bound.annotation->sharding.text, bound.annotation->pos});
      const auto note = [&](const Error &error) {
        notes.push_back(fmt::format("{}:{}: sharding {} is left out: {}", bound.annotation->pos.file,
                                    bound.annotation->pos.line, bound.annotation->sharding.text,
                                    error.message()));
      };
      for (size_t d = 0; d < bound.dims.size(); ++d)
        if (concerns(bound.dims[d]))
          for (const AxisId axis : bound.dims[d].axes)
            if (!holds(plan, n, axis, bound.target, d))
              if (auto status = tile(plan, bound.target, static_cast<int64_t>(d), {axis}); !status)
                note(status.error());
      // What must stay whole must so from the start: propagation of a first priority would fill it.
      if (!first)
        continue;
      const auto named = [&](AxisId axis) {
        return std::ranges::any_of(bound.dims, [&](const Bound::Dim &dim) {
          return std::ranges::find(dim.axes, axis) != dim.axes.end();
        });
      };
      for (size_t i = 0; i < plan.mesh().num_axes(); ++i) {
        const auto axis = static_cast<AxisId>(i);
        const bool whole = bound.closed || std::ranges::find(bound.whole, axis) != bound.whole.end();
        if (whole && !named(axis) && plan.entry(n, axis) == nullptr)
          if (auto status = keep_whole(plan, bound.target, {axis}); !status)
            note(status.error());
      }
    }
    plan.propagate(Mode::infer_propagate);
  }
  return notes;
}

} // namespace tw::partition
