// SPDX-License-Identifier: Apache-2.0
// Devices that take from the same devices in a direct exchange. What follows from that is said once for all
// of them, so that it takes time and memory by devices and not by pairs of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "redistribute/direct.hpp"
#include "redistribute/plan.hpp"

namespace tw::redistribute {

class Takers {
public:
  // Whether those are told apart that take other boxes from the same devices.
  enum class By : uint8_t { givers, boxes };
  Takers(const Problem &problem, By by); // keeps a reference

  size_t num_classes() const { return classes_.size(); }
  std::span<const Device> members(size_t c) const { return classes_[c]; } // ascending, at least one
  // What the first of them takes. Where values are combined the source is the first of a piece's, in order.
  void append(size_t c, PieceList &out);
  // The devices that hold the values of such a piece, in order.
  void append_givers(Position first, std::vector<Device> &out) const;
  // Of one device a class.
  int64_t num_pieces() const { return num_pieces_; }

private:
  const Problem &problem_;
  DirectExchange exchange_;
  std::vector<int64_t> terms_;
  std::vector<std::vector<Device>> classes_;
  int64_t num_pieces_ = 0;
};

// What is said of the step of a direct exchange (direct_step), found without its pieces.
StepHead direct_head(const Problem &problem);

} // namespace tw::redistribute
