// SPDX-License-Identifier: Apache-2.0
// What a search chooses from. Threads share it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "partition/plan.hpp"
#include "search/borders.hpp"
#include "search/groups.hpp"
#include "search/relaxation.hpp"
#include "search/values.hpp"
#include "spmd/program.hpp"
#include "system/system.hpp"

namespace tw::search {

// One line of a spec: a dimension of all arguments of a group, or of a value, over an axis; none: they stay
// whole on it. Or a loop over a factor around the ops of a border.
struct Line {
  static constexpr uint8_t kWhole = UINT8_MAX;
  enum class Of : uint8_t { group, value, border };
  uint32_t index; // into Space::groups, values or borders
  uint8_t dim;    // of ops a factor
  sharding::AxisId axis;
  Of of = Of::group;
  bool operator==(const Line &) const = default;
};

// What is decided at once; waves follow.
struct Decision {
  enum class Kind : uint8_t {
    tile,    // a dimension of a group
    value,   // a dimension of a value
    state,   // states in tiles of their largest dimension that is whole, weights stay as they are (ZeRO 2)
    storage, // weights too, which then are put together where they are used (ZeRO 3, FSDP)
    borders, // ops, on both sides of what moves where each is tiled by itself; over all axes
  };
  Kind kind;
  sharding::AxisId axis;
  uint32_t index = 0; // of a group or value
  uint8_t dim = 0;
  bool operator==(const Decision &) const = default;
};

// What may be decided.
struct Scope {
  std::vector<sharding::AxisId> axes; // none: all of devices
  bool even_only = false;             // only tiles of one size, of arguments
  bool one_by_one = false;            // arguments alone, each by itself though layers are alike
};

struct Relaxing {
  // What `relaxed` comes from goes there, where that is of all layers; may be null.
  std::optional<Relaxation> *whole = nullptr;
  std::optional<Instant> until = {}; // then `relaxed` is what is there
};

struct Space {
  // A plan whose arguments alone were acted on, if at all; a system that outlives this. An error where who
  // watches gives up.
  static Result<std::shared_ptr<const Space>> create(const partition::Plan &plan,
                                                     const system::System &system,
                                                     const spmd::Options &options, const Scope &scope = {},
                                                     const Relaxing &how = {});

  const graph::TensorType &type(const Group &group) const { return few.graph->type_at(group.type); }

  FewLayers few;
  std::vector<Group> groups;
  std::vector<Value> values; // each has a pin in the plan
  std::vector<Border> borders;
  std::vector<Decision> decisions;
  std::shared_ptr<const partition::Plan> plan; // of few.graph, with what the caller fixed
  const system::System *system;
  spmd::Options options;
  bool even_only = false;
  bool all_layers = false; // few.graph is the program itself
  Relaxed relaxed;         // of that plan
};

} // namespace tw::search
