// SPDX-License-Identifier: Apache-2.0
// Source of arrays that are a function of where their elements stand: indices and random bits. A tile is told
// where it begins when it is launched, so all devices share a text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "graph/types.hpp"
#include "kernels/generated/source.hpp"

namespace tw::kernels::generated {

struct IotaRequest {
  graph::DType dtype;
  std::vector<int64_t> extent; // of the tile
  size_t dim;                  // which is counted
};
Source iota_source(const IotaRequest &request, const std::string &entry); // number 0: the tile's offset

struct RandomBitsRequest {
  graph::DType dtype; // integers and floats; of floats the bits are drawn
  bool threefry;      // else Philox
  int64_t state;      // words of 64 bits: 2 or 3
  std::vector<int64_t> whole, extent;
};
// As stablehlo.rng_bit_generator. Operand 0: the state; result 0: the next state, result 1: the bits. The
// numbers: the tile's offset in each dimension.
Source random_bits_source(const RandomBitsRequest &request, const std::string &entry);

struct RandomNumbersRequest {
  graph::DType dtype;
  bool normal; // else uniform
  int64_t stream;
  std::vector<int64_t> whole, extent;
};
// As stablehlo.rng. Operands: the two parameters of the distribution; numbers: the tile's offset in each
// dimension.
Result<Source> random_numbers_source(const RandomNumbersRequest &request, const std::string &entry);

} // namespace tw::kernels::generated
