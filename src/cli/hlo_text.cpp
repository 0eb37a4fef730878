// SPDX-License-Identifier: Apache-2.0
// Looks for marks in lines; HLO text is read no further than that.
#include "cli/hlo_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tw::cli {

std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after) {
  const size_t at = text.find(before);
  if (at == std::string_view::npos)
    return std::nullopt;
  const std::string_view rest = text.substr(at + before.size());
  return rest.substr(0, std::min(rest.find(after), rest.size()));
}

std::vector<int64_t> numbers_in(std::string_view text) {
  std::vector<int64_t> numbers;
  for (size_t at = 0; at < text.size();) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (error == std::errc())
      numbers.push_back(value);
    at = std::max(at + 1, static_cast<size_t>(end - text.data()));
  }
  return numbers;
}

size_t closing(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '{' || text[i] == '[' ? 1 : 0;
    depth -= text[i] == ')' || text[i] == '}' || text[i] == ']' ? 1 : 0;
    if (depth == 0)
      return i + 1;
  }
  return text.size();
}

std::vector<Shape> shapes_in(std::string_view text) {
  std::vector<Shape> shapes;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '{') { // a layout
      at += closing(text.substr(at)) - 1;
      continue;
    }
    if (text[at] != '[')
      continue;
    size_t begin = at;
    while (begin > 0 &&
           (std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0 || text[begin - 1] == '_'))
      --begin;
    const size_t end = std::min(text.find(']', at), text.size());
    shapes.push_back({std::string(text.substr(begin, at - begin)), numbers_in(text.substr(at, end - at))});
    at = end;
  }
  return shapes;
}

double bytes_of(const Shape &shape) {
  const std::vector<int64_t> digits = numbers_in(shape.dtype);
  int64_t bits = shape.dtype == "pred" || digits.empty() ? 8 : digits.front(); // f8e4m3fn has 8
  auto bytes = static_cast<double>(std::max<int64_t>(bits / 8, 1));
  for (const int64_t n : shape.dims)
    bytes *= static_cast<double>(n);
  return bytes;
}

std::vector<std::vector<int64_t>> groups_in(std::string_view text) {
  std::vector<std::vector<int64_t>> groups;
  if (text.starts_with("{")) {
    for (size_t at = 1; at < text.size() && text[at] != '}'; ++at)
      if (text[at] == '{') {
        const size_t size = closing(text.substr(at));
        groups.push_back(numbers_in(text.substr(at, size)));
        at += size - 1;
      }
    return groups;
  }
  const size_t arrow = text.find("<="),
               turn = text.find(")T(") != std::string_view::npos ? std::string_view::npos : text.find("T(");
  if (arrow == std::string_view::npos)
    return groups;
  const std::vector<int64_t> grid = numbers_in(text.substr(0, arrow));
  const std::vector<int64_t> dims = numbers_in(text.substr(arrow, std::min(turn, text.size()) - arrow));
  std::vector<int64_t> order =
      turn == std::string_view::npos ? std::vector<int64_t>() : numbers_in(text.substr(turn));
  int64_t total = 1;
  for (const int64_t n : dims) {
    if (n < 1 || n > kMostDevices / total)
      return groups;
    total *= n;
  }
  if (grid.size() != 2 || grid[1] < 1 || total % grid[1] != 0 || grid[0] != total / grid[1])
    return groups;
  if (order.size() != dims.size() || std::ranges::any_of(order, [&](int64_t d) {
        return d < 0 || d >= static_cast<int64_t>(dims.size());
      })) {
    order.clear();
    for (size_t d = 0; d < dims.size(); ++d)
      order.push_back(static_cast<int64_t>(d));
  }
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t d = dims.size(); d-- > 1;)
    strides[d - 1] = strides[d] * dims[d];
  for (int64_t i = 0; i < total; ++i) {
    int64_t rest = i, number = 0;
    for (size_t k = order.size(); k-- > 0;) {
      const auto d = static_cast<size_t>(order[k]);
      number += rest % dims[d] * strides[d];
      rest /= dims[d];
    }
    if (i % grid[1] == 0)
      groups.emplace_back();
    groups.back().push_back(number);
  }
  return groups;
}

} // namespace tw::cli
