// SPDX-License-Identifier: Apache-2.0
// Any layout to any other, box by box: in each round a device sends one box and receives one, so that no byte
// arrives twice.
#pragma once

#include <optional>
#include <vector>

#include "emit/stablehlo/collectives.hpp"
#include "sharding/sharding.hpp"

namespace tw::emit::stablehlo {

class Boxes {
public:
  // The layouts outlive this.
  Boxes(DeviceText &text, const graph::TensorType &global, const sharding::Sharding &from,
        const sharding::Sharding &to);

  // Elements that a device receives in all rounds; whoever lacks nothing receives as many.
  int64_t moved() const { return moved(rounds_); }
  Local move(const Local &value) const;

private:
  struct Piece {
    sharding::Box box;
    size_t source, target;
  };
  // Boxes of one size and route; those that stay where they are need no permutation.
  struct Round {
    bool leaves;
    graph::Shape extent;
    Collectives::Route route;
    std::vector<std::optional<size_t>> sends, receives; // by device, the piece
  };
  std::vector<Round> plan(bool by_route) const;
  int64_t moved(const std::vector<Round> &rounds) const;
  Local take(const Round &round, const Local &value, const Local &made) const;

  DeviceText &text_;
  const Collectives &say_;
  const graph::TensorType &global_;
  const sharding::Sharding &from_, &to_;
  std::vector<Piece> pieces_;
  std::vector<Round> rounds_;
};

} // namespace tw::emit::stablehlo
