// SPDX-License-Identifier: Apache-2.0
// custom_calls that name a routine of LAPACK, as JAX makes them of jnp.linalg: what they take and make, and
// how they may be split. Each matrix of a batch is on its own. What runs them stands in kernels/lapack.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/op_def.hpp"

namespace tw::ops {

enum class LapackRoutine : uint8_t {
#define TW_LAPACK(name, complex_name, arrays, complex_arrays, attributes) name,
#include "ops/lapack_list.inc"
#undef TW_LAPACK
};

// A call that is as it should be.
struct LapackCall {
  LapackRoutine routine = LapackRoutine::geev;
  graph::DType dtype = graph::DType::invalid; // of the matrices: f32, f64, c64 or c128
  std::string symbol;                         // "dgetrf_"
  size_t batch_rank = 0;                      // dimensions in front that count matrices
  std::vector<std::string_view> arrays;       // "Tmn": of operands, then of results
  size_t num_operands = 0;
  std::array<int64_t, 26> sizes{}; // of the letters that stand for dimensions
  struct Attribute {
    std::string_view name;
    int64_t value;
  };
  std::vector<Attribute> attributes;

  int64_t size(char letter) const { return sizes[static_cast<size_t>(letter - 'a')]; }
  int64_t attribute(std::string_view name) const; // 0: there is none
  bool is_complex() const { return graph::is_complex(dtype); }
  double flops() const; // for one matrix, roughly
};

// Whether a call names a routine of LAPACK: @lapack_dgetrf_ffi, @Qr.
bool is_lapack_call(const OpView &call);
// An error says what does not fit.
Result<LapackCall> read_lapack_call(const OpView &call);
// Batches are loops, and matrices stay whole. Nothing where the call is none of LAPACK, or does not fit.
std::optional<Rule> lapack_rule(const OpView &call);

} // namespace tw::ops
