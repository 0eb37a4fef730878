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

// What a member reads or makes of each row of a block, and besides.
struct Bytes {
  int64_t of_row, of_all;
};

std::vector<kernels::RowDim> in_bytes(std::vector<kernels::RowDim> rows, int64_t element) {
  for (kernels::RowDim &d : rows)
    d.stride *= element;
  return rows;
}

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
      made[v] =
          result != step.results.end()
              ? ChainPlace{ChainPlace::Where::result, result - step.results.begin(), {{all, row_bytes(v)}}}
              : ChainPlace{ChainPlace::Where::buffer, 0, {}};
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
  request.rows = request.segment = all;
  for (const Step &member : step.members)
    for (const FusedRead &read : member.reads)
      if (const auto rows = read_rows(member, read, position); rows.size() > 1)
        request.segment = std::gcd(request.segment, rows.back().extent);
  const bool own = kind_ != nullptr && kind_->chain_block_bytes() > 0;
  request.block =
      std::clamp<int64_t>((own ? kind_->chain_block_bytes() : kBlockBytes) / std::max<int64_t>(bytes_each, 1),
                          1, request.segment);
  request.part_blocks =
      std::max<int64_t>(1, kFusedPartBytes / std::max<int64_t>(request.block * bytes_each, 1));
  for (auto &[v, place] : made)
    if (place.where == ChainPlace::Where::buffer) {
      place.index = request.buffer_bytes;
      request.buffer_bytes += (row_bytes(v) * request.block + 63) / 64 * 64;
    }

  Key key{kChain, unit(position), request.rows, request.segment, request.block};
  std::vector<std::vector<Bytes>> bytes; // by member, of operands and results
  const auto read = [&](kernels::ChainMember &member, ValueRef v, std::vector<kernels::RowDim> rows) {
    const auto known = made.find(schedule_.views[v].root);
    const auto operand = std::ranges::find(step.operands, v) - step.operands.begin();
    member.operands.push_back(known != made.end()
                                  ? known->second
                                  : ChainPlace{ChainPlace::Where::operand, operand, std::move(rows)});
  };
  for (const Step &from : step.members) {
    kernels::ChainMember member{};
    bytes.emplace_back();
    for (auto [kernel, some] : {std::pair(&member.block, request.block),
                                std::pair(&member.last, request.segment % request.block)}) {
      const Rows rows{from.row_dims, all, some};
      if (some > 0) {
        TW_ASSIGN(*kernel, from.kind == Step::Kind::fused ? bind_fused(from, position, &rows)
                                                          : bind_single(from, position, &rows));
      }
    }
    for (const ValueRef v : from.operands) { // a reduction's: what it reduces, and where it begins
      const bool by_row = v == from.operands[0];
      bytes.back().push_back(by_row ? Bytes{row_bytes(v), 0} : Bytes{0, tile(v, position).bytes()});
      read(member, v,
           by_row ? std::vector{kernels::RowDim{all, row_bytes(v)}} : std::vector<kernels::RowDim>());
    }
    for (const FusedRead &r : from.reads) {
      const auto size = static_cast<int64_t>(byte_size(program_.type(r.value).dtype));
      const auto rows = in_bytes(read_rows(from, r, position), size);
      const bool along = !rows.empty() && rows.back().stride > 0; // rows of a block are apart
      const auto &extent = layouts_.box(layouts_.of(r.value), position).extent;
      int64_t of_block = size; // where they are one
      if (r.constant)
        of_block *= rows.empty() ? constant_elements(program_, layouts_, r.value, position) : 1;
      else
        for (size_t k = from.row_dims; k < r.dims.size(); ++k)
          of_block *= r.dims[k] >= 0 ? extent[static_cast<size_t>(r.dims[k])] : 1;
      const Bytes each = along ? Bytes{rows.back().stride, 0} : Bytes{0, of_block};
      if (!r.constant && !r.combined) {
        bytes.back().push_back(each);
        read(member, r.value, rows);
        continue;
      }
      const auto at = std::ranges::find(step.reads, r.value, &FusedRead::value) - step.reads.begin();
      for (int64_t part = 0; part < r.parts(program_.mesh()); ++part) {
        bytes.back().push_back(each);
        member.operands.push_back(
            {ChainPlace::Where::operand, first_of_read[static_cast<size_t>(at)] + part, rows});
      }
    }
    for (const ValueRef v : from.results) {
      member.results.push_back(made.at(v));
      bytes.back().push_back({row_bytes(v), 0});
    }
    for (const Kernel *kernel : {member.block, member.last})
      key.push_back(static_cast<int64_t>(reinterpret_cast<intptr_t>(kernel)));
    for (const auto *places : {&member.operands, &member.results})
      for (const ChainPlace &at : *places) {
        key.insert(key.end(), {static_cast<int64_t>(at.where), at.index, std::ssize(at.rows)});
        for (const kernels::RowDim &d : at.rows)
          key.insert(key.end(), {d.extent, d.stride});
      }
    request.members.push_back(std::move(member));
  }
  if (const auto known = kernels_.find(key); known != kernels_.end())
    return known->second.get();
  OnHost on_host;
  const int64_t segments = all / request.segment;
  for (size_t m = 0; m < request.members.size() && own; ++m)
    for (auto [kernel, rows, times] :
         {std::tuple(&request.members[m].block, request.block, segments * (request.segment / request.block)),
          std::tuple(&request.members[m].last, request.segment % request.block, segments)}) {
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
