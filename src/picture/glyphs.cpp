// SPDX-License-Identifier: Apache-2.0
// Letters of ASCII as strokes.
//
// A stroke is a row of points, each two digits of base 36, x and y. y is 0 at the top of capitals, 4 at that
// of small letters, 14 (e) at the base line and 18 (i) below it. The point behind '~' bends the way to the
// next one.
#include "picture/glyphs.hpp"

#include <array>

namespace tw::picture {

namespace {

constexpr double kUnit = 0.0514; // of the size
constexpr double kBase = 14;

// From ' ' to '~'.
constexpr std::array<std::string_view, 95> kGlyphs{
    "",
    "202a 2e2e",
    "3033 7073",
    "413e 716e 1595 1a9a",
    "82~7050~1014~1757~979a~9e5e~2e1c 5g5i", // ' ' ! " # $
    "d03e 13~1040~7073~7646~1613 9b~98c8~f8fb~fece~9e9b",
    "9e24~1040~7064~171b~1e4e~8e98",
    "2023", // % & '
    "30~1419~1e3i",
    "10~3439~3e1i",
    "5157 2286 8226",
    "2989 565c",
    "2e1g",
    "2989",
    "2e2e",
    "400g", // ( ) * + , - . /
    "17~1050~9097~9e5e~1e17",
    "23505e",
    "14~1050~9094~971e9e",
    "12~2050~8083~8646~969a~9e5e~2e1c", // 0 1 2 3
    "7e701a9a",
    "802016~3555~9599~9e5e~2e1c",
    "82~7050~1018~1e5e~9e99~9555~1519",
    "10904e", // 4 5 6 7
    "56~2623~2050~8083~8656~969a~9e5e~1e1a~1656",
    "2c~3e5e~9e96~9050~1015~1959~9995", // 8 9
    "2e2e 2626",
    "2e1g 2626",
    "84298e",
    "2787 2b8b",
    "24892e",
    "13~1050~9093~965659 5e5e", // : ; < = > ?
    "be~9g8g~1g18~1080~f0f7~fcdc~bcb9 b8~b585~5558~5c8c~bcb8",
    "1e60be 3999", // @ A
    "1e1060~a0a3~a66616 66~b6ba~be6e1e",
    "b3~a060~1017~1e6e~aebb",
    "1e1050~b0b7~be5e1e", // B C D
    "a0101eae 1787",
    "a0101e 1787",
    "b3~a060~1017~1e6e~beb868",
    "101e b0be 17b7",
    "202e", // E F G H I
    "808a~8e5e~1e1b",
    "101e b019 56be",
    "101eae",
    "1e108cf0fe",
    "1e10beb0", // J K L M N
    "17~1060~b0b7~be6e~1e17",
    "1e1060~b0b4~b86818",
    "17~1060~b0b7~be6e~1e17 8bbf", // O P Q
    "1e1060~b0b4~b86818 68be",
    "a2~9060~1013~1666~b6ba~be6e~2e1b",
    "10b0 606e",
    "1019~1e6e~beb9b0", // R S T U
    "106eb0",
    "104e80cef0",
    "10be b01e",
    "1067b0 676e",
    "10b01ebe", // V W X Y Z
    "30101i3i",
    "004g",
    "10303i1i",
    "255085",
    "0gag",
    "1032", // [ \ ] ^ _ `
    "949e 99~9454~1419~1e5e~9e99",
    "101e 19~1454~9499~9e5e~1e19",
    "96~8454~1419~1e5e~8e9c", // a b c
    "909e 99~9454~1419~1e5e~9e99",
    "1999~9454~1419~1e5e~8e9c",
    "40~20232e 0545", // d e f
    "949e~9i5i~2i1g 99~9454~1419~1e5e~9e99",
    "101e 19~1454~94989e",
    "242e 2020",
    "242f~2i0i 2020", // g h i j
    "101e 841a 479e",
    "202e",
    "141e 18~1454~84888e 88~84c4~f4f8fe",
    "141e 19~1454~94989e", // k l m n
    "19~1454~9499~9e5e~1e19",
    "141i 19~1454~9499~9e5e~1e19",
    "949i 99~9454~1419~1e5e~9e99", // o p q
    "141e 18~1444",
    "86~7454~1416~1959~999b~9e5e~2e1c",
    "212b~2e4e 0444",
    "141a~1e5e~9e99 949e", // r s t u
    "145e94",
    "144e84cef4",
    "149e 941e",
    "145e 943i",
    "14941e9e", // v w x y z
    "70~4045~4929~494d~4i7i",
    "202i",
    "30~6065~6989~696d~6i3i",
    "1a~2757~8a97", // { | } ~
};
constexpr std::string_view kBox = "1e10909e1e";

// What the points of a letter are meant for, so that it stands in the middle of what it takes.
double drawn_width(char c) {
  constexpr std::string_view narrow = "iljftIr.,:;'|![]() /\\`", wide = "mwMW@%";
  if (narrow.find(c) != std::string_view::npos)
    return 4;
  if (wide.find(c) != std::string_view::npos)
    return 16;
  return c >= 'A' && c <= 'Z' ? 12 : 10;
}

double digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

class Pen {
public:
  Pen(double x, double y, double unit, std::vector<Line> &lines) : x_(x), y_(y), unit_(unit), lines_(lines) {}

  void draw(std::string_view glyph) {
    bool down = false, bent = false;
    double cx = 0, cy = 0;
    for (size_t i = 0; i < glyph.size();) {
      if (glyph[i] == ' ') {
        down = false;
        ++i;
        continue;
      }
      const bool bends = glyph[i] == '~';
      i += bends ? 1 : 0;
      const double px = x_ + digit(glyph[i]) * unit_, py = y_ + (digit(glyph[i + 1]) - kBase) * unit_;
      i += 2;
      if (bends) {
        cx = px, cy = py, bent = true;
        continue;
      }
      if (down)
        bent ? bend(cx, cy, px, py) : line(px, py);
      at_x_ = px, at_y_ = py;
      down = true, bent = false;
    }
  }

private:
  void line(double x, double y) {
    lines_.push_back({at_x_, at_y_, x, y});
    at_x_ = x, at_y_ = y;
  }
  void bend(double cx, double cy, double x, double y) {
    constexpr int parts = 7;
    const double from_x = at_x_, from_y = at_y_;
    for (int i = 1; i <= parts; ++i) {
      const double t = static_cast<double>(i) / parts, u = 1 - t;
      line(u * u * from_x + 2 * u * t * cx + t * t * x, u * u * from_y + 2 * u * t * cy + t * t * y);
    }
  }

  double x_, y_, unit_;
  std::vector<Line> &lines_;
  double at_x_ = 0, at_y_ = 0;
};

} // namespace

std::vector<Line> strokes(std::string_view text, double x, double y, double size, bool bold) {
  std::vector<Line> lines;
  const double unit = size * kUnit;
  for (size_t i = 0; i < text.size();) {
    size_t next = i + 1;
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0) == 0x80)
      ++next;
    const std::string_view character = text.substr(i, next - i);
    const double advance = text_width(character, size, bold);
    const bool known = character.size() == 1 && character[0] >= ' ' && character[0] <= '~';
    const std::string_view glyph = known ? kGlyphs[static_cast<size_t>(character[0] - ' ')] : kBox;
    const double width = known ? drawn_width(character[0]) : 10;
    Pen(x + (advance - width * unit) / 2, y, unit, lines).draw(glyph);
    x += advance;
    i = next;
  }
  return lines;
}

} // namespace tw::picture
