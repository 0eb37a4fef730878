// SPDX-License-Identifier: Apache-2.0
// One oneDNN matrix product of fixed shape. Every call into oneDNN is made in this file's .cpp, so that
// another version of its C API is added in one place.
#pragma once

#include <memory>
#include <string>

#include "base/status.hpp"
#include "graph/types.hpp"
#include "kernels/cpu/copy.hpp"

namespace tw::kernels::onednn {

// Dense row-major matrices: batch x m x k (or k x m, see Product::kMostTransposed), batch x k x n (or n x k),
// batch x m x n. No extent is 0.
struct ProductShape {
  int64_t batch, m, n, k;
  bool lhs_transposed, rhs_transposed;
  graph::DType operand, result;
  bool rhs_packed = false; // the right matrix, one, comes as packing() has left it
  int64_t rhs_stride = 0;  // of a packed one as it was: elements from row to row; 0: it is dense
};

// The copy of a right matrix to a packed one: some rows of it after the other, which is how its pages are
// read fastest.
struct Packing {
  int64_t blocks = 0; // that many times so many rows
  cpu::CopyPlan block = {};
  int64_t from_step = 0, to_step = 0; // bytes from one to the next

  int64_t bytes() const { return blocks * block.bytes(); }
  void run(const void *rhs, void *packed) const;
};

class Product {
public:
  // Null where oneDNN has no optimised implementation; and of packed matrices, where its own order of them
  // takes more bytes.
  static std::unique_ptr<Product> create(const ProductShape &shape);
  ~Product();

  const std::string &implementation() const; // "brg:avx512_core"
  // Of a family of kernels that adds up blocks of k one after the other: brgemm on AVX-512. Nothing is relied
  // upon of others; and of these no more than has been proven, see Proven.
  bool is_known() const;
  // As far as it is known, brgemm's sums of f32 are chains of products over 512 of k, or over 1024 where k is
  // larger and lhs is not transposed; and a single row of a transposed lhs it takes for one that is not. So
  // nobody says that a lhs of more than 1024 lies transposed, and k alone counts. Of how many steps of k a
  // chain is: of fused multiply-adds, added one after the other.
  static int64_t chain(int64_t k) { return k > kMostTransposed ? 1024 : 512; }
  static constexpr int64_t kMostTransposed = 1024; // of k, where lhs lies transposed
  int64_t scratch_bytes() const;
  // Runs in the calling thread alone; any number of threads may run at once.
  Status run(const void *lhs, const void *rhs, void *result, void *scratch) const;
  // Brings a right matrix into the order that products with as many k and n read where it is packed, whatever
  // their rows; apart from it.
  const Packing &packing() const;

private:
  struct Impl;
  explicit Product(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Makes what the OpenMP runtime keeps for each thread that calls it.
void prepare_thread();

} // namespace tw::kernels::onednn
