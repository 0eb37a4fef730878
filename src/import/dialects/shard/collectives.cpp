// SPDX-License-Identifier: Apache-2.0
// Collectives of the shard dialect, as collectives of device-local code (device_local.hpp). What the dialect
// leaves undefined, results of devices that are no root, is zeros here.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/dialects/shard/ops.hpp"
#include "import/local_code.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"

namespace tw::import::shard {

using graph::ValueId;

namespace {

bool fail(Reader &r, const OpText &op, std::string_view what) {
  return r.s.fail("TW-118", op.at, fmt::format("{}: {}", op.name, what));
}

// What a collective works with; annotates its operand, so that the plan of the grid finds the collective
// again.
struct Collective {
  const Grid &grid;
  const std::vector<int64_t> &axes;
  DeviceGroups groups;
  int64_t size; // of a group
  ValueId v;
  graph::TensorType type, result; // local
  graph::OpId first;              // of those that the collective becomes
};
// `meets`: devices of a group wait for each other, so all of it must take the same way.
std::optional<Collective> begin(Reader &r, OpText &op, bool same_dtype, bool meets = true) {
  if (!check_collective(r, op) || (meets && !check_branch(r, op, r.grid_code.clauses.axes)))
    return std::nullopt;
  if (op.result_types.size() != 1) {
    fail(r, op, fmt::format("it gives one result, and {} are stated", op.result_types.size()));
    return std::nullopt;
  }
  const Clauses &clauses = r.grid_code.clauses;
  const ValueId v = op.operands[0];
  Collective c{*clauses.grid,
               clauses.axes,
               groups_of(*clauses.grid, clauses.axes),
               group_size(*clauses.grid, clauses.axes),
               v,
               r.c.type_of(v),
               r.c.builder.graph().type_at(op.result_types[0]),
               next_op(r)};
  if (same_dtype && c.type.dtype != c.result.dtype) {
    fail(r, op,
         fmt::format("{} becomes {}: the element types differ", graph::to_text(c.type),
                     graph::to_text(c.result)));
    return std::nullopt;
  }
  annotate_local(r, v, op, 0);
  return c;
}

// A dimension of the array, by the clause that names it.
bool read_dim(Reader &r, const OpText &op, const Collective &c, std::string_view name, size_t &dim) {
  const Clauses::Number &number = *r.grid_code.clauses.number(name);
  if (number.value < 0 || number.value >= static_cast<int64_t>(c.type.rank()))
    return r.s.fail("TW-118", number.at,
                    fmt::format("{}: {} is {}, and {} has {} dimensions", op.name, name, number.value,
                                graph::to_text(c.type), c.type.rank()));
  dim = static_cast<size_t>(number.value);
  return true;
}

bool check_divides(Reader &r, const OpText &op, const Collective &c, size_t dim) {
  return c.type.dims[dim] % c.size == 0 ||
         fail(r, op,
              fmt::format("dimension {} of size {} does not divide among the {} devices of a group", dim,
                          c.type.dims[dim], c.size));
}

bool check_result(Reader &r, const OpText &op, const Collective &c, const graph::Shape &dims) {
  return c.result.dims == dims ||
         fail(r, op,
              fmt::format("{} over groups of {} devices gives {}, and {} is stated", graph::to_text(c.type),
                          c.size, graph::to_text({c.result.dtype, dims}), graph::to_text(c.result)));
}

bool finish(Reader &r, OpText &op, const Collective &c, Result<ValueId> made) {
  if (!made)
    return r.s.adopt(std::move(made.error()), op.at);
  annotate_local(r, *made, op, 1);
  state_moves(r, c.first);
  return bind_local(r, op, {&*made, 1});
}

// --- roots ---

// A device of each group by its coordinates along the axes of the op: its number in the group. Constants and
// indices of devices decide it, and all members of a group mean the same one. Groups that do not take this
// way are left out, so that nothing moves for them.
bool read_roots(Reader &r, const OpText &op, Collective &c, std::vector<int64_t> &roots) {
  const Clauses::List &list = *r.grid_code.clauses.list("root");
  if (list.numbers.size() != c.axes.size())
    return r.s.fail(
        "TW-118", list.at,
        fmt::format("{}: a root of {} coordinates, and grid_axes = [{}]: one for each axis is needed",
                    op.name, list.numbers.size(), fmt::join(c.axes, ", ")));
  std::vector<std::vector<int64_t>> at; // of each axis, by device
  if (!known_coordinates(r, op, list, at))
    return false;
  std::vector<int64_t> meant(static_cast<size_t>(c.grid.devices()), 0);
  for (size_t i = 0; i < at.size(); ++i) {
    const auto axis = static_cast<size_t>(c.axes[i]);
    const bool alike = std::ranges::count(at[i], at[i][0]) == std::ssize(at[i]);
    for (int64_t device = 0; device < c.grid.devices(); ++device) {
      const int64_t coordinate = at[i][static_cast<size_t>(device)];
      if (r.grid_code.is_active(device) && (coordinate < 0 || coordinate >= c.grid.size(axis)))
        return r.s.fail("TW-118", list.at,
                        fmt::format("{}: coordinate {} of the root is {}{}, and axis {} of @{} has size {}",
                                    op.name, i, coordinate, alike ? "" : " on " + device_text(c.grid, device),
                                    axis, c.grid.name, c.grid.size(axis)));
      int64_t &root = meant[static_cast<size_t>(device)];
      root = root * c.grid.size(axis) + coordinate;
    }
  }
  for (const auto &group : c.groups) {
    const int64_t root = r.grid_code.is_active(group[0]) ? meant[static_cast<size_t>(group[0])] : 0;
    for (const int64_t device : group)
      if (const int64_t other = meant[static_cast<size_t>(device)];
          r.grid_code.is_active(device) && other != root)
        return r.s.fail("TW-118", list.at,
                        fmt::format("{}: the root is {} on {}, and {} on {} of its group: all devices of a "
                                    "group must mean the same one",
                                    op.name, device_text(c.grid, group[static_cast<size_t>(other)]),
                                    device_text(c.grid, device),
                                    device_text(c.grid, group[static_cast<size_t>(root)]),
                                    device_text(c.grid, group[0])));
    roots.push_back(root);
  }
  const auto takes_part = [&](const auto &group) { return r.grid_code.is_active(group[0]); };
  if (std::ranges::none_of(c.groups, takes_part))
    return true; // nobody runs it
  DeviceGroups groups;
  std::vector<int64_t> of_groups;
  for (size_t g = 0; g < roots.size(); ++g)
    if (takes_part(c.groups[g])) {
      groups.push_back(c.groups[g]);
      of_groups.push_back(roots[g]);
    }
  c.groups = std::move(groups);
  roots = std::move(of_groups);
  return true;
}

// --- reductions ---

// "max" of max, <max>, #shard.partial<max> and #shard<partial max>; a sum where nothing is said.
std::string reduction_name(std::string_view raw) {
  if (raw.starts_with('<') && raw.ends_with('>'))
    raw = raw.substr(1, raw.size() - 2);
  return raw.empty() ? "sum" : plain_text(raw);
}

bool read_reduction(Reader &r, const OpText &op, sharding::Reduction &kind, bool &average) {
  using enum sharding::Reduction;
  static constexpr std::pair<std::string_view, sharding::Reduction> kKinds[] = {
      {"average", sum}, {"bitwise_and", land}, {"bitwise_or", lor}, {"bitwise_xor", lxor},
      {"max", max},     {"min", min},          {"product", prod},   {"sum", sum}};
  const std::string_view text = r.grid_code.clauses.reduction;
  const std::string name = reduction_name(text);
  average = name == "average";
  for (const auto &[known, of] : kKinds)
    if (known == name)
      return kind = of, true;
  return r.s.fail(
      "TW-118", text.data(),
      name == "generic"
          ? fmt::format("{}: a generic reduction says no function: choose sum, max, min, product, average, "
                        "bitwise_and, bitwise_or or bitwise_xor",
                        op.name)
          : fmt::format("{}: there is no reduction '{}': sum, max, min, product, average, bitwise_and, "
                        "bitwise_or and bitwise_xor are known",
                        op.name, name));
}

bool check_kind(Reader &r, const OpText &op, sharding::Reduction kind, graph::DType dtype) {
  const bool bits = kind == sharding::Reduction::land || kind == sharding::Reduction::lor ||
                    kind == sharding::Reduction::lxor;
  const bool orders = kind == sharding::Reduction::max || kind == sharding::Reduction::min;
  if ((bits && !graph::is_int(dtype) && dtype != graph::DType::i1) || (orders && graph::is_complex(dtype)))
    return fail(r, op,
                fmt::format("the reduction {} has no meaning for {}",
                            reduction_name(r.grid_code.clauses.reduction), graph::name(dtype)));
  return true;
}

} // namespace

// shard.all_gather %x on @grid grid_axes = [0] gather_axis = 1 : T -> U
bool lower_all_gather(Reader &r, OpText &op) {
  const auto c = begin(r, op, true);
  size_t dim = 0;
  if (!c || !read_dim(r, op, *c, "gather_axis", dim))
    return false;
  graph::Shape dims = c->type.dims;
  dims[dim] *= c->size;
  return check_result(r, op, *c, dims) && finish(r, op, *c, r.c.local.all_gather(c->v, c->groups, dim));
}

// shard.all_slice %x on @grid grid_axes = [0] slice_axis = 1 : T -> U
bool lower_all_slice(Reader &r, OpText &op) {
  const auto c = begin(r, op, true, false);
  size_t dim = 0;
  if (!c || !read_dim(r, op, *c, "slice_axis", dim) || !check_divides(r, op, *c, dim))
    return false;
  graph::Shape dims = c->type.dims;
  dims[dim] /= c->size;
  return check_result(r, op, *c, dims) && finish(r, op, *c, r.c.local.all_slice(c->v, c->groups, dim));
}

// shard.all_to_all %x on @grid grid_axes = [0] split_axis = 0 concat_axis = 1 : T -> U
bool lower_all_to_all(Reader &r, OpText &op) {
  const auto c = begin(r, op, true);
  size_t split = 0, concat = 0;
  if (!c || !read_dim(r, op, *c, "split_axis", split) || !read_dim(r, op, *c, "concat_axis", concat) ||
      !check_divides(r, op, *c, split))
    return false;
  graph::Shape dims = c->type.dims;
  dims[split] /= c->size;
  dims[concat] *= c->size;
  return check_result(r, op, *c, dims) &&
         finish(r, op, *c, r.c.local.all_to_all(c->v, c->groups, split, concat));
}

// shard.broadcast %x on @grid grid_axes = [0] root = [1] : (T) -> T
bool lower_broadcast(Reader &r, OpText &op) {
  auto c = begin(r, op, true);
  std::vector<int64_t> roots;
  return c && check_result(r, op, *c, c->type.dims) && read_roots(r, op, *c, roots) &&
         finish(r, op, *c, r.c.local.broadcast(c->v, c->groups, roots));
}

// shard.gather %x on @grid grid_axes = [0] gather_axis = 1 root = [0] : (T) -> U
bool lower_gather(Reader &r, OpText &op) {
  auto c = begin(r, op, true);
  size_t dim = 0;
  std::vector<int64_t> roots;
  if (!c || !read_dim(r, op, *c, "gather_axis", dim))
    return false;
  graph::Shape dims = c->type.dims;
  dims[dim] *= c->size;
  return check_result(r, op, *c, dims) && read_roots(r, op, *c, roots) &&
         finish(r, op, *c, r.c.local.gather_to(c->v, c->groups, roots, dim));
}

// shard.scatter %x on @grid grid_axes = [0] scatter_axis = 0 root = [1] : (T) -> U
bool lower_scatter(Reader &r, OpText &op) {
  auto c = begin(r, op, true);
  size_t dim = 0;
  std::vector<int64_t> roots;
  if (!c || !read_dim(r, op, *c, "scatter_axis", dim) || !check_divides(r, op, *c, dim))
    return false;
  graph::Shape dims = c->type.dims;
  dims[dim] /= c->size;
  return check_result(r, op, *c, dims) && read_roots(r, op, *c, roots) &&
         finish(r, op, *c, r.c.local.scatter_from(c->v, c->groups, roots, dim));
}

// shard.all_reduce %x on @grid grid_axes = [0] reduction = <max> : T -> U, reduce with root = [0],
// reduce_scatter with scatter_axis = 0. Elements become those of the result first.
bool lower_reduction(Reader &r, OpText &op) {
  auto c = begin(r, op, false);
  const bool scatters = op.name == "shard.reduce_scatter", has_root = op.name == "shard.reduce";
  sharding::Reduction kind{};
  bool average = false;
  size_t dim = 0;
  if (!c || !read_reduction(r, op, kind, average) || !check_kind(r, op, kind, c->result.dtype))
    return false;
  graph::Shape dims = c->type.dims;
  if (scatters) {
    if (!read_dim(r, op, *c, "scatter_axis", dim) || !check_divides(r, op, *c, dim))
      return false;
    dims[dim] /= c->size;
  }
  std::vector<int64_t> roots;
  if (!check_result(r, op, *c, dims) || (has_root && !read_roots(r, op, *c, roots)))
    return false;
  Implied implied(r.c, op);
  ValueId v = c->v;
  if (c->type.dtype != c->result.dtype) {
    v = implied.convert(v, c->result.dtype);
    if (!implied.ok())
      return false;
    annotate_local(r, v, op, 0);
  }
  if (c->size > 1) {
    const graph::RegionId region = has_root ? graph::RegionId() : implied.folding(kind, c->result.dtype);
    if (!implied.ok())
      return false;
    auto made = has_root   ? r.c.local.reduce_to(v, c->groups, roots, kind)
                : scatters ? r.c.local.reduce_scatter(v, c->groups, dim, region)
                           : r.c.local.all_reduce(v, c->groups, region);
    if (!made)
      return r.s.adopt(std::move(made.error()), op.at);
    v = *made;
  }
  if (average && c->size > 1) {
    const ValueId count = implied.number(r.c.type_of(v), static_cast<double>(c->size));
    v = implied.add("stablehlo.divide", {v, count});
  }
  return implied.ok() && finish(r, op, *c, v);
}

} // namespace tw::import::shard
