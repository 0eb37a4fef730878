// SPDX-License-Identifier: Apache-2.0
// What runs calls of LAPACK: matrix by matrix, each turned to columns and back.
#pragma once

#include "kernels/custom_calls.hpp"

namespace tw::kernels::lapack {

// What is known of a call of LAPACK; null where it is none.
const CustomCall *find_call(const ops::OpView &call);

} // namespace tw::kernels::lapack
