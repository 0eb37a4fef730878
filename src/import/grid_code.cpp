// SPDX-License-Identifier: Apache-2.0
// Grids and shardings by their definitions, and where the code of one device begins and ends: in the entry
// function, whose arguments and results get a dimension in front for each axis of the grid.
#include "import/grid_code.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "import/local_code.hpp"

namespace tw::import {

using annotation::MeshDecl;

// --- what grids and shardings are ---

bool Grid::is_open() const {
  return std::ranges::any_of(axes, [](const auto &axis) { return axis.second == kOpenSize; });
}

int64_t Grid::devices() const {
  int64_t devices = 1;
  for (const auto &[name, size] : axes)
    devices *= size;
  return devices;
}

int64_t Grid::stride(size_t axis) const {
  int64_t stride = 1;
  for (size_t inner = axis + 1; inner < axes.size(); ++inner)
    stride *= axes[inner].second;
  return stride;
}

std::string Grid::text() const {
  std::string text;
  for (const auto &[name, size] : axes)
    text += fmt::format("{}{}", text.empty() ? "" : "x", size == kOpenSize ? "?" : std::to_string(size));
  return text;
}

int64_t GridSharding::tiles(size_t dim) const {
  int64_t tiles = 1;
  if (dim < split_axes.size())
    for (const int64_t axis : split_axes[dim])
      tiles *= grid->size(static_cast<size_t>(axis));
  return tiles;
}

std::pair<int64_t, int64_t> GridSharding::halo(size_t dim) const {
  size_t at = 0; // pairs stand for sharded dimensions
  for (size_t d = 0; d < dim; ++d)
    at += is_sharded(d) ? 2 : 0;
  return is_sharded(dim) && at + 1 < halos.size() ? std::pair(halos[at], halos[at + 1])
                                                  : std::pair<int64_t, int64_t>();
}

bool GridSharding::has_halo() const {
  return std::ranges::any_of(halos, [](int64_t size) { return size > 0; });
}

std::span<const int64_t> GridSharding::offsets_of(size_t dim) const {
  if (offsets.empty() || !is_sharded(dim))
    return {};
  size_t at = 0;
  for (size_t d = 0; d < dim; ++d)
    at += is_sharded(d) ? static_cast<size_t>(tiles(d)) + 1 : 0;
  return std::span(offsets).subspan(at, static_cast<size_t>(tiles(dim)) + 1);
}

// Trailing whole dimensions may be left out.
bool GridSharding::operator==(const GridSharding &other) const {
  const auto same_dim = [&](size_t d) {
    static const std::vector<int64_t> none;
    const auto &a = d < split_axes.size() ? split_axes[d] : none;
    const auto &b = d < other.split_axes.size() ? other.split_axes[d] : none;
    return a == b && halo(d) == other.halo(d) && std::ranges::equal(offsets_of(d), other.offsets_of(d));
  };
  if (grid != other.grid || like != other.like)
    return false;
  for (size_t d = 0; d < std::max(split_axes.size(), other.split_axes.size()); ++d)
    if (!same_dim(d))
      return false;
  return true;
}

const Grid *GridCode::find(std::string_view name) const {
  const auto at = std::ranges::find(grids, name, &Grid::name);
  return at == grids.end() ? nullptr : &*at;
}

const Clauses::List *Clauses::list(std::string_view name) const {
  const auto at = std::ranges::find(lists, name, &List::name);
  return at == lists.end() ? nullptr : &*at;
}

const Clauses::Number *Clauses::number(std::string_view name) const {
  const auto at = std::ranges::find(numbers, name, &Number::name);
  return at == numbers.end() ? nullptr : &*at;
}

bool Clauses::has(std::string_view flag) const { return std::ranges::find(flags, flag) != flags.end(); }

bool GridCode::knows_active_devices() const {
  return std::ranges::all_of(choices, [](const Choice &choice) { return choice.taken.has_value(); });
}

bool GridCode::is_active(int64_t device) const {
  return std::ranges::all_of(choices, [&](const Choice &c) { return !c.taken || c.takes(device); });
}

// --- grids of a module ---

namespace {

// The mesh that the caller plans on is this grid: its sizes where they are open, and its names.
void take_mesh(Grid &grid, const std::vector<std::pair<std::string, int64_t>> &mesh) {
  bool fits = mesh.size() == grid.rank();
  for (size_t i = 0; fits && i < mesh.size(); ++i)
    fits = grid.size(i) == kOpenSize || grid.size(i) == mesh[i].second;
  if (fits)
    grid.axes = mesh;
}

} // namespace

bool settle_grids(Reader &r) {
  for (const auto &[name, cursor, read] : r.c.index.grids) {
    MeshDecl mesh;
    r.s.seek(cursor);
    if (!read(r.s, mesh))
      return false;
    if (r.grid_code.find(name) != nullptr || r.c.annotations.find_mesh(name) != nullptr)
      return r.s.fail("TW-106", cursor.at, fmt::format("the grid @{} is defined twice", name));
    Grid grid{std::string(name), std::move(mesh.axes), cursor.at};
    for (auto &[axis, size] : grid.axes)
      axis = fmt::format("{}.{}", name, axis);
    take_mesh(grid, r.c.options.mesh);
    if (!grid.is_open())
      r.c.annotations.meshes.push_back({grid.name, grid.axes, {}});
    r.grid_code.grids.push_back(std::move(grid));
  }
  return true;
}

// --- the code of one device ---

namespace {

// Ops whose values are those of one device.
constexpr std::array<std::string_view, 16> kLocalOps = {"all_gather",
                                                        "all_reduce",
                                                        "all_slice",
                                                        "all_to_all",
                                                        "broadcast",
                                                        "gather",
                                                        "neighbors_linear_indices",
                                                        "process_linear_index",
                                                        "process_multi_index",
                                                        "recv",
                                                        "reduce",
                                                        "reduce_scatter",
                                                        "scatter",
                                                        "send",
                                                        "shift",
                                                        "update_halo"};

struct Found {
  std::string_view local, annotated; // names of the first ops of each level, empty where there is none
  std::string_view grid;             // of the first local op
};

// Looks for ops of the dialect in a function and in those that it calls.
class Search {
public:
  explicit Search(Reader &r) : r_(r), s_(r.s) {}
  Found found;

  bool look_into(uint32_t function) {
    const Function &f = r_.c.index.functions[function];
    if (!f.has_body || !seen_.insert(function).second)
      return true;
    const Cursor back = s_.cursor();
    s_.seek(f.body);
    if (!s_.skip_braces())
      return false;
    const char *outer = s_.set_end(s_.cursor().at);
    s_.seek(f.body);
    std::vector<std::string_view> callees;
    const bool ok = look(callees);
    s_.set_end(outer);
    s_.seek(back);
    for (const std::string_view callee : callees)
      if (const uint32_t next = r_.c.index.find(f.module, {callee}); ok && next != ModuleIndex::kNone)
        if (!look_into(next))
          return false;
    return ok;
  }

private:
  bool look(std::vector<std::string_view> &symbols) {
    while (!s_.at_end()) {
      const char c = s_.peek();
      std::string_view name;
      if (c == '@') {
        if (!s_.symbol(name))
          return false;
        symbols.push_back(name);
        if (found.grid.empty() && !found.local.empty() && r_.grid_code.find(name) != nullptr)
          found.grid = name;
      } else if (c == '"') {
        if (!s_.string(name))
          return false;
        take(name);
      } else if (is_word_start(c)) {
        take(s_.word());
      } else {
        s_.accept(c);
        if (c == '%' || c == '#' || c == '!' || c == '^')
          s_.suffix();
      }
    }
    return true;
  }

  void take(std::string_view name) {
    static constexpr std::string_view kDialect = "shard.";
    if (!name.starts_with(kDialect))
      return;
    const std::string_view op = name.substr(kDialect.size());
    if (op == "shard" && found.annotated.empty())
      found.annotated = name;
    else if (found.local.empty() && std::ranges::find(kLocalOps, op) != kLocalOps.end())
      found.local = name;
  }

  Reader &r_;
  Scanner &s_;
  std::set<uint32_t> seen_;
};

MeshAxes all_axes(const Grid &grid) {
  MeshAxes axes;
  for (size_t axis = 0; axis < grid.rank(); ++axis)
    axes.push_back(axis);
  return axes;
}

} // namespace

bool begin_grid_code(Reader &r, const Function &entry, uint32_t function) {
  if (r.grid_code.grids.empty())
    return true;
  Search search(r);
  if (!search.look_into(function))
    return false;
  const Found &found = search.found;
  if (found.local.empty())
    return true;
  if (!found.annotated.empty())
    return r.s.fail(
        "TW-117", std::max(found.local.data(), found.annotated.data()),
        fmt::format("@{} has both {}, of programs over whole arrays, and {}, of the code of one device",
                    entry.name, found.annotated, found.local),
        "annotate whole arrays, or write collectives, in one program");
  if (found.grid.empty())
    return true; // the op that names none says so
  const Grid &grid = *r.grid_code.find(found.grid);
  if (grid.is_open())
    return r.s.fail(
        "TW-115", found.grid.data(),
        fmt::format("the grid @{} has shape {}: give a mesh of {} axes, which says the sizes that are ?",
                    grid.name, grid.text(), grid.rank()));
  if (auto known = r.c.local.use_mesh({grid.name, grid.axes, {}}); !known)
    return r.s.adopt(std::move(known.error()), found.grid.data());
  r.c.local.keep_axes();
  r.c.local.set_manual(all_axes(grid));
  r.grid_code.local = &grid;
  return true;
}

graph::TypeId grid_argument_type(Reader &r, graph::TypeId local) {
  return r.grid_code.local == nullptr ? local : r.c.local.type_with(local, r.c.local.every_axis());
}

bool declare_grid_argument(Reader &r, graph::ValueId value, graph::TypeId local, uint32_t line,
                           uint32_t column) {
  if (r.grid_code.local == nullptr)
    return true;
  r.c.local.declare(value, local, r.c.local.every_axis());
  annotate_local(r, value, in_signature("of an argument of a device", line, column), 0);
  return true;
}

bool spread_grid_result(Reader &r, graph::ValueId &value, const char *at) {
  if (r.grid_code.local == nullptr || r.c.type_of(value).dtype == graph::DType::token)
    return true;
  const Cursor here = r.s.cursor();
  const MeshAxes axes = all_axes(*r.grid_code.local);
  auto spread = r.c.local.spread(value, {&axes, 1}, {});
  if (!spread)
    return r.s.adopt(std::move(spread.error()), at);
  if (*spread != value)
    annotate_local(r, *spread, in_signature("of a result of a device", here.line, here.column()), 0);
  value = *spread;
  return true;
}

} // namespace tw::import
