// SPDX-License-Identifier: Apache-2.0
// A dot_general of any dimensions, seen as `batch` products of m x k by k x n, and how each operand's storage
// holds its matrices.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/cpu/copy.hpp"
#include "kernels/kernel.hpp"

namespace tw::kernels {

// One operand. Which of its two groups of dimensions lies inside the other follows from the op alone, never
// from extents: the order of a sum may depend on it, and must not change with the way an array is tiled.
class DotOperand {
public:
  struct Dim {
    int64_t extent, stride; // elements
  };
  DotOperand(std::vector<Dim> batch, std::vector<Dim> free, std::vector<Dim> k, bool k_inner);

  bool k_inner() const { return k_inner_; } // matrices are free x k, row-major; else k x free
  bool is_dense() const;                    // the storage is exactly batch x that matrix
  // Where each group is walked in steps of one length: those, in elements; 0 where it has one element.
  struct Strides {
    int64_t free, k;
  };
  std::optional<Strides> strides() const;
  int64_t free_extent() const { return free_extent_; }
  // The groups, outer to inner, without extents of 1 and merged where the storage permits.
  std::span<const Dim> batch_dims() const { return batch_; }
  std::span<const Dim> free_dims() const { return free_; }
  std::span<const Dim> k_dims() const { return k_; }
  int64_t granule() const; // ranges of the free group start and end at multiples of this
  int64_t offset(int64_t batch, int64_t free_begin) const; // of an element, k = 0
  // Packs the matrix of one batch, rows of the free group [begin, begin + count) at offset(batch, begin).
  cpu::CopyPlan pack(int64_t free_count, int64_t element_size) const {
    return pack(free_count, element_size, k_inner_);
  }
  cpu::CopyPlan pack(int64_t free_count, int64_t element_size, bool k_inner) const; // in either order

private:
  std::vector<Dim> batch_, free_, k_;
  bool k_inner_;
  int64_t free_extent_ = 1;
};

struct DotLayout {
  int64_t batch, m, n, k;
  DotOperand lhs, rhs;
  explicit DotLayout(const Request &request);
};

// A product without elements, or of nothing (k = 0: zeros); null for any other.
std::unique_ptr<Kernel> bind_empty_dot(const Request &request, const DotLayout &dot);

// The independent parts of a product, by shape only: either whole products, several at once, or rows of one.
struct DotParts {
  DotParts(const DotLayout &dot, double flops_each, int64_t most, int64_t fewest_rows);
  int64_t count() const { return batch_parts * row_parts; }
  struct Range {
    int64_t begin, end;
    int64_t size() const { return end - begin; }
  };
  Range batches(int64_t part) const { return range(part / row_parts, batch_each, batch); }
  Range rows(int64_t part) const { return range(part % row_parts, rows_each, m); }

  int64_t batch, m;
  int64_t batch_each, rows_each;
  int64_t batch_parts, row_parts;

private:
  static Range range(int64_t i, int64_t each, int64_t n) {
    return {i * each, (i + 1) * each < n ? (i + 1) * each : n};
  }
};

} // namespace tw::kernels
