// SPDX-License-Identifier: Apache-2.0
// What goes wrong in a verb: thrown where it is found, printed once by main as text or as the JSON error
// object. Exceptions stay inside tw; the library never sees one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tw::cli {

enum ExitStatus : int {
  kGood = 0,
  kError = 1,    // in the input, or while running
  kUsage = 2,    // of the command line
  kAnswerNo = 3, // results differ, an `expect` failed, does not fit
};

struct Failure {
  std::string code; // as tw_status_name spells it
  std::string id;   // "TW-123"
  std::string message;
  std::string file;
  uint32_t line = 0, column = 0; // from 1; 0: about no text
  std::vector<std::string> notes;
  int exit_status = kError;
};

// This thread's last error of the library, moved out.
Failure last_failure();

// A failure of tw's own: `throw fail("not_found", "TW-801", fmt::format(...));`
Failure fail(std::string code, std::string id, std::string message);
// Wrong usage that the parser of the command line cannot know: exit status 2.
Failure usage(std::string message);

// One object {"error": {...}} and a newline.
std::string to_json(const Failure &failure);
// `file:line:column: error: message [TW-123]`, then the notes, indented.
std::string to_text(const Failure &failure, bool color);

} // namespace tw::cli
