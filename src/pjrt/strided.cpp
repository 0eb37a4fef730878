// SPDX-License-Identifier: Apache-2.0
// Strided copies: dimensions that lie dense behind each other on both sides are one run of bytes.
#include "pjrt/strided.hpp"

#include <cstring>

#include "pjrt/error.hpp"

namespace tw::pjrt {

namespace {

template <size_t item>
void copy_line(int64_t n, const char *source, int64_t source_stride, char *target, int64_t target_stride) {
  for (int64_t i = 0; i < n; ++i, source += source_stride, target += target_stride)
    std::memcpy(target, source, item);
}

struct Copy {
  std::vector<int64_t> dims, from, to;
  size_t item; // bytes that lie together

  void run(size_t dim, const char *source, char *target) const {
    if (dim == dims.size()) {
      std::memcpy(target, source, item);
      return;
    }
    if (dim + 1 == dims.size())
      switch (item) {
      case 1: return copy_line<1>(dims[dim], source, from[dim], target, to[dim]);
      case 2: return copy_line<2>(dims[dim], source, from[dim], target, to[dim]);
      case 4: return copy_line<4>(dims[dim], source, from[dim], target, to[dim]);
      case 8: return copy_line<8>(dims[dim], source, from[dim], target, to[dim]);
      case 16: return copy_line<16>(dims[dim], source, from[dim], target, to[dim]);
      default: break;
      }
    for (int64_t i = 0; i < dims[dim]; ++i, source += from[dim], target += to[dim])
      run(dim + 1, source, target);
  }
};

} // namespace

std::vector<int64_t> dense_strides(std::span<const int64_t> dims, size_t item) {
  std::vector<int64_t> strides(dims.size());
  auto stride = static_cast<int64_t>(item);
  for (size_t d = dims.size(); d-- > 0; stride *= dims[d])
    strides[d] = stride;
  return strides;
}

bool is_dense(std::span<const int64_t> dims, std::span<const int64_t> strides, size_t item) {
  auto stride = static_cast<int64_t>(item);
  for (size_t d = dims.size(); d-- > 0; stride *= dims[d])
    if (dims[d] != 1 && strides[d] != stride)
      return false;
  return true;
}

size_t count_of(std::span<const int64_t> dims) {
  size_t count = 1;
  for (const int64_t n : dims)
    if (n < 0)
      throw Failure{abi::Code::invalid_argument, "a dimension of " + std::to_string(n) + " elements"};
    else if (n == 0)
      return 0;
    else if (count > (size_t{1} << 56) / static_cast<size_t>(n))
      throw Failure{abi::Code::invalid_argument, "an array of more than 2^56 elements"};
    else
      count *= static_cast<size_t>(n);
  return count;
}

void copy_strided(std::span<const int64_t> dims, size_t item, const void *source,
                  std::span<const int64_t> source_strides, void *target,
                  std::span<const int64_t> target_strides) {
  if (count_of(dims) == 0)
    return;
  Copy copy{{}, {}, {}, item};
  bool together = true; // what is left of dims, from the innermost one on
  std::vector<size_t> kept;
  for (size_t d = dims.size(); d-- > 0;) {
    if (dims[d] == 1)
      continue;
    const auto run = static_cast<int64_t>(copy.item);
    together = together && source_strides[d] == run && target_strides[d] == run;
    if (together)
      copy.item *= static_cast<size_t>(dims[d]);
    else
      kept.insert(kept.begin(), d);
  }
  for (const size_t d : kept) {
    copy.dims.push_back(dims[d]);
    copy.from.push_back(source_strides[d]);
    copy.to.push_back(target_strides[d]);
  }
  copy.run(0, static_cast<const char *>(source), static_cast<char *>(target));
}

} // namespace tw::pjrt
