// SPDX-License-Identifier: Apache-2.0
// Tokens of MLIR text, balanced groups, and errors that show their line.
#include "import/scanner.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/table.hpp"
#include "base/utf8.hpp"

namespace tw::import {
namespace {

// What skipping over a group must stop at.
enum class Skip : uint8_t { plain, newline, quote, slash, open, close, minus };

constexpr std::array<Skip, 256> skip_classes() {
  std::array<Skip, 256> table{};
  table['\n'] = Skip::newline;
  table['"'] = Skip::quote;
  table['/'] = Skip::slash;
  for (char c : {'(', '[', '{', '<'})
    table[static_cast<unsigned char>(c)] = Skip::open;
  for (char c : {')', ']', '}', '>'})
    table[static_cast<unsigned char>(c)] = Skip::close;
  table['-'] = Skip::minus;
  return table;
}
constexpr std::array<Skip, 256> kSkip = skip_classes();
Skip skip_class(char c) { return kSkip[static_cast<unsigned char>(c)]; }

char closer(char open) {
  switch (open) {
  case '(': return ')';
  case '[': return ']';
  case '{': return '}';
  default: return '>';
  }
}

bool is_suffix_char(char c) { return is_word_char(c) || c == '-'; }

int hex_digit(char c) {
  if (is_digit(c))
    return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Where the character begins that byte `at` of a line belongs to.
size_t character_at(std::string_view line, size_t at) {
  at = std::min(at, line.size());
  while (at > 0 && at < line.size() && (static_cast<unsigned char>(line[at]) & 0xc0) == 0x80)
    --at;
  return at;
}

} // namespace

Scanner::Scanner(std::string_view text, std::string file, uint32_t first_line)
    : text_(text), file_(std::move(file)), begin_(text.data()), end_(text.data() + text.size()),
      first_line_(first_line) {
  cur_ = {begin_, first_line, begin_};
}

void Scanner::skip_space() {
  while (cur_.at != end_) {
    const char c = *cur_.at;
    if (c == ' ' || c == '\t' || c == '\r') {
      ++cur_.at;
    } else if (c == '\n') {
      ++cur_.at;
      newline();
    } else if (c == '/' && end_ - cur_.at > 1 && cur_.at[1] == '/') {
      cur_.at = std::find(cur_.at, end_, '\n');
    } else {
      return;
    }
  }
}

bool Scanner::looking_at(std::string_view token) {
  skip_space();
  const std::string_view rest(cur_.at, static_cast<size_t>(end_ - cur_.at));
  if (!rest.starts_with(token))
    return false;
  return !(is_word_char(token.back()) && rest.size() > token.size() && is_word_char(rest[token.size()]));
}

bool Scanner::accept(std::string_view token) {
  if (!looking_at(token))
    return false;
  cur_.at += token.size();
  return true;
}

bool Scanner::expect(char c, std::string_view where) {
  return accept(c) || fail_here(fmt::format("'{}'", c), where);
}

bool Scanner::expect(std::string_view token, std::string_view where) {
  return accept(token) || fail_here(fmt::format("'{}'", token), where);
}

std::string_view Scanner::word() {
  skip_space();
  const char *start = cur_.at;
  if (start == end_ || !is_word_start(*start))
    return {};
  while (cur_.at != end_ && is_word_char(*cur_.at))
    ++cur_.at;
  return {start, static_cast<size_t>(cur_.at - start)};
}

std::string_view Scanner::suffix() {
  const char *start = cur_.at;
  for (;;) {
    if (cur_.at != end_ && is_digit(*cur_.at)) {
      while (cur_.at != end_ && is_digit(*cur_.at))
        ++cur_.at;
    } else {
      while (cur_.at != end_ && is_suffix_char(*cur_.at))
        ++cur_.at;
    }
    // The path of a value, as we print it: %0.%84, %3.1.%a.
    const char *dot = cur_.at;
    if (dot != start && dot[-1] == '.')
      --dot;
    else if (dot == end_ || *dot != '.')
      break;
    const char *next = dot + 1;
    while (next != end_ && is_digit(*next))
      ++next;
    if (next != dot + 1 && next != end_ && *next == '.')
      ++next;
    if (next == end_ || *next != '%')
      break;
    cur_.at = next + 1;
  }
  return {start, static_cast<size_t>(cur_.at - start)};
}

bool Scanner::skip_string() {
  const char *start = cur_.at++;
  for (; cur_.at != end_ && *cur_.at != '\n'; ++cur_.at) {
    if (*cur_.at == '"') {
      ++cur_.at;
      return true;
    }
    if (*cur_.at == '\\' && end_ - cur_.at > 1 && cur_.at[1] != '\n')
      ++cur_.at;
  }
  return fail("TW-101", start, "this string has no closing '\"' on its line");
}

bool Scanner::string(std::string_view &raw) {
  if (peek() != '"')
    return fail_here("a string", {});
  const char *start = cur_.at + 1;
  if (!skip_string())
    return false;
  raw = {start, static_cast<size_t>(cur_.at - 1 - start)};
  return true;
}

bool Scanner::integer(int64_t &value) {
  skip_space();
  const char *start = cur_.at;
  const char *at = start;
  const bool negative = at != end_ && *at == '-';
  at += negative;
  const bool hex = end_ - at > 2 && at[0] == '0' && at[1] == 'x' && hex_digit(at[2]) >= 0;
  at += hex ? 2 : 0;
  uint64_t magnitude = 0;
  const auto [stop, error] = std::from_chars(at, end_, magnitude, hex ? 16 : 10);
  if (stop == at)
    return fail_here("an integer", {});
  const uint64_t limit = static_cast<uint64_t>(INT64_MAX) + negative;
  if (error != std::errc() || magnitude > limit)
    return fail(
        "TW-102", start,
        fmt::format("the integer {} does not fit 64 bits",
                    std::string_view(start, std::min<size_t>(static_cast<size_t>(stop - start), 40))));
  cur_.at = stop;
  value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  return true;
}

bool Scanner::number(std::string_view &raw) {
  skip_space();
  const char *start = cur_.at;
  const char *at = start;
  if (at != end_ && (*at == '-' || *at == '+'))
    ++at;
  if (at == end_ || !is_digit(*at))
    return fail_here("a number", {});
  // 0xFF, 12, 1.5, 1.5e-3, 1E+10: a sign belongs to it only behind the e of a decimal number.
  const bool hex = end_ - at > 1 && at[1] == 'x';
  for (at += hex ? 2 : 0; at != end_; ++at) {
    const bool exponent_sign = !hex && (*at == '-' || *at == '+') && (at[-1] == 'e' || at[-1] == 'E');
    if (!exponent_sign && !is_digit(*at) && *at != '.' &&
        !(hex ? hex_digit(*at) >= 0 : *at == 'e' || *at == 'E'))
      break;
  }
  cur_.at = at;
  raw = {start, static_cast<size_t>(at - start)};
  return true;
}

bool Scanner::symbol(std::string_view &raw) {
  if (!accept('@'))
    return fail_here("a symbol such as @main", {});
  if (cur_.at != end_ && *cur_.at == '"')
    return string(raw);
  raw = suffix();
  return !raw.empty() || fail_here("a name after '@'", {});
}

bool Scanner::skip_group() {
  const char *start = cur_.at;
  std::string closers;
  while (cur_.at != end_) {
    const char c = *cur_.at;
    switch (skip_class(c)) {
    case Skip::plain: ++cur_.at; break;
    case Skip::newline:
      ++cur_.at;
      newline();
      break;
    case Skip::quote:
      if (!skip_string())
        return false;
      break;
    case Skip::slash:
      if (end_ - cur_.at > 1 && cur_.at[1] == '/')
        cur_.at = std::find(cur_.at, end_, '\n');
      else
        ++cur_.at;
      break;
    case Skip::minus: cur_.at += end_ - cur_.at > 1 && cur_.at[1] == '>' ? 2 : 1; break;
    case Skip::open:
      closers.push_back(closer(c));
      ++cur_.at;
      break;
    case Skip::close:
      if (closers.back() != c)
        return fail("TW-101", cur_.at, fmt::format("expected '{}', found '{}'", closers.back(), c));
      closers.pop_back();
      ++cur_.at;
      if (closers.empty())
        return true;
      break;
    }
  }
  return fail("TW-101", start, fmt::format("this '{}' is never closed", *start));
}

bool Scanner::skip_value(std::string_view &raw) {
  const char *start = here();
  const char *stop = start; // behind the last token
  while (cur_.at != end_) {
    const char c = *cur_.at;
    const Skip kind = skip_class(c);
    if (c == ',' || kind == Skip::close)
      break;
    if (kind == Skip::open) {
      if (!skip_group())
        return false;
    } else if (kind == Skip::quote) {
      if (!skip_string())
        return false;
    } else {
      cur_.at += kind == Skip::minus && end_ - cur_.at > 1 && cur_.at[1] == '>' ? 2 : 1;
    }
    stop = cur_.at;
    skip_space();
  }
  raw = {start, static_cast<size_t>(stop - start)};
  return !raw.empty() || fail_here("a value", {});
}

bool Scanner::skip_term(std::string_view &raw) {
  const char *start = here();
  if (start == end_)
    return fail_here("a value", {});
  if (*start == '"') {
    if (!skip_string())
      return false;
  } else if (skip_class(*start) == Skip::open) {
    if (!skip_group())
      return false;
  } else {
    if (*start == '#' || *start == '@' || *start == '!' || *start == '-')
      ++cur_.at;
    if (*start == '@' && cur_.at != end_ && *cur_.at == '"' && !skip_string())
      return false;
    while (cur_.at != end_ && (is_suffix_char(*cur_.at) || *cur_.at == '+'))
      ++cur_.at;
    if (cur_.at == start)
      return fail_here("a value", {});
    const bool location = std::string_view(start, static_cast<size_t>(cur_.at - start)) == "loc";
    if (cur_.at != end_ && (*cur_.at == '<' || (location && *cur_.at == '(')) && !skip_group())
      return false;
  }
  raw = {start, static_cast<size_t>(cur_.at - start)};
  return true;
}

bool Scanner::skip_braces() {
  const char *start = here();
  size_t depth = 0;
  while (cur_.at != end_) {
    const char c = *cur_.at;
    if (c == '"') {
      if (!skip_string())
        return false;
      continue;
    }
    if (c == '/' && end_ - cur_.at > 1 && cur_.at[1] == '/') {
      cur_.at = std::find(cur_.at, end_, '\n');
      continue;
    }
    ++cur_.at;
    if (c == '\n')
      newline();
    else if (c == '{')
      ++depth;
    else if (c == '}' && --depth == 0)
      return true;
  }
  return fail("TW-101", start, "this '{' is never closed: the text ends too early");
}

SourcePos Scanner::position(const char *at) const {
  if (origin_ != nullptr)
    return {file_, 0, 0};
  TW_ASSERT(at >= begin_ && at <= begin_ + text_.size());
  const auto lines = std::count(begin_, at, '\n');
  const char *start = at;
  while (start != begin_ && start[-1] != '\n')
    --start;
  return {file_, first_line_ + static_cast<uint32_t>(lines), static_cast<uint32_t>(at - start) + 1};
}

std::string_view Scanner::line_of(const char *at) const {
  const char *start = at;
  while (start != begin_ && start[-1] != '\n')
    --start;
  return {start, static_cast<size_t>(std::find(at, text_.data() + text_.size(), '\n') - start)};
}

void Scanner::add_caret(Error &error, const char *at) const {
  constexpr size_t kWidth = 100;
  std::string_view line = line_of(at);
  auto column = static_cast<size_t>(at - line.data());
  if (column > kWidth * 3 / 4) { // long lines are shown around the place
    const size_t cut = character_at(line, column - kWidth / 2);
    line.remove_prefix(cut);
    column -= cut;
  }
  std::string text(line.substr(0, character_at(line, kWidth)));
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
      c = ' ';
  error.info().notes.insert(error.info().notes.begin(),
                            fmt::format("{}\n{:>{}}", text, '^', shown_width(line.substr(0, column)) + 1));
}

bool Scanner::fail(const char *id, const char *at, std::string message, std::string note) {
  if (error_)
    return false;
  Error error(Code::invalid_argument, id, std::move(message));
  if (!note.empty())
    error.info().notes.push_back(std::move(note));
  return adopt(std::move(error), at);
}

bool Scanner::adopt(Error error, const char *at) {
  if (error_)
    return false;
  if (at == nullptr || origin_ != nullptr) {
    error.info().pos = {file_, 0, 0};
    if (std::string place = at == nullptr ? std::string() : origin_->place(at); !place.empty())
      error.info().notes.insert(error.info().notes.begin(), std::move(place));
  } else {
    error.info().pos = position(at);
    add_caret(error, at);
  }
  error_ = std::move(error);
  return false;
}

bool Scanner::fail_here(std::string_view expected, std::string_view where) {
  if (error_)
    return false;
  const char *at = here();
  std::string found = "the end of the text";
  if (at != end_) {
    const char *stop = at + 1;
    if (is_suffix_char(*at) || *at == '%' || *at == '@' || *at == '#')
      while (stop != end_ && stop - at < 40 && is_suffix_char(*stop))
        ++stop;
    const bool printable = *at > ' ' && *at < 0x7f;
    found = printable ? fmt::format("'{}'", std::string_view(at, static_cast<size_t>(stop - at)))
                      : fmt::format("the byte 0x{:02x}", static_cast<unsigned char>(*at));
  }
  return fail("TW-101", at,
              where.empty() ? fmt::format("expected {}, found {}", expected, found)
                            : fmt::format("expected {} {}, found {}", expected, where, found));
}

std::string unescape(std::string_view raw) {
  if (raw.find('\\') == std::string_view::npos)
    return std::string(raw);
  std::string text;
  text.reserve(raw.size());
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 == raw.size()) {
      text.push_back(raw[i]);
      continue;
    }
    const char c = raw[++i];
    if (c == 'n') {
      text.push_back('\n');
    } else if (c == 't') {
      text.push_back('\t');
    } else if (i + 1 < raw.size() && hex_digit(c) >= 0 && hex_digit(raw[i + 1]) >= 0) {
      text.push_back(static_cast<char>(hex_digit(c) * 16 + hex_digit(raw[++i])));
    } else {
      text.push_back(c);
    }
  }
  return text;
}

std::string unescape_name(std::string_view raw) { return shown(unescape(raw)); }

} // namespace tw::import
