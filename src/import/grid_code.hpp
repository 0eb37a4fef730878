// SPDX-License-Identifier: Apache-2.0
// What reading programs of MLIR's shard dialect keeps from one op to the next: grids, shardings as values,
// what was annotated already, and messages between devices that nobody has taken yet.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "annotation/annotations.hpp"
#include "graph/graph.hpp"

namespace tw::import {

struct Context;
struct Function;
struct OpText;
struct Reader;

constexpr int64_t kOpenSize = -1; // of a grid's axis: `?`, until a mesh gives it

// A shard.grid. Devices are counted row-major.
struct Grid {
  std::string name;
  std::vector<std::pair<std::string, int64_t>> axes; // what the mesh of a plan calls them, and their sizes
  const char *at = nullptr;                          // where its symbol is defined

  size_t rank() const { return axes.size(); }
  int64_t size(size_t axis) const { return axes[axis].second; }
  bool is_open() const;
  int64_t devices() const;
  int64_t stride(size_t axis) const;
  int64_t coordinate(int64_t device, size_t axis) const { return device / stride(axis) % size(axis); }
  std::string text() const; // "4x?x2"
};

// The value of a shard.sharding.
struct GridSharding {
  const Grid *grid = nullptr;
  std::vector<std::vector<int64_t>> split_axes; // one list a dimension of the array; none are whole
  std::vector<int64_t> halos;                   // before and after, of the sharded dimensions in order
  std::vector<int64_t> offsets;       // where tiles begin, and the end, of the sharded dimensions in order
  graph::ValueId like = graph::kNone; // shard.get_sharding of a value that says none: that of this value
  std::string text;

  int64_t tiles(size_t dim) const; // of a dimension; 1 where it is whole
  bool is_sharded(size_t dim) const { return dim < split_axes.size() && !split_axes[dim].empty(); }
  std::pair<int64_t, int64_t> halo(size_t dim) const;
  bool has_halo() const;                                 // of some cells
  std::span<const int64_t> offsets_of(size_t dim) const; // none: tiles are balanced
  bool operator==(const GridSharding &) const;
};

// Annotations of one value, so that a second one that says otherwise is found.
struct Annotated {
  GridSharding sharding;
  const char *at = nullptr;     // of the op
  const char *result = nullptr; // of the name of its result
};

// What the text of an op says beside its arrays, whatever its form.
struct Clauses {
  // [1, %a, 3]
  struct List {
    std::string_view name;
    const char *at;
    std::vector<int64_t> numbers;         // kOperand: the next of
    std::vector<graph::ValueId> operands; // these
  };
  struct Number {
    std::string_view name;
    const char *at;
    int64_t value;
  };
  const Grid *grid = nullptr;
  const char *grid_at = nullptr;
  const GridSharding *sharding = nullptr;
  std::vector<int64_t> axes; // grid_axes, axes, or the split_axes of neighbors_linear_indices
  const char *axes_at = nullptr;
  std::vector<std::vector<int64_t>> split_axes;
  const char *split_at = nullptr;
  std::vector<List> lists;
  std::vector<Number> numbers;
  std::string_view reduction;
  std::vector<std::string_view> flags;

  const List *list(std::string_view name) const;
  const Number *number(std::string_view name) const;
  bool has(std::string_view flag) const;
};

struct GridCode {
  std::vector<Grid> grids;
  std::unordered_map<const char *, GridSharding> shardings; // by where the name is defined
  std::unordered_map<graph::ValueId, Annotated> made;       // said of what makes a value
  std::unordered_map<graph::ValueId, Annotated> used; // values that stand for others where these are used

  Clauses clauses; // of the op at hand
  // The branches around it that some devices take and others do not: which devices take each, by number;
  // nothing where constants and indices of devices do not decide.
  struct Choice {
    std::optional<std::vector<bool>> taken;
    bool takes(int64_t device) const { return (*taken)[static_cast<size_t>(device)]; }
  };
  std::vector<Choice> choices;
  bool knows_active_devices() const; // those that run the op at hand
  bool is_active(int64_t device) const;

  // Device-local code: the entry function is that of one device of this grid.
  const Grid *local = nullptr;
  // Sent values. What nobody has taken waits by sender and receiver.
  struct Sent {
    graph::ValueId value;
    const char *at;
    graph::RegionId region; // in which it stands
  };
  std::vector<Sent> sent;
  std::map<std::pair<int64_t, int64_t>, std::deque<size_t>> waiting;

  const Grid *find(std::string_view name) const;
};

// A result that is returned in the sharding which its users want is handed out so.
void annotate_grid_result(Reader &r, uint32_t index, graph::ValueId value);
// Reads what the grids of a module are, once the meshes of the text are known; `?` sizes are those of the
// mesh that the caller gives.
bool settle_grids(Reader &r);
// Whether the entry function is device-local code of a grid, or annotated, or neither; begins the former.
bool begin_grid_code(Reader &r, const Function &entry, uint32_t function);
// Of device-local code: messages that were never received are errors.
bool end_grid_code(Reader &r);
// The argument of device-local code: a dimension in front for each axis of the grid.
graph::TypeId grid_argument_type(Reader &r, graph::TypeId local);
bool declare_grid_argument(Reader &r, graph::ValueId value, graph::TypeId local, uint32_t line,
                           uint32_t column);
// And its result, with all these dimensions.
bool spread_grid_result(Reader &r, graph::ValueId &value, const char *at);

} // namespace tw::import
