// SPDX-License-Identifier: Apache-2.0
// The terminal.
#include "cli/terminal.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/table.hpp"
#include "base/utf8.hpp"

namespace tw::cli {

namespace {

size_t chosen_width = 0; // by --width

// Where somebody or the terminal says it.
std::optional<size_t> known_width() {
  constexpr size_t narrowest = 60;
  if (chosen_width != 0)
    return chosen_width;
  if (const char *columns = std::getenv("COLUMNS")) {
    const long n = std::strtol(columns, nullptr, 10);
    if (n > 0)
      return std::max(narrowest, static_cast<size_t>(n));
  }
  winsize size{};
  if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::max<size_t>(narrowest, size.ws_col);
  return std::nullopt;
}

} // namespace

void choose_output_width(size_t columns) { chosen_width = columns; }

size_t output_width() {
  constexpr size_t usual = 120;
  return known_width().value_or(usual);
}

size_t report_width() {
  constexpr size_t whole = 1 << 20;
  return isatty(STDOUT_FILENO) ? output_width() : known_width().value_or(whole);
}

std::string wrapped(std::string_view given, size_t width, size_t indent) {
  const std::string clean = shown_lines(given); // names of files and of programs are somebody else's
  std::string_view text = clean;
  // Where the character begins that would be the first too many.
  const auto end_of = [](std::string_view line, size_t columns) {
    size_t at = 0;
    for (size_t n = 0; at < line.size(); ++at)
      if (shown_width(line.substr(at, 1)) != 0 && ++n > columns)
        break;
    return at;
  };
  std::string out;
  while (!text.empty()) {
    std::string line(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::string margin(std::max(begin, indent), ' ');
    while (shown_width(line) > width && margin.size() + 8 < width) {
      const size_t most = end_of(line, width), space = line.rfind(' ', most);
      const size_t at = space == std::string::npos || space <= margin.size() ? most : space;
      out += line.substr(0, line.find_last_not_of(' ', at - 1) + 1) + "\n";
      line = margin + line.substr(std::min(line.find_first_not_of(' ', at), line.size()));
    }
    out += line + "\n";
  }
  return out;
}

bool use_color(const Options &options, int file_descriptor) {
  if (options.color != "auto")
    return options.color == "always";
  const char *no_color = std::getenv("NO_COLOR");
  return isatty(file_descriptor) && !(no_color && *no_color);
}

std::string colored(std::string_view text, Tone tone, bool color) {
  if (!color)
    return std::string(text);
  const char *code = "";
  switch (tone) {
  case Tone::good: code = "1;32"; break;
  case Tone::bad: code = "1;31"; break;
  case Tone::warn: code = "1;33"; break;
  case Tone::strong: code = "1"; break;
  }
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

Progress::Progress(const Options &options)
    : shown_(isatty(STDERR_FILENO) && !options.quiet), begin_(std::chrono::steady_clock::now()) {}

Progress::~Progress() { clear(); }

void Progress::say(std::string_view what) {
  if (shown_)
    fmt::print(stderr, "\r\x1b[Ktw: {} ...", what);
}

void Progress::step(std::string_view what, size_t done, size_t total) {
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
  if (!shown_)
    return;
  if (done == 0)
    fmt::print(stderr, "\r\x1b[Ktw: {} (of {}) ...", what, total);
  else
    fmt::print(stderr, "\r\x1b[Ktw: {} ({} of {}, {:.0f} s left) ...", what, done, total,
               spent.count() * static_cast<double>(total - done) / static_cast<double>(done));
}

void Progress::clear() {
  if (shown_)
    fmt::print(stderr, "\r\x1b[K");
}

} // namespace tw::cli
