// SPDX-License-Identifier: Apache-2.0
// Reads index vectors out of index arrays.
#include "kernels/ref/indexing.hpp"

#include "ops/element.hpp"
#include "ops/strided.hpp"

namespace tw::kernels::ref {

using graph::DType;

int64_t load_index(const Buffer &indices, int64_t at) {
  return ops::visit_dtype(indices.dtype, [&]<class E>(E) -> int64_t {
    if constexpr (std::is_integral_v<typename E::Value>) {
      const auto value = E::load(static_cast<const typename E::Storage *>(indices.data)[at]);
      if constexpr (E::dtype == DType::u64)
        return value > static_cast<uint64_t>(INT64_MAX) ? INT64_MAX : static_cast<int64_t>(value);
      else
        return static_cast<int64_t>(value);
    } else {
      return 0;
    }
  });
}

StartReader::StartReader(const ops::Indexing &indexing, const Buffer &indices)
    : indexing_(indexing), indices_(indices), steps_(ops::dense_strides(indices.extent)) {}

void StartReader::read(std::span<const int64_t> slices_index, std::span<int64_t> start) const {
  int64_t at = 0;
  for (size_t d : indexing_.batch_dims)
    at += slices_index[d] * steps_[static_cast<size_t>(indexing_.slices_to_indices[d])];
  const int64_t step = indexing_.has_vector_dim ? steps_[static_cast<size_t>(indexing_.vector_dim)] : 0;
  for (size_t d = 0; d < start.size(); ++d) {
    const int64_t component = indexing_.array[d].component;
    start[d] = component < 0 ? 0 : load_index(indices_, at + component * step);
  }
}

} // namespace tw::kernels::ref
