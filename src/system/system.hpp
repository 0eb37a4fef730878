// SPDX-License-Identifier: Apache-2.0
// A machine as a text file describes it: what its devices compute and hold, and how they reach each other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.hpp"
#include "graph/types.hpp"

namespace tw::system {

// A figure by size: that of the last point at or below it, 1 where there are no points.
struct Ladder {
  std::vector<std::pair<double, double>> points; // ascending
  double at(double size) const;
};

// How the devices along an axis, or the groups of a level, reach each other.
struct Link {
  enum class Topology : uint8_t { ring, switched, torus } topology = Topology::ring;
  double bytes_per_s = 0; // of a device and direction; of a level: of a group
  double step_s = 0;      // of each step of a collective
  double base_s = 0;      // of a collective
};

struct Device {
  std::string name;
  std::map<std::string, double> flops; // a second, by element type, and "tf32"
  double hbm_bytes = 0, hbm_bytes_per_s = 0;
  double reserve_bytes = 0, library_bytes = 0; // of the memory, before a program has any
  double round_bytes = 1;                      // what its allocator makes of each array: a multiple of this
  double launch_s = 0;                         // of each step
  int64_t at_once = 0;                         // devices of the mesh that compute at the same time; 0: all
  bool shared_memory = false;                  // devices hold together what is equal on them
};

struct System {
  Device device;
  Ladder matmul, hbm;                      // fractions of the peaks
  std::map<std::string, Ladder> matmul_of; // by element type, where that differs
  double other = 1;                        // of the peak of operations: what is no product
  double functions = 1; // of it, what is computed of single elements by more than an instruction or two: exp
  bool matmul_by_min_dim = false;           // else by 1e9 floating-point operations
  std::map<std::string, Link> axes, levels; // "*": every other axis
  std::map<std::string, uint32_t> lines;    // of "axis NAME", "level NAME"
  bool overlaps = true;                     // compute and collectives
  double slowdown = 1;                      // of what computes while something moves
  bool chains = true;                       // whether a softmax or a norm is one step
  int64_t trip_count = 1;                   // of loops that data end
  std::string file, text;                   // as read

  // A second; of a type without a figure that of the nearest wider one. 0: there is none.
  double flops_of(graph::DType type) const;
  // The fraction of it that a product reaches: the ladder of the type whose figure that is, else the common
  // one.
  double matmul_at(graph::DType type, double size) const;
  const Link *find_link(std::string_view axis) const; // that of the axis, or of every other; null: none
};

// The text of a file; `file` is named in errors, which have a line and a column.
Result<System> parse(std::string_view text, std::string file);
// A system that comes with the library, or a file: "a100-40g", "mine.conf".
Result<System> load(const std::string &name_or_file);
std::vector<std::string> shipped_names();

// An axis of the mesh that no section speaks of, or a section that misspells one.
Status check_axes(const System &system, const std::vector<std::string> &axes);

} // namespace tw::system
