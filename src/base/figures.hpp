// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tw {

std::string bytes_text(double bytes); // "1.5 MB" (10^6)
inline std::string bytes_text(int64_t bytes) { return bytes_text(static_cast<double>(bytes)); }
// What "GiB", "kB", "B" stand for; nothing where that is no unit of bytes.
std::optional<double> bytes_in(std::string_view unit);
std::optional<double> nanoseconds_in(std::string_view unit); // "ms", "s"
std::string time_text(double seconds);                       // "1.5 ms"
std::string count_text(double count);                        // "1.50 G"
std::string figure_text(double value);                       // "0", "3.2e-07"

} // namespace tw
