// SPDX-License-Identifier: Apache-2.0
// When each thing happens, where collectives run beside what does not need them. Things come in program
// order, each as early as its streams are free and what it reads is there. One stream computes, and one moves
// for each mesh axis and each level of links.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tw::cost {

class Timeline {
public:
  // `slowdown`: of what computes while something moves.
  Timeline(size_t values, double slowdown) : ready_(values, 0), slowdown_(slowdown) {}

  // When something begins, and how long it takes there.
  struct Span {
    double begin, seconds;
  };

  Span compute(std::span<const uint32_t> reads, std::span<const uint32_t> makes, double seconds) {
    const double begin = std::max(computing_, ready(reads));
    const double beside = std::max(latest(moving_) - begin, 0.0); // something moves for so long
    computing_ = begin + (seconds * slowdown_ <= beside ? seconds * slowdown_
                                                        : beside + (seconds - beside / slowdown_));
    finish(makes, computing_);
    return {begin, computing_ - begin};
  }

  Span move(std::span<const uint32_t> reads, std::span<const uint32_t> makes, std::span<const size_t> streams,
            double seconds) {
    double begin = ready(reads);
    for (const size_t stream : streams) {
      moving_.resize(std::max(moving_.size(), stream + 1), 0);
      begin = std::max(begin, moving_[stream]);
    }
    for (const size_t stream : streams)
      moving_[stream] = begin + seconds;
    finish(makes, begin + seconds);
    return {begin, seconds};
  }

  // Everything is over; the clock begins anew.
  double take() {
    const double end = std::max(computing_, latest(moving_));
    computing_ = 0;
    std::ranges::fill(moving_, 0);
    for (const uint32_t v : touched_)
      ready_[v] = 0;
    touched_.clear();
    return end;
  }

private:
  double ready(std::span<const uint32_t> reads) const {
    double at = 0;
    for (const uint32_t v : reads)
      at = std::max(at, ready_[v]);
    return at;
  }
  void finish(std::span<const uint32_t> makes, double at) {
    for (const uint32_t v : makes) {
      ready_[v] = at;
      touched_.push_back(v);
    }
  }
  static double latest(const std::vector<double> &all) {
    double at = 0;
    for (const double one : all)
      at = std::max(at, one);
    return at;
  }

  std::vector<double> ready_; // by value
  std::vector<uint32_t> touched_;
  double computing_ = 0;
  std::vector<double> moving_; // by stream
  double slowdown_;
};

} // namespace tw::cost
