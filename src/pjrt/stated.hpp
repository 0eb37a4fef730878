// SPDX-License-Identifier: Apache-2.0
// How a module says that its arguments and results lie on its devices, in sdy.sharding: what a framework then
// hands over, and expects. The plan may have to lay an array out otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pjrt/handles.hpp"

namespace tw::pjrt {

// A part of an array.
struct Box {
  std::vector<int64_t> offset, extent;
  bool operator==(const Box &) const = default;
};

// Who holds what of an array. Lists are by partition.
struct Holding {
  std::vector<Box> boxes;
  // What a device holds is one of so many addends of the elements, and which one: 0 to num_addends - 1. An
  // empty list is one addend.
  std::vector<int64_t> addend;
  int64_t num_addends = 1;
  // Partitions in the order of the mesh: of those that hold the same, the order in which XLA names them.
  std::vector<int64_t> order;
};

// What a module states of its arguments and results.
class StatedShardings {
public:
  // Of a graph for so many partitions.
  StatedShardings(const tw_graph_t *graph, int64_t num_partitions);
  // Of argument or result i, whose size is `dims`. Nothing where the module says nothing, leaves a dimension
  // open to propagation, or says what does not divide the array into tiles of one size.
  std::optional<Holding> of(bool is_result, size_t i, const std::vector<int64_t> &dims) const;

private:
  struct Mesh {
    std::string name;
    std::vector<std::string> axes;
    std::vector<int64_t> sizes, devices;
  };
  struct Part { // of an axis of a mesh
    size_t axis;
    int64_t before, size;
  };
  struct Sharding {
    const Mesh *mesh = nullptr;
    std::vector<std::vector<Part>> dims;
    std::vector<Part> unreduced;
    bool is_open = false;
  };
  std::optional<Sharding> read(std::string_view text) const;
  static int64_t coordinate(const Mesh &mesh, const std::vector<Part> &parts, int64_t position);
  static int64_t count(const std::vector<Part> &parts);

  int64_t num_partitions_;
  std::vector<Mesh> meshes_;
  std::vector<std::string> arguments_, results_; // texts; "" where there is none
};

} // namespace tw::pjrt
