// SPDX-License-Identifier: Apache-2.0
// One file of tests/golden/ops per op: its documentation, and cases with operands, attributes, the factor
// rule and the results. TW_UPDATE=1 writes what follows from the rest: documentation, rules and results;
// check the difference by eye.
//
//   stablehlo.pad
//   An array with a value around it. Spec: pad.
//
//   operand f32[2] 1 2              type and values; complex numbers as (1,2)
//   operand f32[] 9
//   attr edge_padding_low = [1]     also 1, "text", or a type and values for a literal
//   result f32[4]                   only where the op needs its result type stated
//   region stablehlo.add            only where the op has one: an op of two scalars, or set, argmax, sort;
//                                   less and double of a while; yield f32[2] 1 2 of a branch
//   => ([i],[])->([j]) i:whole j:whole
//   => f32[4] 9 1 2 9
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "instances.hpp"
#include "kernels/ref/evaluate.hpp"
#include "kernels/ref/references.hpp"
#include "support/unit.hpp"

namespace tw::ops_test_golden {

using namespace tw::test;

namespace {

struct Literal {
  TensorType type;
  std::vector<std::byte> bytes;
};

std::optional<DType> short_dtype(std::string_view name) {
  for (int t = 1; t < static_cast<int>(DType::count_); ++t)
    if (graph::name(static_cast<DType>(t)) == name)
      return static_cast<DType>(t);
  return std::nullopt;
}

TensorType parse_type(const std::string &text) {
  const size_t open = text.rfind('[');
  REQUIRE_MESSAGE(open != std::string::npos, "not a type: ", text);
  const auto dtype = short_dtype(text.substr(0, open));
  REQUIRE_MESSAGE(dtype.has_value(), "no element type: ", text);
  TensorType type{*dtype, {}};
  std::stringstream dims(text.substr(open + 1, text.size() - open - 2));
  for (std::string dim; std::getline(dims, dim, ',');)
    type.dims.push_back(std::stoll(dim));
  return type;
}

template <class E> typename E::Storage parse_value(const std::string &word) {
  using V = typename E::Value;
  if constexpr (ops::is_complex_value<V>) {
    double real = 0, imag = 0;
    const int read = std::sscanf(word.c_str(), "(%lf,%lf)", &real, &imag);
    REQUIRE(read == 2);
    return E::store(V(static_cast<typename V::value_type>(real), static_cast<typename V::value_type>(imag)));
  } else if constexpr (std::is_floating_point_v<V>) {
    return E::store(static_cast<V>(std::stod(word)));
  } else if constexpr (E::dtype == DType::u64) {
    return std::stoull(word);
  } else {
    return E::store(static_cast<V>(std::stoll(word)));
  }
}

// A type, then its values, then possibly words of no interest here.
Literal parse_literal(std::istream &in) {
  std::string word;
  in >> word;
  Literal literal{parse_type(word), {}};
  literal.bytes.resize(static_cast<size_t>(literal.type.bytes()));
  ops::visit_dtype(literal.type.dtype, [&]<class E>(E) {
    auto *at = reinterpret_cast<typename E::Storage *>(literal.bytes.data());
    for (int64_t i = 0; i < literal.type.elements(); ++i) {
      const bool there = static_cast<bool>(in >> word);
      REQUIRE_MESSAGE(there, "too few values for ", graph::to_short_text(literal.type));
      at[i] = parse_value<E>(word);
    }
  });
  const bool ends = !(in >> word);
  REQUIRE_MESSAGE(ends, "too many values for ", graph::to_short_text(literal.type));
  return literal;
}

// Shortest text of a float, twelve digits of a double: the last ones are the C library's. A NaN's sign is
// nobody's business.
std::string digits(float value) { return value != value ? "nan" : fmt::format("{}", value); }
std::string digits(double value) { return value != value ? "nan" : fmt::format("{:.12g}", value); }

std::string literal_text(const TensorType &type, const std::vector<std::byte> &bytes) {
  std::string text = graph::to_short_text(type);
  ops::visit_dtype(type.dtype, [&]<class E>(E) {
    const auto *at = reinterpret_cast<const typename E::Storage *>(bytes.data());
    for (int64_t i = 0; i < type.elements(); ++i) {
      const auto value = E::load(at[i]);
      using V = typename E::Value;
      if constexpr (ops::is_complex_value<V>)
        text += fmt::format(" ({},{})", digits(value.real()), digits(value.imag()));
      else if constexpr (std::is_floating_point_v<V>)
        text += value != value ? std::string(" nan")
                               : fmt::format(" {}", value); // a NaN's sign is nobody's business
      else
        text += fmt::format(" {}",
                            static_cast<std::conditional_t<std::is_unsigned_v<V>, uint64_t, int64_t>>(value));
    }
  });
  return text;
}

struct Case {
  std::vector<std::string> inputs; // lines as they stand
  std::vector<std::string> expected;
};

struct Golden {
  std::string name, doc;
  std::vector<Case> cases;
};

Golden parse_golden(const std::string &path) {
  std::ifstream file(path);
  Golden golden;
  std::getline(file, golden.name);
  std::getline(file, golden.doc);
  bool fresh = true;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) {
      fresh = true;
      continue;
    }
    if (std::exchange(fresh, false))
      golden.cases.emplace_back();
    if (line.starts_with("=> "))
      golden.cases.back().expected.push_back(line.substr(3));
    else
      golden.cases.back().inputs.push_back(line);
  }
  return golden;
}

graph::AttrValue parse_attr(graph::GraphBuilder &b, const std::string &text) {
  if (text.starts_with('"'))
    return text.substr(1, text.size() - 2);
  std::istringstream in(text);
  if (text.starts_with('[')) {
    std::vector<int64_t> values;
    std::string list = text.substr(1, text.size() - 2);
    std::replace(list.begin(), list.end(), ',', ' ');
    std::istringstream words(list);
    for (int64_t value; words >> value;)
      values.push_back(value);
    return values;
  }
  if (text.find('[') == std::string::npos)
    return int64_t(std::stoll(text));
  Literal literal = parse_literal(in);
  return b.constant({b.type(literal.type), false,
                     std::make_shared<const std::vector<std::byte>>(std::move(literal.bytes))});
}

// The lines that follow from a case: the rule, then the results where the op has a kernel; or the error.
std::vector<std::string> run_case(const ops::OpDef &def, const Case &c) {
  graph::GraphBuilder b("golden", "golden");
  std::vector<graph::ValueId> operands;
  std::vector<kernels::ref::Array> arrays;
  std::vector<std::pair<std::string, graph::AttrValue>> attrs;
  std::vector<graph::TypeId> stated;
  std::vector<graph::RegionId> regions;
  for (const std::string &line : c.inputs) {
    std::istringstream in(line);
    std::string kind, name, equals;
    in >> kind;
    if (kind == "operand") {
      Literal literal = parse_literal(in);
      operands.push_back(b.graph().result(ops::add_argument(b, literal.type, "")));
      arrays.push_back({literal.type, std::move(literal.bytes)});
    } else if (kind == "attr") {
      in >> name >> equals >> std::ws;
      std::string value;
      std::getline(in, value);
      attrs.emplace_back(name, parse_attr(b, value));
    } else if (kind == "result") {
      in >> name;
      stated.push_back(b.type(parse_type(name)));
    } else {
      REQUIRE_MESSAGE(kind == "region", "not a line of a case: ", line);
      in >> name;
      if (name == "yield") {
        regions.push_back(b.open_region({}));
        const Literal literal = parse_literal(in);
        auto bytes = std::make_shared<const std::vector<std::byte>>(literal.bytes);
        auto constant = ops::add(b, *ops::find_op("stablehlo.constant"), {},
                                 {b.constant({b.type(literal.type), false, std::move(bytes)})});
        REQUIRE(constant.has_value());
        b.close_region({b.graph().result(*constant)});
        continue;
      }
      std::vector<TensorType> types;
      for (const kernels::ref::Array &array : arrays)
        types.push_back(array.type);
      regions.push_back(build_region(b, name, region_types(name, types)));
    }
  }
  const std::vector<ops::NamedAttr> named(attrs.begin(), attrs.end());
  auto slots = ops::check_attrs(def, named);
  if (!slots)
    return {"error " + slots.error().message()};
  auto id = ops::add(b, *ops::find_op(def.name), operands, std::move(*slots), stated, 0, regions);
  if (!id)
    return {"error " + id.error().message()};
  for (uint32_t r = 0; r < b.graph().op(*id).num_results; ++r)
    ops::add_result(b, b.graph().result(*id, r), "");
  const auto g = b.finish();
  const ops::OpViewHolder holder(*g, *id);
  std::vector<std::string> lines = {def.rule(holder.view()).text()};
  if (kernels::ref::reference_of(def) != nullptr || (def.flags & ops::kControlFlow) != 0) {
    auto results = kernels::ref::evaluate(*g, arrays);
    REQUIRE_MESSAGE(results.has_value(), (results ? "" : results.error().message()));
    for (const kernels::ref::Array &array : *results)
      lines.push_back(literal_text(array.type, array.bytes));
  } else {
    for (const TensorType *t : holder.view().results)
      lines.push_back(graph::to_short_text(*t));
  }
  return lines;
}

std::string file_of(std::string_view op) {
  return source_path("tests/golden/ops/" + std::string(op) + ".txt");
}

// The signature and the checks give no result to show.
bool has_golden(const ops::OpDef &def) {
  return def.num_results != 0 && std::string_view(def.name) != "func.argument";
}

} // namespace

TEST_CASE("every op has its golden cases, every file its op") {
  for (const ops::OpDef *def : ops::all_ops())
    CHECK_MESSAGE((!has_golden(*def) || std::filesystem::exists(file_of(def->name))), def->name, " has no ",
                  file_of(def->name));
  for (const auto &entry : std::filesystem::directory_iterator(source_path("tests/golden/ops")))
    CHECK_MESSAGE(ops::find_op(entry.path().stem().string()).has_value(), entry.path().string(),
                  " names no op");
}

TEST_CASE("golden cases of ops") {
  const bool update = std::getenv("TW_UPDATE") != nullptr;
  for (const ops::OpDef *def : ops::all_ops()) {
    if (!has_golden(*def) || !std::filesystem::exists(file_of(def->name)))
      continue;
    const Golden golden = parse_golden(file_of(def->name));
    CHECK(golden.name == def->name);
    CHECK_MESSAGE(!golden.cases.empty(), def->name);
    std::string text = fmt::format("{}\n{}\n", golden.name, def->doc);
    if (!update)
      CHECK_MESSAGE(golden.doc == def->doc, def->name);
    for (const Case &c : golden.cases) {
      const std::vector<std::string> lines = run_case(*def, c);
      text += '\n';
      for (const std::string &line : c.inputs)
        text += line + '\n';
      for (const std::string &line : lines)
        text += "=> " + line + '\n';
      if (update)
        continue;
      const std::string first = c.inputs.empty() ? "" : c.inputs[0];
      CHECK_MESSAGE(lines.size() == c.expected.size(), def->name, ": ", first);
      for (size_t i = 0; i < std::min(lines.size(), c.expected.size()); ++i)
        CHECK_MESSAGE(lines[i] == c.expected[i], def->name, ": ", first, "\n  have ", lines[i], "\n  want ",
                      c.expected[i]);
    }
    if (update)
      std::ofstream(file_of(def->name)) << text;
  }
}

} // namespace tw::ops_test_golden
