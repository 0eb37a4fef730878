// SPDX-License-Identifier: Apache-2.0
// Members up to a fold are one phase: a loop over the row in which a thread does all of them for its elements
// and folds what it has made. Loads of several elements are issued before anything is stored, because stores
// may be over what is read. An element that a later phase reads is kept in shared memory by the thread that
// made it, which is also the one that reads it: threads meet only where their folds are joined. Where rows
// are too long to be kept, later phases make their elements again.
#include "kernels/generated/row_chain.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/generated/prelude.hpp"
#include "kernels/generated/reduction.hpp"
#include "kernels/generated/scalar_text.hpp"

namespace tw::kernels::generated {

namespace {

using graph::DType;

constexpr int64_t kShared = 48 << 10;              // bytes of a block
constexpr int64_t kLoaded = 8;                     // elements of a thread that are loaded together
constexpr int64_t kMostColumns = int64_t{1} << 30; // indices along a row are ints

class ChainWriter {
public:
  ChainWriter(const RowChain &c, const std::string &entry)
      : c_(c), entry_(entry), inputs_(c.inputs.size()), kept_(c.members.size()),
        lanes_(c.columns >= kLanes ? kLanes : 1),
        at_once_(std::clamp<int64_t>((c.columns + lanes_ - 1) / lanes_, 1, kLoaded)),
        pieces_((c.columns + kRun - 1) / kRun) {
    for (const ChainInput &input : c.inputs)
      types_.push_back(input.dtype);
    for (size_t k = 0; k < c.members.size(); ++k) {
      const RowMember &m = c.members[k];
      types_.push_back(m.value ? m.value->dtype() : types_[m.args[0]]);
      if (k == 0 || (m.value && !c.members[k - 1].value))
        first_of_phase_.push_back(k);
      for (const uint32_t a : m.args)
        if (a >= inputs_ && !is_of_row(a) && a - inputs_ < first_of_phase_.back())
          kept_[a - inputs_] = true;
    }
    first_of_phase_.push_back(c.members.size());
    if (shared_bytes() > kShared) {
      makes_again_ = true;
      kept_.assign(c.members.size(), false);
    }
  }

  Result<Source> run() {
    if (c_.columns > kMostColumns || shared_bytes() > kShared || (makes_again_ && !may_make_again()))
      return fail(Code::unimplemented, "TW-260",
                  fmt::format("rows of {} elements with what {} members keep take more than the {} bytes of "
                              "shared memory",
                              c_.columns, c_.members.size(), kShared));
    Source source;
    // Rows that are shorter than a fold's lanes have a thread each.
    const bool by_block = lanes_ > 1;
    Launch launch{entry_, by_block ? c_.rows : blocks_for(c_.rows), by_block ? kLanes : kThreads};
    for (uint32_t i = 0; i < inputs_; ++i)
      launch.words.push_back({Word::Kind::operand, i});
    for (uint32_t o = 0; o < c_.outputs.size(); ++o)
      launch.words.push_back({Word::Kind::result, o});
    const size_t words = std::max<size_t>(launch.words.size(), 1);
    text_ = by_block ? fmt::format("TW_BLOCK_KERNEL({}, {}) {{\n  const tw::i64_t row = blockIdx.x;\n"
                                   "  const int lane = (int)threadIdx.x;\n",
                                   entry_, words)
                     : fmt::format("TW_KERNEL({}, {}) {{\n"
                                   "  const tw::i64_t row = (tw::i64_t)blockIdx.x * {} + threadIdx.x;\n"
                                   "  if (row >= {}ll)\n    return;\n  const int lane = 0;\n",
                                   entry_, words, kThreads, c_.rows);
    for (size_t k = 0; k < c_.members.size(); ++k)
      if (kept_[k] || c_.members[k].is_of_row())
        text_ += fmt::format("  {}tw::V<tw::{}> m{}{};\n", kept_[k] && by_block ? "__shared__ " : "",
                             type(inputs_ + k), k, kept_[k] ? fmt::format("[{}]", c_.columns) : "");
    for (size_t phase = 0; phase + 1 < first_of_phase_.size(); ++phase)
      TW_TRY(write_phase(first_of_phase_[phase], first_of_phase_[phase + 1]));
    source.text = text_ + "}\n";
    source.functions = std::move(functions_);
    source.launches.push_back(std::move(launch));
    return source;
  }

private:
  std::string type(size_t value) const { return type_name(types_[value]); }
  bool is_of_row(uint32_t value) const {
    return value < inputs_ ? c_.inputs[value].stride == 0 : c_.members[value - inputs_].is_of_row();
  }

  int64_t shared_bytes() const {
    int64_t shared = 0;
    for (size_t k = 0; k < c_.members.size(); ++k) {
      const auto size = static_cast<int64_t>(graph::byte_size(types_[inputs_ + k]));
      shared += kept_[k] ? (c_.columns * size + 15) / 16 * 16 : 0;
      shared += c_.members[k].value ? 0 : kLanes * 16;
    }
    return shared;
  }

  // The elements of earlier phases that members [begin, end) are made of, in order.
  std::vector<size_t> made_again(size_t begin, size_t end) const {
    std::vector<bool> needed(c_.members.size());
    for (size_t k = end; k-- > 0;)
      if (k >= begin || needed[k])
        for (const uint32_t a : c_.members[k].args)
          if (a >= inputs_ && !is_of_row(a) && a - inputs_ < begin)
            needed[a - inputs_] = true;
    std::vector<size_t> again;
    for (size_t k = 0; k < begin && makes_again_; ++k)
      if (needed[k])
        again.push_back(k);
    return again;
  }

  // Results may lie over what nobody reads from the next fold on, so what a phase reads only to make an
  // element again must not be where an earlier one stores such a result.
  bool may_make_again() const {
    std::vector<size_t> last_read(inputs_, 0); // phases
    const size_t phases = first_of_phase_.size() - 1;
    for (size_t phase = 0; phase < phases; ++phase)
      for (size_t k = first_of_phase_[phase]; k < first_of_phase_[phase + 1]; ++k)
        for (const uint32_t a : c_.members[k].args)
          if (a < inputs_)
            last_read[a] = phase;
    for (size_t phase = 0; phase < phases; ++phase)
      for (const size_t k : made_again(first_of_phase_[phase], first_of_phase_[phase + 1]))
        for (const uint32_t a : c_.members[k].args)
          for (const uint32_t o : c_.outputs)
            if (a < inputs_ && is_of_row(a) == c_.members[o].is_of_row() && o < first_of_phase_[phase] &&
                o >= first_of_phase_[last_read[a]])
              return false;
    return true;
  }

  std::string load_text(uint32_t input, const std::string &index) const {
    const ChainInput &in = c_.inputs[input];
    const std::string along = in.stride == 0 ? "" : fmt::format(" + ({}) * {}ll", index, in.stride);
    return fmt::format("tw::load<tw::{}>((const void *)args.word[{}], {}{})", type(input), input,
                       offset_text(in.rows, "row"), along);
  }

  Status write_phase(size_t begin, size_t end) {
    again_ = made_again(begin, end);
    names_.assign(inputs_ + c_.members.size(), "");
    for (size_t k = 0; k < c_.members.size(); ++k)
      if (c_.members[k].is_of_row())
        names_[inputs_ + k] = fmt::format("m{}", k);
    text_ += "  {\n";
    each_in_phase(begin, end, [&](size_t k) {
      for (const uint32_t a : c_.members[k].args)
        if (a < inputs_ && is_of_row(a) && names_[a].empty()) {
          names_[a] = fmt::format("x{}", a);
          text_ += fmt::format("    const tw::V<tw::{}> x{} = {};\n", type(a), a, load_text(a, ""));
        }
    });
    for (size_t k = begin; k < end; ++k)
      if (c_.members[k].is_single) {
        TW_TRY(write_value(k, "    "));
        text_ += fmt::format("    m{} = {};\n", k, value_);
      }
    const bool folds = std::any_of(c_.members.begin() + static_cast<ptrdiff_t>(begin),
                                   c_.members.begin() + static_cast<ptrdiff_t>(end),
                                   [](const RowMember &m) { return !m.value; });
    if (folds)
      TW_TRY(write_folds(begin, end));
    else
      TW_TRY(write_loop(begin, end, "0", fmt::format("{}", c_.columns)));
    write_stores_of_row(begin, end);
    text_ += "  }\n";
    return {};
  }

  template <class Do> void each_in_phase(size_t begin, size_t end, Do &&each) const {
    for (const size_t k : again_)
      each(k);
    for (size_t k = begin; k < end; ++k)
      each(k);
  }

  // The statements of member k; its result's name becomes value_.
  Status write_value(size_t k, const char *indent) {
    std::vector<std::string> args;
    for (const uint32_t a : c_.members[k].args)
      args.push_back(names_[a]);
    TW_ASSIGN(ScalarText made, scalar_text(*c_.members[k].value, args, fmt::format("n{}", k), indent));
    text_ += made.statements;
    std::ranges::move(made.functions, std::back_inserter(functions_));
    value_ = std::move(made.result);
    return {};
  }

  // Over columns [from, to).
  Status write_loop(size_t begin, size_t end, const std::string &from, const std::string &to) {
    const auto in_loop = [&](size_t k) { return !c_.members[k].is_single; };
    std::vector<uint32_t> loads, kept;
    bool loops = false;
    each_in_phase(begin, end, [&](size_t k) {
      loops = loops || in_loop(k);
      for (const uint32_t a : c_.members[k].args)
        if (names_[a].empty() && (a < inputs_ || (a - inputs_ < begin && kept_[a - inputs_]))) {
          names_[a] = a < inputs_ ? fmt::format("x{}[u]", a) : fmt::format("x{}", a);
          (a < inputs_ ? loads : kept).push_back(a);
        }
    });
    if (!loops || c_.columns == 0)
      return {};
    const std::string in_row = c_.columns % (lanes_ * at_once_) == 0 && pieces_ == 1
                                   ? ""
                                   : fmt::format("if (first + u * {} < {}) ", lanes_, to);
    text_ += fmt::format("    for (int first = {} + lane; first < {}; first += {}) {{\n", from, to,
                         lanes_ * at_once_);
    for (const uint32_t a : loads)
      text_ += fmt::format("      tw::V<tw::{}> x{}[{}];\n", type(a), a, at_once_);
    if (!loads.empty())
      text_ += fmt::format("#pragma unroll\n      for (int u = 0; u < {}; ++u) {}{{\n", at_once_, in_row);
    for (const uint32_t a : loads)
      text_ += fmt::format("        x{}[u] = {};\n", a, load_text(a, fmt::format("first + u * {}", lanes_)));
    text_ += fmt::format("{}#pragma unroll\n      for (int u = 0; u < {}; ++u) {}{{\n"
                         "        const int j = first + u * {};\n        (void)j;\n",
                         loads.empty() ? "" : "      }\n", at_once_, in_row, lanes_);
    for (const uint32_t a : kept)
      text_ += fmt::format("        const tw::V<tw::{}> x{} = m{}[j];\n", type(a), a, a - inputs_);
    for (const size_t k : again_) {
      TW_TRY(write_value(k, "        "));
      names_[inputs_ + k] = value_;
    }
    for (size_t k = begin; k < end; ++k) {
      if (!in_loop(k))
        continue;
      if (!c_.members[k].value) {
        write_fold(k, from);
        continue;
      }
      TW_TRY(write_value(k, "        "));
      names_[inputs_ + k] = value_;
      if (kept_[k])
        text_ += fmt::format("        m{}[j] = {};\n", k, value_);
      for (size_t o = 0; o < c_.outputs.size(); ++o)
        if (c_.outputs[o] == k)
          text_ += fmt::format("        tw::store<tw::{}>((void *)args.word[{}], row * {}ll + j, {});\n",
                               type(inputs_ + k), inputs_ + o, c_.columns, value_);
    }
    text_ += "      }\n    }\n";
    return {};
  }

  DType wide(size_t k) const { return ops::wide_type(types_[inputs_ + k]); }
  std::string sum_type(size_t k) const { return type_name(wide(k)); }
  std::string combined(size_t k, const std::string &a, const std::string &b) const {
    return fmt::format("{}({}, {})", combining_text(c_.members[k].kind, wide(k)), a, b);
  }

  // As reduction_source: pieces of kRun elements, one after the other; of a piece 32 lanes, then those
  // pairwise, or element after element where there are fewer.
  Status write_folds(size_t begin, size_t end) {
    std::vector<size_t> folds;
    for (size_t k = begin; k < end; ++k)
      if (!c_.members[k].value)
        folds.push_back(k);
    for (const size_t k : folds)
      text_ += fmt::format("    tw::V<tw::{}> total{} = {};\n", sum_type(k), k,
                           identity_text(c_.members[k].kind, types_[inputs_ + k]));
    std::string from = "0", to = fmt::format("{}", c_.columns);
    if (pieces_ > 1) {
      text_ += fmt::format("    for (int from = 0; from < {0}; from += {1}) {{\n"
                           "    const int to = {0} - from < {1} ? {0} : from + {1};\n",
                           c_.columns, kRun);
      from = "from", to = "to";
    }
    for (const size_t k : folds)
      text_ += fmt::format("    tw::V<tw::{}> sum{} = {{}};\n", sum_type(k), k);
    TW_TRY(write_loop(begin, end, from, to));
    if (c_.columns > 0)
      write_joined(folds);
    if (pieces_ > 1)
      text_ += "    }\n";
    for (const size_t k : folds)
      text_ += fmt::format("    m{0} = tw::convert<tw::{1}, tw::{2}>(total{0});\n", k, type(inputs_ + k),
                           sum_type(k));
    return {};
  }

  void write_fold(size_t k, const std::string &from) {
    const std::string value = fmt::format("tw::convert<tw::{}, tw::{}>({})", sum_type(k), type(inputs_ + k),
                                          names_[c_.members[k].args[0]]);
    const std::string sum = fmt::format("sum{}", k);
    text_ += fmt::format("        {0} = u == 0 && first < {1} + {2} ? {3} : {4};\n", sum, from, lanes_, value,
                         combined(k, sum, value));
  }

  void write_joined(const std::vector<size_t> &folds) {
    if (lanes_ > 1) {
      for (const size_t k : folds)
        text_ += fmt::format("    __shared__ tw::V<tw::{0}> lanes{1}[{2}];\n    lanes{1}[lane] = sum{1};\n",
                             sum_type(k), k, lanes_);
      text_ += "    __syncthreads();\n";
      const int64_t rest = c_.columns % kRun; // of the last of several pieces
      const bool may_be_few = pieces_ > 1 && rest > 0 && rest < lanes_;
      if (may_be_few) {
        text_ += fmt::format("    if (to - from < {}) {{\n      if (lane == 0)\n"
                             "        for (int i = 1; i < to - from; ++i) {{\n",
                             lanes_);
        for (const size_t k : folds)
          text_ += fmt::format("          lanes{0}[0] = {1};\n", k,
                               combined(k, fmt::format("lanes{}[0]", k), fmt::format("lanes{}[i]", k)));
        text_ += "        }\n      __syncthreads();\n    } else\n";
      }
      text_ += fmt::format("    for (int w = {}; w > 0; w /= 2) {{\n      if (lane < w) {{\n", lanes_ / 2);
      for (const size_t k : folds)
        text_ +=
            fmt::format("        lanes{}[lane] = {};\n", k,
                        combined(k, fmt::format("lanes{}[lane]", k), fmt::format("lanes{}[lane + w]", k)));
      text_ += "      }\n      __syncthreads();\n    }\n";
    }
    for (const size_t k : folds)
      text_ += fmt::format("    total{0} = {1};\n", k,
                           combined(k, fmt::format("total{}", k),
                                    lanes_ > 1 ? fmt::format("lanes{}[0]", k) : fmt::format("sum{}", k)));
    if (lanes_ > 1 && pieces_ > 1) // the next piece writes the lanes
      text_ += "    __syncthreads();\n";
  }

  // Where a value may lie over what this phase has read for the row, by all threads.
  void write_stores_of_row(size_t begin, size_t end) {
    std::string stores;
    for (size_t o = 0; o < c_.outputs.size(); ++o)
      if (const size_t k = c_.outputs[o]; k >= begin && k < end && c_.members[k].is_of_row())
        stores += fmt::format("      tw::store<tw::{}>((void *)args.word[{}], row, m{});\n",
                              type(inputs_ + k), inputs_ + o, k);
    if (stores.empty())
      return;
    if (lanes_ > 1 && c_.members[end - 1].value) // a fold's threads have met
      text_ += "    __syncthreads();\n";
    text_ += "    if (lane == 0) {\n" + stores + "    }\n";
  }

  const RowChain &c_;
  const std::string &entry_;
  size_t inputs_;
  std::vector<bool> kept_;             // members whose rows are kept for later phases
  std::vector<size_t> first_of_phase_; // members, and behind them their number
  std::vector<DType> types_;           // of inputs and members
  int64_t lanes_, at_once_, pieces_;
  bool makes_again_ = false;
  std::string text_;
  std::vector<std::string> names_; // of values, in the phase that is written
  std::vector<size_t> again_;      // members that it makes again
  std::string value_;
  std::vector<std::string> functions_;
};

} // namespace

Result<Source> row_chain_source(const RowChain &chain, const std::string &entry) {
  return ChainWriter(chain, entry).run();
}

} // namespace tw::kernels::generated
