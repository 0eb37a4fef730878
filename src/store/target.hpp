// SPDX-License-Identifier: Apache-2.0
// Where arrays are to be written: the files of a format, and which box of which array each holds at which
// place.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.hpp"
#include "graph/types.hpp"
#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::store {

// How arrays are to lie: over the devices of a mesh, or whole.
struct Layout {
  struct Array {
    std::string name;
    graph::TensorType type; // as it is written
    sharding::Mesh mesh;    // that of the layout, with the parts of axes that the sharding names
    sharding::Sharding sharding;
  };
  std::vector<Array> arrays; // elements of more bytes first, so that each lies at a multiple of its size
  bool whole = true;         // no mesh: each array once
  sharding::Mesh mesh;

  // What a device has of an array.
  sharding::Box box(size_t array, int64_t device) const;
  int64_t num_devices() const { return whole ? 1 : mesh.num_devices(); }
};

// Files that are written from front to back, array by array in the order of the layout.
class Target {
public:
  virtual ~Target() = default;

  struct File {
    std::string name; // in the folder that is written; "" where the path is this one file
    uint64_t size = 0;
  };
  struct Tile {
    uint32_t file = 0;
    sharding::Box box;
    uint64_t at = 0; // from there on it lies densely, row-major
  };
  const std::vector<File> &files() const { return files_; }
  // What stands in a file before its first array.
  virtual std::string head(size_t file) const = 0;
  // Tiles that are not empty, in the order of their files.
  virtual std::vector<Tile> tiles(size_t array) const = 0;
  // Small files that are written behind the others: name and text.
  virtual std::vector<std::pair<std::string, std::string>> notes() const { return {}; }

protected:
  std::vector<File> files_;
};

// Gives the next bytes of the arrays of a layout, which are taken in their order, each from front to back.
using TakeBytes = std::function<Status(size_t array, void *to, size_t n)>;

} // namespace tw::store
