// SPDX-License-Identifier: Apache-2.0
// Ops as the PartIR slides call them: `add(%x, %x)`, `xla.add(x, y)`, `matmul xtile ptile : [8, 10]`. They
// are StableHLO's; their types follow from their operands.
#include <fmt/format.h>

#include "import/dialects/partir/forms.hpp"
#include "import/dialects/stablehlo/ops.hpp"
#include "ops/registry.hpp"

namespace tw::import::partir_dialect {

namespace {

std::string full_name(std::string_view name) {
  return fmt::format("stablehlo.{}", name.substr(name.starts_with("xla.") ? 4 : 0));
}

bool is_attribute(Reader &r) { return is_word_start(r.s.peek()) && r.binds_name(); }

// (%x, f(y), dimensions = [1])
bool read_arguments(Reader &r, OpText &op) {
  if (r.s.accept(')'))
    return true;
  do {
    if (is_attribute(r) ? !r.read_pretty_attr(op) : !r.read_operand(op))
      return false;
  } while (r.s.accept(','));
  return r.close(')', "after the operands");
}

// Operands side by side, as far as the line goes.
bool read_words(Reader &r, OpText &op) {
  const uint32_t line = r.s.cursor().line;
  do {
    if (!r.read_operand(op))
      return false;
    r.s.accept(',');
    r.s.here();
  } while (r.s.cursor().line == line &&
           (r.s.peek() == '%' || r.s.peek() == '(' || is_word_start(r.s.peek())));
  return true;
}

bool lower_call(Reader &r, OpText &op) {
  const Kind &kind = r.kind_of(op.name);
  op.code = kind.code;
  return kind.lower(r, op);
}

// [8, 10]: of a tile, whose elements are those of the operands.
bool read_tile_shape(Reader &r, const OpText &op) {
  DistType type;
  const char *at = r.s.here();
  if (!read_dist_type(r, type))
    return false;
  if (!type.axes.empty() || op.operands.empty())
    return r.s.fail("TW-420", at, "expected the sizes of a tile, such as [8, 10]");
  r.loops.stated_tile = r.c.builder.type({r.c.type_of(op.operands[0]).dtype, type.dims});
  return true;
}

constexpr Syntax kCall{"call", form_call, lower_call};

} // namespace

const Syntax *find_call(std::string_view name) {
  if (name.find('.') != std::string_view::npos && !name.starts_with("xla."))
    return nullptr;
  return ops::find_op(full_name(name)) ? &kCall : nullptr;
}

bool form_call(Reader &r, OpText &op) {
  if (const auto code = ops::find_op(full_name(op.name)))
    op.name = ops::op_def(*code).name;
  if (!(r.s.accept('(') ? read_arguments(r, op) : read_words(r, op)) || !r.read_attr_dict(op))
    return false;
  if (r.s.peek() == ':') {
    const Cursor back = r.s.cursor();
    r.s.accept(':');
    if (r.s.peek() != '[') {
      r.s.seek(back);
      return r.read_types(op);
    }
    if (!read_tile_shape(r, op))
      return false;
  }
  for (const graph::ValueId v : op.operands)
    op.operand_types.push_back(r.c.local.type(v));
  return true;
}

bool lower_matmul(Reader &r, OpText &op) {
  if (!settle_untyped(r, op))
    return false;
  for (const graph::ValueId v : op.operands)
    if (r.c.type_of(v).rank() != 2)
      return r.s.fail("TW-421", op.at,
                      fmt::format("matmul takes matrices, not {}", graph::to_text(r.c.type_of(v))));
  return lower_dot(r, op);
}

} // namespace tw::import::partir_dialect
