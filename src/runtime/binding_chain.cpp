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

std::vector<kernels::RowDim> in_bytes(std::vector<kernels::RowDim> rows, int64_t element) {
  for (kernels::RowDim &d : rows)
    d.stride *= element;
  return rows;
}

} // namespace

// What a chain's members make and read: its place for each value, what that takes, and how many rows a block
// has.
struct Binder::Chain {
  const Step &step;
  Position position;
  int64_t all = 0;                                // rows
  std::map<ValueRef, kernels::ChainPlace> made{}; // by root
  std::vector<int64_t> first_of_read{};           // among what the kernel is given
  kernels::ChainRequest request{};
  std::vector<std::vector<RowBytes>> bytes{}; // by member, of operands and results
};

int64_t Binder::row_bytes(const Chain &chain, ValueRef v) const {
  return layouts_.elements(layouts_.of(v), chain.position) / chain.all *
         static_cast<int64_t>(byte_size(program_.type(v).dtype));
}

// Its members are bound for a block of rows and for what is left. What they read of each other and nobody
// else reads lies in buffers.
Result<const Kernel *> Binder::bind_chain(const Step &step, Position position) {
  if (const Kernel *whole = bind_row_chain(step, position, schedule_.views))
    return whole;
  Chain chain{step, position, layouts_.elements(step.space, position)};
  cut_chain(chain);
  kernels::ChainRequest &request = chain.request;
  Key key{kChain, unit(position), request.rows, request.segment, request.block};
  for (const Step &from : step.members) {
    TW_ASSIGN(kernels::ChainMember member, bind_member(chain, from));
    for (const Kernel *kernel : {member.block, member.last})
      key.push_back(static_cast<int64_t>(reinterpret_cast<intptr_t>(kernel)));
    for (const auto *places : {&member.operands, &member.results})
      for (const kernels::ChainPlace &at : *places) {
        key.insert(key.end(), {static_cast<int64_t>(at.where), at.index, std::ssize(at.rows)});
        for (const kernels::RowDim &d : at.rows)
          key.insert(key.end(), {d.extent, d.stride});
      }
    request.members.push_back(std::move(member));
  }
  if (const auto known = kernels_.find(key); known != kernels_.end())
    return known->second.get();
  OnHost on_host;
  const bool own = has_own_chains();
  if (own)
    adapt_members(chain, on_host);
  const Kernel *const kept = keep(std::move(key), own ? kind_->bind_chain(std::move(request))
                                                      : kernels::bind_chain(std::move(request)));
  if (on_host.bytes > 0)
    on_host_[kept] = on_host;
  return kept;
}

// Where its values lie, and how many rows of all of them a block has.
void Binder::cut_chain(Chain &chain) const {
  using kernels::ChainPlace;
  const Step &step = chain.step;
  const Position position = chain.position;
  const int64_t all = chain.all;
  int64_t bytes_each = 0;
  for (const Step &member : step.members)
    for (const ValueRef v : member.results) {
      const auto result = std::ranges::find(step.results, v);
      chain.made[v] = result != step.results.end() ? ChainPlace{ChainPlace::Where::result,
                                                                result - step.results.begin(),
                                                                {{all, row_bytes(chain, v)}}}
                                                   : ChainPlace{ChainPlace::Where::buffer, 0, {}};
      bytes_each += row_bytes(chain, v);
    }
  for (const ValueRef v : step.operands)
    if (layouts_.elements(layouts_.of(v), position) >= all)
      bytes_each += row_bytes(chain, v);
  int64_t num_operands = std::ssize(step.operands);
  for (const FusedRead &read : step.reads) {
    const int64_t parts = read.parts(program_.mesh());
    chain.first_of_read.push_back(std::exchange(num_operands, num_operands + parts));
    bytes_each += read.combined ? parts * row_bytes(chain, read.value) : 0;
  }
  kernels::ChainRequest &cut = chain.request;
  cut.rows = cut.segment = all;
  for (const Step &member : step.members)
    for (const FusedRead &read : member.reads)
      if (const auto rows = read_rows(member, read, position); rows.size() > 1)
        cut.segment = std::gcd(cut.segment, rows.back().extent);
  cut.block = std::clamp<int64_t>((has_own_chains() ? kind_->chain_block_bytes() : kBlockBytes) /
                                      std::max<int64_t>(bytes_each, 1),
                                  1, cut.segment);
  cut.part_blocks = std::max<int64_t>(1, kFusedPartBytes / std::max<int64_t>(cut.block * bytes_each, 1));
  for (auto &[v, place] : chain.made)
    if (place.where == ChainPlace::Where::buffer) {
      place.index = cut.buffer_bytes;
      cut.buffer_bytes += (row_bytes(chain, v) * cut.block + 63) / 64 * 64;
    }
}

Result<kernels::ChainMember> Binder::bind_member(Chain &chain, const Step &from) {
  using kernels::ChainPlace;
  const Position position = chain.position;
  kernels::ChainMember member{};
  std::vector<RowBytes> &bytes = chain.bytes.emplace_back();
  for (auto [kernel, some] : {std::pair(&member.block, chain.request.block),
                              std::pair(&member.last, chain.request.segment % chain.request.block)}) {
    const Rows rows{from.row_dims, chain.all, some};
    if (some > 0) {
      TW_ASSIGN(*kernel, from.kind == Step::Kind::fused ? bind_fused(from, position, &rows)
                                                        : bind_single(from, position, &rows));
    }
  }
  const auto read = [&](ValueRef v, std::vector<kernels::RowDim> rows) {
    const auto known = chain.made.find(schedule_.views[v].root);
    const auto operand = std::ranges::find(chain.step.operands, v) - chain.step.operands.begin();
    member.operands.push_back(known != chain.made.end()
                                  ? known->second
                                  : ChainPlace{ChainPlace::Where::operand, operand, std::move(rows)});
  };
  for (const ValueRef v : from.operands) { // a reduction's: what it reduces, and where it begins
    const bool by_row = v == from.operands[0];
    const int64_t each = by_row ? row_bytes(chain, v) : 0;
    bytes.push_back(by_row ? RowBytes{each, 0} : RowBytes{0, tile(v, position).bytes()});
    read(v, by_row ? std::vector{kernels::RowDim{chain.all, each}} : std::vector<kernels::RowDim>());
  }
  for (const FusedRead &r : from.reads) {
    const auto rows =
        in_bytes(read_rows(from, r, position), static_cast<int64_t>(byte_size(program_.type(r.value).dtype)));
    const RowBytes each = read_bytes(from, r, rows, position);
    if (!r.constant && !r.combined) {
      bytes.push_back(each);
      read(r.value, rows);
      continue;
    }
    const auto at =
        std::ranges::find(chain.step.reads, r.value, &FusedRead::value) - chain.step.reads.begin();
    for (int64_t part = 0; part < r.parts(program_.mesh()); ++part) {
      bytes.push_back(each);
      member.operands.push_back(
          {ChainPlace::Where::operand, chain.first_of_read[static_cast<size_t>(at)] + part, rows});
    }
  }
  for (const ValueRef v : from.results) {
    member.results.push_back(chain.made.at(v));
    bytes.push_back({row_bytes(chain, v), 0});
  }
  return member;
}

// What a member reads of one row, or of all where the rows of a block are one.
Binder::RowBytes Binder::read_bytes(const Step &from, const FusedRead &r,
                                    std::span<const kernels::RowDim> rows, Position position) const {
  if (!rows.empty() && rows.back().stride > 0) // rows of a block are apart
    return {rows.back().stride, 0};
  auto of_block = static_cast<int64_t>(byte_size(program_.type(r.value).dtype));
  const auto &extent = layouts_.box(layouts_.of(r.value), position).extent;
  if (r.constant)
    of_block *= rows.empty() ? constant_elements(program_, layouts_, r.value, position) : 1;
  else
    for (size_t k = from.row_dims; k < r.dims.size(); ++k)
      of_block *= r.dims[k] >= 0 ? extent[static_cast<size_t>(r.dims[k])] : 1;
  return {0, of_block};
}

void Binder::adapt_members(Chain &chain, OnHost &on_host) {
  kernels::ChainRequest &request = chain.request;
  const int64_t segments = chain.all / request.segment;
  for (size_t m = 0; m < request.members.size(); ++m)
    for (auto [kernel, rows, times] :
         {std::tuple(&request.members[m].block, request.block, segments * (request.segment / request.block)),
          std::tuple(&request.members[m].last, request.segment % request.block, segments)}) {
      std::vector<int64_t> each;
      for (const RowBytes &b : chain.bytes[m])
        each.push_back(b.of_row * rows + b.of_all);
      *kernel = adapt_member(*kernel, std::move(each), times, on_host);
    }
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
