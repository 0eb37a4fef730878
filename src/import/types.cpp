// SPDX-License-Identifier: Apache-2.0
// tensor<2x3xf32>, !stablehlo.token, type aliases and function types; refuses what has no static shape or
// does not fit 62 bits.
#include "import/types.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "graph/limits.hpp"

namespace tw::import {
namespace {

constexpr uint32_t kMaxAliasDepth = 32;
constexpr uint32_t kMaxTupleDepth = 16;

// `index` are whole numbers of 64 bits here. Single numbers, `f32`, are arrays without dimensions.
std::optional<graph::DType> scalar_type(std::string_view name) {
  if (name == "index")
    return graph::DType::s64;
  if (name.empty() || name == "token")
    return std::nullopt;
  return graph::parse_dtype(name);
}

} // namespace

bool TypeParser::parse(graph::TypeId &type) {
  const char *at = s_.here();
  if (!parse_any(type))
    return false;
  return !is_tuple(type) || s_.fail("TW-104", at, "a tuple is not supported here: expected a tensor");
}

bool TypeParser::parse_any(graph::TypeId &type) {
  if (s_.looking_at("tensor"))
    return parse_tensor(type);
  if (s_.looking_at("tuple"))
    return parse_tuple(type);
  const char *at = s_.here();
  if (s_.accept('!')) {
    const std::string_view name = s_.suffix();
    if (name == "stablehlo.token" || name == "mhlo.token") {
      type = b_.type({graph::DType::token, {}});
      return true;
    }
    if (const auto alias = aliases_.find(name); alias != aliases_.end() && alias_depth_ < kMaxAliasDepth) {
      const Cursor back = s_.cursor();
      s_.seek(alias->second);
      ++alias_depth_;
      const bool ok = parse_any(type);
      --alias_depth_;
      s_.seek(back);
      return ok;
    }
    return s_.fail("TW-104", at, fmt::format("the type !{} is not supported: expected a tensor", name));
  }
  const std::string_view word = s_.word();
  if (const auto dtype = scalar_type(word)) {
    type = b_.type({*dtype, elements_});
    return true;
  }
  if (word == "memref")
    return s_.fail("TW-104", at, "memrefs are not read: write tensors, before the program is bufferised");
  if (!word.empty())
    return s_.fail(
        "TW-104", at,
        fmt::format("'{}' is no type of a value: expected a tensor, such as tensor<2x3xf32>", word));
  return s_.fail_here("a type such as tensor<2x3xf32>", {});
}

bool TypeParser::parse_tuple(graph::TypeId &type) {
  const char *at = s_.here();
  if (tuple_depth_ == kMaxTupleDepth)
    return s_.fail("TW-104", at, "tuples are nested too deep");
  ++tuple_depth_;
  std::vector<graph::TypeId> types;
  s_.accept("tuple");
  const bool ok = s_.expect('<', "after tuple") &&
                  (s_.accept('>') || (parse_list(types) && s_.expect('>', "after the types of a tuple")));
  --tuple_depth_;
  if (!ok)
    return false;
  const auto known = std::ranges::find(tuples_, types);
  type = kTuples + static_cast<graph::TypeId>(known - tuples_.begin());
  if (known == tuples_.end())
    tuples_.push_back(std::move(types));
  return true;
}

std::vector<graph::TypeId> TypeParser::flat(std::span<const graph::TypeId> types) const {
  std::vector<graph::TypeId> leaves;
  for (const graph::TypeId type : types)
    if (is_tuple(type)) {
      const std::vector<graph::TypeId> inner = flat(elements(type));
      leaves.insert(leaves.end(), inner.begin(), inner.end());
    } else {
      leaves.push_back(type);
    }
  return leaves;
}

bool TypeParser::parse_tensor(graph::TypeId &type) {
  // Up to the closing '>', to see whether this spelling was met before.
  const Cursor start = s_.cursor();
  const char *end = s_.text().data() + s_.text().size();
  const char *at = start.at;
  for (int depth = 0; at != end && *at != '\n'; ++at) {
    if (*at == '<')
      ++depth;
    else if (*at == '>' && --depth == 0)
      break;
  }
  const std::string_view text(start.at, static_cast<size_t>(at - start.at));
  bool ok = true;
  const uint32_t id = seen_.find_or_add(
      hash_bytes(text.data(), text.size()), [&](uint32_t i) { return spellings_[i].text == text; },
      [&] {
        s_.accept("tensor");
        graph::TensorType parsed;
        ok = s_.expect('<', "after tensor") && parse_dims(parsed) && parse_element(parsed) &&
             check_size(parsed, start.at);
        spellings_.push_back({text, ok ? b_.type(parsed) : graph::kNone});
        at = s_.cursor().at - 1;
        return static_cast<uint32_t>(spellings_.size() - 1);
      });
  if (!ok || spellings_[id].type == graph::kNone)
    return false;
  s_.seek({at + 1, start.line, start.line_start});
  type = spellings_[id].type;
  return true;
}

// Where the name of a range stands for a dimension, what follows its 'x'; else null.
const char *TypeParser::behind_range(const char *at) const {
  const char *end = s_.text().data() + s_.text().size();
  std::string_view rest(at, static_cast<size_t>(end - at));
  rest.remove_prefix(rest.starts_with('%'));
  if (ranges_ != nullptr)
    for (const auto &[name, loop] : *ranges_)
      if (rest.starts_with(name) && rest.substr(name.size()).starts_with('x'))
        return rest.data() + name.size() + 1;
  return nullptr;
}

bool TypeParser::parse_dims(graph::TensorType &type) {
  while (true) {
    const char *at = s_.here();
    if (const char *next = behind_range(at); next != nullptr && type.dims.size() < graph::kMaxRank) {
      type.dims.push_back(1);
      s_.seek({next, s_.cursor().line, s_.cursor().line_start});
      continue;
    }
    if (*at == '?')
      return s_.fail("TW-104", at,
                     "dynamic dimensions are not supported: export the program with static shapes");
    if (*at == '*')
      return s_.fail("TW-104", at,
                     "unranked tensors are not supported: export the program with static shapes");
    if (!is_digit(s_.peek()))
      return true;
    int64_t dim = 0;
    const char *end = s_.text().data() + s_.text().size();
    auto [stop, error] = std::from_chars(at, end, dim);
    if (error != std::errc() || dim > graph::kMaxBytes)
      return s_.fail("TW-102", at, "this dimension is larger than 2^62");
    if (type.dims.size() == graph::kMaxRank)
      return s_.fail("TW-102", at, fmt::format("more than {} dimensions", graph::kMaxRank));
    type.dims.push_back(dim);
    s_.seek({stop, s_.cursor().line, s_.cursor().line_start});
    if (stop != end && *stop == '{') // cut by loops: 16{%r}
      stop = std::find_if(stop, end, [](char c) { return c == '}' || c == '>' || c == '\n'; }),
      stop += stop != end && *stop == '}';
    if (stop == end || *stop != 'x')
      return s_.fail_here("'x' after a dimension", {});
    s_.seek({stop + 1, s_.cursor().line, s_.cursor().line_start});
  }
}

bool TypeParser::parse_element(graph::TensorType &type) {
  const char *at = s_.here();
  std::string name;
  if (s_.accept('!')) {
    return s_.fail("TW-104", at, fmt::format("the element type !{} is not supported", s_.suffix()));
  } else {
    name = s_.word();
    if (name == "complex") {
      if (!s_.expect('<', "after complex"))
        return false;
      name = fmt::format("complex<{}>", s_.word());
      if (!s_.expect('>', "after complex<f32"))
        return false;
    }
  }
  const auto dtype = name == "token" ? graph::parse_dtype(name) : scalar_type(name);
  if (!dtype)
    return s_.fail(
        "TW-104", at,
        name.empty()
            ? std::string("expected a dimension or an element type")
            : fmt::format("'{}' is no element type that we know: expected f32, bf16, i32, i1, ...", name));
  type.dtype = *dtype;
  if (s_.accept(',')) { // an encoding: where it bounds a dynamic shape the `?` has been refused already
    std::string_view encoding;
    if (!s_.skip_value(encoding))
      return false;
  }
  return s_.expect('>', "at the end of a tensor type");
}

bool TypeParser::check_size(const graph::TensorType &type, const char *at) {
  const Status status = graph::check_size(type);
  return status || s_.fail("TW-102", at, status.error().message());
}

bool TypeParser::parse_list(std::vector<graph::TypeId> &types) {
  do {
    graph::TypeId type = graph::kNone;
    if (!parse_any(type))
      return false;
    types.push_back(type);
  } while (s_.accept(','));
  return true;
}

bool TypeParser::parse_inputs(std::vector<graph::TypeId> &inputs) {
  if (!s_.expect('(', "before the operand types"))
    return false;
  return s_.accept(')') || (parse_list(inputs) && s_.expect(')', "after the operand types"));
}

bool TypeParser::parse_outputs(std::vector<graph::TypeId> &outputs) {
  if (!s_.accept('('))
    return outputs.emplace_back(), parse_any(outputs.back());
  return s_.accept(')') || (parse_list(outputs) && s_.expect(')', "after the result types"));
}

bool TypeParser::parse_function(std::vector<graph::TypeId> &inputs, std::vector<graph::TypeId> &outputs) {
  const bool ok = s_.peek() == '(' ? parse_inputs(inputs) : parse_list(inputs);
  return ok && s_.expect("->", "between operand and result types") && parse_outputs(outputs);
}

} // namespace tw::import
