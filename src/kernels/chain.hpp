// SPDX-License-Identifier: Apache-2.0
// Several kernels one after the other on some rows, then on the next: what one makes for the next stays in
// cache. Each row is computed as it is in the whole, so a chain changes no bit.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/fused.hpp"
#include "kernels/kernel.hpp"

namespace tw::kernels {

// Where a member of a chain finds or puts something.
struct ChainPlace {
  enum class Where : uint8_t { operand, result, buffer };
  Where where;
  int64_t index;     // of the chain's operands or results; buffer: bytes from the beginning of all
  int64_t row_bytes; // 0: all rows are one, or a buffer, which holds a block
};

struct ChainMember {
  const Kernel *block, *last; // for a block of rows, and for what is left over; they outlive the chain
  std::vector<ChainPlace> operands, results;
};

struct ChainRequest {
  int64_t rows = 0, block = 0; // all of them, and those of a block
  int64_t part_blocks = 1;     // blocks of a part
  int64_t buffer_bytes = 0;
  std::vector<ChainMember> members;
};

std::unique_ptr<Kernel> bind_chain(ChainRequest request);

// The same chain by what its members compute, for devices with one kernel for all of it.
struct RowChainRequest {
  // One of the chain's operands, or of the values that members make, in their order.
  struct Read {
    bool is_made;
    uint32_t index;
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
