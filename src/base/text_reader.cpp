// SPDX-License-Identifier: Apache-2.0
// Scans characters.
#include "base/text_reader.hpp"

#include <charconv>

#include <fmt/format.h>

namespace tw {

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.';
}

char TextReader::peek() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
    ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool TextReader::accept(char c) {
  if (peek() != c || at_ == text_.size())
    return false;
  ++at_;
  return true;
}

Status TextReader::expect(char c) {
  if (!accept(c))
    return error(fmt::format("'{}'", c));
  return {};
}

Result<std::string_view> TextReader::name() {
  if (const char quote = peek(); quote == '"' || quote == '\'') {
    const size_t end = text_.find(quote, ++at_);
    if (end == std::string_view::npos)
      return error("a closing quote");
    const std::string_view result = text_.substr(at_, end - at_);
    at_ = end + 1;
    return result;
  }
  const size_t begin = at_;
  while (at_ < text_.size() && is_name_char(text_[at_]))
    ++at_;
  if (at_ == begin)
    return error("a name");
  return text_.substr(begin, at_ - begin);
}

Result<int64_t> TextReader::integer(int64_t most) {
  peek();
  int64_t value = 0;
  const auto [end, failure] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
  if (failure == std::errc::result_out_of_range || value > most)
    return error(fmt::format("a number of at most {}", most));
  if (failure != std::errc() || value < 0)
    return error("a number");
  at_ = static_cast<size_t>(end - text_.data());
  return value;
}

tl::unexpected<Error> TextReader::error(std::string_view expected) const {
  return fail(Code::invalid_argument, id_,
              fmt::format("{} '{}': expected {} at character {}, found {}", what_, text_, expected, at_ + 1,
                          at_ < text_.size() ? fmt::format("'{}'", text_.substr(at_, 12)) : "the end"));
}

} // namespace tw
