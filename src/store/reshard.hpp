// SPDX-License-Identifier: Apache-2.0
// Sets of arrays on disk written anew in another layout, block by block: every element that is needed is read
// once, whoever gets it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "store/set.hpp"
#include "store/target.hpp"

namespace tw::store {

// How each array of a set is to lie.
struct Placement {
  struct Of {
    sharding::Mesh mesh;
    sharding::Sharding sharding;
  };
  bool whole = true;
  sharding::Mesh mesh;
  std::vector<Of> arrays; // of the set, in its order; none where all are whole
};

struct ReshardOptions {
  std::string format;                         // of the target; "": as its name says
  size_t memory_bytes = size_t{256} << 20;    // of blocks
  graph::DType dtype = graph::DType::invalid; // for all floats; invalid: as they are
  bool dry_run = false, verify = false;
  std::function<bool(uint64_t done, uint64_t total)> progress; // bytes; false: stop there
};

struct ReshardReport {
  size_t arrays = 0, files_read = 0, files_written = 0;
  uint64_t bytes_read = 0, least_bytes_read = 0;
  uint64_t bytes_written = 0, least_bytes_written = 0;
  uint64_t bytes_kept = 0; // that an earlier process had written
  uint64_t peak_memory_bytes = 0;
  double seconds = 0;
  bool verified = false;
  std::vector<std::string> left_out; // arrays of types that are not read
};

Result<ReshardReport> reshard(const Set &set, const std::string &dst, const Placement &placement,
                              const ReshardOptions &options);

// The most memory that this process ever had.
uint64_t peak_memory();

} // namespace tw::store
