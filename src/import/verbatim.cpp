// SPDX-License-Identifier: Apache-2.0
// Walks over characters: what stands in strings is copied, whatever it looks like.
#include "import/verbatim.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "base/trim.hpp"

namespace tw::import {

namespace {

constexpr int kMaxAliases = 32; // of aliases that stand for aliases
constexpr std::string_view kNumbers = "dense_resource<bytes_";
constexpr size_t kMaxVerbatim = size_t{1} << 24; // aliases of aliases can stand for any amount of text

class Copier {
public:
  Copier(Reader &r, std::string &to) : r_(r), to_(to) {}

  bool copy(std::string_view piece, bool locations, int depth = 0) {
    size_t at = 0;
    const auto take = [&](size_t end) {
      to_.append(piece.substr(at, end - at));
      at = end;
    };
    while (at < piece.size()) {
      if (to_.size() > kMaxVerbatim)
        return r_.s.fail("TW-105", r_.s.here(), "the aliases of this attribute stand for too much text");
      const char c = piece[at];
      if (c == '"') {
        take(string_end(piece, at));
      } else if (r_.c.records != nullptr && piece.substr(at).starts_with(kNumbers)) {
        copy_numbers(piece, at);
      } else if (piece.substr(at).starts_with("//")) {
        at = std::min(piece.find('\n', at), piece.size());
      } else if (!locations && is_location(piece, at)) {
        while (to_.ends_with(' '))
          to_.pop_back();
        at = group_end(piece, at + 3);
      } else if ((c == '#' || c == '!') && (at == 0 || !is_word_char(piece[at - 1])) &&
                 at + 1 < piece.size() && is_word_start(piece[at + 1])) {
        const size_t end = word_end(piece, at + 1);
        if (!copy_alias(piece.substr(at, end - at), end < piece.size() ? piece[end] : '\0', depth))
          return false;
        at = end;
      } else {
        take(is_word_char(c) ? word_end(piece, at) : at + 1);
      }
    }
    return true;
  }

private:
  static size_t word_end(std::string_view piece, size_t at) {
    while (at < piece.size() && is_word_char(piece[at]))
      ++at;
    return at;
  }
  static size_t string_end(std::string_view piece, size_t at) {
    for (++at; at < piece.size() && piece[at] != '"'; ++at)
      at += piece[at] == '\\' ? 1 : 0;
    return std::min(at + 1, piece.size());
  }
  // Behind the bracket that closes the one at `at`.
  static size_t group_end(std::string_view piece, size_t at) {
    for (size_t open = 0; at < piece.size(); ++at)
      if (piece[at] == '"')
        at = string_end(piece, at) - 1;
      else if (piece[at] == '(')
        ++open;
      else if (piece[at] == ')' && --open == 0)
        return at + 1;
    return piece.size();
  }
  // `loc(..)` behind what it is about; as a value it stands behind '=', ',' or a bracket.
  static bool is_location(std::string_view piece, size_t at) {
    if (!piece.substr(at).starts_with("loc(") || (at > 0 && is_word_char(piece[at - 1])))
      return false;
    const std::string_view before = trim(piece.substr(0, at));
    return !before.empty() && std::string_view("=,[({<").find(before.back()) == std::string_view::npos;
  }

  // What stands for elements of an artifact becomes their bytes.
  void copy_numbers(std::string_view piece, size_t &at) {
    const size_t digits = at + kNumbers.size(), end = std::min(piece.find('>', digits), piece.size());
    size_t number = 0;
    std::from_chars(piece.data() + digits, piece.data() + end, number);
    const auto &all = r_.c.records->program().values().numbers();
    to_ += "dense<\"0x";
    for (const char c : number < all.size() ? all[number] : std::string_view())
      fmt::format_to(std::back_inserter(to_), "{:02X}", static_cast<unsigned char>(c));
    to_ += "\">";
    at = std::min(end + 1, piece.size());
  }

  // #name and !name, where they stand for something; #dialect.name and #dialect<..> do not.
  bool copy_alias(std::string_view name, char next, int depth) {
    const bool is_type = name[0] == '!';
    const auto &aliases = is_type ? r_.c.index.type_aliases : r_.c.index.attr_aliases;
    const auto alias = aliases.find(name.substr(1));
    if (alias == aliases.end() && !is_type && next != '<' && name.find('.') == std::string_view::npos)
      return r_.s.fail("TW-105", name.data(), fmt::format("the attribute alias {} is not defined", name));
    if (alias == aliases.end() || next == '<') {
      to_.append(name);
      return true;
    }
    if (depth == kMaxAliases)
      return r_.s.fail("TW-105", name.data(), fmt::format("the alias {} stands for itself", name));
    const Cursor back = r_.s.cursor();
    r_.s.seek(alias->second);
    std::string_view value, type;
    if (!r_.s.skip_term(value) || (r_.s.accept(':') && !r_.s.skip_term(type)))
      return false;
    value = {value.data(), static_cast<size_t>(r_.s.cursor().at - value.data())};
    r_.s.seek(back);
    return copy(trim(value), true, depth + 1);
  }

  Reader &r_;
  std::string &to_;
};

// The functions whose symbols stand in a piece of text, in order.
void find_functions(const Reader &r, std::string_view piece, std::vector<uint32_t> &found) {
  for (size_t at = piece.find('@'); at != std::string_view::npos; at = piece.find('@', at + 1)) {
    std::string_view name = piece.substr(at + 1);
    if (name.starts_with('"'))
      name = name.substr(1, name.find('"', 1) - 1);
    else
      name = name.substr(0, static_cast<size_t>(std::ranges::find_if_not(name, is_word_char) - name.begin()));
    const uint32_t function = r.c.index.find(r.module, {name});
    if (function != ModuleIndex::kNone && std::ranges::find(found, function) == found.end())
      found.push_back(function);
  }
}

} // namespace

bool append_verbatim(Reader &r, std::string_view piece, std::string &to) {
  return Copier(r, to).copy(trim(piece), true);
}

bool functions_named_in(Reader &r, std::string_view piece, std::string &definitions) {
  std::vector<uint32_t> functions;
  find_functions(r, piece, functions);
  for (size_t i = 0; i < functions.size(); ++i) {
    const Function &f = r.c.index.functions[functions[i]];
    const std::string printed = r.c.records != nullptr ? r.c.records->function_text(f.region) : std::string();
    const std::string_view text = r.c.records != nullptr ? std::string_view(printed) : f.text;
    find_functions(r, text, functions);
    definitions += f.generic ? "" : "func.func private ";
    if (!Copier(r, definitions).copy(trim(text), false))
      return false;
    definitions += '\n';
  }
  return true;
}

} // namespace tw::import
