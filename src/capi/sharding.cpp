// SPDX-License-Identifier: Apache-2.0
// tw_sharding.h: shardings as objects, between the structs of the ABI and the algebra of src/sharding.
#include <algorithm>

#include <fmt/format.h>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "graph/limits.hpp"
#include "sharding/axis_names.hpp"
#include "sharding/parts.hpp"
#include "sharding/spans_text.hpp"

using namespace tw;
using namespace tw::capi;
using sharding::AxisId;
using sharding::SplitRule;

static_assert(TW_SPLIT_CEIL == static_cast<int>(SplitRule::Kind::ceil) &&
                  TW_SPLIT_CUTS == static_cast<int>(SplitRule::Kind::cuts) &&
                  TW_SPLIT_SPANS == static_cast<int>(SplitRule::Kind::spans),
              "tw_split_t follows sharding::SplitRule::Kind");
static_assert(TW_BORDER_WRAP == static_cast<int>(sharding::Border::wrap),
              "tw_border_t follows sharding::Border");
static_assert(TW_REDUCTION_NONE == static_cast<int>(sharding::Reduction::raw) &&
                  TW_REDUCTION_SUM == static_cast<int>(sharding::Reduction::sum) &&
                  TW_REDUCTION_MIN == static_cast<int>(sharding::Reduction::min) &&
                  TW_REDUCTION_XOR == static_cast<int>(sharding::Reduction::lxor) &&
                  TW_REDUCTION_REGION == static_cast<int>(sharding::Reduction::region),
              "tw_reduction_t follows sharding::Reduction");

tw_sharding::tw_sharding(sharding::Mesh m, graph::Shape s, sharding::Distribution l, std::vector<bool> o,
                         std::vector<int32_t> p)
    : mesh(std::move(m)), dims(std::move(s)), layout(std::move(l)),
      shown(sharding::with_halos(layout, dims, mesh)), open(std::move(o)), priorities(std::move(p)) {
  const auto part = [](const sharding::AxisRun &run) {
    return tw_axis_part_t{run.parent->c_str(), run.pre, run.size, {}};
  };
  for (const sharding::DimSharding &dim : layout.sharding.dims) {
    parts.emplace_back();
    for (const sharding::AxisRun &run : sharding::axis_runs(dim.axes, mesh))
      parts.back().push_back(part(run));
  }
  for (const sharding::Partial &partial : layout.sharding.partial)
    partials.push_back({part(sharding::axis_runs({&partial.axis, 1}, mesh)[0]),
                        static_cast<tw_reduction_t>(partial.kind),
                        {}});
}

namespace {

Result<graph::Shape> shape_of(const int64_t *dims, size_t ndims) {
  if (ndims > graph::kMaxRank)
    return fail(Code::invalid_argument, "TW-222",
                fmt::format("{} dimensions: an array has at most {}", ndims, graph::kMaxRank));
  if (ndims)
    TW_TRY(require(dims, "dims"));
  for (size_t d = 0; d < ndims; ++d)
    if (dims[d] < 0)
      return fail(Code::invalid_argument, "TW-722", fmt::format("dims[{}] is {}", d, dims[d]));
  return graph::Shape(dims, dims + ndims);
}

// Reads the structs of a caller: first which parts of axes they name, then what each is on the mesh that has
// them.
class FromStructs {
public:
  explicit FromStructs(const sharding::Mesh &mesh) : mesh_(mesh) {}

  Status note(const tw_axis_part_t *parts, size_t count, const std::string &where) {
    if (count)
      TW_TRY(require(parts, where.c_str()));
    if (count > sharding::kMaxAxes)
      return fail(Code::invalid_argument, "TW-315",
                  fmt::format("{} names {} axes: a mesh has at most {}", where, count, sharding::kMaxAxes));
    for (size_t i = 0; i < count; ++i) {
      TW_ASSIGN(const sharding::Part part, read(parts[i], where, i));
      if (part.size != sharding::whole_size(part.axis, mesh_))
        named_.push_back(part);
    }
    return {};
  }

  Status cut() {
    TW_ASSIGN(mesh_, sharding::with_parts(std::move(mesh_), named_));
    return {};
  }

  Result<std::vector<AxisId>> axes(const tw_axis_part_t *parts, size_t count, const std::string &where) {
    std::vector<AxisId> all;
    for (size_t i = 0; i < count; ++i) {
      TW_ASSIGN(const sharding::Part part, read(parts[i], where, i));
      const std::vector<AxisId> found = sharding::axes_of(part, mesh_);
      if (found.empty())
        return fail(Code::not_found, "TW-315",
                    fmt::format("{}[{}]: '{}:({}){}' is no part of axis '{}' of the mesh {}", where, i,
                                part.axis, part.pre, part.size, part.axis, mesh_.text()));
      all.insert(all.end(), found.begin(), found.end());
    }
    return all;
  }

  sharding::Mesh take_mesh() { return std::move(mesh_); }
  const sharding::Mesh &mesh() const { return mesh_; }

private:
  // Zeros stand for the whole axis, or for all of it behind `before`.
  Result<sharding::Part> read(const tw_axis_part_t &given, const std::string &where, size_t i) const {
    TW_TRY(check_reserved(given.reserved, where.c_str(), i));
    if (given.axis == nullptr)
      return fail(Code::invalid_argument, "TW-702", fmt::format("{}[{}].axis is NULL", where, i));
    if (std::ranges::none_of(mesh_.axes(), [&](const auto &a) { return a.parent == given.axis; }))
      return fail(Code::not_found, "TW-315",
                  fmt::format("{}[{}]: the mesh {} has no axis '{}'", where, i, mesh_.text(), given.axis));
    const int64_t before = given.before == 0 ? 1 : given.before;
    const int64_t whole = sharding::whole_size(given.axis, mesh_);
    const int64_t size = given.size == 0 && before > 0 ? whole / before : given.size;
    if (before < 1 || size < 1 || before > whole || size > whole / before)
      return fail(Code::out_of_range, "TW-315",
                  fmt::format("{}[{}]: {} places behind {} of axis '{}', which has {}", where, i, given.size,
                              given.before, given.axis, whole));
    return sharding::Part{given.axis, before, size};
  }

  sharding::Mesh mesh_;
  std::vector<sharding::Part> named_;
};

Result<SplitRule> split_of(const tw_dim_sharding_t &dim, size_t d) {
  if (dim.split < TW_SPLIT_BALANCED || dim.split > TW_SPLIT_SPANS)
    return fail(Code::invalid_argument, "TW-313",
                fmt::format("dimension {}: {} is no way to split; use TW_SPLIT_*", d, dim.split));
  SplitRule rule;
  rule.kind = static_cast<SplitRule::Kind>(dim.split);
  rule.unit = dim.unit == 0 ? 1 : dim.unit;
  if (dim.split < TW_SPLIT_CUTS)
    return rule;
  constexpr size_t kMostCuts = 2 * static_cast<size_t>(sharding::kMaxDevices) + 1;
  if (dim.num_cuts > kMostCuts)
    return fail(Code::invalid_argument, "TW-313",
                fmt::format("dimension {}: {} cuts, at most {}", d, dim.num_cuts, kMostCuts));
  if (dim.num_cuts)
    TW_TRY(require(dim.cuts, fmt::format("dim_shardings[{}].cuts", d).c_str()));
  rule.cuts = std::make_shared<const std::vector<int64_t>>(dim.cuts, dim.cuts + dim.num_cuts);
  return rule;
}

Result<sharding::Halo> halo_of(const tw_dim_sharding_t &dim, size_t d) {
  if (dim.border < TW_BORDER_ZERO || dim.border > TW_BORDER_NONE)
    return fail(Code::invalid_argument, "TW-313",
                fmt::format("dimension {}: {} is no border; use TW_BORDER_*", d, dim.border));
  const bool wraps = dim.border == TW_BORDER_WRAP; // halos without a border become spans: end_halos
  return sharding::Halo{dim.halo_before, dim.halo_after,
                        wraps ? sharding::Border::wrap : sharding::Border::zero};
}

std::string axes_text(size_t d) { return fmt::format("dim_shardings[{}].axes", d); }

// Everything that structs say but for dimensions that are open and priorities.
Result<sharding::Distribution> layout_of(FromStructs &from, std::span<const tw_dim_sharding_t> dims,
                                         std::span<const tw_partial_t> partials) {
  for (size_t d = 0; d < dims.size(); ++d)
    TW_TRY(from.note(dims[d].axes, dims[d].num_axes, axes_text(d)));
  for (const tw_partial_t &partial : partials)
    TW_TRY(from.note(&partial.part, 1, "partials"));
  TW_TRY(from.cut());
  sharding::Distribution made;
  for (size_t d = 0; d < dims.size(); ++d) {
    TW_TRY(check_reserved(dims[d].reserved, "dim_shardings", d));
    if (dims[d].priority < 0)
      return fail(Code::invalid_argument, "TW-722",
                  fmt::format("dim_shardings[{}].priority is {}: at least 0", d, dims[d].priority));
    sharding::DimSharding &dim = made.sharding.dims.emplace_back();
    TW_ASSIGN(dim.axes, from.axes(dims[d].axes, dims[d].num_axes, axes_text(d)));
    TW_ASSIGN(dim.rule, split_of(dims[d], d));
    TW_ASSIGN(const sharding::Halo halo, halo_of(dims[d], d));
    made.halos.push_back(halo.empty() ? sharding::Halo{} : halo);
  }
  if (std::ranges::all_of(made.halos, &sharding::Halo::empty))
    made.halos.clear();
  for (size_t i = 0; i < partials.size(); ++i) {
    TW_TRY(check_reserved(partials[i].reserved, "partials", i));
    if (partials[i].reduction < TW_REDUCTION_NONE || partials[i].reduction > TW_REDUCTION_REGION)
      return fail(
          Code::invalid_argument, "TW-314",
          fmt::format("partials[{}]: {} is no reduction; use TW_REDUCTION_*", i, partials[i].reduction));
    TW_ASSIGN(const auto axes, from.axes(&partials[i].part, 1, "partials"));
    for (const AxisId axis : axes)
      made.sharding.partial.push_back({axis, static_cast<sharding::Reduction>(partials[i].reduction)});
  }
  std::ranges::sort(made.sharding.partial, {}, &sharding::Partial::axis);
  return made;
}

// Halos that end where the array does are spans.
void end_halos(sharding::Distribution &layout, std::span<const tw_dim_sharding_t> dims,
               std::span<const int64_t> shape, const sharding::Mesh &mesh) {
  for (size_t d = 0; d < layout.halos.size(); ++d) {
    sharding::DimSharding &dim = layout.sharding.dims[d];
    if (dims[d].border != TW_BORDER_NONE || layout.halos[d].empty())
      continue;
    if (sharding::num_tiles(dim, mesh) > 1)
      dim.rule = sharding::spans_around(dim, layout.halos[d], shape[d], mesh);
    layout.halos[d] = {};
  }
  if (std::ranges::all_of(layout.halos, &sharding::Halo::empty))
    layout.halos.clear();
}

} // namespace

tw_status_t tw_sharding_parse(const tw_mesh_t *mesh, const char *text, const int64_t *dims, size_t ndims,
                              tw_sharding_t **out_sharding) {
  return guard([&]() -> Status {
    TW_TRY(require(mesh, "mesh"));
    TW_TRY(require(text, "text"));
    TW_TRY(require(out_sharding, "out_sharding"));
    TW_ASSIGN(graph::Shape shape, shape_of(dims, ndims));
    TW_ASSIGN(sharding::Mesh cut, sharding::with_parts(mesh->mesh, std::string_view(text)));
    TW_ASSIGN(sharding::Distribution layout, sharding::parse_distribution(text, cut, shape));
    TW_TRY(sharding::verify(layout.sharding, layout.halos, shape, cut));
    *out_sharding = new tw_sharding(std::move(cut), std::move(shape), std::move(layout));
    return {};
  });
}

tw_status_t tw_sharding_create(const tw_mesh_t *mesh, const int64_t *dims, size_t ndims,
                               const tw_dim_sharding_t *dim_shardings, const tw_partial_t *partials,
                               size_t num_partials, tw_sharding_t **out_sharding) {
  return guard([&]() -> Status {
    TW_TRY(require(mesh, "mesh"));
    TW_TRY(require(out_sharding, "out_sharding"));
    TW_ASSIGN(graph::Shape shape, shape_of(dims, ndims));
    if (ndims)
      TW_TRY(require(dim_shardings, "dim_shardings"));
    if (num_partials)
      TW_TRY(require(partials, "partials"));
    if (num_partials > sharding::kMaxAxes)
      return fail(Code::invalid_argument, "TW-315",
                  fmt::format("{} partial axes: a mesh has at most {}", num_partials, sharding::kMaxAxes));
    FromStructs from(mesh->mesh);
    TW_ASSIGN(auto layout, layout_of(from, {dim_shardings, ndims}, {partials, num_partials}));
    TW_TRY(sharding::verify(layout.sharding, layout.halos, shape, from.mesh()));
    end_halos(layout, {dim_shardings, ndims}, shape, from.mesh());
    std::vector<bool> open;
    std::vector<int32_t> priorities;
    for (size_t d = 0; d < ndims; ++d) {
      open.push_back(dim_shardings[d].is_open != 0);
      priorities.push_back(dim_shardings[d].priority);
    }
    *out_sharding = new tw_sharding(from.take_mesh(), std::move(shape), std::move(layout), std::move(open),
                                    std::move(priorities));
    return {};
  });
}

tw_sharding_t *tw_sharding_retain(tw_sharding_t *sharding) {
  if (sharding)
    sharding->retain();
  return sharding;
}
void tw_sharding_release(tw_sharding_t *sharding) {
  if (sharding)
    sharding->release();
}

tw_status_t tw_sharding_mesh(const tw_sharding_t *sharding, tw_mesh_t **out_mesh) {
  return guard([&]() -> Status {
    TW_TRY(require(sharding, "sharding"));
    TW_TRY(require(out_mesh, "out_mesh"));
    *out_mesh = new tw_mesh(sharding->mesh);
    return {};
  });
}

const int64_t *tw_sharding_dims(const tw_sharding_t *sharding, size_t *out_ndims) {
  static constexpr int64_t no_dims[1] = {0};
  if (out_ndims)
    *out_ndims = sharding ? sharding->dims.size() : 0;
  return !sharding ? nullptr : sharding->dims.empty() ? no_dims : sharding->dims.data();
}

tw_status_t tw_sharding_dim(const tw_sharding_t *sharding, size_t dim, tw_dim_sharding_t *out_dim) {
  return guard([&]() -> Status {
    TW_TRY(require(sharding, "sharding"));
    TW_TRY(require(out_dim, "out_dim"));
    if (dim >= sharding->dims.size())
      return fail(Code::out_of_range, "TW-310",
                  fmt::format("dimension {} of an array of {}", dim, sharding->dims.size()));
    const sharding::DimSharding &of = sharding->shown.sharding.dims[dim];
    const sharding::Halo halo = sharding::halo_of(sharding->shown.halos, dim);
    const bool ends = !(of.rule == sharding->layout.sharding.dims[dim].rule);
    tw_dim_sharding_t made{};
    made.axes = sharding->parts[dim].data();
    made.num_axes = sharding->parts[dim].size();
    made.split = static_cast<tw_split_t>(of.rule.kind);
    made.unit = of.rule.unit;
    made.cuts = of.rule.cuts ? of.rule.cuts->data() : nullptr;
    made.num_cuts = of.rule.cuts ? of.rule.cuts->size() : 0;
    made.halo_before = halo.before;
    made.halo_after = halo.after;
    made.border = ends ? TW_BORDER_NONE : static_cast<tw_border_t>(halo.border);
    made.is_open = !sharding->open.empty() && sharding->open[dim] ? 1 : 0;
    made.priority = sharding->priorities.empty() ? 0 : sharding->priorities[dim];
    *out_dim = made;
    return {};
  });
}

size_t tw_sharding_num_partials(const tw_sharding_t *sharding) {
  return sharding ? sharding->partials.size() : 0;
}
tw_status_t tw_sharding_partial(const tw_sharding_t *sharding, size_t i, tw_partial_t *out_partial) {
  return guard([&]() -> Status {
    TW_TRY(require(sharding, "sharding"));
    TW_TRY(require(out_partial, "out_partial"));
    if (i >= sharding->partials.size())
      return fail(Code::out_of_range, "TW-722",
                  fmt::format("partial axis {} of {}", i, sharding->partials.size()));
    *out_partial = sharding->partials[i];
    return {};
  });
}

tw_status_t tw_sharding_text(const tw_sharding_t *sharding, tw_blob_t **out_text) {
  return guard([&]() -> Status {
    TW_TRY(require(sharding, "sharding"));
    TW_TRY(require(out_text, "out_text"));
    return give(sharding::to_text(sharding->layout.sharding, sharding->layout.halos, sharding->mesh),
                out_text);
  });
}

int tw_sharding_is_whole(const tw_sharding_t *sharding) {
  return sharding && sharding->layout.sharding.is_replicated() ? 1 : 0;
}
int tw_sharding_equal(const tw_sharding_t *a, const tw_sharding_t *b) {
  if (!a || !b)
    return 0;
  // Parts of axes may be cut further in one mesh than in the other: texts merge them.
  return guard_value(0, [&] {
    const auto text = [](const tw_sharding_t *s) {
      return sharding::to_text(s->layout.sharding, s->layout.halos, s->mesh);
    };
    return a->dims == b->dims && a->mesh.text() == b->mesh.text() &&
                   std::ranges::equal(a->mesh.device_ids(), b->mesh.device_ids()) && text(a) == text(b)
               ? 1
               : 0;
  });
}
int64_t tw_sharding_num_tiles(const tw_sharding_t *sharding, size_t dim) {
  return sharding && dim < sharding->dims.size()
             ? sharding::num_tiles(sharding->layout.sharding.dims[dim], sharding->mesh)
             : 0;
}

tw_status_t tw_sharding_tile(const tw_sharding_t *sharding, int64_t position, int64_t *out_offset,
                             int64_t *out_extent) {
  return guard([&]() -> Status {
    TW_TRY(require(sharding, "sharding"));
    if (!sharding->dims.empty()) {
      TW_TRY(require(out_offset, "out_offset"));
      TW_TRY(require(out_extent, "out_extent"));
    }
    if (position < 0 || position >= sharding->mesh.num_positions())
      return fail(Code::out_of_range, "TW-704",
                  fmt::format("position {} is not on the mesh \"{}\" of {} positions", position,
                              sharding->mesh.text(), sharding->mesh.num_positions()));
    const sharding::Box box =
        sharding::box_of(sharding->layout, sharding->dims, sharding->mesh, sharding::Position(position));
    std::ranges::copy(box.offset, out_offset);
    std::ranges::copy(box.extent, out_extent);
    return {};
  });
}

tw_status_t tw_sharding_local_dims(const tw_sharding_t *sharding, int64_t *out_dims) {
  return guard([&]() -> Status {
    TW_TRY(require(sharding, "sharding"));
    if (!sharding->dims.empty())
      TW_TRY(require(out_dims, "out_dims"));
    std::ranges::copy(sharding::largest_tile(sharding->layout.sharding, sharding->layout.halos,
                                             sharding->dims, sharding->mesh),
                      out_dims);
    return {};
  });
}
