// SPDX-License-Identifier: Apache-2.0
// Reads one line of our own small languages (shardings, types, levels): names, numbers and marks between
// blanks. Its errors say what was expected, where, and what stands there.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.hpp"

namespace tw {

// Letters, digits, '_', '-', '.': names made of them need no quotes.
bool is_name_char(char c);

class TextReader {
public:
  // `what` and `id` go into its errors: "sharding '[{a}': expected ']' at character 5, found the end
  // [TW-316]".
  TextReader(std::string_view what, const char *id, std::string_view text)
      : what_(what), id_(id), text_(text) {}

  char peek(); // the next character behind blanks; '\0' at the end
  bool accept(char c);
  Status expect(char c);
  Result<std::string_view> name(); // bare or in quotes
  Result<int64_t> integer(int64_t most = INT64_MAX);

  bool at_end() { return peek() == '\0' && at_ == text_.size(); }
  std::string_view text() const { return text_; }
  std::string_view rest() const { return text_.substr(at_); }
  size_t at() const { return at_; }
  void go_back(size_t at) { at_ = at; } // to where `at` was

  tl::unexpected<Error> error(std::string_view expected) const;

private:
  std::string_view what_;
  const char *id_;
  std::string_view text_;
  size_t at_ = 0;
};

} // namespace tw
