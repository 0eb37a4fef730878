// SPDX-License-Identifier: Apache-2.0
// Where elements lie, as C++ expressions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace tw::kernels::generated {

struct IndexDim {
  int64_t extent, stride;
};

// Neighbours that are walked as one become one; the order of elements stays. Extents of 1 go.
inline std::vector<IndexDim> merged_dims(const std::vector<IndexDim> &dims) {
  std::vector<IndexDim> out;
  for (const IndexDim &d : dims) {
    if (d.extent == 1)
      continue;
    if (!out.empty() && out.back().stride == d.extent * d.stride)
      out.back() = {out.back().extent * d.extent, d.stride};
    else
      out.push_back(d);
  }
  return out;
}

inline int64_t product_of(const std::vector<IndexDim> &dims) {
  int64_t n = 1;
  for (const IndexDim &d : dims)
    n *= d.extent;
  return n;
}

// Offset of the element whose number in row-major order is the value of `index`, a name.
inline std::string offset_text(const std::vector<IndexDim> &dims, const std::string &index) {
  std::string text;
  int64_t inner = 1;
  for (size_t d = dims.size(); d-- > 0; inner *= dims[d].extent) {
    std::string at = inner == 1 ? index : fmt::format("{} / {}ll", index, inner);
    if (d > 0)
      at = fmt::format("{} % {}ll", at, dims[d].extent);
    if (dims[d].stride != 0)
      text += fmt::format("{}({}) * {}ll", text.empty() ? "" : " + ", at, dims[d].stride);
  }
  return text.empty() ? "0ll" : text;
}

} // namespace tw::kernels::generated
