// SPDX-License-Identifier: Apache-2.0
// What differs between two plans as one HTML file that opens without a network.
#pragma once

#include <string>

#include "cli/json.hpp"

namespace tw::cli {

// Of what difference_of found.
std::string difference_page(const Json &difference);

} // namespace tw::cli
