// SPDX-License-Identifier: Apache-2.0
// Which places of a sliding window meet which of its taps, in dilated images.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/convolution.hpp"

namespace tw::kernels::cpu {

// Places and taps of one spatial dimension that meet: where images are dilated, a place meets only some of
// the taps, and neighbouring places others. Tap i of a class is first_tap + i * tap_step of the window, and
// the element under it first[place] + i * step of the image, padding where that lies outside.
struct MeetingClass {
  std::vector<int64_t> places, first;
  int64_t taps = 0, first_tap = 0, tap_step = 1, step = 1;
};

std::vector<MeetingClass> classes_of(const ops::SlidingWindow &window, int64_t places);

} // namespace tw::kernels::cpu
