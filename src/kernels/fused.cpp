// SPDX-License-Identifier: Apache-2.0
// The block interpreter behind fused groups: for each block of some hundred or thousand elements it brings
// the inputs into contiguous form (most are already), applies every op's block function, and leaves the
// outputs in place.
#include "kernels/fused.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "base/status.hpp"
#include "kernels/cpu/copy.hpp"
#include "kernels/cpu/copy_tiles.hpp"
#include "kernels/merged_dims.hpp"
#include "kernels/ref/references.hpp"

namespace tw::kernels {

namespace {

// Elements of a block. Its values stay in the first-level cache; where several inputs come from memory, the
// processor has to see past the end of an op to keep all of them coming.
constexpr int64_t kBlock = 1024, kStreamedBlock = 256;
constexpr int64_t kPart = 64 * 1024; // elements of a part

struct Pair {
  uint64_t lo, hi;
};

template <class T> void gather(const std::byte *src, std::byte *dst, int64_t n, int64_t stride) {
  auto *out = reinterpret_cast<T *>(dst);
  const auto *in = reinterpret_cast<const T *>(src);
  if (stride == 0)
    std::fill_n(out, n, *in);
  else
    for (int64_t i = 0; i < n; ++i)
      out[i] = in[i * stride];
}

using Gather = void (*)(const std::byte *, std::byte *, int64_t, int64_t);
Gather gather_of(size_t element_size) {
  switch (element_size) {
  case 1: return gather<uint8_t>;
  case 2: return gather<uint16_t>;
  case 4: return gather<uint32_t>;
  case 8: return gather<uint64_t>;
  default: return gather<Pair>;
  }
}

BlockFn block_of(const FusedNode &node) {
  return node.combine != nullptr ? node.combine : ref::block_of(*node.def, node.op);
}

// How blocks lie in the iteration space: rows of the innermost dimension, several to a block or one in
// pieces.
struct Blocks {
  int64_t row = 1;         // elements of a row
  int64_t rows = 1;        // number of rows
  int64_t length = kBlock; // elements, at most
  int64_t rows_per_block = 1;
  int64_t pieces_per_row = 1;

  Blocks(int64_t row, int64_t rows, int64_t length)
      : row(row), rows(rows), length(length),
        rows_per_block(row <= length ? std::min(rows, length / row) : 1),
        pieces_per_row((row + length - 1) / length) {}
  int64_t count() const { return (rows + rows_per_block - 1) / rows_per_block * pieces_per_row; }
  int64_t largest() const { return std::min(row, length) * rows_per_block; }

  struct Block {
    int64_t first_row, num_rows, column, columns;
    int64_t elements() const { return num_rows * columns; }
  };
  Block operator[](int64_t i) const {
    const int64_t first = i / pieces_per_row * rows_per_block, column = i % pieces_per_row * length;
    return {first, std::min(rows_per_block, rows - first), column, std::min(length, row - column)};
  }
};

class Fused final : public Kernel {
public:
  explicit Fused(const FusedRequest &r) : dims_(merged_dims(r.extent, r.inputs, 1)), blocks_(1, 1, kBlock) {
    for (int64_t n : r.extent)
      elements_ *= n;
    if (elements_ > 0)
      blocks_ = Blocks(dims_.back().extent, elements_ / dims_.back().extent,
                       dense_from_memory(r) > 1 ? kStreamedBlock : kBlock);
    blocks_per_part_ = std::max<int64_t>(1, kPart / blocks_.largest());
    for (size_t i = 0; i < r.inputs.size(); ++i)
      add_input(r.inputs[i], i);
    plan_nodes(r);
  }

  const char *name() const override { return combines_ ? "cpu:fused over devices" : "cpu:fused"; }
  int64_t parts() const override {
    return elements_ == 0 ? 1 : (blocks_.count() + blocks_per_part_ - 1) / blocks_per_part_;
  }
  int64_t scratch_bytes() const override { return pointer_bytes() + buffer_bytes_; }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    if (elements_ == 0)
      return {};
    auto *value = static_cast<void **>(scratch); // where each input and node has its block
    auto *args = const_cast<const void **>(value + inputs_.size() + nodes_.size());
    auto *buffers = static_cast<std::byte *>(scratch) + pointer_bytes();
    const int64_t end = std::min(blocks_.count(), (part + 1) * blocks_per_part_);
    for (int64_t b = part * blocks_per_part_; b < end; ++b) {
      const Blocks::Block block = blocks_[b];
      const int64_t n = block.elements(), at = block.first_row * blocks_.row + block.column;
      for (size_t i = 0; i < inputs_.size(); ++i)
        value[i] = fetch(inputs_[i], i, static_cast<const std::byte *>(operands[i]), buffers, block,
                         b == part * blocks_per_part_);
      for (size_t k = 0; k < nodes_.size(); ++k) {
        const Node &node = nodes_[k];
        void *out = node.direct < 0 ? buffers + node.buffer
                                    : static_cast<std::byte *>(results[static_cast<size_t>(node.direct)]) +
                                          at * node.size;
        for (size_t a = 0; a < node.args.size(); ++a)
          args[a] = value[node.args[a]];
        node.apply(args, out, n);
        value[inputs_.size() + k] = out;
      }
      for (const Store &s : stores_)
        cpu::copy_runs({1, n * s.size, 0, 0, s.stream}, static_cast<const std::byte *>(value[s.value]),
                       static_cast<std::byte *>(results[s.result]) + at * s.size);
    }
    if (std::ranges::any_of(stores_, &Store::stream))
      cpu::flush_stream();
    return {};
  }

private:
  enum class Access : uint8_t { dense, row, once, gathered };
  struct Input {
    Access access;
    int64_t size; // of an element, bytes
    int64_t buffer = 0;
    Gather gather = nullptr;
  };
  struct Node {
    BlockFn apply;
    std::vector<uint32_t> args;
    int64_t size;
    int64_t buffer = 0;
    int direct = -1; // the result it is written to, or -1
  };
  struct Store { // a result that is not written directly
    size_t result;
    size_t value;
    int64_t size;
    bool stream; // past the caches, which it would only flush
  };

  int64_t pointer_bytes() const {
    return aligned(static_cast<int64_t>((inputs_.size() + nodes_.size() + most_args_) * sizeof(void *)));
  }

  bool is_large(int64_t element_size) const { return elements_ * element_size >= cpu::streaming_threshold(); }

  int64_t new_buffer(int64_t element_size) {
    const int64_t at = buffer_bytes_;
    buffer_bytes_ += aligned(blocks_.largest() * element_size);
    return at;
  }

  bool is_dense(size_t i) const {
    int64_t step = 1;
    for (size_t d = dims_.size(); d-- > 0; step *= dims_[d].extent)
      if (dims_[d].strides[i] != step)
        return false;
    return true;
  }

  // The number of inputs that the caches do not hold.
  int64_t dense_from_memory(const FusedRequest &r) const {
    int64_t count = 0;
    for (size_t i = 0; i < r.inputs.size(); ++i)
      count += is_dense(i) && is_large(static_cast<int64_t>(graph::byte_size(r.inputs[i].dtype))) ? 1 : 0;
    return count;
  }

  void add_input(const FusedInput &input, size_t i) {
    const auto size = static_cast<int64_t>(graph::byte_size(input.dtype));
    bool repeats = true; // the same block content at every row
    for (size_t d = 0; d + 1 < dims_.size(); ++d)
      repeats &= dims_[d].strides[i] == 0;
    const int64_t inner = dims_.back().strides[i];
    Input in{Access::gathered, size, 0, gather_of(static_cast<size_t>(size))};
    if (is_dense(i))
      in.access =
          Access::dense; // below, `once`: the first block of a part has whole rows, and is the longest
    else if (inner == 1 && blocks_.rows_per_block == 1)
      in.access = Access::row;
    else if (repeats && (blocks_.pieces_per_row == 1 || inner == 0))
      in.access = Access::once;
    if (in.access == Access::once || in.access == Access::gathered)
      in.buffer = new_buffer(size);
    inputs_.push_back(in);
  }

  // Offset, in elements, of a row's first element in input i.
  int64_t row_offset(size_t i, int64_t row) const {
    int64_t at = 0;
    for (size_t d = dims_.size() - 1; d-- > 0; row /= dims_[d].extent)
      at += row % dims_[d].extent * dims_[d].strides[i];
    return at;
  }

  void *fetch(const Input &in, size_t i, const std::byte *data, std::byte *buffers,
              const Blocks::Block &block, bool first) const {
    const int64_t inner = dims_.back().strides[i];
    switch (in.access) {
    case Access::dense:
      return const_cast<std::byte *>(data + (block.first_row * blocks_.row + block.column) * in.size);
    case Access::row:
      return const_cast<std::byte *>(data + (row_offset(i, block.first_row) + block.column) * in.size);
    case Access::once:
      if (!first)
        return buffers + in.buffer;
      [[fallthrough]];
    case Access::gathered: break;
    }
    std::byte *out = buffers + in.buffer;
    if (in.access == Access::once && inner == 0) { // later blocks may be longer
      in.gather(data, out, blocks_.largest(), 0);
      return out;
    }
    for (int64_t r = 0; r < block.num_rows; ++r, out += block.columns * in.size) {
      const std::byte *from = data + (row_offset(i, block.first_row + r) + block.column * inner) * in.size;
      if (inner == 1)
        std::memcpy(out, from, static_cast<size_t>(block.columns * in.size));
      else
        in.gather(from, out, block.columns, inner);
    }
    return buffers + in.buffer;
  }

  // Gives each node the place of its value: straight in a result where that cannot spoil an input that is
  // still to be read (a result may lie over a dense input of its element size), else a buffer that is free by
  // then.
  void plan_nodes(const FusedRequest &r) {
    const size_t num_inputs = r.inputs.size(), num_values = num_inputs + r.nodes.size();
    std::vector<size_t> last_use(num_values, 0);
    for (size_t k = 0; k < r.nodes.size(); ++k)
      for (uint32_t a : r.nodes[k].args)
        last_use[a] = k;
    std::vector<int> result_of(r.nodes.size(), -1);
    for (size_t o = 0; o < r.outputs.size(); ++o) {
      if (result_of[r.outputs[o]] < 0)
        result_of[r.outputs[o]] = static_cast<int>(o);
    }
    std::vector<std::pair<int64_t, int64_t>> idle; // (element size, buffer)
    for (size_t k = 0; k < r.nodes.size(); ++k) {
      const FusedNode &from = r.nodes[k];
      combines_ = combines_ || from.combine != nullptr;
      Node node{block_of(from), from.args, static_cast<int64_t>(graph::byte_size(from.dtype))};
      most_args_ = std::max(most_args_, node.args.size());
      bool spoils = false;
      for (size_t i = 0; i < num_inputs; ++i)
        spoils |= inputs_[i].access == Access::dense && inputs_[i].size == node.size && last_use[i] > k;
      if (result_of[k] >= 0 && !spoils && !is_large(node.size)) {
        node.direct = result_of[k];
      } else {
        const auto fits =
            std::find_if(idle.begin(), idle.end(), [&](const auto &b) { return b.first == node.size; });
        node.buffer = fits == idle.end() ? new_buffer(node.size) : fits->second;
        if (fits != idle.end())
          idle.erase(fits);
      }
      nodes_.push_back(std::move(node));
      for (size_t j = 0; j < k; ++j) // freed after this node: never its own output
        if (nodes_[j].direct < 0 && result_of[j] < 0 && last_use[num_inputs + j] == k)
          idle.emplace_back(nodes_[j].size, nodes_[j].buffer);
    }
    for (size_t o = 0; o < r.outputs.size(); ++o)
      if (const size_t k = r.outputs[o]; nodes_[k].direct != static_cast<int>(o))
        stores_.push_back({o, num_inputs + k, nodes_[k].size, is_large(nodes_[k].size)});
  }

  std::vector<MergedDim> dims_;
  Blocks blocks_;
  int64_t elements_ = 1;
  int64_t blocks_per_part_ = 1;
  std::vector<Input> inputs_;
  std::vector<Node> nodes_;
  std::vector<Store> stores_;
  size_t most_args_ = 0;
  bool combines_ = false; // what several devices hold
  int64_t buffer_bytes_ = 0;
};

} // namespace

bool fuses(const ops::OpDef &def, const ops::OpView &op) {
  return (def.flags & ops::kElementwise) != 0 && ref::block_of(def, op) != nullptr;
}

std::unique_ptr<Kernel> bind_fused(const FusedRequest &request) {
  for (const FusedNode &node : request.nodes)
    if (block_of(node) == nullptr)
      return nullptr;
  return std::make_unique<Fused>(request);
}

} // namespace tw::kernels
