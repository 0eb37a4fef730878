// SPDX-License-Identifier: Apache-2.0
// One kernel call made from global shapes, boxes and attributes: the request, buffers with canaries around
// the results, and a run of all parts in any order.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "ops/registry.hpp"
#include "sharding/sharding.hpp"

namespace tw::test {

using Rng = std::mt19937_64;

int64_t uniform(Rng &rng, int64_t lo, int64_t hi); // both included

struct ArrayPart {
  graph::TensorType type; // global
  sharding::Box box;
};
ArrayPart whole(graph::DType dtype, std::vector<int64_t> dims);

struct KernelCase {
  std::string op; // "stablehlo.add"
  graph::Attrs attrs;
  std::vector<ArrayPart> operands, results;
  std::vector<std::vector<std::byte>> data; // of the operands' boxes
  bool use_init = true;
  std::shared_ptr<const graph::Graph> graph = nullptr; // null: an empty one; needed by regions and constants
  std::vector<graph::RegionId> regions = {};
  bool tf32 = false;       // see kernels::Request
  bool idle_cores = false; // changes no bit

  std::unique_ptr<kernels::Kernel> bind() const;                            // the first kernel of the list
  std::unique_ptr<kernels::Kernel> bind_reference() const;                  // the reference kernel
  std::unique_ptr<kernels::Kernel> bind_as(kernels::Factory factory) const; // null where it declines
  // All results after running every part once in a random order. Fails the test where a byte beside a result
  // or an operand changed.
  std::vector<std::vector<std::byte>> run(const kernels::Kernel &kernel, Rng &rng) const;
};

// Random bytes that make sensible numbers of an element type; `integers`: small whole numbers, whose sums are
// exact.
std::vector<std::byte> random_data(Rng &rng, graph::DType dtype, int64_t elements, bool integers);

// The part of dense `whole` (of `shape`) in a box, and back.
std::vector<std::byte> cut(const std::vector<std::byte> &data, std::span<const int64_t> shape,
                           const sharding::Box &box, size_t element_size);

// Largest |a - b| over the largest |b|; infinite where only one of two is NaN or infinite.
double relative_difference(graph::DType dtype, const std::vector<std::byte> &a,
                           const std::vector<std::byte> &b);

} // namespace tw::test
