// SPDX-License-Identifier: Apache-2.0
// A part is the same share of every array.
#include "runtime/assign.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace tw::runtime {

namespace {
constexpr int64_t kCopyPartBytes = 256 << 10;
}

Assign::Assign(std::vector<int64_t> bytes)
    : bytes_(std::move(bytes)),
      parts_(
          std::max<int64_t>(std::accumulate(bytes_.begin(), bytes_.end(), int64_t{0}) / kCopyPartBytes, 1)) {}

Status Assign::run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
                   void *) const {
  for (size_t i = 0; i < bytes_.size(); ++i) {
    const int64_t share = bytes_[i] / parts_, begin = part * share,
                  end = part + 1 == parts_ ? bytes_[i] : begin + share;
    if (operands[i] != results[i] && begin != end)
      std::memcpy(static_cast<std::byte *>(results[i]) + begin,
                  static_cast<const std::byte *>(operands[i]) + begin, static_cast<size_t>(end - begin));
  }
  return {};
}

} // namespace tw::runtime
