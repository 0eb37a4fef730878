// SPDX-License-Identifier: Apache-2.0
// A combiner or comparator region as one function over blocks of elements: its scalar ops run on many
// elements at once, elementwise ones as blocks, others element by element.
#pragma once

#include <span>
#include <vector>

#include "kernels/ref/references.hpp"

namespace tw::kernels::ref {

class RegionFn {
public:
  // The graph must outlive the function. An error names the first op that does not work on scalars alone, or
  // the value from outside the region that is no scalar constant.
  static Result<RegionFn> make(const graph::Graph &graph, graph::RegionId region);

  static constexpr int64_t kBlock = 256;

  // args[i] points to n <= kBlock elements of the region's argument i; yields[i] receives as many of its
  // result i and may equal an args pointer. Uses scratch of its own, so one RegionFn serves one caller at a
  // time.
  void run(std::span<const void *const> args, std::span<void *const> yields, int64_t n);

private:
  struct Operation {
    BlockFn fn;                 // null: the op's reference, one element at a time
    const Reference *reference; // likewise
    std::vector<uint32_t> in;   // values: the arguments first, then one per constant or op
    uint32_t out;
    graph::OpId op;
  };
  void run_elements(const Operation &step, int64_t n);

  const graph::Graph *graph_ = nullptr;
  std::vector<Operation> steps_;
  std::vector<uint32_t> yields_;
  std::vector<size_t> yield_sizes_;
  std::vector<std::vector<std::byte>> buffers_; // per value; empty for arguments
  std::vector<const void *> values_;            // where each value lies during a run
  std::vector<const void *> inputs_;            // of the step at hand
};

} // namespace tw::kernels::ref
