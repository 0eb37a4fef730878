// SPDX-License-Identifier: Apache-2.0
// Walks over MLIR text without copying it: words, punctuation, strings and numbers on demand. The first
// failure sticks, with its line and a caret; after it every call answers false, so that callers just pass
// `false` on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.hpp"

namespace tw::import {

// A place in the text, cheap to keep and to return to.
struct Cursor {
  const char *at = nullptr;
  uint32_t line = 1;
  const char *line_start = nullptr;
  uint32_t column() const { return static_cast<uint32_t>(at - line_start) + 1; }
};

class Scanner {
public:
  Scanner(std::string_view text, std::string file, uint32_t first_line);

  // Says where something stands that is no line of a text.
  struct Origin {
    virtual ~Origin() = default;
    virtual std::string place(const char *at) const = 0; // empty where it does not know
  };
  // From now on places are not lines but what `origin` says.
  void set_origin(const Origin *origin) { origin_ = origin; }

  std::string_view text() const { return text_; }
  const std::string &file() const { return file_; }
  const Cursor &cursor() const { return cur_; }
  void seek(const Cursor &to) { cur_ = to; }
  // The text ends here until further notice; answers where it ended before.
  const char *set_end(const char *end) { return std::exchange(end_, end); }

  // The next character that is no space and no comment, which is where the cursor then stands; 0 at the end.
  char peek() {
    skip_space();
    return cur_.at == end_ ? '\0' : *cur_.at;
  }
  bool at_end() { return peek() == '\0' && cur_.at == end_; }
  const char *here() { return skip_space(), cur_.at; } // start of the next token

  // Takes the token if it comes next. A word is taken only whole.
  bool accept(char c) {
    if (peek() != c || cur_.at == end_)
      return false;
    ++cur_.at;
    return true;
  }
  bool accept(std::string_view token);
  bool looking_at(std::string_view token);
  // The same, but its absence is an error that says what was expected.
  bool expect(char c, std::string_view where);
  bool expect(std::string_view token, std::string_view where);

  // Letters, digits, _ $ . starting with a letter or _; empty if something else comes next.
  std::string_view word();
  // After a sigil (% @ # ! ^): digits, or a name.
  std::string_view suffix();
  bool string(std::string_view &raw); // the characters between the quotes, escapes not yet replaced
  bool integer(int64_t &value);       // [-] digits or 0x digits, in the range of 64 bits
  bool number(std::string_view &raw); // integer or float, hex too
  bool symbol(std::string_view &raw); // @name or @"name", without @ and quotes
  // One attribute value of a dictionary or list, balanced brackets and its `: type` included: up to the , ) ]
  // } or > that ends it.
  bool skip_value(std::string_view &raw);
  // One bracketed group, word, number, string or symbol, as it stands after `key =` in a pretty form.
  bool skip_term(std::string_view &raw);
  bool skip_braces(); // from '{' to behind its '}'

  bool failed() const { return error_.has_value(); }
  // Records an error at a place of the text, or, at nullptr, one of the text as a whole; answers false.
  bool fail(const char *id, const char *at, std::string message, std::string note = {});
  bool fail_here(std::string_view expected, std::string_view where); // "expected X in Y, found Z"
  bool adopt(Error error, const char *at); // an error of another stage, at this place
  Error take_error() { return std::move(*error_); }

  SourcePos position(const char *at) const;
  std::string_view line_of(const char *at) const;

private:
  void skip_space();
  bool skip_group();
  bool skip_string();
  void newline() {
    ++cur_.line;
    cur_.line_start = cur_.at;
  }
  void add_caret(Error &error, const char *at) const;

  std::string_view text_;
  std::string file_;
  const char *begin_, *end_;
  uint32_t first_line_;
  const Origin *origin_ = nullptr;
  Cursor cur_;
  std::optional<Error> error_;
};

// Replaces \n \t \" \\ and \xx (two hex digits).
std::string unescape(std::string_view raw);
// The same of a name: control characters, and bytes that are no UTF-8, are spelled as `shown` does.
std::string unescape_name(std::string_view raw);

inline bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_word_char(char c) { return is_word_start(c) || is_digit(c) || c == '$' || c == '.'; }

} // namespace tw::import
