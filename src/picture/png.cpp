// SPDX-License-Identifier: Apache-2.0
// PNG files: three bytes a pixel, rows as differences to the row above, packed by zlib.
#include <array>
#include <string>

#include <fmt/format.h>

#include "picture/printers.hpp"
#include "picture/raster.hpp"

#if TW_WITH_ZLIB
#include <zlib.h>
#endif

namespace tw::picture {

#if TW_WITH_ZLIB

namespace {

constexpr double kMostPixels = 64e6;

void put_number(std::string &out, size_t value) {
  for (const int shift : {24, 16, 8, 0})
    out += static_cast<char>(value >> shift & 0xff);
}

void put_chunk(std::string &out, std::string_view kind, std::string_view data) {
  put_number(out, data.size());
  const std::string checked = std::string(kind) + std::string(data);
  out += checked;
  put_number(out,
             crc32(0, reinterpret_cast<const Bytef *>(checked.data()), static_cast<uInt>(checked.size())));
}

} // namespace

Result<std::string> to_png(const Scene &scene, Theme theme, double scale) {
  if (scene.width * scale * scene.height * scale > kMostPixels)
    return fail(Code::resource_exhausted, "TW-781",
                fmt::format("{:.0f} x {:.0f} pixels: a PNG picture has at most {:.0f} million",
                            scene.width * scale, scene.height * scale, kMostPixels / 1e6));
  const bool dark = theme == Theme::dark;
  const Pixels pixels = rasterise(scene, scale, dark ? Color{0x0d, 0x11, 0x17} : Color{255, 255, 255},
                                  dark ? Color{0xe6, 0xed, 0xf3} : Color{0x1b, 0x1f, 0x24});
  const size_t row = pixels.width * 3;
  std::string rows;
  rows.reserve((row + 1) * pixels.height);
  for (size_t y = 0; y < pixels.height; ++y) {
    rows += static_cast<char>(y == 0 ? 0 : 2); // the filter: none, or the difference to the row above
    for (size_t x = 0; x < row; ++x)
      rows += static_cast<char>(pixels.rgb[y * row + x] - (y == 0 ? 0 : pixels.rgb[(y - 1) * row + x]));
  }
  std::string packed(compressBound(static_cast<uLong>(rows.size())), '\0');
  auto size = static_cast<uLongf>(packed.size());
  if (compress2(reinterpret_cast<Bytef *>(packed.data()), &size, reinterpret_cast<const Bytef *>(rows.data()),
                static_cast<uLong>(rows.size()), Z_BEST_COMPRESSION) != Z_OK)
    return fail(Code::resource_exhausted, "TW-781", "zlib could not pack the picture");
  packed.resize(size);

  std::string header;
  put_number(header, pixels.width);
  put_number(header, pixels.height);
  header += std::string("\x08\x02\0\0\0", 5); // 8 bits, red green blue
  std::string out = "\x89PNG\r\n\x1a\n";
  put_chunk(out, "IHDR", header);
  put_chunk(out, "IDAT", packed);
  put_chunk(out, "IEND", {});
  return out;
}

#else

Result<std::string> to_png(const Scene &, Theme, double) {
  return fail(Code::unimplemented, "TW-780",
              "this build was configured without zlib, so it writes no PNG pictures");
}

#endif

} // namespace tw::picture
