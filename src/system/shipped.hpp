// SPDX-License-Identifier: Apache-2.0
// The systems that come with the library.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace tw::system {

std::span<const std::pair<std::string_view, std::string_view>> shipped_systems(); // name, text

} // namespace tw::system
