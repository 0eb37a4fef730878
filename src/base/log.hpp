// SPDX-License-Identifier: Apache-2.0
// What the library says while it works: levelled lines from named areas to a sink that the host chooses.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tw {

enum class LogLevel : int { off = 0, error = 1, warning = 2, info = 3, debug = 4 };

// Called from any thread; `text` is one line without its newline and lives during the call.
using LogSink = void (*)(LogLevel level, const char *area, const char *text, void *user);

// A value: cheap to ask, immutable once shared between threads.
class Log {
public:
  // Lines go to stderr, as far as the environment variable TW_LOG asks: nothing where it is not set.
  Log();
  // The host's sink gets every line up to `level`; TW_LOG does not count.
  Log(LogLevel level, LogSink sink, void *user) : default_level_(level), sink_(sink), user_(user) {}

  // "info" or "warning,plan=debug,import=off": a level for all areas, levels of single areas. Unknown words
  // are ignored.
  void set_levels(std::string_view text);

  bool enabled(LogLevel level, std::string_view area) const;
  void write(LogLevel level, std::string_view area, std::string_view text) const;

  template <class... Args>
  void print(LogLevel level, std::string_view area, fmt::format_string<Args...> format,
             Args &&...args) const {
    if (enabled(level, area))
      write(level, area, fmt::format(format, std::forward<Args>(args)...));
  }

private:
  LogLevel default_level_ = LogLevel::off;
  std::vector<std::pair<std::string, LogLevel>> areas_;
  LogSink sink_;
  void *user_ = nullptr;
};

} // namespace tw
