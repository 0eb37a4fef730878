// SPDX-License-Identifier: Apache-2.0
// Element types of the ABI and those of the library. Both hold elements of less than a byte in one each.
#pragma once

#include "pjrt/abi_ffi.hpp"
#include <tilewright/tw_base.h>

namespace tw::pjrt {

// A Failure where the library has no such type.
tw_dtype_t dtype_of(abi::Type type);
abi::Type type_of(tw_dtype_t dtype);
abi::FfiType ffi_type_of(tw_dtype_t dtype);

// Whether elements have fewer bits than the byte that holds each.
bool is_narrow(tw_dtype_t dtype);
// NumPy's types say nothing of the upper bits of such bytes: here integers are extended by their sign, and
// all else by zeros.
void extend(tw_dtype_t dtype, void *elements, size_t count);

} // namespace tw::pjrt
