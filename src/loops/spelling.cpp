// SPDX-License-Identifier: Apache-2.0
// Attributes, literals and forms of ops as text.
#include "loops/spelling.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/trim.hpp"
#include "base/utf8.hpp"
#include "import/op_text.hpp"
#include "ops/attributes.hpp"
#include "ops/call_attributes.hpp"
#include "ops/element.hpp"
#include "ops/registry.hpp"

namespace tw::loops {

namespace slot = ops::slot;
using ops::OpKind;

namespace {

constexpr int64_t kMaxListed = 64; // elements of a literal that is written out; longer ones are hexadecimal

std::string bits_text(const std::byte *bytes, size_t size) {
  std::string text = "0x";
  for (size_t i = size; i-- > 0;)
    text += fmt::format("{:02X}", static_cast<unsigned>(bytes[i]));
  return text;
}

// With a point, without which MLIR reads no float.
template <class F> std::string float_text(F value) {
  std::string text = fmt::format("{}", value);
  if (text.find('.') == std::string::npos)
    text.insert(std::min(text.find('e'), text.size()), ".0");
  return text;
}

// Names of enumerations and lists of them stand as they are.
bool is_plain(std::string_view text) {
  const auto is_word = [](char c) { return (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9'); };
  if (text.starts_with('[') && text.ends_with(']'))
    return std::ranges::all_of(text.substr(1, text.size() - 2),
                               [&](char c) { return is_word(c) || c == ',' || c == ' '; });
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') && std::ranges::all_of(text, is_word);
}

std::string value_text(const graph::Graph &graph, const graph::AttrValue &value, ops::AttrKind kind) {
  if (const auto *n = std::get_if<int64_t>(&value))
    return kind == ops::AttrKind::boolean ? (*n != 0 ? "true" : "false") : fmt::format("{}", *n);
  if (const auto *x = std::get_if<double>(&value))
    return real_text(*x);
  if (const auto *text = std::get_if<std::string>(&value))
    return is_plain(*text) ? *text : quoted(*text);
  if (const auto *list = std::get_if<std::vector<int64_t>>(&value))
    return fmt::format("[{}]", fmt::join(*list, ", "));
  const graph::ConstantId id = std::get<graph::ConstantId>(value);
  return fmt::format("{} : {}", literal(graph, id), graph::to_text(graph.type_at(graph.constant(id).type)));
}

std::string types_text(const Words &w) {
  const std::string results = fmt::format("{}", fmt::join(w.result_types, ", "));
  return fmt::format(" : ({}) -> {}", fmt::join(w.operand_types, ", "),
                     w.result_types.size() == 1 ? results : fmt::format("({})", results));
}

// One type where all are the same.
std::string short_types_text(const Words &w) {
  const bool same = w.result_types.size() == 1 && std::ranges::all_of(w.operand_types, [&](const auto &t) {
                      return t == w.result_types[0];
                    });
  return same ? fmt::format(" : {}", w.result_types[0]) : types_text(w);
}

std::string dict(const std::vector<std::string> &attributes) {
  return attributes.empty() ? "" : fmt::format(" {{{}}}", fmt::join(attributes, ", "));
}

class Speller {
public:
  Speller(const graph::Graph &graph, graph::OpId op, const Words &words)
      : graph_(graph), op_(op), def_(ops::op_def(graph.op(op).code)), w_(words), holder_(graph, op),
        view_(holder_.view()) {}

  std::string text() {
    const std::string_view name = def_.name;
    const std::string operands = fmt::format("{}", fmt::join(w_.operands, ", "));
    if (is_matmul(graph_, op_))
      return fmt::format("matmul({}){}", operands, dict(w_.attributes));
    if (def_.kind == OpKind::constant)
      return fmt::format("{}{} {}", name, dict(w_.attributes), attribute(slot::constant::value));
    if (def_.kind == OpKind::compare) {
      std::string text =
          fmt::format("{} {}, {}", name, view_.string(slot::compare::comparison_direction), operands);
      if (view_.has(slot::compare::compare_type))
        text += fmt::format(", {}", view_.string(slot::compare::compare_type));
      return text + dict(w_.attributes) + types_text(w_);
    }
    if (def_.kind == OpKind::slice)
      return fmt::format("{} {} [{}]{}{}", name, operands, slices(), dict(w_.attributes), types_text(w_));
    if (def_.kind == OpKind::custom_call) {
      const std::string_view target = view_.string(slot::custom_call::call_target_name);
      return fmt::format("{} @{}({}){}{}", name, name_or_quoted(target), operands, dict(call_attributes()),
                         types_text(w_));
    }
    if (def_.kind == OpKind::reduce && !applied_op(graph_, op_).empty())
      return fmt::format("{}({} init: {}) applies {} across dimensions = {}{}{}", name, w_.operands[0],
                         w_.operands[1], applied_op(graph_, op_), attribute(slot::reduce::dimensions),
                         dict(w_.attributes), types_text(w_));
    if (def_.kind == OpKind::convolution || !w_.regions.empty())
      return generic(operands);
    std::string text = fmt::format("{} {}", name, operands);
    for (const std::string &attr : pretty())
      text += fmt::format("{}{}", text.ends_with(' ') ? "" : ", ", attr);
    while (text.ends_with(' '))
      text.pop_back();
    return text + dict(w_.attributes) + short_types_text(w_);
  }

private:
  std::string attribute(size_t at) const { return value_text(graph_, view_.attrs[at], def_.attrs[at].kind); }
  std::vector<std::string> attributes() const {
    std::vector<std::string> all;
    for (size_t i = 0; i < def_.attrs.size(); ++i)
      if (view_.has(i))
        all.push_back(fmt::format("{} = {}", def_.attrs[i].name, attribute(i)));
    all.insert(all.end(), w_.attributes.begin(), w_.attributes.end());
    return all;
  }
  // All that a call says, as it is written.
  std::vector<std::string> call_attributes() const {
    std::vector<std::string> all;
    for (const size_t i : {slot::custom_call::has_side_effect, slot::custom_call::backend_config,
                           slot::custom_call::api_version})
      if (view_.has(i))
        all.push_back(fmt::format("{} = {}", def_.attrs[i].name, attribute(i)));
    for (const auto &[key, value] : ops::dictionary_items(view_.string(slot::custom_call::attributes)))
      all.push_back(fmt::format("{}{}{}",
                                name_or_quoted(key) == key ? std::string(key) : fmt::format("\"{}\"", key),
                                value.empty() ? "" : " = ", value));
    all.insert(all.end(), w_.attributes.begin(), w_.attributes.end());
    return all;
  }
  std::vector<std::string> pretty() const {
    std::vector<std::string> all;
    for (size_t i = 0; i < def_.attrs.size(); ++i) {
      const std::string_view name = def_.attrs[i].name;
      if (const auto pair = import::short_pair(name); !pair.empty()) { // batching_dims = [0] x [0]
        const auto left = view_.ints(i), right = view_.ints(i + 1);
        if (!left.empty() || (pair == "contracting_dims" && (view_.has(i) || view_.has(i + 1))))
          all.push_back(fmt::format("{} = [{}] x [{}]", pair, fmt::join(left, ", "), fmt::join(right, ", ")));
        ++i;
        continue;
      }
      if (!view_.has(i))
        continue;
      all.push_back(fmt::format("{} = {}", import::short_name(def_.attrs[i]), attribute(i)));
    }
    return all;
  }
  std::string slices() const {
    const auto begin = view_.ints(slot::slice::start_indices), end = view_.ints(slot::slice::limit_indices),
               stride = view_.ints(slot::slice::strides);
    std::vector<std::string> all;
    for (size_t d = 0; d < begin.size(); ++d)
      all.push_back(stride[d] == 1 ? fmt::format("{}:{}", begin[d], end[d])
                                   : fmt::format("{}:{}:{}", begin[d], end[d], stride[d]));
    return fmt::format("{}", fmt::join(all, ", "));
  }
  std::string generic(const std::string &operands) const {
    std::string text = fmt::format("\"{}\"({})", def_.name, operands);
    if (!w_.regions.empty())
      text += fmt::format(" ({})", fmt::join(w_.regions, ", "));
    return text + dict(attributes()) + types_text(w_);
  }

  const graph::Graph &graph_;
  graph::OpId op_;
  const ops::OpDef &def_;
  const Words &w_;
  const ops::OpViewHolder holder_;
  const ops::OpView &view_;
};

} // namespace

std::string element_text(graph::DType dtype, const std::byte *bytes) {
  return ops::visit_dtype(dtype, [&](auto element) -> std::string {
    using E = decltype(element);
    using V = typename E::Value;
    typename E::Storage storage;
    std::memcpy(&storage, bytes, sizeof storage);
    const V value = E::load(storage);
    if constexpr (ops::is_complex_value<V>) {
      constexpr size_t half = sizeof(storage) / 2;
      const auto part = [&](auto x, size_t at) {
        return std::isfinite(x) ? float_text(x) : bits_text(bytes + at, half);
      };
      return fmt::format("({}, {})", part(value.real(), 0), part(value.imag(), half));
    } else if constexpr (std::is_same_v<V, bool>) {
      return value ? "true" : "false";
    } else if constexpr (ops::is_int_value<V>) {
      return fmt::format("{}", +value);
    } else {
      return std::isfinite(value) ? float_text(value) : bits_text(bytes, sizeof storage);
    }
  });
}

std::string literal(const graph::Graph &graph, graph::ConstantId id) {
  const graph::Constant &constant = graph.constant(id);
  const graph::TensorType &type = graph.type_at(constant.type);
  const size_t width = graph::byte_size(type.dtype);
  const std::byte *bytes = constant.bytes->data();
  if (type.elements() == 0)
    return "dense<>";
  if (constant.splat || type.elements() == 1)
    return fmt::format("dense<{}>", element_text(type.dtype, bytes));
  if (type.elements() > kMaxListed &&
      type.dtype != graph::DType::i1) { // of which versions of MLIR pack the bits
    std::string text = "dense<\"0x";
    for (const std::byte b : *constant.bytes)
      text += fmt::format("{:02X}", static_cast<unsigned>(b));
    return text + "\">";
  }
  size_t at = 0;
  const std::function<std::string(size_t)> list = [&](size_t dim) {
    if (dim == type.rank())
      return element_text(type.dtype, bytes + width * at++);
    std::vector<std::string> items;
    for (int64_t i = 0; i < type.dims[dim]; ++i)
      items.push_back(list(dim + 1));
    return fmt::format("[{}]", fmt::join(items, ", "));
  };
  return fmt::format("dense<{}>", list(0));
}

std::string real_text(double value) {
  return std::isfinite(value) ? float_text(value)
                              : bits_text(reinterpret_cast<const std::byte *>(&value), sizeof value);
}

// Bytes that make no UTF-8 are escapes, since the text around them is.
std::string quoted(std::string_view text) {
  const unsigned char most = find_not_utf8(text) == std::string_view::npos ? 0xff : 0x7e;
  std::string all = "\"";
  for (const char c : text)
    if (c == '"' || c == '\\')
      all.append(1, '\\').append(1, c);
    else if (const auto byte = static_cast<unsigned char>(c); byte < 0x20 || byte == 0x7f || byte > most)
      all += fmt::format("\\{:02X}", byte);
    else
      all += c;
  return all + '"';
}

std::string name_or_quoted(std::string_view text) {
  const auto is_start = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const bool word = !text.empty() && is_start(text[0]) && std::ranges::all_of(text, [&](char c) {
    return is_start(c) || (c >= '0' && c <= '9') || c == '.' || c == '$';
  });
  return word ? std::string(text) : quoted(text);
}

namespace {

void add_memory_kind(const graph::Graph &graph, graph::OpId op, std::vector<std::string> &attributes) {
  const ops::OpViewHolder holder(graph, op);
  if (const std::string_view kind = holder.view().string(slot::signature::memory_kind); !kind.empty())
    attributes.push_back(fmt::format("mhlo.memory_kind = {}", quoted(kind)));
}

} // namespace

std::vector<std::string> argument_attributes(const graph::Graph &graph, size_t i, std::string_view written) {
  std::vector<std::string> attributes;
  if (const std::string known = graph.argument_name(i); known != written.substr(1))
    attributes.push_back(fmt::format("jax.arg_info = {}", quoted(known)));
  if (const int32_t alias = graph.alias_of_argument(i); alias >= 0)
    attributes.push_back(fmt::format("tf.aliasing_output = {} : i32", alias));
  else if (alias == -2)
    attributes.emplace_back("jax.buffer_donor = true");
  add_memory_kind(graph, graph.arguments()[i], attributes);
  return attributes;
}

std::vector<std::string> result_attributes(const graph::Graph &graph, size_t i) {
  std::vector<std::string> attributes;
  if (const std::string known = graph.result_name(i); known != fmt::format("out{}", i))
    attributes.push_back(fmt::format("jax.result_info = {}", quoted(known)));
  add_memory_kind(graph, graph.results()[i], attributes);
  return attributes;
}

bool is_matmul(const graph::Graph &graph, graph::OpId op) {
  if (!ops::is(graph, op, OpKind::dot))
    return false;
  const ops::OpViewHolder holder(graph, op);
  const ops::OpView &view = holder.view();
  const auto is = [&](size_t at, int64_t dim) {
    return view.ints(at).size() == 1 && view.ints(at)[0] == dim;
  };
  return view.operands[0]->rank() == 2 && view.operands[1]->rank() == 2 &&
         view.operands[0]->dtype == view.results[0]->dtype &&
         view.operands[1]->dtype == view.results[0]->dtype &&
         view.ints(slot::dot_general::lhs_batching_dimensions).empty() &&
         is(slot::dot_general::lhs_contracting_dimensions, 1) &&
         is(slot::dot_general::rhs_contracting_dimensions, 0) &&
         !view.has(slot::dot_general::precision_config) && !view.has(slot::dot_general::algorithm);
}

std::string_view applied_op(const graph::Graph &graph, graph::OpId op) {
  const graph::Op &made = graph.op(op);
  if (made.num_regions != 1 || made.num_operands != 2)
    return {};
  const graph::Region &region = graph.region(made.first_region);
  if (region.ops.size() != 1 || region.args.size() != 2 || region.yields.size() != 1)
    return {};
  const graph::OpId inner = region.ops[0];
  const graph::ValueId init = graph.operands(op)[1];
  const bool plain =
      std::ranges::equal(graph.operands(inner), region.args) && graph.op(inner).num_results == 1 &&
      graph.op(inner).num_regions == 0 && graph.result(inner) == region.yields[0] &&
      std::ranges::all_of(graph.attrs(inner), [](const auto &a) { return a.index() == 0; }) &&
      graph.type(region.args[0]) == graph.type(init) && graph.type(region.args[1]) == graph.type(init);
  return plain ? ops::op_def(graph.op(inner).code).name : std::string_view();
}

std::string called_functions(const graph::Graph &graph) {
  std::string text;
  std::set<std::string_view> known;
  for (graph::OpId op = 0; op < graph.ops().size(); ++op) {
    if (!ops::is(graph, op, OpKind::custom_call))
      continue;
    const ops::OpViewHolder holder(graph, op);
    std::string_view rest = holder.view().string(slot::custom_call::called_functions);
    while (!rest.empty()) { // each begins a line, as nothing in it does
      const size_t end =
          std::min({rest.find("\nfunc.func "), rest.find("\n\"func.func\""), rest.size() - 1}) + 1;
      const std::string_view one = trim(rest.substr(0, end));
      if (known.insert(one).second)
        text.append("  ").append(one).append("\n");
      rest.remove_prefix(end);
    }
  }
  return text;
}

std::string spell(const graph::Graph &graph, graph::OpId op, const Words &words) {
  return Speller(graph, op, words).text();
}

} // namespace tw::loops
