// SPDX-License-Identifier: Apache-2.0
// Files as strings, where "-" is standard input or output. What cannot be read or written is a Failure naming
// it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tw::cli {

// It may be as large as `limit_input` said last, else 4 GiB: a device or a pipe may never end.
std::string read_file(const std::string &path);
void limit_input(size_t bytes);
void write_file(const std::string &path, std::string_view bytes);

} // namespace tw::cli
