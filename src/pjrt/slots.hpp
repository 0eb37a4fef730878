// SPDX-License-Identifier: Apache-2.0
// The functions behind the table: each takes its arguments, writes what it answers into them, and throws a
// Failure.
#pragma once

#include "pjrt/abi_buffers.hpp"

namespace tw::pjrt {

#define TW_SLOT(function, ...) void function(__VA_ARGS__ &args);
#define TW_PLAIN_SLOT(function, ...) void function(__VA_ARGS__ &args);
#define TW_NO_SLOT(name)
#include "pjrt/slot_list.inc"
#undef TW_SLOT
#undef TW_PLAIN_SLOT
#undef TW_NO_SLOT

// Of the shardings extension.
void executable_parameter_shardings(abi::ExecutableShardings &args);
void executable_output_shardings(abi::ExecutableShardings &args);

} // namespace tw::pjrt
