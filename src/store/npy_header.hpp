// SPDX-License-Identifier: Apache-2.0
// The header of NumPy's array file, .npy: read with suspicion, since files come from anywhere.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstdint>
#include <string>

#include "store/array.hpp"

namespace tw::store {

// What a file or archive has as `name`: elements densely at their place in `file`, which is source number
// `source`. `what` names it in messages: "inputs.npz: w1". Arrays that are not read have a problem.
Result<Array> array_of_npy(Bytes &file, uint32_t source, std::string name, const std::string &what);

// The header of version 1.0, or 2.0 where it is long; the elements follow.
std::string npy_header(const graph::TensorType &type);

// The type that NumPy has for elements of this one, every value exactly: f32 for bf16 and f8, int8 for 2 and
// 4 bit integers.
graph::DType numpy_type_for(graph::DType dtype);

} // namespace tw::store
