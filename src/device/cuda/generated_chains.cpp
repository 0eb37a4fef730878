// SPDX-License-Identifier: Apache-2.0
// Chains over rows: one kernel, where what members keep of a row fits into shared memory and every row is
// read in order; else members one after the other.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "device/cuda/generated.hpp"
#include "kernels/generated/host_functions.hpp"
#include "kernels/generated/row_chain.hpp"

namespace tw::device::cuda {
namespace {

namespace generated = kernels::generated;

// Members one after the other, on some rows and then on the next. What they make for each other lies in the
// scratch of the queue, in front of their own.
class GpuChain final : public GpuKernel {
public:
  explicit GpuChain(kernels::ChainRequest request) : c_(std::move(request)) {}
  const char *name() const override { return "cuda:chain"; }
  Status enqueue(CudaQueue &queue, std::span<const void *const> operands,
                 std::span<void *const> results) const override {
    const int64_t own = kernels::aligned(c_.buffer_bytes);
    int64_t scratch = 0;
    for (const kernels::ChainMember &m : c_.members)
      for (const kernels::Kernel *kernel : {m.block, m.last})
        if (const auto *compiled = dynamic_cast<const CompiledKernel *>(kernel))
          scratch = std::max(scratch, compiled->scratch_on_gpu());
    TW_ASSIGN(std::byte *const buffers, queue.scratch(static_cast<size_t>(own + scratch)));
    std::vector<const void *> in;
    std::vector<void *> out;
    for (int64_t number = 0; number < c_.num_blocks(); ++number)
      for (const kernels::ChainMember &m : c_.members) {
        const auto find = [&](const kernels::ChainPlace &at) -> void * {
          using Where = kernels::ChainPlace::Where;
          if (at.where == Where::buffer)
            return buffers + at.index;
          auto *const begin = at.where == Where::result
                                  ? results[static_cast<size_t>(at.index)]
                                  : const_cast<void *>(operands[static_cast<size_t>(at.index)]);
          return static_cast<std::byte *>(begin) + kernels::row_offset(at.rows, c_.first_row(number));
        };
        in.clear(), out.clear();
        for (const kernels::ChainPlace &at : m.operands)
          in.push_back(find(at));
        for (const kernels::ChainPlace &at : m.results)
          out.push_back(find(at));
        const kernels::Kernel *const kernel = &c_.kernel(m, number);
        if (const auto *compiled = dynamic_cast<const CompiledKernel *>(kernel))
          TW_TRY(compiled->enqueue(queue, in, out, buffers + own));
        else
          TW_TRY(static_cast<const GpuKernel *>(kernel)->enqueue(queue, in, out));
      }
    return {};
  }

private:
  kernels::ChainRequest c_;
};

tl::unexpected<Error> no_rows(const char *why) { return tl::unexpected(no_kernel(why)); }

// Values are numbered as generated::RowChain does: inputs, then members. Which inputs there are is known when
// all members have been seen, so members have numbers behind kMostInputs until then.
class RowChainMaker {
public:
  explicit RowChainMaker(const kernels::RowChainRequest &r) : r_(r) {}

  Result<std::unique_ptr<CompiledKernel>> run() {
    chain_.rows = r_.rows;
    for (const auto &m : r_.members)
      chain_.columns = std::max(chain_.columns, m.fused ? columns_of(*m.fused) : m.columns);
    for (const auto &m : r_.members) {
      if (m.fused)
        TW_TRY(add_fused(m));
      else
        TW_TRY(add_fold(m));
    }
    for (const uint32_t value : r_.results)
      chain_.outputs.push_back(made_[value].number - kMostInputs);
    for (generated::RowMember &m : chain_.members)
      for (uint32_t &a : m.args)
        a = a < kMostInputs ? a : a - kMostInputs + static_cast<uint32_t>(chain_.inputs.size());
    if (chain_.rows < kFewRows && chain_.columns > kLongRow)
      return no_rows("few long rows leave most of a GPU idle");
    KernelPlan plan{"cuda:row chain", {}};
    TW_ASSIGN(auto source, generated::row_chain_source(chain_, kEntry));
    plan.parts.push_back({std::move(source), std::move(operands_), result_places(r_.results.size())});
    return CompiledKernel::make(std::move(plan));
  }

private:
  static constexpr uint32_t kMostInputs = 1 << 20;
  static constexpr int64_t kFewRows = 1024, kLongRow = 4096;
  struct Made {
    uint32_t number;
    bool is_whole; // an element for each of a row
  };

  static int64_t columns_of(const kernels::FusedRequest &fused) {
    return ops::product(std::span(fused.extent).subspan(1));
  }

  uint32_t input(const kernels::RowChainRequest::Read &read, graph::DType dtype, int64_t stride) {
    const auto [known, is_new] = inputs_.try_emplace(std::tuple(read.index, read.rows, stride),
                                                     static_cast<uint32_t>(chain_.inputs.size()));
    if (is_new) {
      chain_.inputs.push_back({dtype, {}, stride});
      for (const kernels::RowDim &d : read.rows)
        chain_.inputs.back().rows.push_back({d.extent, d.stride});
      operands_.push_back({Place::Where::operand, read.index});
    }
    return known->second;
  }

  // How a row is walked: 1 in row-major order, 0 not at all.
  Result<int64_t> stride_of(const kernels::FusedInput &in, const std::vector<int64_t> &extent) const {
    const auto dense = ops::dense_strides(std::span(extent).subspan(1));
    bool stays = true, walks = true;
    for (size_t d = 1; d < extent.size(); ++d)
      if (extent[d] != 1) {
        stays = stays && in.strides[d] == 0;
        walks = walks && in.strides[d] == dense[d - 1];
      }
    if (!stays && !walks)
      return no_rows("a row is read in another order");
    return stays ? 0 : 1;
  }

  Status add_fused(const kernels::RowChainRequest::Member &m) {
    const kernels::FusedRequest &fused = *m.fused;
    const int64_t columns = columns_of(fused);
    if (columns != chain_.columns && columns != 1)
      return no_rows("its members have rows of several lengths");
    std::vector<uint32_t> values;
    for (size_t i = 0; i < fused.inputs.size(); ++i) {
      const kernels::FusedInput &in = fused.inputs[i];
      TW_ASSIGN(const int64_t stride, stride_of(in, fused.extent));
      const auto &read = m.reads[i];
      if (!read.is_made) {
        values.push_back(input(read, in.dtype, stride));
        continue;
      }
      const Made &made = made_[read.index];
      const bool is_row = made.is_whole && columns == chain_.columns;
      const bool in_order = is_row ? stride == 1 || columns == 1 : !made.is_whole && stride == 0;
      if (!in_order || (r_.rows > 1 && in.strides[0] != (is_row ? columns : 1)))
        return no_rows("what a member makes is read in another order");
      values.push_back(made.number);
    }
    for (size_t n = 0; n < fused.nodes.size(); ++n) {
      TW_ASSIGN(auto node, group_node(fused.nodes[n]));
      if (fused.same_bits) {
        TW_ASSIGN(node.value, generated::with_host_bits(node.value));
      }
      for (uint32_t &a : node.args)
        a = values[a];
      values.push_back(next_number());
      chain_.members.push_back({std::move(node.value), std::move(node.args), {}, columns != chain_.columns});
    }
    for (const uint32_t o : fused.outputs)
      made_.push_back({values[fused.inputs.size() + o], columns == chain_.columns});
    return {};
  }

  Status add_fold(const kernels::RowChainRequest::Member &m) {
    if (m.columns != chain_.columns)
      return no_rows("its members have rows of several lengths");
    const auto &read = m.reads[0];
    if (read.is_made && !made_[read.index].is_whole)
      return no_rows("it folds what has one element a row");
    const uint32_t value = read.is_made ? made_[read.index].number : input(read, m.dtype, 1);
    made_.push_back({next_number(), false});
    chain_.members.push_back({std::nullopt, {value}, m.kind});
    return {};
  }

  uint32_t next_number() const { return kMostInputs + static_cast<uint32_t>(chain_.members.size()); }

  const kernels::RowChainRequest &r_;
  generated::RowChain chain_{0, 1, {}, {}, {}};
  std::map<std::tuple<uint32_t, std::vector<kernels::RowDim>, int64_t>, uint32_t> inputs_;
  std::vector<Place> operands_; // by input
  std::vector<Made> made_;
};

} // namespace

std::unique_ptr<kernels::Kernel> bind_row_chain(const kernels::RowChainRequest &request) {
  auto made = RowChainMaker(request).run();
  return made ? std::move(*made) : nullptr;
}

std::unique_ptr<kernels::Kernel> bind_chain(kernels::ChainRequest request) {
  return std::make_unique<GpuChain>(std::move(request));
}

} // namespace tw::device::cuda
