// SPDX-License-Identifier: Apache-2.0
// Text of a program as it can stand in another one: aliases are written out, comments are left out.
#pragma once

#include <string>
#include <string_view>

#include "import/reader.hpp"

namespace tw::import {

// Appends a piece of the text.
bool append_verbatim(Reader &r, std::string_view piece, std::string &to);

// The definitions of the functions that a piece of text names, `[@f, @g]`, and of those that these name, one
// behind the other, without their locations.
bool functions_named_in(Reader &r, std::string_view piece, std::string &definitions);

} // namespace tw::import
