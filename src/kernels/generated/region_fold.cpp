// SPDX-License-Identifier: Apache-2.0
// One thread a result.
#include "kernels/generated/region_fold.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/generated/index_text.hpp"
#include "kernels/generated/prelude.hpp"
#include "kernels/generated/scalar_text.hpp"
#include "ops/element.hpp"
#include "ops/literal.hpp"
#include "ops/registry.hpp"

namespace tw::kernels::generated {

namespace {

// The number that stored bytes are. An integer of 64 bits is put together of two halves, which a literal
// holds exactly.
ops::Scalar literal_of(ops::ScalarBuilder &b, graph::DType dtype, const std::byte *bytes) {
  const uint32_t node = ops::visit_dtype(dtype, [&]<class E>(E) -> uint32_t {
    typename E::Storage stored;
    std::memcpy(&stored, bytes, sizeof stored);
    if constexpr (ops::is_complex_value<typename E::Value>) {
      const graph::DType part = ops::part_type(dtype);
      return complex(b.literal(part, static_cast<double>(stored.real())),
                     b.literal(part, static_cast<double>(stored.imag())))
          .node();
    } else if constexpr (E::bits == 64 && ops::kInts.has(E::dtype)) {
      const auto code = static_cast<uint64_t>(stored);
      const ops::Scalar high = b.literal(dtype, static_cast<double>(code >> 32)),
                        low = b.literal(dtype, static_cast<double>(code & 0xffffffffu));
      return (b.make(ops::ScalarOp::shift_left, dtype, {high, b.literal(dtype, 32)}) | low).node();
    } else {
      return convert(b.literal(ops::wide_type(dtype), static_cast<double>(E::load(stored))), dtype).node();
    }
  });
  return {b, node};
}

// A scalar constant as a node without arguments.
GroupNode constant_node(const graph::Graph &graph, graph::ValueId v) {
  const graph::DType dtype = graph.type(v).dtype;
  ops::ScalarBuilder b({}, dtype);
  return {std::move(b).result(literal_of(b, dtype, ops::literal_of_value(graph, v)->bytes->data())), {}};
}

class RegionReader {
public:
  RegionReader(const graph::Graph &graph, const graph::Region &region) : graph_(graph), region_(region) {}

  Result<ScalarRegion> run() {
    for (const graph::ValueId arg : region_.args) {
      numbers_.emplace_back(arg, static_cast<uint32_t>(made_.arguments.size()));
      made_.arguments.push_back(graph_.type(arg).dtype);
    }
    for (const graph::OpId id : region_.ops)
      TW_TRY(add(id));
    for (const graph::ValueId v : region_.yields) {
      TW_ASSIGN(const uint32_t n, number(v));
      made_.yields.push_back(n);
    }
    return std::move(made_);
  }

private:
  uint32_t push(GroupNode node) {
    made_.nodes.push_back(std::move(node));
    return static_cast<uint32_t>(made_.arguments.size() + made_.nodes.size() - 1);
  }

  Result<uint32_t> number(graph::ValueId v) {
    for (const auto &[value, n] : numbers_)
      if (value == v)
        return n;
    if (!ops::is_scalar_constant(graph_, v))
      return fail(Code::unimplemented, "TW-260",
                  fmt::format("its region uses {}, a value from outside", graph_.value_name(v)));
    numbers_.emplace_back(v, push(constant_node(graph_, v)));
    return numbers_.back().second;
  }

  Status add(graph::OpId id) {
    const ops::OpDef &def = ops::op_def(graph_.op(id).code);
    const ops::OpViewHolder holder(graph_, id);
    if (def.scalar == nullptr) {
      if (ops::is_scalar_constant(graph_, graph_.result(id)))
        return {};
      return fail(Code::unimplemented, "TW-260",
                  fmt::format("its region has {}, which is no scalar expression", def.name));
    }
    GroupNode node{def.scalar(holder.view()), {}};
    for (const graph::ValueId v : graph_.operands(id)) {
      TW_ASSIGN(const uint32_t n, number(v));
      node.args.push_back(n);
    }
    numbers_.emplace_back(graph_.result(id), push(std::move(node)));
    return {};
  }

  const graph::Graph &graph_;
  const graph::Region &region_;
  ScalarRegion made_;
  std::vector<std::pair<graph::ValueId, uint32_t>> numbers_;
};

class FoldWriter {
public:
  FoldWriter(const RegionFold &f, const std::string &entry) : f_(f), entry_(entry), arrays_(f.dtypes.size()) {
    std::vector<int64_t> strides(f.extent.size(), 1);
    for (size_t d = f.extent.size(); d-- > 1;)
      strides[d - 1] = strides[d] * f.extent[d];
    for (size_t d = 0; d < f.extent.size(); ++d) {
      const bool folded = std::ranges::find(f.dims, static_cast<int64_t>(d)) != f.dims.end();
      (folded ? folded_ : kept_).push_back({f.extent[d], strides[d]});
    }
  }

  Result<Source> run() {
    const int64_t results = product_of(kept_), steps = product_of(folded_);
    Launch launch{entry_, blocks_for(results), kThreads};
    for (uint32_t i = 0; i < 2 * arrays_; ++i)
      launch.words.push_back({Word::Kind::operand, i});
    for (uint32_t i = 0; i < arrays_; ++i)
      launch.words.push_back({Word::Kind::result, i});
    std::string &text = source_.text;
    text = element_kernel(entry_, launch.words.size(), results);
    for (size_t i = 0; i < arrays_; ++i)
      text += fmt::format("  tw::V<tw::{}> r{} = {};\n", type(i), i, read_text(i, arrays_ + i, "0"));
    first_ = f_.from_first && steps > 0 ? 1 : 0;
    if (results > 0 && steps > 0)
      TW_TRY(write_loop(steps));
    for (size_t i = 0; i < arrays_; ++i)
      text +=
          fmt::format("  tw::store<tw::{}>((void *)args.word[{}], at, r{});\n", type(i), 2 * arrays_ + i, i);
    text += "}\n";
    source_.launches.push_back(std::move(launch));
    return std::move(source_);
  }

private:
  std::string type(size_t array) const { return type_name(f_.region.arguments[array]); }
  // An element of a word, in the region's type.
  std::string read_text(size_t array, size_t word, const char *index) const {
    const std::string stored = type_name(f_.dtypes[array]);
    return fmt::format("tw::convert<tw::{}, tw::{}>(tw::load<tw::{}>((const void *)args.word[{}], {}))",
                       type(array), stored, stored, word, index);
  }

  Status write_loop(int64_t steps) {
    std::string &text = source_.text;
    text += fmt::format("  const tw::i64_t base = {};\n", offset_text(merged_dims(kept_), "at"));
    for (size_t i = 0; i < arrays_ && first_ > 0; ++i)
      text += fmt::format("  r{} = {};\n", i, read_text(i, i, "base"));
    text += fmt::format("  for (tw::i64_t step = {}; step < {}ll; ++step) {{\n"
                        "    const tw::i64_t from = base + {};\n",
                        first_, steps, offset_text(merged_dims(folded_), "step"));
    std::vector<std::string> names;
    for (size_t i = 0; i < arrays_; ++i)
      names.push_back(fmt::format("r{}", i));
    for (size_t i = 0; i < arrays_; ++i) {
      names.push_back(fmt::format("x{}", i));
      text += fmt::format("    const tw::V<tw::{}> x{} = {};\n", type(i), i, read_text(i, i, "from"));
    }
    TW_ASSIGN(const auto made, region_text(f_.region, std::move(names), text, source_.functions));
    for (size_t i = 0; i < arrays_; ++i) // what is yielded may be another one's running value
      text += fmt::format("    const tw::V<tw::{}> y{} = {};\n", type(i), i, made[i]);
    for (size_t i = 0; i < arrays_; ++i)
      text += fmt::format("    r{0} = y{0};\n", i);
    text += "  }\n";
    return {};
  }

  const RegionFold &f_;
  const std::string &entry_;
  size_t arrays_;
  int64_t first_ = 0; // step of the loop
  std::vector<IndexDim> kept_, folded_;
  Source source_;
};

} // namespace

Result<ScalarRegion> scalar_region(const graph::Graph &graph, graph::RegionId region) {
  return RegionReader(graph, graph.region(region)).run();
}

Result<std::vector<std::string>> region_text(const ScalarRegion &region, std::vector<std::string> names,
                                             std::string &text, std::vector<std::string> &functions) {
  for (size_t k = 0; k < region.nodes.size(); ++k) {
    std::vector<std::string> args;
    for (const uint32_t a : region.nodes[k].args)
      args.push_back(names[a]);
    TW_ASSIGN(ScalarText made, scalar_text(region.nodes[k].value, args, fmt::format("n{}", k), "    "));
    text += made.statements;
    names.push_back(made.result);
    std::ranges::move(made.functions, std::back_inserter(functions));
  }
  std::vector<std::string> yielded;
  for (const uint32_t y : region.yields)
    yielded.push_back(names[y]);
  return yielded;
}

Result<Source> region_fold_source(const RegionFold &fold, const std::string &entry) {
  return FoldWriter(fold, entry).run();
}

} // namespace tw::kernels::generated
