// SPDX-License-Identifier: Apache-2.0
// Several kernels one after the other on some rows, then on the next: what one makes for the next stays in
// cache. Each row is computed as it is in the whole, so a chain changes no bit.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kernels/fused.hpp"
#include "kernels/kernel.hpp"

namespace tw::kernels {

// One of the dimensions that count the rows of a chain, outer ones first, and what one more of it moves on in
// an array. So a mask that several heads share is read once more by each.
struct RowDim {
  int64_t extent, stride;
  auto operator<=>(const RowDim &) const = default;
};

// Where a row begins.
inline int64_t row_offset(std::span<const RowDim> dims, int64_t row) {
  int64_t offset = 0;
  for (size_t d = dims.size(); d-- > 1; row /= dims[d].extent)
    offset += row % dims[d].extent * dims[d].stride;
  return dims.empty() ? 0 : offset + row * dims[0].stride;
}

// Where a member of a chain finds or puts something.
struct ChainPlace {
  enum class Where : uint8_t { operand, result, buffer };
  Where where;
  int64_t index;            // of the chain's operands or results; buffer: bytes from the beginning of all
  std::vector<RowDim> rows; // in bytes; none: all rows are one, or a buffer, which holds a block
};

struct ChainMember {
  const Kernel *block, *last; // for a block of rows, and for what is left over; they outlive the chain
  std::vector<ChainPlace> operands, results;
};

struct ChainRequest {
  // All of them, those that every place has at one distance of each other, and those of a block, which does
  // not reach over the end of a segment.
  int64_t rows = 0, segment = 0, block = 0;
  int64_t part_blocks = 1; // blocks of a part
  int64_t buffer_bytes = 0;
  std::vector<ChainMember> members;

  int64_t segment_blocks() const { return (segment + block - 1) / block; }
  int64_t num_blocks() const { return rows / segment * segment_blocks(); }
  int64_t first_row(int64_t number) const {
    return number / segment_blocks() * segment + number % segment_blocks() * block;
  }
  const Kernel &kernel(const ChainMember &member, int64_t number) const {
    return (number % segment_blocks() + 1) * block <= segment ? *member.block : *member.last;
  }
};

std::unique_ptr<Kernel> bind_chain(ChainRequest request);

// The same chain by what its members compute, for devices with one kernel for all of it.
struct RowChainRequest {
  // One of the chain's operands, or of the values that members make, in their order.
  struct Read {
    bool is_made;
    uint32_t index;
    std::vector<RowDim> rows = {}; // of an operand, in elements; none: all rows are one
  };
  struct Member {
    std::optional<FusedRequest> fused; // over the rows, then what a row has; its inputs are `reads`
    sharding::Reduction kind{};        // else a fold of its one read along each row, from the identity
    graph::DType dtype{};
    int64_t columns = 1; // what it folds of a row
    std::vector<Read> reads;
  };
  int64_t rows = 0;
  std::vector<Member> members;
  std::vector<uint32_t> results; // values, by result of the chain
};

} // namespace tw::kernels
