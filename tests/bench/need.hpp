// SPDX-License-Identifier: Apache-2.0
// A benchmark that cannot go on says why and stops.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/status.hpp"

namespace tw::bench {

[[noreturn]] inline void stop(const std::string &why) {
  fmt::print(stderr, "{}\n", why);
  std::exit(1);
}
template <class T> T need(Result<T> result) {
  if (!result)
    stop(result.error().message());
  return std::move(*result);
}
inline void need(Status status) {
  if (!status)
    stop(status.error().message());
}

inline std::string read_file(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    stop("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace tw::bench
