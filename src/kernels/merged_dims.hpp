// SPDX-License-Identifier: Apache-2.0
// Loops over the elements of several inputs at once, with as few dimensions as do.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tw::kernels {

struct MergedDim {
  int64_t extent;
  std::vector<int64_t> strides; // of each input
};

// Extents of 1 go; neighbours that every input walks as one become one. Never empty. An input has `strides`,
// one a dimension; where no dimension is left there is one of one element, and this is its stride.
template <class Input>
std::vector<MergedDim> merged_dims(std::span<const int64_t> extent, const std::vector<Input> &inputs,
                                   int64_t stride_of_one) {
  std::vector<MergedDim> dims;
  for (size_t d = 0; d < extent.size(); ++d) {
    if (extent[d] == 1)
      continue;
    MergedDim dim{extent[d], {}};
    for (const Input &input : inputs)
      dim.strides.push_back(input.strides[d]);
    bool merges = !dims.empty();
    for (size_t i = 0; merges && i < inputs.size(); ++i)
      merges = dims.back().strides[i] == dim.extent * dim.strides[i];
    if (merges)
      dim.extent *= dims.back().extent, dims.back() = std::move(dim);
    else
      dims.push_back(std::move(dim));
  }
  if (dims.empty())
    dims.push_back({1, std::vector<int64_t>(inputs.size(), stride_of_one)});
  return dims;
}

} // namespace tw::kernels
