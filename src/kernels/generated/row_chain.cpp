// SPDX-License-Identifier: Apache-2.0
// Members between two folds are one phase: a loop over the row in which a thread does all of them for its
// elements. Only what a fold or a later phase reads is kept, in shared memory.
#include "kernels/generated/row_chain.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/generated/prelude.hpp"
#include "kernels/generated/reduction.hpp"
#include "kernels/generated/scalar_text.hpp"

namespace tw::kernels::generated {

namespace {

using graph::DType;

constexpr int kMostThreads = 128;
constexpr int64_t kShared = 48 << 10; // bytes of a block

class ChainWriter {
public:
  ChainWriter(const RowChain &c, const std::string &entry)
      : c_(c), entry_(entry), inputs_(c.inputs.size()), kept_(c.members.size()), phase_(c.members.size()) {
    threads_ = c.columns >= kMostThreads ? kMostThreads
                                         : static_cast<int>((c.columns + kLanes - 1) / kLanes * kLanes);
    threads_ = std::max(threads_, kLanes);
    for (size_t k = 0, phase = 0; k < c.members.size(); ++k) {
      phase_[k] = phase;
      for (const uint32_t a : c.members[k].args)
        if (a >= inputs_ && is_row(a - inputs_) && (!c.members[k].value || phase_[a - inputs_] != phase))
          kept_[a - inputs_] = true;
      phase += c.members[k].value ? 0 : 1;
    }
    for (const ChainInput &input : c.inputs)
      types_.push_back(input.dtype);
    for (const RowMember &m : c.members)
      types_.push_back(m.value ? m.value->dtype() : types_[m.args[0]]);
  }

  Result<Source> run() {
    int64_t shared = 0;
    for (size_t k = 0; k < c_.members.size(); ++k) {
      const auto size = static_cast<int64_t>(graph::byte_size(types_[inputs_ + k]));
      shared += kept_[k] ? (c_.columns * size + 15) / 16 * 16 : 0;
      shared += c_.members[k].value ? 0 : (kLanes + 1) * 16; // a fold's lanes and value
    }
    if (shared > kShared || c_.columns > kRun)
      return fail(
          Code::unimplemented, "TW-260",
          fmt::format("a row of {} elements with what {} members keep takes {} bytes of shared memory, of {}",
                      c_.columns, c_.members.size(), shared, kShared));
    Source source;
    Launch launch{entry_, c_.rows, threads_};
    for (uint32_t i = 0; i < inputs_; ++i)
      launch.words.push_back({Word::Kind::operand, i});
    for (uint32_t o = 0; o < c_.outputs.size(); ++o)
      launch.words.push_back({Word::Kind::result, o});
    text_ = fmt::format("TW_BLOCK_KERNEL({}, {}) {{\n  const tw::i64_t row = blockIdx.x;\n", entry_,
                        std::max<size_t>(launch.words.size(), 1));
    for (size_t k = 0; k < c_.members.size(); ++k)
      if (kept_[k] || !c_.members[k].value)
        text_ += fmt::format("  __shared__ tw::V<tw::{}> m{}[{}];\n", type(inputs_ + k), k,
                             c_.members[k].value ? std::max<int64_t>(c_.columns, 1) : 1);
    for (size_t k = 0; k < c_.members.size();) {
      if (!c_.members[k].value) {
        write_fold(k++);
        continue;
      }
      size_t end = k;
      while (end < c_.members.size() && c_.members[end].value)
        ++end;
      TW_TRY(write_phase(k, end));
      k = end;
    }
    source.text = text_ + "}\n";
    source.functions = std::move(functions_);
    source.launches.push_back(std::move(launch));
    return source;
  }

private:
  std::string type(size_t value) const { return type_name(types_[value]); }
  bool is_row(size_t member) const { return c_.members[member].value.has_value(); }

  // A value as the element `index` of this row, outside of the phase that makes it.
  std::string element_text(uint32_t value, const char *index) const {
    if (value >= inputs_)
      return fmt::format("m{}[{}]", value - inputs_, is_row(value - inputs_) ? index : "0");
    const ChainInput &input = c_.inputs[value];
    return fmt::format("tw::load<tw::{}>((const void *)args.word[{}], row * {}ll + {} * {}ll)", type(value),
                       value, input.row_stride, index, input.stride);
  }

  Status write_phase(size_t begin, size_t end) {
    text_ += fmt::format("  for (tw::i64_t j = threadIdx.x; j < {}ll; j += {}) {{\n", c_.columns, threads_);
    std::vector<std::string> names(inputs_ + c_.members.size());
    for (size_t k = begin; k < end; ++k) // before anything is stored, which may be over what is read
      for (const uint32_t a : c_.members[k].args)
        if (names[a].empty() && a < inputs_ + begin) {
          names[a] = fmt::format("x{}", a);
          text_ += fmt::format("    const tw::V<tw::{}> x{} = {};\n", type(a), a, element_text(a, "j"));
        }
    for (size_t k = begin; k < end; ++k) {
      std::vector<std::string> args;
      for (const uint32_t a : c_.members[k].args)
        args.push_back(names[a]);
      TW_ASSIGN(ScalarText made, scalar_text(*c_.members[k].value, args, fmt::format("n{}", k), "    "));
      text_ += made.statements;
      names[inputs_ + k] = made.result;
      std::ranges::move(made.functions, std::back_inserter(functions_));
      if (kept_[k])
        text_ += fmt::format("    m{}[j] = {};\n", k, made.result);
      for (size_t o = 0; o < c_.outputs.size(); ++o)
        if (c_.outputs[o] == k)
          text_ += fmt::format("    tw::store<tw::{}>((void *)args.word[{}], row * {}ll + j, {});\n",
                               type(inputs_ + k), inputs_ + o, c_.columns, made.result);
    }
    text_ += "  }\n  __syncthreads();\n";
    return {};
  }

  // As a run of reduction_source: 32 lanes, then those pairwise, where there are so many elements.
  void write_fold(size_t k) {
    const RowMember &m = c_.members[k];
    const DType wide = ops::wide_type(types_[m.args[0]]);
    const std::string element = type(inputs_ + k), sum_type = type_name(wide);
    const auto at = [&](const char *index) {
      return fmt::format("tw::convert<tw::{}, tw::{}>({})", sum_type, element,
                         element_text(m.args[0], index));
    };
    const auto combined = [&](const std::string &a, const std::string &b) {
      return fmt::format("{}({}, {})", combining_text(m.kind, wide), a, b);
    };
    const int lanes = c_.columns >= kLanes ? kLanes : 1;
    text_ += fmt::format("  {{\n    __shared__ tw::V<tw::{0}> lanes[{1}];\n"
                         "    const int lane = (int)threadIdx.x;\n    if (lane < {2}) {{\n",
                         sum_type, kLanes, c_.columns == 0 ? 0 : lanes);
    text_ += fmt::format("      tw::V<tw::{0}> sum = {1};\n"
                         "      for (tw::i64_t j = lane + {2}; j < {3}ll; j += {2})\n        sum = {4};\n"
                         "      lanes[lane] = sum;\n    }}\n    __syncthreads();\n",
                         sum_type, at("lane"), lanes, c_.columns, combined("sum", at("j")));
    if (lanes > 1)
      text_ += fmt::format(
          "    for (int w = {}; w > 0; w /= 2) {{\n      if (lane < w)\n        lanes[lane] = {};\n"
          "      __syncthreads();\n    }}\n",
          kLanes / 2, combined("lanes[lane]", "lanes[lane + w]"));
    const std::string identity = identity_text(m.kind, types_[m.args[0]]);
    const std::string total = c_.columns == 0 ? identity : combined(identity, "lanes[0]");
    text_ += fmt::format("    if (lane == 0) {{\n      m{}[0] = tw::convert<tw::{}, tw::{}>({});\n", k,
                         element, sum_type, total);
    for (size_t o = 0; o < c_.outputs.size(); ++o)
      if (c_.outputs[o] == k)
        text_ += fmt::format("      tw::store<tw::{}>((void *)args.word[{}], row, m{}[0]);\n", element,
                             inputs_ + o, k);
    text_ += "    }\n    __syncthreads();\n  }\n";
  }

  const RowChain &c_;
  const std::string &entry_;
  size_t inputs_;
  std::vector<bool> kept_;    // members whose rows are in shared memory
  std::vector<size_t> phase_; // of members: folds before them
  std::vector<DType> types_;  // of inputs and members
  int threads_ = kMostThreads;
  std::string text_;
  std::vector<std::string> functions_;
};

} // namespace

Result<Source> row_chain_source(const RowChain &chain, const std::string &entry) {
  return ChainWriter(chain, entry).run();
}

} // namespace tw::kernels::generated
