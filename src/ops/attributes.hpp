// SPDX-License-Identifier: Apache-2.0
// Attribute slots of the ops that other folders look into: `op.ints(slot::reduce::dimensions)`. The order is
// the order of the schema.
#pragma once

#include <cstddef>

namespace tw::ops::slot {

namespace broadcast_in_dim {
enum : size_t { broadcast_dimensions };
}
namespace cholesky {
enum : size_t { lower };
}
namespace compare {
enum : size_t { comparison_direction, compare_type };
}
namespace concatenate {
enum : size_t { dimension };
}
namespace constant {
enum : size_t { value };
}
namespace convolution {
enum : size_t {
  lhs_dimensions,
  rhs_dimensions,
  result_dimensions,
  window_strides,
  padding,
  lhs_dilation,
  rhs_dilation,
  window_reversal,
  feature_group_count,
  batch_group_count,
  precision_config
};
}
namespace custom_call {
enum : size_t {
  call_target_name,
  has_side_effect,
  backend_config,
  api_version,
  attributes,
  called_functions
};
}
namespace dot_general {
enum : size_t {
  lhs_batching_dimensions,
  rhs_batching_dimensions,
  lhs_contracting_dimensions,
  rhs_contracting_dimensions,
  precision_config,
  algorithm
};
}
namespace dynamic_slice {
enum : size_t { slice_sizes };
}
namespace fft {
enum : size_t { fft_type, fft_length };
}
namespace gather {
enum : size_t {
  offset_dims,
  collapsed_slice_dims,
  operand_batching_dims,
  start_indices_batching_dims,
  start_index_map,
  index_vector_dim,
  slice_sizes,
  indices_are_sorted
};
}
namespace iota {
enum : size_t { iota_dimension };
}
namespace map {
enum : size_t { dimensions };
}
namespace pad {
enum : size_t { edge_padding_low, edge_padding_high, interior_padding };
}
namespace reduce {
enum : size_t { dimensions };
}
namespace reduce_precision {
enum : size_t { exponent_bits, mantissa_bits };
}
namespace reduce_window {
enum : size_t { window_dimensions, window_strides, base_dilations, window_dilations, padding };
}
namespace rng {
enum : size_t { rng_distribution, stream };
}
namespace rng_bit_generator {
enum : size_t { rng_algorithm };
}
namespace scatter {
enum : size_t {
  update_window_dims,
  inserted_window_dims,
  input_batching_dims,
  scatter_indices_batching_dims,
  scatter_dims_to_operand_dims,
  index_vector_dim,
  indices_are_sorted,
  unique_indices
};
}
namespace select_and_scatter {
enum : size_t { window_dimensions, window_strides, padding };
}
namespace signature {
enum : size_t { memory_kind };
}
namespace slice {
enum : size_t { start_indices, limit_indices, strides };
}
namespace sort {
enum : size_t { dimension, is_stable };
}
namespace top_k {
enum : size_t { k };
}
namespace transpose {
enum : size_t { permutation };
}
namespace triangular_solve {
enum : size_t { left_side, lower, unit_diagonal, transpose_a };
}

} // namespace tw::ops::slot
