// SPDX-License-Identifier: Apache-2.0
// Reads lists of GPUs.
#include "device/gpu_list.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace tw::device {

Result<std::vector<int32_t>> parse_gpus(std::string_view what, std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return fail(Code::invalid_argument, "TW-684",
                fmt::format("{} is '{}'; {}, and a list of GPUs is '0' or '0,1,3'", what, text, why));
  };
  std::vector<int32_t> gpus;
  for (const char *at = text.data(), *const end = at + text.size();;) {
    int32_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < 0)
      return refuse(fmt::format("'{}' is no number of a GPU", std::string_view(at, end)));
    if (std::ranges::find(gpus, number) != gpus.end())
      return refuse(fmt::format("GPU {} is there twice", number));
    gpus.push_back(number);
    if (next == end)
      return gpus;
    if (*next != ',')
      return refuse(fmt::format("'{}' follows a number", std::string_view(next, end)));
    at = next + 1;
  }
}

} // namespace tw::device
