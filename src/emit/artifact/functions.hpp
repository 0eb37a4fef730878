// SPDX-License-Identifier: Apache-2.0
// Functions that calls of foreign code name stand in a module as somebody wrote them.
#pragma once

#include <string>
#include <string_view>

#include "base/status.hpp"

namespace tw::emit::artifact {

// The text of a module, with the ops of all functions in generic form. A function that is not in generic form
// is read as a program of its own, so that calls in it are inlined.
Result<std::string> with_generic_functions(std::string_view text);

} // namespace tw::emit::artifact
