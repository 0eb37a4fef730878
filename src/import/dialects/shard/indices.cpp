// SPDX-License-Identifier: Apache-2.0
// Where a device stands in its grid, who its neighbours are, and how large the grid is.
#include <algorithm>
#include <fmt/format.h>

#include "import/dialects/shard/ops.hpp"
#include "import/local_code.hpp"

namespace tw::import::shard {

using graph::ValueId;

namespace {

// All axes, where the op names none.
std::vector<int64_t> named_axes(const Clauses &clauses) {
  return clauses.axes.empty() ? numbers(0, static_cast<int64_t>(clauses.grid->rank())) : clauses.axes;
}

template <class Number> bool bind_numbers(Reader &r, OpText &op, size_t count, Number number) {
  std::vector<ValueId> results;
  for (size_t i = 0; i < count; ++i) {
    std::vector<int64_t> of_devices;
    for (int64_t device = 0; device < r.grid_code.local->devices(); ++device)
      of_devices.push_back(number(i, device));
    auto made = r.c.local.numbers(graph::DType::s64, of_devices);
    if (!made)
      return r.s.adopt(std::move(made.error()), op.at);
    results.push_back(*made);
  }
  return bind_local(r, op, results);
}

} // namespace

// shard.grid_shape @grid axes = [0] : index
bool lower_grid_shape(Reader &r, OpText &op) {
  const Clauses &clauses = r.grid_code.clauses;
  if (!check_axes(r, op, *clauses.grid, clauses.axes, clauses.axes_at))
    return false;
  IndexMath math(r, op);
  std::vector<ValueId> sizes;
  for (const int64_t axis : named_axes(clauses))
    sizes.push_back(math.value(IndexMath::of_number(clauses.grid->size(static_cast<size_t>(axis)))));
  return math.ok() && r.stand_for(op, sizes);
}

// shard.process_linear_index on @grid : index
bool lower_process_linear_index(Reader &r, OpText &op) {
  return check_collective(r, op) && bind_numbers(r, op, 1, [](size_t, int64_t device) { return device; });
}

// shard.process_multi_index on @grid axes = [0] : index
bool lower_process_multi_index(Reader &r, OpText &op) {
  if (!check_collective(r, op))
    return false;
  const Grid &grid = *r.grid_code.clauses.grid;
  const std::vector<int64_t> axes = named_axes(r.grid_code.clauses);
  return bind_numbers(r, op, axes.size(), [&](size_t i, int64_t device) {
    return grid.coordinate(device, static_cast<size_t>(axes[i]));
  });
}

// shard.neighbors_linear_indices on @grid[%i, %j] split_axes = [1] : index, index
// Along several axes neighbours are those in the order of the group.
bool lower_neighbors(Reader &r, OpText &op) {
  const Clauses &clauses = r.grid_code.clauses;
  const Grid &grid = *clauses.grid;
  IndexMath math(r, op);
  std::vector<Index> at;
  if (!check_axes(r, op, grid, clauses.axes, clauses.axes_at) ||
      !read_device(r, op, math, grid, *clauses.list("device"), at))
    return false;
  Index number = IndexMath::of_number(0), others = IndexMath::of_number(0);
  for (size_t axis = 0; axis < grid.rank(); ++axis)
    if (std::ranges::find(clauses.axes, static_cast<int64_t>(axis)) == clauses.axes.end())
      others = math.add(others, math.multiply(at[axis], IndexMath::of_number(grid.stride(axis))));
  for (const int64_t axis : clauses.axes)
    number = math.add(math.multiply(number, IndexMath::of_number(grid.size(static_cast<size_t>(axis)))),
                      at[static_cast<size_t>(axis)]);
  // The device of another number in the group.
  const auto linear = [&](Index in_group) {
    Index device_at = others;
    for (size_t i = clauses.axes.size(); i-- > 0;) {
      const auto axis = static_cast<size_t>(clauses.axes[i]);
      const Index size = IndexMath::of_number(grid.size(axis));
      device_at = math.add(
          device_at, math.multiply(math.remainder(in_group, size), IndexMath::of_number(grid.stride(axis))));
      in_group = math.divide(in_group, size);
    }
    return device_at;
  };
  const Index one = IndexMath::of_number(1), none = IndexMath::of_number(-1), zero = IndexMath::of_number(0),
              last = IndexMath::of_number(group_size(grid, clauses.axes) - 1);
  const Index down = math.where_greater(number, zero, linear(math.subtract(number, one)), none),
              up = math.where_greater(last, number, linear(math.add(number, one)), none);
  const std::vector<ValueId> results{math.value(down), math.value(up)};
  return math.ok() && bind_local(r, op, results);
}

} // namespace tw::import::shard
