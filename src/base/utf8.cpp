// SPDX-License-Identifier: Apache-2.0
// Walks over UTF-8 by the table of well-formed byte sequences of the Unicode standard.
#include "base/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

namespace tw {

namespace {

// How many bytes the character at the beginning of a text has; 0: they are no UTF-8.
size_t character_size(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  const auto continues = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const auto lead = byte(0), next = byte(1);
  if (lead < 0x80)
    return 1;
  if (lead >= 0xc2 && lead <= 0xdf)
    return continues(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) { // shortest forms, and no halves of pairs
    const bool fits = (lead != 0xe0 || next >= 0xa0) && (lead != 0xed || next <= 0x9f);
    return fits && continues(1) && continues(2) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool fits = (lead != 0xf0 || next >= 0x90) && (lead != 0xf4 || next <= 0x8f);
    return fits && continues(1) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

// C0, DEL, and the two bytes of C1.
bool is_control(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  return lead < 0x20 || lead == 0x7f || (lead == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0);
}

std::string with_escapes(std::string_view text, bool lines) {
  const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7f; };
  if (std::ranges::all_of(text, is_plain)) // nearly always
    return std::string(text);
  std::string made;
  made.reserve(text.size());
  while (!text.empty()) {
    const size_t size = character_size(text);
    const std::string_view character = text.substr(0, std::max<size_t>(size, 1));
    if (size != 0 && (!is_control(character) || (lines && character == "\n")))
      made += character;
    else
      for (const char c : character)
        made += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    text.remove_prefix(character.size());
  }
  return made;
}

} // namespace

size_t find_not_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    uint64_t word = 0; // most text is ASCII, and long
    while (text.size() - at >= sizeof word) {
      std::memcpy(&word, text.data() + at, sizeof word);
      if ((word & 0x8080808080808080) != 0)
        break;
      at += sizeof word;
    }
    if (at == text.size())
      break;
    const size_t size = character_size(text.substr(at, 4));
    if (size == 0)
      return at;
    at += size;
  }
  return std::string_view::npos;
}

std::string shown(std::string_view text) { return with_escapes(text, false); }
std::string shown_lines(std::string_view text) { return with_escapes(text, true); }

} // namespace tw
