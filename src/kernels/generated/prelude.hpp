// SPDX-License-Identifier: Apache-2.0
// What stands before every generated kernel: element types, scalar operations and functions in plain C++, so
// that bits do not depend on headers of the device's compiler.
#pragma once

#include <string>

#include "graph/types.hpp"

namespace tw::kernels::generated {

// A C++ text. Where TW_SHIM is defined, tests/support/device_shim.hpp has been read before it.
std::string prelude();

std::string prelude_arithmetic();  // the part with the operations
std::string prelude_conversions(); // of which those between element types

std::string type_name(graph::DType dtype); // in the prelude's namespace tw: "f32", "s4", "f8e5m2", "c64"

} // namespace tw::kernels::generated
