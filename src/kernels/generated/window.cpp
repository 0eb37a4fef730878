// SPDX-License-Identifier: Apache-2.0
// One thread a place: loops over the taps, one inside the other.
#include "kernels/generated/window.hpp"

#include <fmt/format.h>

#include "kernels/generated/index_text.hpp"
#include "kernels/generated/prelude.hpp"
#include "kernels/generated/scalar_text.hpp"
#include "ops/expression.hpp"

namespace tw::kernels::generated {

namespace {

// The element under tap t{d} of place p{d}: `e{d}`, and whether there is one.
std::string element_text(const ops::SlidingWindow &w, size_t d, int64_t extent) {
  const std::string step = w.reversed ? fmt::format("({}ll - t{})", w.size - 1, d) : fmt::format("t{}", d);
  return fmt::format("const tw::i64_t a{0} = p{0} * {1}ll + {2} * {3}ll - {4}ll, e{0} = a{0} / {5}ll;\n"
                     "inside = inside && a{0} >= 0 && a{0} % {5}ll == 0 && e{0} < {6}ll;\n",
                     d, w.stride, step, w.dilation, w.low, w.base_dilation, extent);
}

} // namespace

std::string places_text(const std::vector<int64_t> &extent, const char *name) {
  std::string text = "  tw::i64_t left = at;\n";
  for (size_t d = extent.size(); d-- > 0;)
    text += fmt::format("  const tw::i64_t {0}{1} = left % {2}ll;\n  left /= {2}ll;\n  (void){0}{1};\n", name,
                        d, std::max<int64_t>(extent[d], 1));
  return text + "  (void)left;\n";
}

std::string taps_text(const std::vector<ops::SlidingWindow> &windows) {
  std::string text;
  for (size_t d = 0; d < windows.size(); ++d)
    text += fmt::format("for (tw::i64_t t{0} = 0; t{0} < {1}ll; ++t{0})\n", d, windows[d].size);
  return text;
}

std::string under_text(const std::vector<ops::SlidingWindow> &windows, const std::vector<int64_t> &extent) {
  std::string text = "bool inside = true;\n", offset = "0ll";
  int64_t stride = 1;
  for (size_t d = windows.size(); d-- > 0; stride *= extent[d]) {
    text += element_text(windows[d], d, extent[d]);
    offset += fmt::format(" + e{} * {}ll", d, stride);
  }
  return text + fmt::format("const tw::i64_t from = {};\n", offset);
}

Source window_source(const WindowFold &r, const std::string &entry) {
  int64_t elements = 1;
  for (const int64_t n : r.places)
    elements *= n;
  const std::string element = type_name(r.dtype), wide = type_name(ops::wide_type(r.dtype));
  Source source;
  std::string &text = source.text;
  text = element_kernel(entry, 3, elements) + places_text(r.places, "p");
  text += fmt::format("const tw::V<tw::{0}> init = tw::load<tw::{0}>((const void *)args.word[1], 0);\n"
                      "tw::V<tw::{0}> total = init;\n",
                      element);
  text += taps_text(r.windows) + "{\n" + under_text(r.windows, r.extent);
  text += fmt::format(
      "const tw::V<tw::{0}> next = inside ? tw::load<tw::{0}>((const void *)args.word[0], from) : init;\n"
      "total = tw::convert<tw::{0}, tw::{1}>({2}(tw::convert<tw::{1}, tw::{0}>(total), "
      "tw::convert<tw::{1}, tw::{0}>(next)));\n}}\n"
      "  tw::store<tw::{0}>((void *)args.word[2], at, total);\n}}\n",
      element, wide, combining_text(r.kind, ops::wide_type(r.dtype)));
  source.launches.push_back({entry,
                             blocks_for(elements),
                             kThreads,
                             {{Word::Kind::operand, 0}, {Word::Kind::operand, 1}, {Word::Kind::result, 0}}});
  return source;
}

} // namespace tw::kernels::generated
