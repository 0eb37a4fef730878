// SPDX-License-Identifier: Apache-2.0
// The parts of the plan checker, in the order in which they run, and the little that they share. Nothing here
// is known to a planner.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "redistribute/check.hpp"

namespace tw::redistribute {

// What is wrong, one line each; what exceeds the limit is counted only.
class Findings {
public:
  explicit Findings(std::vector<std::string> &lines) : lines_(lines) {}
  template <class... Args> void add(fmt::format_string<Args...> text, Args &&...args) {
    ++count_;
    if (lines_.size() < CheckReport::kMaxFailures)
      lines_.push_back(fmt::format(text, std::forward<Args>(args)...));
  }
  size_t count() const { return count_; }
  bool none() const { return count_ == 0; }

private:
  std::vector<std::string> &lines_;
  size_t count_ = 0;
};

// A box whose numbers lie in somebody's array. Those of a plan that check_form passed lie in the global
// array.
struct BoxView {
  std::span<const int64_t> offset, extent;
  int64_t end(size_t i) const { return offset[i] + extent[i]; }
};
int64_t elements(BoxView box); // a zero counts before the others, whose product may be anything
bool contains(BoxView outer, BoxView inner);
int64_t overlap(BoxView a, BoxView b); // elements
std::string to_text(BoxView box);      // "[0:4, 2:8]"

// The elements that the tile of a device has of one layout, each once. In dimensions without halos that is
// its tile.
int64_t distinct_elements(const Layout &layout, const graph::Shape &shape, BoxView tile);
// Where coordinates of a layout stand for elements of the array: everywhere in a tile along dimensions that
// wrap, else in the array.
sharding::Interval valid_part(const sharding::Halo &halo, int64_t n, BoxView tile, size_t d);

inline BoxView tile_of(const Plan &plan, size_t buffer, Device d) {
  return {plan.buffers[buffer].offset(d), plan.buffers[buffer].extent(d)};
}
inline BoxView piece_of(const Step &step, size_t rank, size_t piece) {
  return {step.offset(piece, rank), step.extent(piece, rank)};
}

// What devices hold before, where some are lost.
class HeldTiles {
public:
  explicit HeldTiles(const Plan &plan);
  // Elements of a tile that some device holds: all of them, unless devices are lost.
  int64_t count(BoxView tile) const;
  bool contains(std::span<const int64_t> index) const;

private:
  bool all_ = true;
  std::vector<BoxView> tiles_; // disjoint
};

// The least of a sum and the largest number: sums of what a plan claims must not wrap.
inline int64_t add_saturating(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

// What the pieces of a step amount to.
struct StepTally {
  std::vector<int64_t> received, sent; // bytes, by device
  int64_t received_max = 0, kept_max = 0, peers_max = 0;
  double received_mean = 0;
  bool moves = false; // something comes from another device
};
// And those of all steps.
struct Tally {
  std::vector<StepTally> steps;
  std::vector<int64_t> received; // bytes, by device
  int64_t received_max = 0, height_bytes = 0, scratch_bytes = 0;
  double received_mean = 0, send_balance = 1;
};

// Arrays agree in size, every index and box lies where it may. All other parts rely on it; true where nothing
// was wrong.
bool check_form(const Plan &plan, Findings &findings);
// The first buffer is the source and the last the target on every device.
void check_ends(const Plan &plan, Findings &findings);
// Step by step: pieces fall into place once, their sources hold them by then, sums have the right terms; at
// the end all is there.
void check_replay(const Plan &plan, Findings &findings);
// Names of steps say what the steps do.
void check_labels(const Plan &plan, const Tally &tally, Findings &findings);

Tally tally(const Plan &plan);
void check_cost(const Plan &plan, const Tally &tally, const CheckOptions &options, Findings &findings);

// Scalar and vector plans: every step is one of their ops between balanced tilings, and together they cost
// what is claimed.
void check_sequence(const Plan &plan, Findings &findings);

enum class Verdict : uint8_t { verified, refuted, too_long };
// Nothing cheaper exists: by the shapes alone, and for each cheaper path of shapes by what its own definition
// says. `cap` elements are the largest tile allowed.
Verdict check_certificate(const Plan &plan, int64_t cap, Findings &findings);

// Moves one number per element through all buffers. False where that is too much.
bool check_move(const Plan &plan, int64_t move_elements, Findings &findings);

} // namespace tw::redistribute
