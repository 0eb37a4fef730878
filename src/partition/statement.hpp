// SPDX-License-Identifier: Apache-2.0
// Spec text as statements: one a line or several with `;`, which may be left out behind `)` and around an
// action that takes nothing, or with full stops; `#` starts a comment; either `word word word` (earlier
// PartIR slides) or `word(key=value, ...)` (PartIR slides, 2021). What a statement means is its action's
// business.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"

namespace tw::partition {

// One value given to an action; `key` is empty where it was given by position.
struct Argument {
  std::string key, text;
  uint32_t column = 0; // of the text, from 1
};

struct Statement {
  std::string text;   // as written, without blanks around it
  std::string action; // the first word
  std::string rest;   // what follows it
  bool call = false;  // rest is in parentheses
  std::vector<Argument> arguments;
  std::shared_ptr<const std::string> line; // the whole line, of all its statements, for messages
  SourcePos pos;                           // of the first word
  mutable std::vector<std::string> notes;  // what the action has to say that is no error

  Error error(Code code, const char *id, std::string message,
              uint32_t column = 0) const; // column 0: the first word's
  void note(std::string_view text) const; // "spec.txt:3 tile(..) leaves out .."
  // An error from deeper down, with this statement's position and line.
  Error error(Error cause, uint32_t column = 0) const;
};

// What a word is to the one who reads statements: the name of an action, of one that takes nothing, or
// neither.
enum class Word : uint8_t { other, action, lone_action };
using Classify = Word (*)(std::string_view word);

// The statements of one line of text; `number` counts from 1.
Result<std::vector<Statement>> parse_line(std::string_view line, const std::string &file, uint32_t number,
                                          Classify classify);

// Takes a statement's arguments by key; they may be given by position instead. "arg|value|result" are keys
// that exclude each other: what stands at their position is the first of them. `finish` refuses what nobody
// took.
class Reader {
public:
  Reader(const Statement &statement, std::vector<std::string_view> positions);

  Result<std::string> text(const char *key); // an error where it is missing
  std::optional<Argument> optional(const char *key);
  Result<int64_t> integer(const char *key, const char *or_else = ""); // what else it may be, for the error
  // Exactly one of the keys in "arg|value|result" must be given.
  Result<Argument> one_of(std::string_view keys);
  uint32_t column(const char *key) const; // of the text given for it, 0 where there is none
  Status finish() const;                  // keys unknown, given twice, or too many positions

private:
  const Argument *find(std::string_view key) const;

  const Statement &statement_;
  std::vector<Argument> given_; // positions turned into keys
  std::optional<Error> problem_;
};

} // namespace tw::partition
