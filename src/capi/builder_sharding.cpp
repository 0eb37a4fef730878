// SPDX-License-Identifier: Apache-2.0
// tw_builder.h: names of values, and shardings as the annotations that a text would carry.
#include <algorithm>

#include "capi/builder.hpp"
#include "partition/names.hpp"
#include "sharding/axis_names.hpp"
#include "sharding/parts.hpp"

using namespace tw;
using namespace tw::capi;
using annotation::Annotation;

namespace {

constexpr const char *kMesh = "mesh"; // the name of the one that a built graph declares

annotation::AxisRef axis_ref(const sharding::AxisRun &run, const sharding::Mesh &mesh) {
  const bool whole = run.size == sharding::whole_size(*run.parent, mesh);
  return {*run.parent, run.pre, whole ? 0 : run.size};
}

tl::unexpected<Error> cannot_say(size_t d, std::string_view what) {
  return fail(
      Code::unimplemented, "TW-728",
      fmt::format("dimension {}: annotations cannot say {}; shard the plan with an action instead", d, what));
}

Result<annotation::DimAnnotation> dim_annotation(const tw_sharding &s, size_t d) {
  const sharding::DimSharding &dim = s.shown.sharding.dims[d];
  const int64_t tiles = sharding::num_tiles(dim, s.mesh);
  annotation::DimAnnotation made;
  for (const sharding::AxisRun &run : sharding::axis_runs(dim.axes, s.mesh))
    made.axes.push_back(axis_ref(run, s.mesh));
  made.open = !s.open.empty() && s.open[d];
  made.priority = s.priorities.empty() ? 0 : s.priorities[d];
  const sharding::SplitRule rule = sharding::normalise(dim.rule, s.dims[d], tiles);
  if (rule.kind == sharding::SplitRule::Kind::balanced && (rule.unit == 1 || tiles == 1))
    return made;
  if (rule.kind == sharding::SplitRule::Kind::spans)
    return cannot_say(d, "tiles that overlap or leave elements out");
  made.cuts.push_back(0);
  for (int64_t t = 0; t < tiles; ++t)
    made.cuts.push_back(sharding::tile(rule, s.dims[d], tiles, t).end);
  return made;
}

// Around tiles that the annotation of a value cannot have: they belong to a value of its own.
Status check_no_halos(const tw_sharding &s) {
  for (size_t d = 0; d < s.shown.halos.size(); ++d)
    if (!s.shown.halos[d].empty())
      return fail(Code::unimplemented, "TW-728",
                  fmt::format("dimension {} has the halo [{},{}]: what keeps a halo is a value of its own, "
                              "which tw_builder_keep_halo adds",
                              d, s.shown.halos[d].before, s.shown.halos[d].after));
  return {};
}

// Declares the mesh with the first sharding; the others must be over the same.
Status use_mesh(tw_builder_t *b, const sharding::Mesh &mesh) {
  if (b->mesh) {
    const bool same =
        b->mesh->text() == mesh.text() && std::ranges::equal(b->mesh->device_ids(), mesh.device_ids());
    return same ? Status()
                : fail(Code::invalid_argument, "TW-728",
                       fmt::format("the sharding is over the mesh \"{}\", those before it over \"{}\"",
                                   mesh.text(), b->mesh->text()));
  }
  if (!mesh.loop_axes().empty())
    return fail(
        Code::unimplemented, "TW-728",
        fmt::format("the mesh \"{}\" has serial or threads axes, which belong to plans", mesh.text()));
  annotation::MeshDecl declared{kMesh, {}, {mesh.device_ids().begin(), mesh.device_ids().end()}};
  for (const sharding::Axis &axis : mesh.axes())
    if (axis.pre == 1)
      declared.axes.emplace_back(axis.parent, sharding::whole_size(axis.parent, mesh));
  b->annotations.meshes.push_back(std::move(declared));
  b->mesh = mesh;
  return {};
}

Status check_shape(tw_builder_t *b, ValueId value, const tw_sharding *s) {
  TW_TRY(require(s, "sharding"));
  if (const graph::TensorType &type = b->graph.type_of(value); type.dims != s->dims)
    return fail(Code::invalid_argument, "TW-310",
                fmt::format("the sharding is of {}, the value is {}",
                            graph::to_short_text({type.dtype, s->dims}), graph::to_short_text(type)));
  return {};
}

Status annotate(tw_builder_t *b, Annotation::At at, uint32_t index, const tw_sharding *s) {
  const auto same = [&](const Annotation &a) { return a.at == at && a.index == index; };
  if (std::ranges::any_of(b->annotations.all, same))
    return fail(Code::invalid_argument, "TW-728", "the value has a sharding already");
  annotation::ShardingAnnotation said;
  said.mesh = kMesh;
  for (size_t d = 0; d < s->dims.size(); ++d) {
    TW_ASSIGN(said.dims.emplace_back(), dim_annotation(*s, d));
  }
  for (const sharding::Partial &partial : s->layout.sharding.partial) {
    if (partial.kind != sharding::Reduction::sum || at != Annotation::At::value)
      return fail(Code::unimplemented, "TW-728",
                  at != Annotation::At::value
                      ? "arguments and results are whole values: leave the partial axes out"
                      : "annotations cannot say how values are partial, other than by a sum");
    said.unreduced.push_back(axis_ref(sharding::axis_runs({&partial.axis, 1}, s->mesh)[0], s->mesh));
  }
  said.text = sharding::to_text(s->shown.sharding, s->mesh);
  TW_TRY(use_mesh(b, s->mesh));
  b->annotations.all.push_back(
      {at, index, std::move(said), {std::string(b->graph.graph().module_name()), 0, 0}});
  return {};
}

bool is_value_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_$.-#%").find(c) != std::string_view::npos;
}

} // namespace

void tw_builder_name(tw_builder_t *b, tw_value_t value, const char *name) {
  step(b, "tw_builder_name", [&]() -> Result<ValueId> {
    TW_TRY(require(name, "name"));
    TW_TRY(check_values(b, {&value, 1}, "value"));
    // "#2.%0" is in a region of an op without results, which has no name to begin with.
    std::string spelled = *name == '%' || *name == '#' ? name : fmt::format("%{}", name);
    if (spelled.size() < 2 || !std::ranges::all_of(spelled, is_value_name_char))
      return fail(Code::invalid_argument, "TW-707",
                  fmt::format("\"{}\" is no name of a value: letters, digits and _$.-#%", name));
    const auto [first, is_new] = b->value_names.emplace(spelled, value);
    if (!is_new && first->second != value)
      return fail(Code::invalid_argument, "TW-707",
                  fmt::format("values {} and {} are both called {}", first->second, value, spelled));
    b->graph.set_value_name(value, b->graph.name(spelled));
    return value;
  });
}

void tw_builder_shard(tw_builder_t *b, tw_value_t value, const tw_sharding_t *sharding) {
  step(b, "tw_builder_shard", [&]() -> Result<ValueId> {
    TW_TRY(check_values(b, {&value, 1}, "value"));
    TW_TRY(check_shape(b, value, sharding));
    TW_TRY(check_no_halos(*sharding));
    const graph::Graph &g = b->graph.graph();
    const auto is = [&](graph::OpId op) { return g.result(op) == value; };
    const auto argument = std::ranges::find_if(g.arguments(), is);
    if (argument == g.arguments().end())
      TW_TRY(annotate(b, Annotation::At::value, value, sharding));
    else
      TW_TRY(annotate(b, Annotation::At::argument, static_cast<uint32_t>(argument - g.arguments().begin()),
                      sharding));
    return value;
  });
}

void tw_builder_shard_result(tw_builder_t *b, size_t i, const tw_sharding_t *sharding) {
  step(b, "tw_builder_shard_result", [&]() -> Result<ValueId> {
    const graph::Graph &g = b->graph.graph();
    if (i >= g.results().size())
      return fail(Code::out_of_range, "TW-707",
                  fmt::format("there is no result {}: {} are declared", i, g.results().size()));
    const ValueId value = g.operands(g.results()[i])[0];
    TW_TRY(check_shape(b, value, sharding));
    TW_TRY(check_no_halos(*sharding));
    TW_TRY(annotate(b, Annotation::At::result, static_cast<uint32_t>(i), sharding));
    return TW_NO_VALUE;
  });
}

tw_value_t tw_builder_keep_halo(tw_builder_t *b, tw_value_t value, const tw_sharding_t *sharding) {
  return step(b, "tw_builder_keep_halo", [&]() -> Result<ValueId> {
    TW_TRY(check_values(b, {&value, 1}, "value"));
    TW_TRY(check_shape(b, value, sharding));
    if (sharding->shown.halos.empty())
      return fail(Code::invalid_argument, "TW-728",
                  "the sharding has no halo in any dimension: tw_builder_shard takes it");
    std::vector<int64_t> before, after;
    for (size_t d = 0; d < sharding->dims.size(); ++d) {
      const sharding::Halo halo = sharding::halo_of(sharding->shown.halos, d);
      if (halo.wraps())
        return cannot_say(d, "halos that wrap");
      before.push_back(halo.before);
      after.push_back(halo.after);
    }
    TW_ASSIGN(const auto code, named_op("shard.keep_halo", false));
    const ops::NamedAttr attrs[] = {{"before", std::move(before)}, {"after", std::move(after)}};
    TW_ASSIGN(const ValueId kept, add(b, code, {&value, 1}, attrs));
    TW_TRY(annotate(b, Annotation::At::value, kept, sharding));
    return kept;
  });
}
