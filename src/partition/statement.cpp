// SPDX-License-Identifier: Apache-2.0
// Cuts spec text into statements and their arguments, minding quotes and brackets.
#include "partition/statement.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.hpp"

namespace tw::partition {

namespace {

constexpr std::string_view kBlanks = " \t\r";

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// Walks over a line; tells whether a character is outside quotes and how deep in brackets it is.
struct Walker {
  char quote = '\0'; // that is open
  int depth = 0;

  // False inside quotes, and at a quote itself.
  bool step(std::string_view text, size_t i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote && text[i - 1] != '\\')
        quote = '\0';
      return false;
    }
    // An apostrophe inside a name is none.
    if (c == '"' ||
        (c == '\'' && i > 0 && std::string_view(" \t(,=[{").find(text[i - 1]) != std::string_view::npos)) {
      quote = c;
      return false;
    }
    if (c == '(' || c == '[' || c == '{')
      ++depth;
    if (c == ')' || c == ']' || c == '}')
      --depth;
    return true;
  }
};

struct Piece {
  size_t begin, end; // in the line
};

Piece trim(std::string_view line, Piece p) {
  while (p.begin < p.end && kBlanks.find(line[p.begin]) != std::string_view::npos)
    ++p.begin;
  while (p.end > p.begin && kBlanks.find(line[p.end - 1]) != std::string_view::npos)
    --p.end;
  return p;
}

std::string_view view(std::string_view line, Piece p) { return line.substr(p.begin, p.end - p.begin); }

// Cuts at a separator outside quotes and brackets; at a full stop only where a blank follows.
std::vector<Piece> split(std::string_view line, Piece whole, char separator) {
  std::vector<Piece> pieces;
  Walker walker;
  size_t begin = whole.begin;
  const auto is_separator = [&](size_t i) {
    return line[i] == separator &&
           (separator != '.' || (i + 1 < whole.end && kBlanks.find(line[i + 1]) != std::string_view::npos));
  };
  for (size_t i = whole.begin; i < whole.end; ++i)
    if (walker.step(line, i) && is_separator(i) && walker.depth == 0) {
      pieces.push_back(trim(line, {begin, i}));
      begin = i + 1;
    }
  pieces.push_back(trim(line, {begin, whole.end}));
  return pieces;
}

std::string unquoted(std::string_view text) {
  if (text.size() < 2 || text.front() != text.back() || (text.front() != '"' && text.front() != '\''))
    return std::string(text);
  std::string plain;
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    // Names have \x1b for a control character.
    const bool is_shown = text.substr(i).starts_with("\\x");
    if (text[i] == '\\' && !is_shown && i + 2 < text.size())
      ++i;
    plain += text[i];
  }
  return plain;
}

bool is_key(std::string_view line, Piece word) {
  size_t end = word.begin;
  while (end < word.end && is_word_char(line[end]))
    ++end;
  return end > word.begin && end < word.end && line[end] == '=' &&
         (end + 1 == word.end || line[end + 1] != '=');
}

// Between blanks outside quotes and brackets.
std::vector<Piece> words_of(std::string_view line, Piece value) {
  std::vector<Piece> words = split(line, value, ' ');
  std::erase_if(words, [](Piece word) { return word.begin == word.end; });
  return words;
}

std::string expected_comma(std::string_view line, Piece word) {
  const size_t end = is_key(line, word) ? line.find('=', word.begin) + 1 : word.end;
  return fmt::format("expected ',' before '{}'", line.substr(word.begin, end - word.begin));
}

// Where a call ends, as `tile(..)`: behind its parenthesis. Nothing where the piece is no call.
std::optional<size_t> end_of_call(std::string_view line, Piece piece) {
  size_t at = piece.begin;
  while (at < piece.end && is_word_char(line[at]))
    ++at;
  at = trim(line, {at, piece.end}).begin;
  if (at == piece.end || line[at] != '(')
    return std::nullopt;
  Walker walker;
  for (; at < piece.end; ++at)
    if (walker.step(line, at) && walker.depth == 0)
      return at + 1;
  return std::nullopt;
}

// Where a statement of words ends before others: `propagate` takes none, and neither does it stand among
// those of another action; a call is a statement of its own. Nothing where it goes to the end of the piece.
std::optional<size_t> end_of_words(std::string_view line, Piece piece, Classify classify) {
  const std::vector<Piece> words = split(line, piece, ' ');
  const auto kind_of = [&](Piece word) -> std::pair<Word, bool> {
    size_t end = word.begin;
    while (end < word.end && is_word_char(line[end]))
      ++end;
    const size_t behind = trim(line, {end, piece.end}).begin;
    const bool is_call = behind < piece.end && line[behind] == '(';
    const bool is_name = is_call || end == word.end || (line[end] == '.' && end + 1 == piece.end);
    return {is_name ? classify(line.substr(word.begin, end - word.begin)) : Word::other, is_call};
  };
  const Word first = kind_of(words[0]).first;
  if (first == Word::other)
    return std::nullopt;
  for (size_t i = 1; i < words.size(); ++i) {
    const auto [kind, is_call] = kind_of(words[i]);
    if (kind == Word::lone_action || (kind == Word::action && (is_call || first == Word::lone_action)))
      return words[i].begin;
  }
  return std::nullopt;
}

// Statements between `;`, between full stops, behind calls and around actions that take nothing:
// `tile(..) propagate infer-propagate` is three.
std::vector<Piece> statements_of(std::string_view line, Piece whole, Classify classify) {
  std::vector<Piece> pieces;
  const auto cut = [&](Piece piece) {
    while (piece.begin < piece.end) {
      auto end = end_of_call(line, piece);
      if (!end)
        end = end_of_words(line, piece, classify);
      const Piece next = trim(line, {end.value_or(piece.end), piece.end});
      if (next.begin < next.end && !is_word_char(line[next.begin]))
        end.reset();
      pieces.push_back(trim(line, {piece.begin, end.value_or(piece.end)}));
      if (!end)
        return;
      piece = next;
    }
  };
  for (const Piece piece : split(line, whole, ';'))
    for (const Piece sentence : split(line, piece, '.'))
      cut(sentence);
  return pieces;
}

Error caret_error(Code code, const char *id, std::string message, SourcePos pos, const std::string &line) {
  const uint32_t column = std::max<uint32_t>(pos.column, 1);
  return Error(code, id, std::move(message))
      .at(std::move(pos))
      .note(line + "\n" + std::string(column - 1, ' ') + "^");
}

Result<Statement> parse_statement(std::shared_ptr<const std::string> whole, Piece piece,
                                  const std::string &file, uint32_t number) {
  Statement s;
  s.line = std::move(whole);
  const std::string_view line = *s.line;
  s.text = std::string(view(line, piece));
  s.pos = {file, number, static_cast<uint32_t>(piece.begin + 1)};
  size_t at = piece.begin;
  while (at < piece.end && is_word_char(line[at]))
    ++at;
  if (at == piece.begin)
    return fail(s.error(Code::invalid_argument, "TW-401", "expected the name of an action"));
  s.action = std::string(line.substr(piece.begin, at - piece.begin));
  Piece rest = trim(line, {at, piece.end});
  // Seed 002 ends its actions with a full stop.
  if (rest.begin < rest.end && line[rest.end - 1] == '.')
    rest = trim(line, {rest.begin, rest.end - 1});
  s.rest = std::string(view(line, rest));
  s.call = rest.begin < rest.end && line[rest.begin] == '(';
  const auto column = [](size_t position) { return static_cast<uint32_t>(position + 1); };

  if (!s.call) {
    for (const Piece word : words_of(line, rest))
      s.arguments.push_back({"", unquoted(view(line, word)), column(word.begin)});
    return s;
  }
  if (const auto end = end_of_call(line, piece))
    if (const Piece next = trim(line, {*end, piece.end}); next.begin < next.end && line[next.begin] == ',')
      return fail(s.error(Code::invalid_argument, "TW-401",
                          "separate actions with ';' or a new line, not ','", column(next.begin)));
  if (line[rest.end - 1] != ')')
    return fail(s.error(Code::invalid_argument, "TW-401",
                        fmt::format("expected ')' at the end of {}(...)", s.action), column(rest.end)));
  const Piece inside = trim(line, {rest.begin + 1, rest.end - 1});
  if (inside.begin == inside.end)
    return s;
  for (const Piece part : split(line, inside, ',')) {
    if (part.begin == part.end)
      return fail(s.error(Code::invalid_argument, "TW-401", "expected a value", column(part.begin)));
    const auto words = words_of(line, part);
    for (size_t i = 1; i < words.size(); ++i)
      if (is_key(line, words[i]))
        return fail(s.error(Code::invalid_argument, "TW-401", expected_comma(line, words[i]),
                            column(words[i].begin)));
    size_t name = part.begin;
    while (name < part.end && is_word_char(line[name]))
      ++name;
    const Piece after = trim(line, {name, part.end});
    if (name > part.begin && after.begin < after.end && line[after.begin] == '=') {
      const Piece value = trim(line, {after.begin + 1, part.end});
      if (value.begin == value.end)
        return fail(
            s.error(Code::invalid_argument, "TW-401", "expected a value after '='", column(after.begin + 1)));
      s.arguments.push_back({std::string(line.substr(part.begin, name - part.begin)),
                             unquoted(view(line, value)), column(value.begin)});
    } else {
      s.arguments.push_back({"", unquoted(view(line, part)), column(part.begin)});
    }
  }
  return s;
}

} // namespace

Error Statement::error(Code code, const char *id, std::string message, uint32_t column) const {
  SourcePos at = pos;
  if (column != 0)
    at.column = column;
  return caret_error(code, id, std::move(message), std::move(at), *line);
}

Error Statement::error(Error cause, uint32_t column) const {
  if (cause.info().pos.line != 0)
    return cause;
  Error placed = error(cause.code(), cause.info().id, cause.message(), column);
  for (std::string &note : cause.info().notes)
    placed.info().notes.push_back(std::move(note));
  return placed;
}

void Statement::note(std::string_view what) const {
  notes.push_back(fmt::format("{}:{} {} {}", pos.file, pos.line, text, what));
}

Result<std::vector<Statement>> parse_line(std::string_view line, const std::string &file, uint32_t number,
                                          Classify classify) {
  while (!line.empty() && line.back() == '\r')
    line.remove_suffix(1);
  Walker walker;
  Piece whole{0, line.size()};
  size_t quote = 0;
  std::vector<size_t> open;
  for (size_t i = 0; i < line.size(); ++i) {
    const char earlier = walker.quote;
    const int depth = walker.depth;
    const bool outside = walker.step(line, i);
    if (walker.quote != '\0' && earlier == '\0')
      quote = i;
    if (walker.depth > depth)
      open.push_back(i);
    if (walker.depth < depth) {
      const std::string_view pairs = "()[]{}";
      if (open.empty() || pairs[pairs.find(line[open.back()]) + 1] != line[i])
        return fail(caret_error(Code::invalid_argument, "TW-401", fmt::format("'{}' closes nothing", line[i]),
                                {file, number, static_cast<uint32_t>(i + 1)}, std::string(line)));
      open.pop_back();
    }
    if (outside && line[i] == '#') {
      whole.end = i;
      break;
    }
  }
  if (walker.quote != '\0')
    return fail(caret_error(Code::invalid_argument, "TW-401", "this quote is never closed",
                            {file, number, static_cast<uint32_t>(quote + 1)}, std::string(line)));
  if (!open.empty())
    return fail(caret_error(Code::invalid_argument, "TW-401",
                            fmt::format("this '{}' is never closed", line[open.back()]),
                            {file, number, static_cast<uint32_t>(open.back() + 1)}, std::string(line)));
  std::vector<Statement> statements;
  const auto kept = std::make_shared<const std::string>(line);
  for (const Piece piece : statements_of(line, whole, classify)) {
    TW_ASSIGN(Statement s, parse_statement(kept, piece, file, number));
    statements.push_back(std::move(s));
  }
  return statements;
}

namespace {

// In place of another error: that the value of an argument is two words, where a comma is missing.
Error comma_or(const Statement &statement, std::span<const Argument> arguments, Error otherwise) {
  const std::string_view line = *statement.line;
  const size_t end = statement.pos.column - 1 + statement.text.rfind(')');
  for (const Argument &a : statement.call ? arguments : std::span<const Argument>()) {
    const Piece value = split(line, {a.column - 1, end}, ',').front();
    if (const auto words = words_of(line, value); words.size() > 1)
      return statement.error(Code::invalid_argument, "TW-401", expected_comma(line, words[1]),
                             static_cast<uint32_t>(words[1].begin + 1));
  }
  return otherwise;
}

std::vector<std::string> keys_in(std::string_view alternatives) {
  std::vector<std::string> keys;
  for (size_t begin = 0; begin <= alternatives.size();) {
    const size_t end = std::min(alternatives.find('|', begin), alternatives.size());
    keys.emplace_back(alternatives.substr(begin, end - begin));
    begin = end + 1;
  }
  return keys;
}

} // namespace

Reader::Reader(const Statement &statement, std::vector<std::string_view> positions) : statement_(statement) {
  std::vector<std::string> known;
  for (const std::string_view position : positions)
    std::ranges::move(keys_in(position), std::back_inserter(known));
  const auto refuse = [&](std::string message, uint32_t column) {
    if (!problem_)
      problem_ = statement_.error(Code::invalid_argument, "TW-401", std::move(message), column);
  };
  const auto is_given = [&](std::string_view position) {
    return std::ranges::any_of(keys_in(position), [&](const std::string &key) {
      return find(key) != nullptr ||
             std::ranges::find(statement.arguments, key, &Argument::key) != statement.arguments.end();
    });
  };
  for (const Argument &a : statement.arguments) {
    Argument taken = a;
    if (taken.key.empty()) {
      const auto next = std::ranges::find_if_not(positions, is_given);
      if (next == positions.end()) {
        const std::string what =
            known.empty() ? std::string("nothing") : fmt::format("no more than {}", fmt::join(known, ", "));
        refuse(fmt::format("{} takes {}, found '{}'{}", statement.action, what, a.text,
                           statement.call ? "" : "; another action stands behind ';' or on its own line"),
               a.column);
        continue;
      }
      taken.key = keys_in(*next).front();
    } else if (std::ranges::find(known, taken.key) == known.end()) {
      refuse(fmt::format("{} has no '{}'; it takes {}{}", statement.action, taken.key, fmt::join(known, ", "),
                         nearest_text(taken.key, known, 1)),
             a.column);
      continue;
    } else if (find(taken.key) != nullptr) {
      refuse(fmt::format("'{}' is given twice", taken.key), a.column);
      continue;
    }
    given_.push_back(std::move(taken));
  }
}

const Argument *Reader::find(std::string_view key) const {
  const auto found = std::ranges::find(given_, key, &Argument::key);
  return found == given_.end() ? nullptr : &*found;
}

std::optional<Argument> Reader::optional(const char *key) {
  const Argument *found = find(key);
  return found ? std::optional(*found) : std::nullopt;
}

Result<std::string> Reader::text(const char *key) {
  if (problem_)
    return fail(std::move(*problem_));
  if (const Argument *found = find(key))
    return found->text;
  return fail(comma_or(statement_, given_,
                       statement_.error(Code::invalid_argument, "TW-401",
                                        fmt::format("{} needs '{}'", statement_.action, key))));
}

Result<int64_t> Reader::integer(const char *key, const char *or_else) {
  TW_ASSIGN(const std::string digits, text(key));
  int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
    return fail(
        comma_or(statement_, {find(key), 1},
                 statement_.error(Code::invalid_argument, "TW-401",
                                  fmt::format("'{}' must be a number{}, not '{}'", key, or_else, digits),
                                  column(key))));
  return value;
}

Result<Argument> Reader::one_of(std::string_view alternatives) {
  if (problem_)
    return fail(std::move(*problem_));
  const std::vector<std::string> keys = keys_in(alternatives);
  const Argument *one = nullptr;
  for (const std::string &key : keys)
    if (const Argument *found = find(key)) {
      if (one != nullptr)
        return fail(statement_.error(Code::invalid_argument, "TW-401",
                                     fmt::format("'{}' and '{}' exclude each other", one->key, key),
                                     found->column));
      one = found;
    }
  if (one == nullptr)
    return fail(statement_.error(
        Code::invalid_argument, "TW-401",
        keys.size() == 1 ? fmt::format("{} needs '{}'", statement_.action, keys[0])
                         : fmt::format("{} needs one of {}", statement_.action, fmt::join(keys, ", "))));
  return *one;
}

uint32_t Reader::column(const char *key) const {
  const Argument *found = find(key);
  return found ? found->column : 0;
}

Status Reader::finish() const {
  if (problem_)
    return fail(statement_.error(problem_->code(), problem_->info().id, problem_->message(),
                                 problem_->info().pos.column));
  return {};
}

} // namespace tw::partition
