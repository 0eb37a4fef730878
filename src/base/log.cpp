// SPDX-License-Identifier: Apache-2.0
// Filters log lines by area and hands them to the sink.
#include "base/log.hpp"

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>

namespace tw {
namespace {

constexpr std::string_view kLevelNames[] = {"off", "error", "warning", "info", "debug"};

std::optional<LogLevel> parse_level(std::string_view word) {
  for (size_t i = 0; i < std::size(kLevelNames); ++i)
    if (word == kLevelNames[i])
      return static_cast<LogLevel>(i);
  return std::nullopt;
}

// One write a line, so that lines of several threads do not mix.
void write_to_stderr(LogLevel level, const char *area, const char *text, void *) {
  const std::string line =
      fmt::format("tilewright {} {}: {}\n", kLevelNames[static_cast<size_t>(level)], area, text);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

} // namespace

Log::Log() : sink_(write_to_stderr) {
  if (const char *text = std::getenv("TW_LOG"))
    set_levels(text);
}

void Log::set_levels(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t equals = word.find('=');
    const auto level = parse_level(equals == word.npos ? word : word.substr(equals + 1));
    if (level && equals == word.npos)
      default_level_ = *level;
    else if (level)
      areas_.emplace_back(word.substr(0, equals), *level);
  }
}

bool Log::enabled(LogLevel level, std::string_view area) const {
  if (!sink_ || level == LogLevel::off)
    return false;
  for (const auto &[name, area_level] : areas_)
    if (name == area)
      return level <= area_level;
  return level <= default_level_;
}

void Log::write(LogLevel level, std::string_view area, std::string_view text) const {
  if (enabled(level, area))
    sink_(level, std::string(area).c_str(), std::string(text).c_str(), user_);
}

} // namespace tw
