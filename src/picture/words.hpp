// SPDX-License-Identifier: Apache-2.0
// What pictures say in words, the same in every form.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "picture/tiles.hpp"

namespace tw::picture {

// Text from outside as pictures show it: no control characters, and none that change the direction of
// writing, which a reader could not see; they stand as \u202e.
std::string plain(std::string_view text);

// "params['wq']", "f32[64,128]" (the shape alone where the type is not known), "[{data}, {model}]".
std::string type_words(const Subject &subject);
std::string sharding_words(const Subject &subject);

// Ways to name devices, the longest first: "0, 1, 2, 3", "0-3", "x4". `count`: all of them, where only the
// first ones and the last are listed.
std::vector<std::string> device_words(std::span<const int64_t> ids, int64_t count);

// "dim 1: 4096", "dim 1: 4096 in 512 tiles" where some are left out.
std::string side_words(const Side &side);

// What an axis does: "tiles dim 0", "4 copies", "partial (sum)".
enum class Role : uint8_t { tiles, copies, partial, steps };
struct AxisWords {
  AxisId axis;
  Role role;
  std::string text; // "model 4: tiles dim 1"
};
std::vector<AxisWords> axis_words(const Subject &subject, const Tiles &tiles);

// What each device holds, which ones hold nothing, what halos there are: a line each.
std::vector<std::string> notes(const Subject &subject, const Tiles &tiles);

} // namespace tw::picture
