// SPDX-License-Identifier: Apache-2.0
// Element types of the ABI and those of the library. Both hold elements of less than a byte in one each.
#pragma once

#include "pjrt/abi.hpp"
#include <tilewright/tw_base.h>

namespace tw::pjrt {

// A Failure where the library has no such type.
tw_dtype_t dtype_of(abi::Type type);
abi::Type type_of(tw_dtype_t dtype);

} // namespace tw::pjrt
