// SPDX-License-Identifier: Apache-2.0
// What verbs that write pictures share.
#pragma once

#include <string>

#include <fmt/format.h>

#include "cli/failure.hpp"

namespace tw::cli {

// The form of a picture that is written to a file, as the name says; a Failure names the option that gave it.
inline const char *picture_form(const char *option, const std::string &file) {
  if (file == "-" || file.ends_with(".txt"))
    return "text";
  if (file.ends_with(".svg"))
    return "svg";
  if (file.ends_with(".png"))
    return "png";
  throw usage(
      fmt::format("{} {}: pictures are written to .svg, .png or .txt, or to - for a terminal", option, file));
}

} // namespace tw::cli
