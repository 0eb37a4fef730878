// SPDX-License-Identifier: Apache-2.0
// Dimensions that all inputs walk as one are merged. A thread reads all that its elements need before it
// writes any, so results may lie where operands do.
#include "kernels/generated/group.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/generated/prelude.hpp"
#include "kernels/generated/scalar_text.hpp"
#include "kernels/merged_dims.hpp"

namespace tw::kernels::generated {

namespace {

constexpr int64_t kVectorBytes = 16;

class GroupWriter {
public:
  GroupWriter(const Group &g, const std::string &entry) : g_(g), dims_(merged_dims(g.extent, g.inputs, 0)) {
    for (const int64_t n : g.extent)
      elements_ *= n;
    each_ = elements_at_once();
    const int64_t threads = elements_ / each_;
    source_.launches.push_back({entry, blocks_for(threads), kThreads});
    for (uint32_t i = 0; i < g.inputs.size(); ++i)
      source_.launches[0].words.push_back({Word::Kind::operand, i});
    for (uint32_t i = 0; i < g.outputs.size(); ++i)
      source_.launches[0].words.push_back({Word::Kind::result, i});
  }

  Result<Source> run() {
    std::string body;
    TW_TRY(write_nodes(body));
    std::string &text = source_.text;
    const Launch &launch = source_.launches[0];
    text += fmt::format("TW_KERNEL({}, {}) {{\n"
                        "  const tw::i64_t at = ((tw::i64_t)blockIdx.x * {} + threadIdx.x) * {};\n"
                        "  if (at >= {}ll)\n    return;\n",
                        launch.entry, std::max<size_t>(launch.words.size(), 1), kThreads, each_, elements_);
    write_offsets();
    for (size_t i = 0; i < g_.inputs.size(); ++i)
      write_read(i);
    for (size_t o = 0; o < g_.outputs.size(); ++o)
      text += fmt::format("  tw::Pack<tw::{}::Storage, {}> y{};\n", type(g_.outputs[o]), each_, o);
    text += fmt::format("  for (int j = 0; j < {}; ++j) {{\n{}  }}\n", each_, body);
    for (size_t o = 0; o < g_.outputs.size(); ++o)
      write_result(o);
    text += "}\n";
    return std::move(source_);
  }

private:
  std::string type(uint32_t node) const { return type_name(g_.nodes[node].value.dtype()); }
  int64_t inner(size_t i) const { return dims_.back().strides[i]; }

  // As many as make 16 bytes of the widest array that is read or written in a row, where every row has a
  // multiple of that.
  int64_t elements_at_once() const {
    int64_t widest = 1;
    for (const uint32_t o : g_.outputs)
      widest = std::max(widest, static_cast<int64_t>(graph::byte_size(g_.nodes[o].value.dtype())));
    for (const GroupInput &input : g_.inputs)
      widest = std::max(widest, static_cast<int64_t>(graph::byte_size(input.dtype)));
    int64_t each = std::max<int64_t>(kVectorBytes / widest, 1);
    while (dims_.back().extent % each != 0)
      each /= 2;
    return each;
  }

  // Whether the elements of a thread are one piece of memory, of an array that begins at a multiple of its
  // length one that begins so too.
  bool is_packed(size_t i) const {
    if (inner(i) != 1)
      return false;
    for (size_t d = 0; d + 1 < dims_.size(); ++d)
      if (dims_[d].strides[i] % each_ != 0)
        return false;
    return true;
  }

  void write_offsets() {
    std::string &text = source_.text;
    bool strided = false;
    for (size_t i = 0; i < g_.inputs.size(); ++i)
      strided = strided || !is_dense(i);
    if (!strided)
      return;
    text += "  tw::i64_t left = at;\n";
    for (size_t d = dims_.size(); d-- > 0;)
      text += d == 0
                  ? fmt::format("  const tw::i64_t i0 = left;\n  (void)i0;\n")
                  : fmt::format("  const tw::i64_t i{0} = left % {1}ll;\n  left /= {1}ll;\n  (void)i{0};\n",
                                d, dims_[d].extent);
  }

  bool is_dense(size_t i) const {
    int64_t step = 1;
    for (size_t d = dims_.size(); d-- > 0; step *= dims_[d].extent)
      if (dims_[d].strides[i] != step)
        return false;
    return true;
  }

  void write_read(size_t i) {
    std::string offset = is_dense(i) ? "at" : "0";
    for (size_t d = 0; !is_dense(i) && d < dims_.size(); ++d)
      if (dims_[d].strides[i] != 0)
        offset += fmt::format(" + i{} * {}ll", d, dims_[d].strides[i]);
    const std::string storage = fmt::format("tw::{}::Storage", type_name(g_.inputs[i].dtype));
    std::string &text = source_.text;
    text +=
        fmt::format("  const {0} *const p{1} = (const {0} *)args.word[{1}] + ({2});\n", storage, i, offset);
    if (is_packed(i)) {
      text += fmt::format("  const tw::Pack<{0}, {1}> x{2} = tw::load_pack<{0}, {1}>(p{2});\n", storage,
                          each_, i);
      return;
    }
    text += fmt::format("  tw::Pack<{0}, {1}> x{2};\n"
                        "  for (int j = 0; j < {1}; ++j)\n    x{2}.at[j] = p{2}[j * {3}ll];\n",
                        storage, each_, i, inner(i));
  }

  Status write_nodes(std::string &body) {
    std::vector<std::string> names;
    for (size_t i = 0; i < g_.inputs.size(); ++i) {
      names.push_back(fmt::format("v{}", i));
      body +=
          fmt::format("    const tw::V<tw::{0}> v{1} = tw::value<tw::{0}>(x{1}.at[j]);\n    (void)v{1};\n",
                      type_name(g_.inputs[i].dtype), i);
    }
    for (size_t k = 0; k < g_.nodes.size(); ++k) {
      std::vector<std::string> args;
      for (const uint32_t a : g_.nodes[k].args)
        args.push_back(names[a]);
      TW_ASSIGN(ScalarText node, scalar_text(g_.nodes[k].value, args, fmt::format("n{}", k), "    "));
      body += node.statements;
      names.push_back(node.result);
      std::ranges::move(node.functions, std::back_inserter(source_.functions));
    }
    for (size_t o = 0; o < g_.outputs.size(); ++o)
      body += fmt::format("    y{}.at[j] = (tw::{}::Storage){};\n", o, type(g_.outputs[o]),
                          names[g_.inputs.size() + g_.outputs[o]]);
    return {};
  }

  void write_result(size_t o) {
    const std::string storage = fmt::format("tw::{}::Storage", type(g_.outputs[o]));
    const size_t word = g_.inputs.size() + o;
    std::string &text = source_.text;
    text += fmt::format("  tw::store_pack<{0}, {1}>(({0} *)args.word[{2}] + at, y{3});\n", storage, each_,
                        word, o);
  }

  const Group &g_;
  std::vector<MergedDim> dims_;
  int64_t elements_ = 1;
  int64_t each_ = 1; // elements of a thread
  Source source_;
};

} // namespace

Result<Source> group_source(const Group &group, const std::string &entry) {
  return GroupWriter(group, entry).run();
}

ops::Expression combination(sharding::Reduction kind, graph::DType dtype, size_t parts, bool from_zero) {
  ops::ScalarBuilder b(std::vector<graph::DType>(parts, dtype), dtype);
  const graph::DType wide = ops::wide_type(dtype);
  const auto rounded = [&](ops::Scalar v) { return ops::convert(ops::convert(v, dtype), wide); };
  ops::Scalar total = b.wide(0);
  const ops::ScalarOp how = combining(kind);
  if (from_zero)
    total = rounded(total + ops::like(total, 0));
  for (uint32_t p = 1; p < parts; ++p)
    total = rounded(b.make(how, wide, {total, b.wide(p)}));
  return std::move(b).result(total);
}

} // namespace tw::kernels::generated
