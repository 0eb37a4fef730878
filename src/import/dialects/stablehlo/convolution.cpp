// SPDX-License-Identifier: Apache-2.0
// How texts write convolutions: dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2,
// 2], ...}, the same dimension numbers as #stablehlo.conv<..>, and spelt out field by field behind `raw`.
#include "import/dialects/stablehlo/ops.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace tw::import {

namespace {

// The three arrays in the order of the text, and the letters of the two dimensions that are not spatial.
constexpr std::array<std::string_view, 3> kLists = {"lhs_dimensions", "rhs_dimensions", "result_dimensions"};
constexpr std::array<std::array<char, 2>, 3> kLetters = {{{'b', 'f'}, {'i', 'o'}, {'b', 'f'}}};

constexpr std::pair<std::string_view, std::string_view> kWindow[] = {
    {"stride", "window_strides"},   {"pad", "padding"},
    {"lhs_dilate", "lhs_dilation"}, {"rhs_dilate", "rhs_dilation"},
    {"reverse", "window_reversal"},
};

// The fields of the `raw` form: which list, and its entry; -1 is the list of the spatial ones.
struct Field {
  std::string_view name;
  size_t list;
  int entry;
};
constexpr Field kFields[] = {
    {"input_batch_dimension", 0, 0},           {"input_feature_dimension", 0, 1},
    {"input_spatial_dimensions", 0, -1},       {"kernel_input_feature_dimension", 1, 0},
    {"kernel_output_feature_dimension", 1, 1}, {"kernel_spatial_dimensions", 1, -1},
    {"output_batch_dimension", 2, 0},          {"output_feature_dimension", 2, 1},
    {"output_spatial_dimensions", 2, -1},
};

// [b, 0, 1, f]: the dimension of each letter, then those of the spatial numbers in their order.
bool read_labels(Scanner &s, const std::array<char, 2> &letters, std::vector<int64_t> &dims) {
  const char *at = s.here();
  if (!s.expect('[', "before the dimensions of a convolution"))
    return false;
  std::vector<int64_t> spatial; // by number
  int64_t named[2] = {-1, -1}, position = 0;
  const auto wrong = [&] {
    return s.fail(
        "TW-105", at,
        fmt::format("expected dimensions such as [{}, 0, 1, {}]: both letters once, and the spatial "
                    "ones numbered from 0",
                    letters[0], letters[1]));
  };
  if (!s.accept(']')) {
    do {
      if (const std::string_view word = is_word_start(s.peek()) ? s.word() : std::string_view();
          !word.empty()) {
        const size_t which = word[0] == letters[0] ? 0 : 1;
        if (word.size() != 1 || word[0] != letters[which] || named[which] >= 0)
          return wrong();
        named[which] = position++;
        continue;
      }
      int64_t number = 0;
      if (!s.integer(number))
        return false;
      if (number < 0 || number > 64)
        return wrong();
      if (static_cast<size_t>(number) >= spatial.size())
        spatial.resize(static_cast<size_t>(number) + 1, -1);
      if (std::exchange(spatial[static_cast<size_t>(number)], position++) >= 0)
        return wrong();
    } while (s.accept(','));
    if (!s.expect(']', "after the dimensions of a convolution"))
      return false;
  }
  if (named[0] < 0 || named[1] < 0 || std::find(spatial.begin(), spatial.end(), -1) != spatial.end())
    return wrong();
  dims.assign(named, named + 2);
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  return true;
}

bool read_all_labels(Scanner &s, std::array<std::vector<int64_t>, 3> &lists) {
  return read_labels(s, kLetters[0], lists[0]) && s.expect('x', "between the dimensions of both operands") &&
         read_labels(s, kLetters[1], lists[1]) && s.expect("->", "before the dimensions of the result") &&
         read_labels(s, kLetters[2], lists[2]);
}

// The raw form's fields into the three lists.
bool read_conv_fields(Reader &r, OpText &op, std::string_view raw) {
  std::vector<AttrText> fields;
  if (!parse_struct(r.s, raw, fields))
    return false;
  std::array<std::array<int64_t, 2>, 3> named{};
  std::array<std::vector<int64_t>, 3> spatial;
  for (AttrText &field : fields) {
    const auto known = std::find_if(std::begin(kFields), std::end(kFields),
                                    [&](const Field &f) { return f.name == field.name; });
    if (known == std::end(kFields))
      return r.s.fail("TW-105", field.name.data(),
                      fmt::format("'{}' is no dimension number of a convolution", field.name));
    if (known->entry < 0
            ? !r.c.attributes.read_ints(field.raw, spatial[known->list])
            : !r.c.attributes.read_int(field.raw, named[known->list][static_cast<size_t>(known->entry)]))
      return false;
  }
  for (size_t i = 0; i < kLists.size(); ++i) {
    op.lists[i].assign(named[i].begin(), named[i].end());
    op.lists[i].insert(op.lists[i].end(), spatial[i].begin(), spatial[i].end());
  }
  return true;
}

} // namespace

// convolution(%a, %b) dim_numbers = .., window = {..} {attrs} : types
bool form_convolution(Reader &r, OpText &op) {
  if (!r.s.expect('(', "before the operands") || !r.read_operands(op) ||
      !r.s.expect(')', "after the operands") || !r.s.expect("dim_numbers", "in convolution") ||
      !r.s.expect('=', "after dim_numbers"))
    return false;
  const char *start = r.s.here();
  for (auto &list : op.lists)
    list.clear();
  if (!read_all_labels(r.s, op.lists))
    return false;
  const std::string_view raw(start, static_cast<size_t>(r.s.cursor().at - start));
  for (size_t i = 0; i < kLists.size(); ++i)
    op.attrs.push_back({kLists[i], raw, &op.lists[i]});
  if (r.s.accept(',')) {
    std::vector<AttrText> window;
    if (!r.s.expect("window", "in convolution") || !r.s.expect('=', "after window") ||
        !parse_dict(r.s, window))
      return false;
    for (AttrText &field : window) {
      const auto known = std::find_if(std::begin(kWindow), std::end(kWindow),
                                      [&](const auto &pair) { return pair.first == field.name; });
      if (known == std::end(kWindow))
        return r.s.fail("TW-105", field.name.data(),
                        fmt::format("'{}' is no part of a window: stride, pad, lhs_dilate, rhs_dilate and "
                                    "reverse are",
                                    field.name));
      field.name = known->second;
      op.attrs.push_back(field);
    }
  }
  return r.read_attr_dict(op) && r.read_types(op);
}

// dimension_numbers = #stablehlo.conv<..> becomes the three lists.
bool lower_convolution(Reader &r, OpText &op) {
  const auto numbers = std::find_if(op.attrs.begin(), op.attrs.end(),
                                    [](const AttrText &a) { return a.name == "dimension_numbers"; });
  if (numbers == op.attrs.end())
    return r.emit(op);
  std::string_view raw = numbers->raw;
  op.attrs.erase(numbers);
  if (!r.c.attributes.resolve(raw))
    return false;
  const size_t open = raw.find('<');
  if (open == std::string_view::npos)
    return r.s.fail("TW-105", raw.data(), "expected #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>");
  std::string_view inner = raw.substr(open + 1);
  inner.remove_prefix(std::min(inner.find_first_not_of(" \t\r\n"), inner.size()));
  if (inner.starts_with('[')) {
    const Cursor back = r.s.cursor();
    r.s.seek({inner.data(), back.line, inner.data()});
    const bool ok =
        read_all_labels(r.s, op.lists) && r.s.expect('>', "after the dimensions of a convolution");
    r.s.seek(back);
    if (!ok)
      return false;
  } else if (!read_conv_fields(r, op, raw)) {
    return false;
  }
  for (size_t i = 0; i < kLists.size(); ++i)
    op.attrs.push_back({kLists[i], raw, &op.lists[i]});
  return r.emit(op);
}

} // namespace tw::import
