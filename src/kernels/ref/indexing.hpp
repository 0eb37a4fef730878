// SPDX-License-Identifier: Apache-2.0
// Index vectors read out of arrays of integers, for gather and scatter.
#pragma once

#include "kernels/kernel_args.hpp"
#include "ops/indexing.hpp"

namespace tw::kernels::ref {

// The element at flat position `at` of an array of integers.
int64_t load_index(const Buffer &indices, int64_t at);

// Reads index vectors from a local piece of the indices.
class StartReader {
public:
  StartReader(const ops::Indexing &indexing, const Buffer &indices);
  // For a local position of the slices, per dimension of the array: the component as it stands, not clamped;
  // 0 where there is none.
  void read(std::span<const int64_t> slices_index, std::span<int64_t> start) const;

private:
  const ops::Indexing &indexing_;
  const Buffer &indices_;
  std::vector<int64_t> steps_;
};

} // namespace tw::kernels::ref
