// SPDX-License-Identifier: Apache-2.0
// Steps bound to kernels: for every step and device the kernel that runs on that device's tiles. Equal
// requests share a kernel, across devices and across steps.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/status.hpp"
#include "comm/comm.hpp"
#include "device/kind.hpp"
#include "kernels/bind.hpp"
#include "kernels/chain.hpp"
#include "kernels/custom_calls.hpp"
#include "kernels/fused.hpp"
#include "kernels/kernel.hpp"
#include "ops/registry.hpp"
#include "runtime/schedule.hpp"

namespace tw::runtime {

class Binder {
public:
  // `first` (may be null) is asked before those of `entries`; `calls` (may be null) knows kernels of the
  // host; `kind` (null: the host) binds steps that are no single op. Kernels are bound for `devices` only.
  // `units`: theirs, by device of the mesh; empty: 0. `how`: see kernels::Request.
  struct How {
    bool idle_cores = false, tf32 = false, same_bits = false;
  };
  Binder(const spmd::Program &program, const Layouts &layouts, const Schedule &schedule,
         kernels::Factory first, std::span<const kernels::Entry> entries, const kernels::CustomCalls *calls,
         const device::QueueKind *kind, comm::DeviceRange devices, std::span<const int32_t> units, How how)
      : program_(program), layouts_(layouts), schedule_(schedule), first_(first), entries_(entries),
        calls_(calls), kind_(kind), devices_(devices), units_(units), may_pack_(schedule.packable),
        how_(how) {}

  // One kernel per position of the mesh; null where there is nothing to compute, or its leader does. Kind
  // kernel, fused, chain, product, assign or accumulate.
  Result<std::vector<const kernels::Kernel *>> bind(const Step &step);
  // Whether every device that computes something has a kernel for a step of kind `product`; or one for all of
  // a chain. They ask nothing of the schedule, which may not be there yet.
  bool has_product(const Step &step);
  bool has_row_chain(const Step &step, std::span<const View> views);

  std::vector<std::unique_ptr<kernels::Kernel>> take_kernels();
  // Of a kernel of the host on devices that are not, or a chain with such members: why they have none, and
  // what is copied for those members.
  struct OnHost {
    std::string why;
    int64_t bytes = 0;
  };
  OnHost on_host(const kernels::Kernel *kernel) const;
  int64_t scratch_bytes() const { return scratch_bytes_; } // the most that one part of any kernel needs
  int64_t shared_bytes() const { return shared_bytes_; }   // the most that the parts of any kernel share

private:
  using Key = std::vector<int64_t>;
  enum : int64_t { kSingle, kFused, kAssign, kAccumulate, kChain, kProduct }; // what a key begins with
  // Some of the rows of a chain's member, in place of all.
  struct Rows {
    size_t dims; // the leading dimensions that count them
    int64_t all, some;
  };
  // Whether `bind` gives every device that has elements of the step's space a kernel.
  template <class Bind> bool have_kernel(const Step &step, Bind &&bind) const;
  bool offers_packing(const Step &step) const;
  Result<const kernels::Kernel *> bind_single(const Step &step, Position position,
                                              const Rows *rows = nullptr);
  // What a member of a chain reads or makes of each row of a block, and besides.
  struct RowBytes {
    int64_t of_row, of_all;
  };
  struct Chain; // a chain that is being bound
  Result<const kernels::Kernel *> bind_chain(const Step &step, Position position);
  void cut_chain(Chain &chain) const;
  int64_t row_bytes(const Chain &chain, spmd::ValueRef v) const;
  RowBytes read_bytes(const Step &from, const FusedRead &read, std::span<const kernels::RowDim> rows,
                      Position position) const;
  Result<kernels::ChainMember> bind_member(Chain &chain, const Step &from);
  void adapt_members(Chain &chain, OnHost &on_host);
  bool has_own_chains() const { return kind_ != nullptr && kind_->chain_block_bytes() > 0; }
  std::optional<kernels::RowChainRequest::Member> row_fold(const Step &step, Position position,
                                                           int64_t rows) const;
  const kernels::Kernel *bind_row_chain(const Step &step, Position position, std::span<const View> views);
  const kernels::Kernel *bind_product(const Step &step, Position position); // null: the kind has none
  const kernels::Kernel *adapt_member(const kernels::Kernel *kernel, std::vector<int64_t> bytes,
                                      int64_t times, OnHost &chain);
  Result<const kernels::Kernel *> bind_accumulate(const Step &step, Position position);
  const kernels::Kernel *bind_assign(const Step &step, Position position);
  // A request, what it is known by, and the ops that it points to.
  struct Fused {
    kernels::FusedRequest request;
    Key key;
    std::vector<ops::OpViewHolder> views;
  };
  Fused fused(const Step &step, Position position, const Rows *rows) const;
  Result<const kernels::Kernel *> bind_fused(const Step &step, Position position, const Rows *rows = nullptr);
  kernels::FusedInput fused_input(const FusedRead &read, std::span<const int64_t> space, Position position,
                                  const Rows *rows) const;
  std::vector<int64_t> read_strides(const FusedRead &read, std::span<const int64_t> space,
                                    Position position) const;
  std::vector<kernels::RowDim> read_rows(const Step &member, const FusedRead &read, Position position) const;
  std::vector<uint32_t> add_combinations(const Step &step, std::span<const uint32_t> first_input,
                                         const ops::OpView &any, kernels::FusedRequest &request,
                                         Key &key) const;
  static void append(Key &key, std::span<const int64_t> values);
  const kernels::Kernel *keep(Key key, std::unique_ptr<kernels::Kernel> kernel);
  bool is_of_host(const kernels::Kernel *kernel) const;
  void note_host(const kernels::Kernel &kernel, const ops::OpDef &def);
  kernels::Tile tile(spmd::ValueRef v, Position position) const;
  int32_t unit(Position position) const {
    return units_.empty() ? 0 : units_[static_cast<size_t>(program_.mesh().device_of(position).index())];
  }

  const spmd::Program &program_;
  const Layouts &layouts_;
  const Schedule &schedule_;
  kernels::Factory first_;
  std::span<const kernels::Entry> entries_;
  const kernels::CustomCalls *calls_;
  const device::QueueKind *kind_;
  comm::DeviceRange devices_;
  std::span<const int32_t> units_;
  std::vector<bool> may_pack_; // by value
  How how_;
  std::map<Key, std::unique_ptr<kernels::Kernel>> kernels_;
  std::map<const kernels::Kernel *, OnHost> on_host_;
  std::vector<std::unique_ptr<kernels::Kernel>> adapted_; // members of chains
  int64_t scratch_bytes_ = 0, shared_bytes_ = 0;
};

template <class Bind> bool Binder::have_kernel(const Step &step, Bind &&bind) const {
  bool any = false;
  for (Position d; d < layouts_.num_positions(); ++d) {
    if (!devices_.contains(program_.mesh().device_of(d)) || layouts_.elements(step.space, d) == 0)
      continue;
    if (bind(d) == nullptr)
      return false;
    any = true;
  }
  return any;
}

} // namespace tw::runtime
