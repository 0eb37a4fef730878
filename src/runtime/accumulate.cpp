// SPDX-License-Identifier: Apache-2.0
// One combination of boxes, in the order of the steps or threads.
#include "runtime/accumulate.hpp"

#include <algorithm>
#include <array>

namespace tw::runtime {

namespace {

constexpr int64_t kSumPartBytes = 256 << 10;
constexpr size_t kMostSources = sharding::kMostThreads + 1;

// Slot 0 is the result.
std::vector<comm::CombineJob::Holder> sources(const sharding::Box &from, const sharding::Box &to,
                                              size_t operands, bool onto) {
  std::vector<comm::CombineJob::Holder> all;
  if (onto)
    all.push_back({0, to});
  for (size_t i = 0; i < operands; ++i)
    all.push_back({1 + i, from});
  return all;
}

} // namespace

Accumulate::Accumulate(const sharding::Box &from, const sharding::Box &to, size_t operands, bool onto,
                       size_t element_size, comm::Combine combine)
    : job_(from, sources(from, to, operands, onto), std::vector<comm::CombineJob::Holder>{{0, to}},
           element_size, combine),
      operands_(operands),
      parts_(std::max<int64_t>(job_.elements() * static_cast<int64_t>(element_size) / kSumPartBytes, 1)) {
  TW_ASSERT(operands < kMostSources);
}

Status Accumulate::run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
                       void *) const {
  std::array<const void *, kMostSources> src;
  src[0] = results[0];
  std::copy_n(operands.begin(), operands_, src.begin() + 1);
  const int64_t n = job_.elements();
  job_.run(part * n / parts_, (part + 1) * n / parts_, src, results);
  return {};
}

} // namespace tw::runtime
