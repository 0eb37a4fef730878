// SPDX-License-Identifier: Apache-2.0
// Reads a page statement by statement.
#include "import/page.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "import/dialects/partir/forms.hpp"
#include "import/loop_parts.hpp"
#include "import/signature.hpp"

namespace tw::import {

using graph::ValueId;

namespace {

constexpr std::string_view kOpening = "([{", kClosing = ")]}";

struct Result {
  ValueId value;
  const char *at;
};

// What one kind of rewrite rule says: both sides are the same.
bool accept_equals(Scanner &s) {
  for (const std::string_view sign : {"<~~>", "~~>", "~>", "=="})
    if (s.accept(sign))
      return true;
  return false;
}

// What stands on a line before the `;` or `,` that ends a statement. A page of slides has no longer lines
// than this, and each statement on a line looks at the rest of it.
std::string_view statement_in(std::string_view line) {
  constexpr size_t kMaxLength = 4096;
  int depth = 0;
  line = line.substr(0, kMaxLength);
  for (size_t i = 0; i < line.size(); ++i) {
    if (line.substr(i).starts_with("//") || (depth == 0 && (line[i] == ';' || line[i] == ',')))
      return line.substr(0, i);
    depth += kOpening.find(line[i]) != line.npos ? 1 : kClosing.find(line[i]) != line.npos ? -1 : 0;
  }
  return line;
}

// The ranges that loops bind in a piece of text: \\r -> .., (%r : range<2>).
std::set<std::string_view> bound_in(std::string_view text) {
  std::set<std::string_view> bound;
  for (size_t at = text.find_first_of("\\("); at != text.npos; at = text.find_first_of("\\(", at + 1)) {
    std::string_view rest = text.substr(at + 1);
    rest.remove_prefix(rest.starts_with('%'));
    const auto end = static_cast<size_t>(std::ranges::find_if_not(rest, is_word_char) - rest.begin());
    std::string_view behind = rest.substr(end);
    behind.remove_prefix(std::min(behind.find_first_not_of(' '), behind.size()));
    if (behind.starts_with(':') || behind.starts_with("->"))
      bound.insert(rest.substr(0, end));
  }
  return bound;
}

class PageReader {
public:
  explicit PageReader(Reader &r) : r_(r) {}

  bool read() {
    if (!declare_arguments())
      return false;
    while (!r_.s.at_end()) {
      if (r_.s.accept("return"))
        return read_return();
      if (!read_one())
        return false;
      while (r_.s.accept(';') || r_.s.accept(','))
        continue;
    }
    if (results_.empty())
      for (const Result &made : defined_)
        if (!r_.read_at.contains(made.at))
          results_.push_back(made);
    return true;
  }
  const std::vector<Result> &results() const { return results_; }

private:
  // Where statements begin: lines that begin outside brackets.
  std::vector<Cursor> statements() const {
    std::vector<Cursor> found;
    Cursor line = r_.s.cursor();
    const char *end = r_.s.text().data() + r_.s.text().size();
    for (int depth = 0; line.at != end;) {
      if (depth == 0)
        found.push_back(line);
      const char *stop = std::find(line.at, end, '\n');
      const std::string_view text(line.at, static_cast<size_t>(stop - line.at));
      for (const char c : text.substr(0, text.find("//")))
        depth += kOpening.find(c) != text.npos ? 1 : kClosing.find(c) != text.npos ? -1 : 0;
      line.at = line.line_start = stop == end ? end : stop + 1;
      ++line.line;
    }
    return found;
  }

  // What a page declares anywhere, and does not define, are arguments.
  bool declare_arguments() {
    const Cursor back = r_.s.cursor();
    const std::vector<Cursor> all = statements();
    std::unordered_set<std::string_view> bound;
    for (const bool declares : {false, true})
      for (const Cursor &statement : all) {
        r_.s.seek(statement);
        if (!(declares ? declare(bound) : find_bound(bound)))
          return false;
      }
    r_.s.seek(back);
    return true;
  }

  bool at_name() { return r_.s.peek() == '%' || is_word_start(r_.s.peek()); }

  bool find_bound(std::unordered_set<std::string_view> &bound) {
    std::string_view name;
    if (!at_name())
      return true;
    if (!r_.read_name(name))
      return false;
    if (r_.s.accept('=') && r_.s.peek() != '=')
      bound.insert(name);
    return true;
  }

  // x : tensor<2x3xf32>, y : tensor<3x4xf32>
  bool declare(const std::unordered_set<std::string_view> &bound) {
    do {
      std::string_view name;
      if (!at_name())
        return true;
      const char *at = r_.s.here();
      if (!r_.read_name(name))
        return false;
      if (!r_.s.accept(':') || !r_.s.looking_at("tensor") || bound.contains(name))
        return true;
      if (!read_declaration(name, at))
        return false;
    } while (r_.s.accept(','));
    return true;
  }

  bool read_one() {
    const Cursor back = r_.s.cursor();
    std::string_view name;
    const char *at = r_.s.here();
    if (at_name()) {
      if (!r_.read_name(name))
        return false;
      if (r_.s.accept(':'))
        return read_declaration(name, at);
      r_.s.seek(back);
    }
    const std::vector<std::string_view> ranges = free_ranges();
    return ranges.empty() ? read_statement() : read_open_statement(ranges);
  }

  // x : tensor<64x32xf32>, r : range<4>
  bool read_declaration(std::string_view name, const char *at) {
    if (r_.s.looking_at("range") || r_.s.peek() == '!')
      return partir_dialect::read_range(r_, r_.loops.declared_ranges[name]);
    Argument argument{};
    argument.name = name;
    argument.at = at;
    const SourcePos pos = r_.s.position(at);
    argument.line = pos.line;
    argument.column = pos.column;
    const char *type_at = r_.s.here();
    if (!r_.c.types.parse(argument.type))
      return false;
    if (const Scope::Entry *known = r_.scope->find(name)) { // the type of what is there
      const ValueId v = r_.scope->values(*known)[0];
      return r_.c.local.type(v) == argument.type ||
             r_.s.fail("TW-110", type_at,
                       fmt::format("{} is {}, and {} is stated", name, graph::to_text(r_.c.type_of(v)),
                                   graph::to_text(r_.c.builder.graph().type_at(argument.type))));
    }
    return add_entry_argument(r_, arguments_++, argument, {});
  }

  void define_results(const OpText &op) {
    for (const OpText::Result &result : op.results)
      if (const Scope::Entry *entry = r_.scope->find(result.name))
        for (const ValueId v : r_.scope->values(*entry))
          defined_.push_back({v, result.at});
  }

  // %0 = tile .., or an expression
  bool read_statement() {
    if (r_.s.peek() == '%' || r_.binds_name()) {
      OpText op;
      if (!r_.read_statement(op))
        return false;
      define_results(op);
      return true;
    }
    OpText left;
    const char *at = r_.s.here();
    if (!r_.read_operand(left))
      return false;
    results_.push_back({left.operands[0], at});
    if (!accept_equals(r_.s))
      return true;
    OpText right;
    const char *right_at = r_.s.here();
    if (!r_.read_operand(right))
      return false;
    results_.push_back({right.operands[0], right_at});
    const graph::TensorType &a = r_.c.type_of(left.operands[0]), &b = r_.c.type_of(right.operands[0]);
    return a == b || r_.s.fail("TW-110", right_at,
                               fmt::format("this side is {}, and the other one is {}", graph::to_text(b),
                                           graph::to_text(a)));
  }

  // Declared ranges by which this line slices, and that no loop on it binds.
  std::vector<std::string_view> free_ranges() const {
    std::vector<std::string_view> found;
    if (r_.loops.declared_ranges.empty())
      return found;
    const char *begin = r_.s.cursor().at, *end = r_.s.text().data() + r_.s.text().size();
    const std::string_view line =
        statement_in({begin, static_cast<size_t>(std::find(begin, end, '\n') - begin)});
    std::set<std::string_view> known = bound_in(line);
    for (size_t at = line.find('['); at != line.npos; at = line.find('[', at + 1)) {
      std::string_view name = line.substr(at + 1, line.find(']', at) - at - 1);
      name.remove_prefix(name.starts_with('%'));
      const auto declared = r_.loops.declared_ranges.find(name);
      if (declared != r_.loops.declared_ranges.end() && known.insert(declared->first).second)
        found.push_back(declared->first);
    }
    return found;
  }

  // slice 0 x[r] : tensor<16x32xf32>, where nothing binds r: said of each of its values, so of a loop over
  // it.
  bool read_open_statement(const std::vector<std::string_view> &ranges) {
    const char *at = r_.s.here();
    std::string_view name;
    const char *name_at = nullptr;
    if (r_.binds_name() || r_.s.peek() == '%') {
      name_at = at;
      if (!r_.read_name(name) || !r_.s.expect('=', "after a name"))
        return false;
    }
    std::optional<OpText> op;
    if (!read_open(ranges, op))
      return false;
    if (op && name_at != nullptr) {
      defined_.push_back({op->operands[0], name_at});
      return r_.rebind(*op, name, name_at);
    }
    if (op)
      results_.push_back({op->operands[0], at});
    const char *right_at = r_.s.here();
    if (!accept_equals(r_.s))
      return true;
    if (!read_open(ranges, op))
      return false;
    if (op)
      results_.push_back({op->operands[0], right_at});
    return true;
  }

  // One expression in a loop over each of these ranges; none where the page says that it is a type error.
  bool read_open(const std::vector<std::string_view> &ranges, std::optional<OpText> &made) {
    const char *at = r_.s.here();
    OpText op;
    op.at = at;
    op.line = r_.s.cursor().line;
    op.column = r_.s.cursor().column();
    const size_t values = r_.c.builder.graph().values().size();
    std::vector<uint32_t> loops;
    for (const std::string_view range : ranges) {
      annotation::LoopDecl loop;
      loop.pos = r_.s.position(at);
      loop.range = r_.loops.declared_ranges[range];
      if (!partir_dialect::settle_axis(r_, loop, at, at) ||
          !partir_dialect::open_loop(r_, std::move(loop), range, at, loops.emplace_back()))
        return false;
    }
    r_.loops.type_error = false;
    if (!r_.read_operand(op))
      return false;
    const bool type_error = std::exchange(r_.loops.type_error, false);
    while (!loops.empty()) {
      if (!type_error && !close(op, loops.back(), values))
        return false;
      partir_dialect::close_loop(r_, loops.back());
      loops.pop_back();
    }
    made = type_error ? std::nullopt : std::optional(std::move(op));
    return true;
  }

  bool close(OpText &op, uint32_t loop, size_t values) {
    partir_dialect::Yield yield{op.operands[0], op.operand_def[0], op.operand_at[0]};
    const auto part = part_of(r_, yield.definition, yield.value, loop);
    annotation::LoopAction action = partir_dialect::action_for(part);
    if (part && part->kind != LoopPart::Kind::tile)
      return r_.s.fail("TW-421", yield.at, "each value of the range has a part of this: no tile");
    r_.loops.first_value = values;
    if (!partir_dialect::make_part(r_, op, loop, action, yield))
      return false;
    r_.loops.program.loops[loop].actions.push_back(std::move(action));
    const char *whole = r_.make_name().data();
    if (auto pending = partir_dialect::yield_from(r_, loop, yield.value, yield.definition))
      r_.loops.identities.insert_or_assign(whole, std::move(*pending));
    op.operands[0] = yield.value;
    op.operand_def[0] = whole;
    return true;
  }

  bool read_return() {
    OpText op;
    if (!r_.read_values(op))
      return false;
    results_.clear();
    for (size_t i = 0; i < op.operands.size(); ++i)
      results_.push_back({op.operands[i], op.operand_at[i]});
    return r_.s.at_end() || r_.s.fail_here("the end of the text", "after return");
  }

  Reader &r_;
  uint32_t arguments_ = 0;
  std::vector<Result> results_, defined_;
};

} // namespace

bool begins_page(Scanner &s, std::string_view name) {
  static constexpr std::string_view kWords[] = {"fn", "let", "mesh", "slice", "sum", "tile"};
  if (name.find('.') != std::string_view::npos)
    return name.starts_with("xla.");
  const char next = s.peek();
  return next == ':' || next == '=' || next == '(' || next == '~' || next == '<' ||
         (std::ranges::find(kWords, name) != std::end(kWords) && next != '@');
}

bool read_page(Reader &r, const Function &f) {
  r.page = true;
  r.s.seek(f.body);
  if (r.s.looking_at("mesh") || r.s.looking_at("fn"))
    return read_listing(r);
  PageReader page(r);
  if (!page.read())
    return false;
  if (page.results().empty())
    return r.s.fail("TW-106", r.s.here(), "the page computes nothing");
  r.yields.clear();
  r.yields_at.clear();
  for (const Result &result : page.results()) {
    r.yields.push_back(result.value);
    r.yields_at.push_back(result.at);
  }
  for (uint32_t i = 0; i < r.yields.size(); ++i)
    if (!add_entry_result(r, i, r.yields[i], {}))
      return false;
  return true;
}

} // namespace tw::import
