// SPDX-License-Identifier: Apache-2.0
// Pointers, buffers, what a member's parts share and the members' own scratch lie in the scratch of a part,
// in this order.
#include "kernels/chain.hpp"

#include <algorithm>
#include <utility>

namespace tw::kernels {
namespace {

class Chain final : public Kernel {
public:
  explicit Chain(ChainRequest request) : c_(std::move(request)) {
    for (const ChainMember &m : c_.members) {
      most_pointers_ = std::max(most_pointers_, m.operands.size() + 1 + m.results.size());
      for (const Kernel *kernel : {m.block, m.last})
        if (kernel != nullptr) {
          shared_bytes_ = std::max(shared_bytes_, aligned(kernel->shared_bytes()));
          members_scratch_ = std::max(members_scratch_, kernel->scratch_bytes());
        }
    }
  }

  const char *name() const override { return "cpu:chain"; }
  int64_t parts() const override { return (c_.num_blocks() + c_.part_blocks - 1) / c_.part_blocks; }
  int64_t scratch_bytes() const override {
    return pointer_bytes() + aligned(c_.buffer_bytes) + shared_bytes_ + members_scratch_;
  }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    auto *const pointers = static_cast<void **>(scratch);
    std::byte *const buffers = static_cast<std::byte *>(scratch) + pointer_bytes();
    std::byte *const shared = buffers + aligned(c_.buffer_bytes), *const rest = shared + shared_bytes_;
    const int64_t end = std::min(c_.num_blocks(), (part + 1) * c_.part_blocks);
    for (int64_t number = part * c_.part_blocks; number < end; ++number) {
      const int64_t row = c_.first_row(number);
      const auto find = [&](const ChainPlace &at) -> void * {
        switch (at.where) {
        case ChainPlace::Where::buffer: return buffers + at.index;
        case ChainPlace::Where::result:
          return static_cast<std::byte *>(results[static_cast<size_t>(at.index)]) + row_offset(at.rows, row);
        case ChainPlace::Where::operand: break;
        }
        return static_cast<std::byte *>(const_cast<void *>(operands[static_cast<size_t>(at.index)])) +
               row_offset(at.rows, row);
      };
      for (const ChainMember &m : c_.members) {
        void **next = std::ranges::transform(m.operands, pointers, find).out;
        *next++ = shared;
        void *const *const made = next;
        std::ranges::transform(m.results, next, find);
        TW_TRY(run_serially(c_.kernel(m, number), {pointers, m.operands.size() + 1}, {made, m.results.size()},
                            rest));
      }
    }
    return {};
  }

private:
  int64_t pointer_bytes() const { return aligned(static_cast<int64_t>(most_pointers_ * sizeof(void *))); }

  ChainRequest c_;
  size_t most_pointers_ = 0;
  int64_t shared_bytes_ = 0, members_scratch_ = 0;
};

} // namespace

std::unique_ptr<Kernel> bind_chain(ChainRequest request) {
  return std::make_unique<Chain>(std::move(request));
}

} // namespace tw::kernels
