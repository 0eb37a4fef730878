// SPDX-License-Identifier: Apache-2.0
// Groups of devices: which agree outside the axes that an op names, and in which order they stand.
#include "import/dialects/shard/ops.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tw::import::shard {

bool find_grid(Reader &r, std::string_view name, const char *at, const Grid *&grid) {
  grid = r.grid_code.find(name);
  if (grid == nullptr) {
    std::string names;
    for (const Grid &known : r.grid_code.grids)
      names += fmt::format("{}@{}", names.empty() ? "" : ", ", known.name);
    return r.s.fail("TW-115", at, fmt::format("the grid @{} is not defined", name),
                    fmt::format("grids of this module: {}", names.empty() ? "none" : names));
  }
  return !grid->is_open() ||
         r.s.fail(
             "TW-115", at,
             fmt::format("the grid @{} has shape {}: give a mesh of {} axes, which says the sizes that are ?",
                         name, grid->text(), grid->rank()));
}

bool check_axes(Reader &r, const OpText &op, const Grid &grid, const std::vector<int64_t> &axes,
                const char *at) {
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0 || axes[i] >= static_cast<int64_t>(grid.rank()))
      return r.s.fail("TW-115", at,
                      fmt::format("{}: the grid @{} of shape {} has no axis {}: they are 0 to {}", op.name,
                                  grid.name, grid.text(), axes[i], grid.rank() - 1));
    if (std::find(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(i), axes[i]) !=
        axes.begin() + static_cast<std::ptrdiff_t>(i))
      return r.s.fail("TW-115", at, fmt::format("{}: axis {} is named twice", op.name, axes[i]));
  }
  return true;
}

int64_t group_size(const Grid &grid, const std::vector<int64_t> &axes) {
  int64_t size = 1;
  for (const int64_t axis : axes)
    size *= grid.size(static_cast<size_t>(axis));
  return size;
}

int64_t number_in_group(const Grid &grid, const std::vector<int64_t> &axes, int64_t device) {
  int64_t number = 0;
  for (const int64_t axis : axes)
    number =
        number * grid.size(static_cast<size_t>(axis)) + grid.coordinate(device, static_cast<size_t>(axis));
  return number;
}

DeviceGroups groups_of(const Grid &grid, const std::vector<int64_t> &axes) {
  DeviceGroups groups;
  const auto size = static_cast<size_t>(group_size(grid, axes));
  std::vector<size_t> group_at(static_cast<size_t>(grid.devices())); // of the device at 0 along the axes
  for (int64_t device = 0; device < grid.devices(); ++device) {
    int64_t first = device;
    for (const int64_t axis : axes)
      first -= grid.coordinate(device, static_cast<size_t>(axis)) * grid.stride(static_cast<size_t>(axis));
    if (first == device) {
      group_at[static_cast<size_t>(device)] = groups.size();
      groups.emplace_back(size);
    }
    groups[group_at[static_cast<size_t>(first)]][static_cast<size_t>(number_in_group(grid, axes, device))] =
        device;
  }
  return groups;
}

std::string device_text(const Grid &grid, int64_t device) {
  std::vector<int64_t> at;
  for (size_t axis = 0; axis < grid.rank(); ++axis)
    at.push_back(grid.coordinate(device, axis));
  return fmt::format("device ({})", fmt::join(at, ", "));
}

bool check_has_dims(Reader &r, const OpText &op) {
  const graph::TensorType &type = r.c.type_of(op.operands[0]);
  return type.rank() != 0 ||
         r.s.fail("TW-118", op.at,
                  fmt::format("{}: {} has no dimensions, and the op takes arrays of at least one: reshape it "
                              "to tensor<1x{}>",
                              op.name, graph::to_text(type), graph::name(type.dtype)));
}

bool check_collective(Reader &r, const OpText &op) {
  const Clauses &clauses = r.grid_code.clauses;
  if (r.grid_code.local == nullptr)
    return r.s.fail(
        "TW-117", op.at,
        fmt::format("{} stands in no code of one device: the entry function is that, and this op is "
                    "in none that it calls",
                    op.name));
  if (const int64_t devices = r.grid_code.local->devices(); clauses.grid->devices() != devices)
    return r.s.fail("TW-118", clauses.grid_at,
                    fmt::format("{}: @{} has {} devices, and this is code of one of the {} devices of @{}",
                                op.name, clauses.grid->name, clauses.grid->devices(), devices,
                                r.grid_code.local->name));
  r.c.local.at(r.c.builder.location({op.line, op.column, op.loc.best()}));
  return check_axes(r, op, *clauses.grid, clauses.axes, clauses.axes_at);
}

// Where data decides, each device runs all branches and takes the results of its own, so that nobody waits
// for who does not come.
bool check_branch(Reader &r, const OpText &op, const std::vector<int64_t> &axes) {
  const Grid &grid = *r.grid_code.clauses.grid;
  for (const GridCode::Choice &choice : r.grid_code.choices)
    for (const auto &group : groups_of(grid, axes))
      for (const int64_t device : group) {
        if (choice.taken && choice.takes(device) != choice.takes(group[0]))
          return r.s.fail("TW-118", op.at,
                          fmt::format("{} stands in a branch that {} takes, and {} of its group does not: "
                                      "all devices of a group run it, or none",
                                      op.name, device_text(grid, choice.takes(device) ? device : group[0]),
                                      device_text(grid, choice.takes(device) ? group[0] : device)));
      }
  return true;
}

bool known_coordinates(Reader &r, const OpText &op, const Clauses::List &list,
                       std::vector<std::vector<int64_t>> &coordinates) {
  size_t next = 0;
  for (size_t i = 0; i < list.numbers.size(); ++i) {
    if (list.numbers[i] != kOperand) {
      coordinates.emplace_back(static_cast<size_t>(r.grid_code.clauses.grid->devices()), list.numbers[i]);
      continue;
    }
    auto known = r.c.local.known_numbers(list.operands[next++]);
    if (!known)
      return r.s.fail(
          list.name == "root" ? "TW-118" : "TW-119", list.at,
          fmt::format("{}: coordinate {} of {} is not known before the program runs: constants and "
                      "indices of devices must decide it",
                      op.name, i, list.name));
    coordinates.push_back(std::move(*known));
  }
  return true;
}

} // namespace tw::import::shard
