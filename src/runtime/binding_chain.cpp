// SPDX-License-Identifier: Apache-2.0
// Chains over rows: their members bound for blocks of rows.
#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "kernels/chain.hpp"
#include "runtime/binding.hpp"
#include "runtime/constant_reads.hpp"
#include "runtime/members.hpp"

namespace tw::runtime {

using kernels::Kernel;
using spmd::ValueRef;

namespace {

// Bytes of all values in a block of rows, and of all in a part.
constexpr int64_t kBlockBytes = 64 << 10, kFusedPartBytes = 1 << 20;

// What a member reads or makes of each row, and besides.
struct Bytes {
  int64_t of_row, of_all;
};

} // namespace

// Its members are bound for a block of rows and for what is left. What they read of each other and nobody
// else reads lies in buffers.
Result<const Kernel *> Binder::bind_chain(const Step &step, Position position) {
  using kernels::ChainPlace;
  if (const Kernel *whole = bind_row_chain(step, position, schedule_.views))
    return whole;
  const int64_t all = layouts_.elements(step.space, position);
  const auto row_bytes = [&](ValueRef v) {
    return layouts_.elements(layouts_.of(v), position) / all *
           static_cast<int64_t>(byte_size(program_.type(v).dtype));
  };
  std::map<ValueRef, ChainPlace> made; // by root
  int64_t bytes_each = 0;
  for (const Step &member : step.members)
    for (const ValueRef v : member.results) {
      const auto result = std::ranges::find(step.results, v);
      made[v] = result != step.results.end()
                    ? ChainPlace{ChainPlace::Where::result, result - step.results.begin(), row_bytes(v)}
                    : ChainPlace{ChainPlace::Where::buffer, 0, 0};
      bytes_each += row_bytes(v);
    }
  for (const ValueRef v : step.operands)
    if (layouts_.elements(layouts_.of(v), position) >= all)
      bytes_each += row_bytes(v);
  std::vector<int64_t> first_of_read; // among what the kernel is given
  int64_t num_operands = std::ssize(step.operands);
  for (const FusedRead &read : step.reads) {
    const int64_t parts = read.parts(program_.mesh());
    first_of_read.push_back(std::exchange(num_operands, num_operands + parts));
    bytes_each += read.combined ? parts * row_bytes(read.value) : 0;
  }
  kernels::ChainRequest request;
  request.rows = all;
  const bool own = kind_ != nullptr && kind_->chain_block_bytes() > 0;
  request.block = std::clamp<int64_t>(
      (own ? kind_->chain_block_bytes() : kBlockBytes) / std::max<int64_t>(bytes_each, 1), 1, all);
  request.part_blocks =
      std::max<int64_t>(1, kFusedPartBytes / std::max<int64_t>(request.block * bytes_each, 1));
  for (auto &[v, place] : made)
    if (place.where == ChainPlace::Where::buffer) {
      place.index = request.buffer_bytes;
      request.buffer_bytes += (row_bytes(v) * request.block + 63) / 64 * 64;
    }

  Key key{kChain, unit(position), request.rows, request.block};
  std::vector<std::vector<Bytes>> bytes; // by member, of operands and results
  const auto read = [&](kernels::ChainMember &member, ValueRef v, bool varied) {
    bytes.back().push_back(varied ? Bytes{row_bytes(v), 0} : Bytes{0, tile(v, position).bytes()});
    const auto known = made.find(schedule_.views[v].root);
    const auto operand = std::ranges::find(step.operands, v) - step.operands.begin();
    member.operands.push_back(
        known != made.end() ? known->second
                            : ChainPlace{ChainPlace::Where::operand, operand, varied ? row_bytes(v) : 0});
  };
  for (const Step &from : step.members) {
    kernels::ChainMember member{};
    bytes.emplace_back();
    for (auto [kernel, some] :
         {std::pair(&member.block, request.block), std::pair(&member.last, all % request.block)}) {
      const Rows rows{from.row_dims, all, some};
      if (some > 0) {
        TW_ASSIGN(*kernel, from.kind == Step::Kind::fused ? bind_fused(from, position, &rows)
                                                          : bind_single(from, position, &rows));
      }
    }
    for (const ValueRef v : from.operands) // a reduction's: what it reduces, and where it begins
      read(member, v, v == from.operands[0]);
    for (const FusedRead &r : from.reads) {
      if (!r.constant && !r.combined) {
        read(member, r.value, varies(r, from.row_dims));
        continue;
      }
      const auto at = std::ranges::find(step.reads, r.value, &FusedRead::value) - step.reads.begin();
      for (int64_t part = 0; part < r.parts(program_.mesh()); ++part) {
        const auto size = static_cast<int64_t>(byte_size(program_.type(r.value).dtype));
        const bool varied = varies(r, from.row_dims);
        const int64_t of_row = r.combined ? row_bytes(r.value) : varied ? size : 0;
        const int64_t of_all =
            of_row > 0 ? 0 : constant_elements(program_, layouts_, r.value, position) * size;
        bytes.back().push_back({of_row, of_all});
        member.operands.push_back(
            {ChainPlace::Where::operand, first_of_read[static_cast<size_t>(at)] + part, of_row});
      }
    }
    for (const ValueRef v : from.results) {
      member.results.push_back(made.at(v));
      bytes.back().push_back({row_bytes(v), 0});
    }
    for (const Kernel *kernel : {member.block, member.last})
      key.push_back(static_cast<int64_t>(reinterpret_cast<intptr_t>(kernel)));
    for (const auto *places : {&member.operands, &member.results})
      for (const ChainPlace &at : *places)
        key.insert(key.end(), {static_cast<int64_t>(at.where), at.index, at.row_bytes});
    request.members.push_back(std::move(member));
  }
  if (const auto known = kernels_.find(key); known != kernels_.end())
    return known->second.get();
  OnHost on_host;
  for (size_t m = 0; m < request.members.size() && own; ++m)
    for (auto [kernel, rows, times] :
         {std::tuple(&request.members[m].block, request.block, all / request.block),
          std::tuple(&request.members[m].last, all % request.block, int64_t{1})}) {
      std::vector<int64_t> each;
      for (const Bytes &b : bytes[m])
        each.push_back(b.of_row * rows + b.of_all);
      *kernel = adapt_member(*kernel, std::move(each), times, on_host);
    }
  const Kernel *const kept = keep(std::move(key), own ? kind_->bind_chain(std::move(request))
                                                      : kernels::bind_chain(std::move(request)));
  if (on_host.bytes > 0)
    on_host_[kept] = on_host;
  return kept;
}

// A member of the host becomes what the kind runs in its place, in a chain that runs it so often.
const Kernel *Binder::adapt_member(const Kernel *kernel, std::vector<int64_t> bytes, int64_t times,
                                   OnHost &chain) {
  if (kernel == nullptr)
    return nullptr;
  const int64_t copied = std::accumulate(bytes.begin(), bytes.end(), int64_t{0});
  auto adapted = kind_->adapt(*kernel, std::move(bytes));
  if (adapted == nullptr)
    return kernel;
  chain.bytes += copied * times;
  if (chain.why.empty())
    chain.why = on_host(kernel).why;
  adapted_.push_back(std::move(adapted));
  return adapted_.back().get();
}

} // namespace tw::runtime
