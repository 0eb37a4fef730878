// SPDX-License-Identifier: Apache-2.0
// How every fallible function answers: a value or one Error that says exactly what is wrong, where, and why.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace tw {

// What the *caller* can do about it; the values are those of tw_status_t.
enum class Code : int32_t {
  ok = 0,
  invalid_argument = 1,    // the input is wrong: fix it
  not_found = 2,           // a name that does not exist: pick one that does
  out_of_range = 3,        // an index or size outside its limits
  failed_precondition = 4, // a call in the wrong order or state
  unimplemented = 5,       // right input, but this build or version cannot do it
  resource_exhausted = 6,  // out of memory or over a stated limit
  cancelled = 7,           // the caller asked for it
  deadline_exceeded = 8,   // a wait ended by its time limit
  unavailable = 9,         // a library, device or peer that is not there
  remote = 10,             // another device or rank failed first
  internal = 11,           // our own mistake
  device_lost = 12,        // a device that failed for good: make what ran there again on another one
};

// A place in a text that came from outside; line and column count from 1, 0 means "not known".
struct SourcePos {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
};

// One thing that went wrong. `id` is a stable "TW-nnn" listed in base/diag_list.inc.
struct ErrorInfo {
  Code code = Code::internal;
  const char *id = "TW-000";
  std::string message;            // one line: the cause and the values involved
  SourcePos pos;                  // where in the caller's text
  std::vector<std::string> notes; // the chain of causes, the offending line with a caret, nearest names
};

// Owns one ErrorInfo; cheap to move, so Result<T> stays small.
class Error {
public:
  Error(Code code, const char *id, std::string message)
      : info_(std::make_unique<ErrorInfo>(ErrorInfo{code, id, std::move(message), {}, {}})) {}
  Error(Error &&) noexcept = default;
  Error &operator=(Error &&) noexcept = default;

  Error &&at(SourcePos pos) && {
    info_->pos = std::move(pos);
    return std::move(*this);
  }
  Error &&note(std::string text) && {
    info_->notes.push_back(std::move(text));
    return std::move(*this);
  }
  const ErrorInfo &info() const { return *info_; }
  ErrorInfo &info() { return *info_; }
  Code code() const { return info_->code; }
  const std::string &message() const { return info_->message; }

private:
  std::unique_ptr<ErrorInfo> info_;
};

template <class T> using Result = tl::expected<T, Error>;
using Status = Result<void>;

// `return fail(Code::invalid_argument, "TW-201", fmt::format(...));`
inline tl::unexpected<Error> fail(Code code, const char *id, std::string message) {
  return tl::unexpected<Error>(Error(code, id, std::move(message)));
}
inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

} // namespace tw

#define TW_CONCAT_(a, b) a##b
#define TW_CONCAT(a, b) TW_CONCAT_(a, b)

// Passes an error on to the caller.
#define TW_TRY(expr)                                                                                         \
  do {                                                                                                       \
    if (auto tw_status_ = (expr); !tw_status_)                                                               \
      return ::tl::unexpected<::tw::Error>(std::move(tw_status_.error()));                                   \
  } while (0)

// `TW_ASSIGN(auto graph, import(text));` takes the value out or passes the error on.
#define TW_ASSIGN(decl, expr) TW_ASSIGN_(TW_CONCAT(tw_result_, __LINE__), decl, expr)
#define TW_ASSIGN_(tmp, decl, expr)                                                                          \
  auto tmp = (expr);                                                                                         \
  if (!tmp)                                                                                                  \
    return ::tl::unexpected<::tw::Error>(std::move(tmp.error()));                                            \
  decl = std::move(*tmp)

// Our own mistake, never the caller's: checked in debug and sanitizer builds.
#ifdef NDEBUG
#define TW_ASSERT(cond) ((void)0)
#else
#include <cassert>
#define TW_ASSERT(cond) assert(cond)
#endif
