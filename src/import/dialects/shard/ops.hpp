// SPDX-License-Identifier: Apache-2.0
// The ops of MLIR's shard dialect, for the list in shard.cpp: one form for all of them, which reads the
// clauses that an op has, and what each becomes.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "import/grid_code.hpp"
#include "import/implied.hpp"
#include "import/reader.hpp"

namespace tw::import::shard {

// forms.cpp: either form of every op of the dialect. Arrays among the operands are those of the OpText.
bool form_op(Reader &r, OpText &op);

// grids.cpp: the devices that an op works with.
bool find_grid(Reader &r, std::string_view name, const char *at, const Grid *&grid);
bool check_axes(Reader &r, const OpText &op, const Grid &grid, const std::vector<int64_t> &axes,
                const char *at);
// Devices that agree outside these axes, ordered by them, outer to inner.
DeviceGroups groups_of(const Grid &grid, const std::vector<int64_t> &axes);
int64_t group_size(const Grid &grid, const std::vector<int64_t> &axes);
int64_t number_in_group(const Grid &grid, const std::vector<int64_t> &axes, int64_t device);
// "device (0, 2)"
std::string device_text(const Grid &grid, int64_t device);
// What the op moves has at least one dimension, as the dialect demands of most of its ops.
bool check_has_dims(Reader &r, const OpText &op);
// Takes the grid and axes of a collective: it stands in device-local code, whose devices the grid numbers.
bool check_collective(Reader &r, const OpText &op);
// All devices of a group along these axes run the op, or none: a branch around it may be taken by some.
bool check_branch(Reader &r, const OpText &op, const std::vector<int64_t> &axes);
// The numbers of a list on each device, by id: constants and indices of devices decide them.
bool known_coordinates(Reader &r, const OpText &op, const Clauses::List &list,
                       std::vector<std::vector<int64_t>> &coordinates);

// index_math.cpp: whole numbers that are known, or values of the program.
struct Index {
  std::optional<int64_t> number;
  graph::ValueId value = graph::kNone;
};
class IndexMath {
public:
  IndexMath(Reader &r, const OpText &op) : r_(r), implied_(r.c, op) {}
  Index of(graph::ValueId v) const;
  static Index of_number(int64_t number) { return {number, graph::kNone}; }
  Index add(const Index &a, const Index &b);
  Index subtract(const Index &a, const Index &b);
  Index multiply(const Index &a, const Index &b);
  Index divide(const Index &a, const Index &b); // of numbers that are not negative
  Index remainder(const Index &a, const Index &b);
  Index where_greater(const Index &a, const Index &b, const Index &yes, const Index &no); // a > b
  Index look_up(const std::vector<int64_t> &table, const Index &at);
  graph::ValueId value(const Index &index); // a scalar of the program
  bool ok() { return implied_.ok(); }

private:
  Index apply(const char *name, int64_t (*known)(int64_t, int64_t), const Index &a, const Index &b);

  Reader &r_;
  Implied implied_;
};
std::vector<Index> indices_of(const IndexMath &math, const Clauses::List &list);
// A device of a grid by its coordinates.
bool read_device(Reader &r, const OpText &op, const IndexMath &math, const Grid &grid,
                 const Clauses::List &list, std::vector<Index> &at);
// The numbers of a list where constants decide them; else an error that says which one is not known.
bool known_numbers(Reader &r, const OpText &op, const Clauses::List &list, std::vector<int64_t> &numbers);

// indices.cpp
bool lower_grid_shape(Reader &r, OpText &op);
bool lower_neighbors(Reader &r, OpText &op);
bool lower_process_linear_index(Reader &r, OpText &op);
bool lower_process_multi_index(Reader &r, OpText &op);

// shardings.cpp
bool check_split_axes(Reader &r, const OpText &op, const Clauses &clauses);
bool check_halos(Reader &r, const OpText &op, const GridSharding &s, const char *at);
bool lower_get_sharding(Reader &r, OpText &op);
bool lower_shard_shape(Reader &r, OpText &op);
bool lower_sharding(Reader &r, OpText &op);

// annotations.cpp
bool lower_shard(Reader &r, OpText &op);

// collectives.cpp
bool lower_all_gather(Reader &r, OpText &op);
bool lower_all_slice(Reader &r, OpText &op);
bool lower_all_to_all(Reader &r, OpText &op);
bool lower_broadcast(Reader &r, OpText &op);
bool lower_gather(Reader &r, OpText &op);
bool lower_reduction(Reader &r, OpText &op); // all_reduce, reduce, reduce_scatter
bool lower_scatter(Reader &r, OpText &op);

// moves.cpp
bool lower_shift(Reader &r, OpText &op);
bool lower_update_halo(Reader &r, OpText &op);

// messages.cpp
bool lower_recv(Reader &r, OpText &op);
bool lower_send(Reader &r, OpText &op);

} // namespace tw::import::shard
