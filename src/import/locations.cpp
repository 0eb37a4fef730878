// SPDX-License-Identifier: Apache-2.0
// Locations: unknown, "name", "file":line:column, "name"(inner), fused[...], callsite(a at b) and aliases of
// these.
#include "import/locations.hpp"

#include <fmt/format.h>

namespace tw::import {

bool LocationReader::read(Text &text) {
  return s_.expect("loc", "before a location") && s_.expect('(', "after loc") && read_body(text, 0) &&
         s_.expect(')', "after a location");
}

bool LocationReader::read_body(Text &text, uint32_t depth) {
  if (depth > kMaxLocationDepth)
    return s_.fail("TW-105", s_.here(), "this location is nested too deep");
  if (s_.accept("unknown"))
    return true;
  if (s_.peek() == '#')
    return read_alias(text, depth);
  if (s_.peek() == '"')
    return read_string(text, depth);
  if (s_.accept("fused"))
    return read_fused(text, depth);
  if (s_.accept("loc")) // some tools print the inner one in full
    return s_.expect('(', "after loc") && read_body(text, depth + 1) && s_.expect(')', "after a location");
  if (s_.accept("callsite")) {
    Text caller;
    return s_.expect('(', "after callsite") && read_body(text, depth + 1) &&
           s_.expect("at", "in a call site") && read_body(caller, depth + 1) &&
           s_.expect(')', "after a call site");
  }
  return s_.fail_here("a location", {});
}

bool LocationReader::read_string(Text &text, uint32_t depth) {
  std::string_view raw;
  if (!s_.string(raw))
    return false;
  if (s_.accept(':')) { // "file":line:column, to which a range adds `to :column` or `to line:column`
    int64_t line = 0, other = 0;
    if (!s_.integer(line) || (s_.accept(':') && !s_.integer(other)))
      return false;
    if (s_.accept("to") && ((s_.peek() != ':' && !s_.integer(other)) ||
                            !s_.expect(':', "in a range of a file") || !s_.integer(other)))
      return false;
    text.file = b_.name(fmt::format("{}:{}", unescape_name(raw), line));
    return true;
  }
  const uint32_t name = b_.name(unescape_name(raw));
  if (s_.accept('(') && !(read_body(text, depth + 1) && s_.expect(')', "after a location")))
    return false;
  text.name = name;
  return true;
}

bool LocationReader::read_fused(Text &text, uint32_t depth) {
  std::string_view metadata;
  if (s_.peek() == '<' && !s_.skip_term(metadata))
    return false;
  if (!s_.expect('[', "after fused"))
    return false;
  do {
    Text part;
    if (!read_body(part, depth + 1))
      return false;
    text.name = text.name == graph::kNone ? part.name : text.name;
    text.file = text.file == graph::kNone ? part.file : text.file;
  } while (s_.accept(','));
  return s_.expect(']', "after fused locations");
}

bool LocationReader::read_alias(Text &text, uint32_t depth) {
  const char *at = s_.here();
  s_.accept('#');
  const std::string_view name = s_.suffix();
  if (const auto known = known_.find(name); known != known_.end()) {
    text = known->second;
    return true;
  }
  const auto alias = aliases_.find(name);
  if (alias == aliases_.end())
    return s_.fail("TW-105", at, fmt::format("the location alias #{} is not defined", name));
  const Cursor back = s_.cursor();
  s_.seek(alias->second);
  if (!s_.expect("loc", "in the alias of a location") || !s_.expect('(', "after loc") ||
      !read_body(text, depth + 1) || !s_.expect(')', "after a location"))
    return false;
  s_.seek(back);
  known_.emplace(name, text);
  return true;
}

} // namespace tw::import
