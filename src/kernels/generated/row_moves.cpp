// SPDX-License-Identifier: Apache-2.0
// One thread an element. An index is read as its type, and compared as an integer of 64 bits.
#include "kernels/generated/row_moves.hpp"

#include <fmt/format.h>

#include "kernels/generated/prelude.hpp"
#include "kernels/generated/scalar_text.hpp"
#include "ops/expression.hpp"

namespace tw::kernels::generated {

namespace {

Launch row_launch(const std::string &entry, int64_t elements, uint32_t operands) {
  Launch made{entry, blocks_for(elements), kThreads};
  for (uint32_t i = 0; i < operands; ++i)
    made.words.push_back({Word::Kind::operand, i});
  made.words.push_back({Word::Kind::result, 0});
  return made;
}

} // namespace

std::string index_text(graph::DType index, const std::string &pointer, const std::string &at) {
  const std::string value =
      fmt::format("tw::load<tw::{}>((const void *){}, {})", type_name(index), pointer, at);
  return index == graph::DType::u64 ? fmt::format("tw::index_of({})", value)
                                    : fmt::format("(tw::i64_t){}", value);
}

const char *index_functions() {
  return R"text(
namespace tw {
TW_FN i64_t index_of(u64_t v) { return v >> 63 != 0 ? (i64_t)(~0ull >> 1) : (i64_t)v; }
TW_FN i64_t clamped(i64_t v, i64_t last) { return v < 0 ? 0 : v > last ? last : v; }
TW_FN i64_t within(i64_t v, i64_t most) { return v < -most ? -most : v > most ? most : v; }
}
)text";
}

namespace {

// Where element `at` of a part lies in the whole, and whether that is here.
std::string place_text(const DynamicSlice &r) {
  std::string text = "  tw::i64_t left = at, place = 0;\n  bool here = true;\n";
  int64_t stride = 1;
  for (size_t d = r.part.size(); d-- > 0; stride *= r.whole[d]) {
    const bool in_parts = !r.most.empty();
    text += fmt::format("  const tw::i64_t s{0} = tw::clamped({1}, {2}ll) - {3}ll;\n", d,
                        index_text(r.index, fmt::format("args.word[{}]", d + 1), "0"),
                        in_parts ? r.most[d] : r.whole[d] - r.part[d], in_parts ? r.begin[d] : 0);
    if (in_parts)
      text += fmt::format("  here = here && s{0} >= 0 && s{0} < {1}ll;\n", d, r.count[d]);
    text +=
        fmt::format("  place += (left % {0}ll + s{1}) * {2}ll;\n  left /= {0}ll;\n", r.part[d], d, stride);
  }
  return text + "  (void)left;\n";
}

Source dynamic_source(const DynamicSlice &r, const std::string &entry, bool updates) {
  int64_t elements = 1;
  for (const int64_t n : r.part)
    elements *= n;
  const auto operands = static_cast<uint32_t>(r.part.size() + 1);
  Source source;
  source.functions.emplace_back(index_functions());
  source.text = element_kernel(entry, operands + 1, elements);
  if (elements > 0)
    source.text += place_text(r);
  else
    source.text += "  const tw::i64_t place = 0;\n  const bool here = true;\n";
  source.text += fmt::format("  typedef tw::{0}::Storage Element;\n"
                             "  const Element *from = (const Element *)args.word[0];\n"
                             "  Element *to = (Element *)args.word[{1}];\n",
                             type_name(r.dtype), operands);
  source.text += updates ? "  if (here)\n    to[place] = from[at];\n}\n"
                         : "  to[at] = here ? from[place] : Element();\n}\n";
  source.launches.push_back(row_launch(entry, elements, operands));
  return source;
}

} // namespace

Source gather_source(const GatherRows &r, const std::string &entry) {
  const int64_t elements = r.indices * r.columns;
  Source source;
  source.functions.emplace_back(index_functions());
  source.text =
      element_kernel(entry, 3, elements) +
      fmt::format("  typedef tw::{0}::Storage Element;\n"
                  "  const tw::i64_t i = at / {1}ll, row = tw::clamped({2}, {3}ll);\n"
                  "  ((Element *)args.word[2])[at] = ((const Element *)args.word[0])[row * {1}ll + at % "
                  "{1}ll];\n}}\n",
                  type_name(r.dtype), std::max<int64_t>(r.columns, 1),
                  index_text(r.index, "args.word[1]", "i"), r.rows - 1);
  source.launches.push_back(row_launch(entry, elements, 2));
  return source;
}

Source scatter_source(const ScatterRows &r, const std::string &entry) {
  const int64_t elements = r.rows * r.columns;
  const std::string element = type_name(r.dtype), wide = type_name(ops::wide_type(r.dtype));
  const std::string update =
      fmt::format("tw::load<tw::{}>((const void *)args.word[2], i * {}ll + column)", element, r.columns);
  std::string next = update;
  if (r.kind)
    next = fmt::format("tw::convert<tw::{0}, tw::{1}>({2}(tw::convert<tw::{1}, tw::{0}>(value), "
                       "tw::convert<tw::{1}, tw::{0}>({3})))",
                       element, wide, combining_text(*r.kind, ops::wide_type(r.dtype)), update);
  Source source;
  source.functions.emplace_back(index_functions());
  source.text =
      element_kernel(entry, 4, elements) +
      fmt::format("  const tw::i64_t row = at / {0}ll, column = at % {0}ll;\n  (void)column;\n"
                  "  tw::V<tw::{1}> value = tw::load<tw::{1}>((const void *)args.word[0], at);\n"
                  "  for (tw::i64_t i = 0; i < {2}ll; ++i)\n    if ({3} == row)\n      value = {4};\n"
                  "  tw::store<tw::{1}>((void *)args.word[3], at, value);\n}}\n",
                  std::max<int64_t>(r.columns, 1), element, r.indices,
                  index_text(r.index, "args.word[1]", "i"), next);
  source.launches.push_back(row_launch(entry, elements, 3));
  return source;
}

Source dynamic_slice_source(const DynamicSlice &request, const std::string &entry) {
  return dynamic_source(request, entry, false);
}

Source dynamic_update_source(const DynamicSlice &request, const std::string &entry) {
  return dynamic_source(request, entry, true);
}

} // namespace tw::kernels::generated
