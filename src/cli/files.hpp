// SPDX-License-Identifier: Apache-2.0
// Whole files as strings; "-" is standard input or output. What cannot be read or written is a Failure naming
// it.
#pragma once

#include <string>
#include <string_view>

namespace tw::cli {

std::string read_file(const std::string &path);
void write_file(const std::string &path, std::string_view bytes);

} // namespace tw::cli
