// SPDX-License-Identifier: Apache-2.0
// The terminal: how wide, whether colours, and progress that is shown only where someone looks at it.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "cli/options.hpp"

namespace tw::cli {

// Columns for text that is broken between words: those of --width, else $COLUMNS, else the terminal's, else
// 120.
size_t output_width();
// The same for reports, whose tables shorten what does not fit; where stdout is no terminal, nothing is cut.
size_t report_width();
void choose_output_width(size_t columns);

// Lines broken between words where they are too wide; what follows a break stands under where the text of its
// line began, or as far in as `indent` says.
std::string wrapped(std::string_view text, size_t width, size_t indent = 0);

// Whether to colour a stream: as --color says; auto: a terminal, and NO_COLOR is not set.
bool use_color(const Options &options, int file_descriptor);

enum class Tone { good, bad, warn, strong };
std::string colored(std::string_view text, Tone tone, bool color);

// One line on stderr that says what is going on and, for repeated work, how long it will take; gone at the
// end. Silent where stderr is no terminal, and under --quiet.
class Progress {
public:
  explicit Progress(const Options &options);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  void say(std::string_view what);
  void step(std::string_view what, size_t done, size_t total); // with the time left
  void clear();

private:
  bool shown_;
  std::chrono::steady_clock::time_point begin_;
};

} // namespace tw::cli
