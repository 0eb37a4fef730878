// SPDX-License-Identifier: Apache-2.0
// Scenes as files.
#pragma once

#include <string>

#include "base/status.hpp"
#include "picture/scene.hpp"

namespace tw::picture {

// For whose eyes: `automatic` follows the reader's (SVG; light where that cannot be), `page` takes the
// colour of the text around it (SVG inside HTML; light elsewhere).
enum class Theme : uint8_t { automatic, light, dark, page };

std::string to_svg(const Scene &scene, Theme theme);
// `scale` pixels for each of the scene. TW_UNIMPLEMENTED in a build without zlib.
Result<std::string> to_png(const Scene &scene, Theme theme, double scale);

} // namespace tw::picture
