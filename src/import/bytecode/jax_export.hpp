// SPDX-License-Identifier: Apache-2.0
// What jax.export serialises: a flat buffer with the artifact of a program and how to call it.
#pragma once

#include <string_view>

#include "import/bytecode/bytes.hpp"

namespace tw::import::bytecode {

// Whether these bytes are such a buffer, around bytecode.
bool is_jax_export(std::string_view bytes);
// The bytecode of it; false where it asks for a calling convention that nobody here knows.
bool unwrap_jax_export(std::string_view bytes, Fault &fault, std::string_view &module);

} // namespace tw::import::bytecode
