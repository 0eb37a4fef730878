// SPDX-License-Identifier: Apache-2.0
// Expressions where an operand stands, as the PartIR slides abbreviate statements: `matmul(slice 0 %x[%r],
// y)`, `let x = .. in ..`. Each op in one is a statement whose result has no name.
#include "import/reader.hpp"

#include <fmt/format.h>

namespace tw::import {

std::string_view Reader::make_name() {
  return made_names_.emplace_back(fmt::format("({})", made_names_.size()));
}

// A word, or what stands behind a '%'. Slides call what is x in another way x', we call it %x/1.
bool Reader::read_name(std::string_view &name) {
  const bool sigil = s.accept('%');
  name = sigil || is_word_start(s.peek()) ? s.suffix() : std::string_view();
  if (name.empty())
    return s.fail_here(sigil ? "a name after '%'" : "an operand such as %0", {});
  const char *end = s.text().data() + s.text().size();
  while (s.cursor().at != end && *s.cursor().at == '\'' && s.accept('\''))
    name = {name.data(), name.size() + 1};
  if (const char *slash = s.cursor().at; sigil && end - slash > 1 && *slash == '/' && is_digit(slash[1])) {
    s.accept('/');
    const std::string_view number = s.suffix();
    name = {name.data(), static_cast<size_t>(number.data() + number.size() - name.data())};
  }
  return true;
}

bool Reader::binds_name() {
  if (!is_word_start(s.peek()))
    return false;
  const Cursor back = s.cursor();
  std::string_view name;
  const bool binds = read_name(name) && s.accept('=') && s.peek() != '=';
  s.seek(back);
  return binds;
}

bool Reader::rebind(const OpText &op, std::string_view name, const char *at) {
  const graph::ValueId value = op.operands.back();
  if (!define({name}, {&value, 1}, at))
    return false;
  loops.copy_view(op.operand_def.back(), at);
  if (c.builder.graph().value(value).name == graph::kNone)
    name_value(value, name, 0, 1);
  return true;
}

bool Reader::push_named(OpText &op, const Scope::Entry &entry, const char *at) {
  if (entry.count != 1)
    return s.fail("TW-109", at, fmt::format("{} values stand here, and one is expected", entry.count));
  op.operand_def.push_back(entry.at);
  if (page)
    read_at.insert(entry.at);
  push_operand(op, scope->values(entry)[0], at);
  return true;
}

bool Reader::read_named(OpText &op) {
  const char *at = s.here();
  std::string_view name;
  if (!read_name(name))
    return false;
  const Scope::Entry *entry = scope->find(name);
  return entry != nullptr ? push_named(op, *entry, at)
                          : s.fail("TW-109", at, fmt::format("the value %{} is not defined here", name));
}

// let x = e in f
bool Reader::read_let(OpText &op) {
  const size_t mark = scope->mark();
  std::string_view name;
  const char *at = s.here();
  OpText bound;
  if (!read_name(name) || !s.expect('=', "after the name that let binds") || !read_operand(bound) ||
      bound.operands.size() != 1)
    return s.fail_here("one value", "behind let");
  if (!rebind(bound, name, at) || !s.expect("in", "after what let binds") || !read_operand(op))
    return false;
  scope->rewind(mark);
  return true;
}

bool Reader::read_nested_op(OpText &op) {
  if (texts_.size() < depth_)
    texts_.resize(depth_);
  OpText &inner = texts_[depth_ - 1];
  inner.clear();
  const char *at = s.here();
  inner.line = s.cursor().line;
  inner.column = s.cursor().column();
  const std::string_view name = make_name();
  inner.results.push_back({name, 1, name.data()});
  if (!read_op(inner))
    return false;
  const Scope::Entry *made = scope->find(name);
  return made != nullptr ? push_named(op, *made, at)
                         : s.fail("TW-109", at, fmt::format("{} makes no value", inner.name));
}

bool Reader::read_expression(OpText &op) {
  const char *at = s.here();
  if (depth_ >= kMaxDepth)
    return s.fail("TW-108", at, fmt::format("expressions are nested deeper than {}", kMaxDepth));
  ++depth_;
  bool read = false;
  const Cursor back = s.cursor();
  std::string_view name;
  if (s.accept('(')) {
    read = read_operand(op) && close(')', "after an expression");
  } else if (s.accept("let")) {
    read = read_let(op);
  } else if (scope->find("C") == nullptr && s.accept("C[")) { // any program around what is said
    read = read_operand(op) && close(']', "after what stands in C[..]");
  } else if (read_name(name)) {
    if (const Scope::Entry *entry = s.peek() == '(' ? nullptr : scope->find(name)) {
      read = push_named(op, *entry, at);
    } else {
      s.seek(back);
      const std::string_view word = s.word();
      s.seek(back);
      read = !kind_of(word).name.empty()
                 ? read_nested_op(op)
                 : s.fail("TW-109", at,
                          fmt::format("'{}' is neither a value that is defined here nor an op", name));
    }
  }
  --depth_;
  return read;
}

// Nothing where a block ends.
bool Reader::read_values(OpText &op) {
  const char next = s.peek();
  if (next != '%' && next != '(' && (!is_word_start(next) || s.looking_at("loc")))
    return true;
  do {
    if (!read_operand(op))
      return false;
  } while (s.accept(','));
  return true;
}

} // namespace tw::import
