// SPDX-License-Identifier: Apache-2.0
// Runs a program on simulated devices, one instruction after the other and one device after the other, with
// the reference kernels and the direct exchange. Slow and obvious: the oracle of the executor, itself checked
// against the unpartitioned evaluator.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/ref/combiner.hpp"
#include "kernels/ref/evaluate.hpp"
#include "kernels/ref/references.hpp"
#include "kernels/ref/region_fn.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"
#include "ops/variables.hpp"
#include "redistribute/exchange.hpp"
#include "spmd/program.hpp"
#include "support/elements.hpp"

namespace tw::test {

class Simulator {
public:
  explicit Simulator(const spmd::Program &program)
      : program_(program), regions_(spmd::find_regions(program)), devices_(program.mesh().num_positions()),
        tiles_(program.values().size()) {}

  // The program's results, put together from their tiles; or what went wrong.
  Result<std::vector<kernels::ref::Array>> run(std::span<const kernels::ref::Array> arguments) {
    std::vector<kernels::ref::Array> results(program_.graph().results().size());
    const auto instrs = program_.instrs();
    for (uint32_t i = 0; i < instrs.size();) {
      const spmd::Instr &instr = instrs[i];
      uint32_t next = i + 1;
      switch (instr.kind) {
      case spmd::InstrKind::argument: take(arguments[instr.index], instr.first_result); break;
      case spmd::InstrKind::compute: TW_TRY(compute(instr)); break;
      case spmd::InstrKind::collective: {
        if (program_.collectives()[instr.index].summary.reduction == sharding::Reduction::region)
          TW_TRY(fold(instr));
        else
          for (uint32_t a = 0; a < instr.num_operands; ++a)
            exchange(program_.operands(instr)[a], instr.first_result + a);
        break;
      }
      case spmd::InstrKind::accumulate: exchange(program_.operands(instr)[0], instr.first_result); break;
      case spmd::InstrKind::loop: // all steps at once: none of them needs another
      case spmd::InstrKind::end_loop: break;
      case spmd::InstrKind::result: {
        TW_ASSIGN(results[instr.index], put_together(program_.operands(instr)[0]));
        break;
      }
      case spmd::InstrKind::region: {
        TW_ASSIGN(next, pass_marker(i));
        break;
      }
      }
      i = next;
    }
    return results;
  }

private:
  using Tile = std::vector<std::byte>;

  size_t byte_size(spmd::ValueRef v) const { return graph::byte_size(program_.type(v).dtype); }

  Tile &make_tile(spmd::ValueRef v, sharding::Position device) {
    auto &tiles = tiles_[v];
    tiles.resize(static_cast<size_t>(devices_));
    Tile &tile = tiles[static_cast<size_t>(device)];
    tile.assign(static_cast<size_t>(program_.box(v, device).elements()) * byte_size(v), std::byte{0xa5});
    return tile;
  }

  void take(const kernels::ref::Array &array, spmd::ValueRef v) {
    const auto whole = sharding::Box::whole(array.type.dims);
    for (sharding::Position device; device < devices_; ++device)
      copy(array.bytes, whole, make_tile(v, device), program_.box(v, device), program_.box(v, device),
           byte_size(v));
  }

  // Copies `part` from the storage of one box to that of another.
  static void copy(const Tile &from, const sharding::Box &from_box, Tile &to, const sharding::Box &to_box,
                   const sharding::Box &part, size_t size) {
    each_element(part, [&](std::span<const int64_t> at) {
      std::memcpy(to.data() + position_in(to_box, at) * size, from.data() + position_in(from_box, at) * size,
                  size);
    });
  }

  // The instruction that follows a marker; every device must want the same one.
  Result<uint32_t> pass_marker(uint32_t i) {
    const spmd::Instr &instr = program_.instrs()[i];
    const spmd::Regions *regions = nullptr;
    for (const spmd::Regions &r : regions_)
      if (std::ranges::find(r.markers, i) != r.markers.end())
        regions = &r;
    const auto &markers = regions->markers;
    const auto operands = program_.operands(instr);
    const auto hand_to = [&](uint32_t marker) {
      std::vector<std::vector<Tile>> values;
      for (const spmd::ValueRef v : operands)
        values.push_back(tiles_[v]);
      for (size_t v = 0; v < values.size(); ++v)
        tiles_[program_.instrs()[marker].first_result + v] = std::move(values[v]);
    };
    if (instr.index != (regions->is_loop ? 1u : 0u)) {
      if (!regions->is_loop) {
        hand_to(markers.back());
        return markers.back() + 1;
      }
      hand_to(markers[0]);
      return markers[0] + 1;
    }
    const Tile chosen = tiles_[operands[0]][0];
    for (const Tile &other : tiles_[operands[0]])
      if (other != chosen)
        return fail(Code::internal, "TW-000", "devices want to go different ways");
    const uint32_t way = ops::chosen_branch(chosen, static_cast<uint32_t>(markers.size()) - 1);
    if (!regions->is_loop)
      return markers[way] + 1;
    const uint32_t to = markers[1 + way];
    for (uint32_t v = 0; v < program_.instrs()[to].num_results; ++v)
      tiles_[program_.instrs()[to].first_result + v] = tiles_[program_.instrs()[markers[0]].first_result + v];
    return to + 1;
  }

  bool uses_init(const spmd::Instr &instr, sharding::Position device) const {
    bool first = true;
    for (const sharding::AxisId axis : instr.reduce_axes)
      first = first && program_.mesh().coordinate(device, axis) == 0;
    return first;
  }

  Status compute(const spmd::Instr &instr) {
    const graph::Graph &graph = program_.graph();
    const ops::OpDef &def = ops::op_def(graph.op(instr.op).code);
    const ops::OpViewHolder view(graph, instr.op);
    const kernels::ref::Reference *reference = kernels::ref::reference_of(def);
    if (reference == nullptr)
      return fail(Code::unimplemented, "TW-000", fmt::format("{} has no reference", def.name));
    for (sharding::Position device; device < devices_; ++device) {
      std::vector<sharding::Box> boxes;
      std::vector<void *> data;
      std::vector<spmd::ValueRef> refs(program_.operands(instr).begin(), program_.operands(instr).end());
      for (const spmd::ValueRef v : refs)
        data.push_back(tiles_[v][static_cast<size_t>(device)].data());
      for (uint32_t i = 0; i < instr.num_results; ++i) {
        refs.push_back(instr.first_result + i);
        data.push_back(make_tile(instr.first_result + i, device).data());
      }
      for (const spmd::ValueRef v : refs)
        boxes.push_back(program_.box(v, device));
      std::vector<kernels::Buffer> buffers;
      for (size_t i = 0; i < refs.size(); ++i)
        buffers.push_back({data[i], program_.type(refs[i]).dtype, program_.type(refs[i]).dims,
                           boxes[i].offset, boxes[i].extent});
      kernels::KernelArgs args{view.view(), std::span(buffers).first(instr.num_operands),
                               std::span(buffers).subspan(instr.num_operands)};
      args.use_init = uses_init(instr, device);
      TW_TRY((*reference)(args));
    }
    return {};
  }

  redistribute::Problem move(spmd::ValueRef from, spmd::ValueRef to) const {
    return redistribute::Problem::within(program_.mesh(), program_.type(from),
                                         program_.sharding(program_.values()[from].sharding),
                                         program_.sharding(program_.values()[to].sharding));
  }

  void exchange(spmd::ValueRef from, spmd::ValueRef to) {
    const redistribute::Problem problem = move(from, to);
    const redistribute::Summary summary = redistribute::summarise(problem);
    const size_t size = byte_size(from);
    for (sharding::Position device; device < devices_; ++device) {
      const sharding::Box target = problem.dst_box(problem.dst_device(device));
      Tile &tile = make_tile(to, device);
      for (const redistribute::Piece &piece : redistribute::direct(problem, device)) {
        Tile sum(static_cast<size_t>(piece.box.elements()) * size), term(sum.size());
        for (size_t i = 0; i < piece.sources.size(); ++i) {
          const sharding::Position source = piece.sources[i];
          copy(tiles_[from][static_cast<size_t>(source)], problem.src_box(problem.src_device(source)),
               i == 0 ? sum : term, piece.box, piece.box, size);
          if (i == 0)
            continue;
          const kernels::BlockFn combine =
              kernels::ref::combine_block(summary.reduction, program_.type(from).dtype);
          TW_ASSERT(combine != nullptr);
          const void *in[] = {sum.data(), term.data()};
          combine(in, sum.data(), piece.box.elements());
        }
        copy(sum, piece.box, tile, target, piece.box, size);
      }
    }
  }

  // Element by element: what devices made of the elements that they reduced, in the order of these, goes
  // through the region.
  Status fold(const spmd::Instr &instr) {
    const auto from = program_.operands(instr);
    const size_t arrays = from.size();
    const spmd::Instr &reduction = program_.instrs()[program_.values()[from[0]].def];
    const spmd::ValueRef reduced = program_.operands(reduction)[0];
    TW_ASSIGN(kernels::ref::RegionFn region,
              kernels::ref::RegionFn::make(program_.graph(), program_.graph().op(instr.op).first_region));
    const redistribute::Problem problem = move(from[0], instr.first_result);
    for (sharding::Position device; device < devices_; ++device) {
      std::vector<Tile *> tiles;
      for (uint32_t i = 0; i < arrays; ++i)
        tiles.push_back(&make_tile(instr.first_result + i, device));
      const sharding::Box target = problem.dst_box(problem.dst_device(device));
      for (const redistribute::Piece &piece : redistribute::direct(problem, device)) {
        std::vector<sharding::Position> sources = piece.sources;
        std::erase_if(sources, [&](sharding::Position d) {
          return program_.box(reduced, d).empty() && !uses_init(reduction, d);
        });
        std::ranges::stable_sort(sources, {},
                                 [&](sharding::Position d) { return program_.box(reduced, d).offset; });
        each_element(piece.box, [&](std::span<const int64_t> at) {
          std::vector<const void *> in(2 * arrays);
          std::vector<void *> out(arrays);
          for (size_t s = 0; s < sources.size(); ++s) {
            for (size_t i = 0; i < arrays; ++i) {
              const Tile &tile = tiles_[from[i]][static_cast<size_t>(sources[s])];
              out[i] = tiles[i]->data() + position_in(target, at) * byte_size(from[i]);
              in[i] = out[i];
              in[arrays + i] =
                  tile.data() +
                  position_in(problem.src_box(problem.src_device(sources[s])), at) * byte_size(from[i]);
              if (s == 0)
                std::memcpy(out[i], in[arrays + i], byte_size(from[i]));
            }
            if (s != 0)
              region.run(in, out, 1);
          }
        });
      }
    }
    return {};
  }

  // Every replica must hold the same bits.
  Result<kernels::ref::Array> put_together(spmd::ValueRef v) const {
    kernels::ref::Array array{program_.type(v), {}};
    array.bytes.resize(static_cast<size_t>(array.type.bytes()));
    std::vector<bool> there(static_cast<size_t>(array.type.elements()), false);
    const auto whole = sharding::Box::whole(array.type.dims);
    const size_t size = byte_size(v);
    std::optional<std::string> wrong;
    for (sharding::Position device; device < devices_; ++device) {
      const sharding::Box box = program_.box(v, device);
      const Tile &tile = tiles_[v][static_cast<size_t>(device)];
      each_element(box, [&](std::span<const int64_t> at) {
        const size_t element = position_in(whole, at);
        std::byte *to = array.bytes.data() + element * size;
        const std::byte *from = tile.data() + position_in(box, at) * size;
        if (there[element] && std::memcmp(to, from, size) != 0)
          wrong = fmt::format("element {} of {} differs on device {}", element,
                              program_.graph().value_name(program_.values()[v].origin), device);
        std::memcpy(to, from, size);
        there[element] = true;
      });
    }
    if (std::ranges::count(there, false) != 0)
      wrong = "an element is on no device";
    if (wrong)
      return fail(Code::internal, "TW-000", *wrong);
    return array;
  }

  const spmd::Program &program_;
  std::vector<spmd::Regions> regions_;
  int64_t devices_;
  std::vector<std::vector<Tile>> tiles_; // by value, by device
};

inline Result<std::vector<kernels::ref::Array>> simulate(const spmd::Program &program,
                                                         std::span<const kernels::ref::Array> arguments) {
  return Simulator(program).run(arguments);
}

} // namespace tw::test
