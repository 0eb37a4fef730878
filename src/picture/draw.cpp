// SPDX-License-Identifier: Apache-2.0
// From subjects to files.
#include "picture/draw.hpp"

#include <algorithm>

#include "picture/sharding_scene.hpp"
#include "picture/sharding_text.hpp"

namespace tw::picture {

namespace {

constexpr double kMostWidth = 960, kGap = 20;

Scene together(std::span<const Subject> subjects, bool bare) {
  if (subjects.size() == 1)
    return sharding_scene(subjects[0], bare);
  Scene all;
  double x = 0, y = 0, below = 0;
  for (const Subject &subject : subjects) {
    Scene one = sharding_scene(subject, bare);
    if (x > 0 && x + one.width > kMostWidth)
      x = 0, y = below + kGap;
    below = std::max(below, y + one.height);
    all.title += (all.title.empty() ? "" : "; ") + one.title;
    const double width = one.width;
    all.place(std::move(one), x, y);
    x += width + kGap;
  }
  return all;
}

Result<std::string> printed(const Scene &scene, const Options &options) {
  return options.form == Form::png ? to_png(scene, options.theme, options.scale)
                                   : Result<std::string>(to_svg(scene, options.theme));
}

} // namespace

Result<std::string> draw(std::span<const Subject> subjects, const Options &options) {
  if (options.form != Form::text)
    return printed(together(subjects, options.bare), options);
  std::string text;
  for (const Subject &subject : subjects)
    text += (text.empty() ? "" : "\n") + sharding_text(subject, options.bare);
  return text;
}

Result<std::string> draw_move(const Move &move, const Options &options) {
  return options.form == Form::text ? Result<std::string>(move_text(move, options.bare))
                                    : printed(move_scene(move, options.bare), options);
}

std::string sharding_svg(const Subject &subject, bool bare) {
  return to_svg(sharding_scene(subject, bare), Theme::page);
}

} // namespace tw::picture
