// SPDX-License-Identifier: Apache-2.0
// Shardings that a program carries, in one form for every notation, Shardy's (`sdy.sharding`) and GSPMD's
// (`mhlo.sharding`): what the author said, not yet bound to the mesh of a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.hpp"
#include "graph/graph.hpp"

namespace tw::annotation {

// `sdy.mesh @mesh = <["x"=2, "y"=4], device_ids=[..]>`. A mesh without axes and one device id is a maximal
// mesh.
struct MeshDecl {
  std::string name;
  std::vector<std::pair<std::string, int64_t>> axes; // major to minor
  std::vector<int64_t> device_ids;                   // empty = in order
};

// An axis, or the part "c":(pre)size of it: `pre` = product of the more major parts, size 0 = the whole axis.
struct AxisRef {
  std::string name;
  int64_t pre = 1;
  int64_t size = 0;
  bool operator==(const AxisRef &) const = default;
};

struct DimAnnotation {
  std::vector<AxisRef> axes;      // major to minor
  bool open = false;              // "?": propagation may add axes
  int32_t priority = -1;          // p1; -1 = none given
  std::vector<int64_t> cuts = {}; // where the tiles begin, and the end; empty: balanced
};

// GSPMD's own terms, kept beside the mesh form: `{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}`.
struct TileAssignment {
  std::vector<int64_t> tiles;     // tile counts: one a dimension, then one a subgroup
  std::vector<int64_t> iota;      // `<=[..]`: devices 0.. reshaped to this
  std::vector<int64_t> transpose; // `T(..)`; empty = identity
  std::vector<int64_t> devices;   // the explicit list, where iota is empty
  uint32_t subgroups =
      0; // trailing entries of `tiles` that are no array dimension: replicated, manual or unreduced
  uint64_t unreduced = 0; // a bit for each of these that holds partial sums

  std::vector<int64_t> device_list() const; // the device of every tile, tiles counted row-major
};

struct ShardingAnnotation {
  enum class Kind : uint8_t {
    axes, // dims, replicated and unreduced hold: every `sdy` sharding, and each GSPMD one that some mesh expresses
    maximal, // whole on one device
    manual,  // inside, the program is device-local
    tiles,   // a GSPMD device order that the meshes do not express: only `assignment` holds
  };
  Kind kind = Kind::axes;
  std::string mesh;                         // name of a MeshDecl; "" where no axis is named
  std::vector<DimAnnotation> dims;          // one a dimension
  std::vector<AxisRef> replicated;          // must stay whole over these
  std::vector<AxisRef> unreduced;           // partial sums over these
  int64_t device = -1;                      // maximal
  std::optional<TileAssignment> assignment; // GSPMD only
  std::string text;                         // as written
  std::vector<std::string> groups;          // whose members are sharded alike: `shard_as 1`
  bool unknown = false;                     // {unknown}: nothing is said of dimensions
  bool of_maker = false; // about the op that makes the value: it decides where operands want other layouts

  bool constrains() const; // false where no dimension names an axis and nothing is said of others
};

struct Annotation {
  enum class At : uint8_t { argument, result, value } at;
  uint32_t index; // argument or result number, or ValueId
  ShardingAnnotation sharding;
  SourcePos pos;
};

// A value that is sharded like the other members of its group: sdy.sharding_group, GSPMD's shard_as and
// shard_like.
struct GroupMember {
  std::string group;
  graph::ValueId value;
  SourcePos pos;
};

// sdy.propagation_barrier: which way shardings pass from what makes a value to the value, and back.
struct PropagationBarrier {
  graph::ValueId value;
  bool forward, backward;
  SourcePos pos;
};

// sdy.sharding_rule of an op: what it says of the op's loops, in Shardy's notation; it fits the op.
struct StatedRule {
  graph::OpId op;
  std::string text;
  SourcePos pos;
};

// Ops, by number, that one op of device-local code became: a collective, or the way out of such code. What
// moves there is what the text says.
struct StatedMoves {
  graph::OpId first, end;
};

// What the text says of sharding and the import could not keep, and why; plans say so.
struct LeftOut {
  std::string text;
  SourcePos pos; // where it was met first
};

struct Annotations {
  std::vector<MeshDecl> meshes;
  std::vector<Annotation> all; // in text order; empty where they constrain nothing (a note says why)
  std::vector<GroupMember> members = {};
  std::vector<PropagationBarrier> barriers = {};
  std::vector<StatedRule> rules = {};
  std::vector<StatedMoves> moves = {}; // in order
  std::vector<LeftOut> left_out = {};

  bool states_moves_of(graph::OpId op) const;
  const MeshDecl *find_mesh(std::string_view name) const;
  // The mesh that the module declares: of those that have axes the one that its annotations name first, else
  // the first; null where there is none.
  const MeshDecl *declared_mesh() const;
};

} // namespace tw::annotation
