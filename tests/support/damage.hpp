// SPDX-License-Identifier: Apache-2.0
// Takes the steps of a plan apart and puts them together again, so that tests can damage them.
#pragma once

#include <span>
#include <vector>

#include "redistribute/plan.hpp"

namespace tw::test {

// A piece on its own.
struct LoosePiece {
  redistribute::Device to;
  std::vector<int64_t> offset, extent;
  std::vector<redistribute::Source> sources;
};

inline std::vector<LoosePiece> take_apart(const redistribute::Step &step, size_t rank) {
  std::vector<LoosePiece> pieces;
  for (size_t d = 0; d + 1 < step.first_piece.size(); ++d)
    for (uint32_t i = step.first_piece[d]; i < step.first_piece[d + 1]; ++i) {
      const auto at = step.bounds.begin() + static_cast<std::ptrdiff_t>(2 * rank * i);
      const auto middle = at + static_cast<std::ptrdiff_t>(rank),
                 end = middle + static_cast<std::ptrdiff_t>(rank);
      const auto sources = step.sources_of(i);
      pieces.push_back({static_cast<redistribute::Device>(d),
                        {at, middle},
                        {middle, end},
                        {sources.begin(), sources.end()}});
    }
  return pieces;
}

// `pieces` are in the order of their receivers.
inline void put_together(redistribute::Step &step, std::span<const LoosePiece> pieces, size_t devices) {
  step.first_piece.assign(devices + 1, 0);
  step.bounds.clear();
  step.first_source.assign(1, 0);
  step.sources.clear();
  for (const LoosePiece &piece : pieces) {
    for (size_t d = static_cast<size_t>(piece.to) + 1; d <= devices; ++d)
      ++step.first_piece[d];
    step.bounds.insert(step.bounds.end(), piece.offset.begin(), piece.offset.end());
    step.bounds.insert(step.bounds.end(), piece.extent.begin(), piece.extent.end());
    step.sources.insert(step.sources.end(), piece.sources.begin(), piece.sources.end());
    step.first_source.push_back(static_cast<uint32_t>(step.sources.size()));
  }
}

} // namespace tw::test
