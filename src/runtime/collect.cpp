// SPDX-License-Identifier: Apache-2.0
// One more exchange, between the tiles of the results and whole arrays on the first device.
#include "runtime/collect.hpp"

#include <set>
#include <utility>

#include "comm/array_steps.hpp"
#include "comm/run_group.hpp"

namespace tw::runtime {

Result<std::unique_ptr<Collector>> Collector::create(comm::Communicator &communicator,
                                                     const spmd::Program &program, const Layouts &layouts,
                                                     const Memory &memory) {
  std::unique_ptr<Collector> made(new Collector);
  const sharding::Mesh &mesh = program.mesh();
  for (Position p; p < mesh.num_positions(); ++p)
    if (mesh.without(p, mesh.loop_axes()) == p)
      made->local_positions_.push_back(p);
  const size_t devices = made->local_positions_.size();
  std::vector<comm::ArrayStep> moves(program.graph().results().size());
  made->places_.resize(moves.size() * devices);
  for (const spmd::Instr &in : program.instrs()) {
    if (in.kind != spmd::InstrKind::result)
      continue;
    const spmd::ValueRef value = program.operands(in)[0];
    const graph::TensorType &type = program.type(value);
    comm::ArrayStep &move = moves[in.index];
    move.element_size = static_cast<int64_t>(byte_size(type.dtype));
    move.buffers.assign(2, redistribute::Placement(type.rank(), devices));
    move.buffers[1].set(0, {std::vector<int64_t>(type.rank(), 0), type.dims});
    redistribute::Step &step = move.step;
    step.target = 1;
    step.first_piece.push_back(0);
    std::set<std::vector<int64_t>> seen;
    for (size_t d = 0; d < devices; ++d) {
      const sharding::Box &box = layouts.box(layouts.of(value), made->local_positions_[d]);
      const auto device = static_cast<redistribute::Device>(d);
      move.buffers[0].set(device, box);
      made->places_[in.index * devices + d] = memory.locate(value, made->local_positions_[d]);
      if (box.empty() || !seen.insert(box.offset).second)
        continue;
      step.bounds.insert(step.bounds.end(), box.offset.begin(), box.offset.end());
      step.bounds.insert(step.bounds.end(), box.extent.begin(), box.extent.end());
      step.first_source.push_back(static_cast<uint32_t>(step.sources.size()));
      step.sources.push_back({device, 0});
    }
    step.first_piece.resize(devices + 1, static_cast<uint32_t>(step.sources.size()));
    step.first_source.push_back(static_cast<uint32_t>(step.sources.size()));
  }
  if (moves.empty())
    return made;
  TW_ASSIGN(made->collective_, communicator.prepare(mesh.collapsed(mesh.loop_axes()), moves));
  made->group_ = made->collective_->group_of(Position());
  made->src_.resize(made->places_.size());
  made->dst_.resize(made->places_.size());
  made->staging_ =
      std::make_unique<std::byte[]>(static_cast<size_t>(made->collective_->staging_bytes(made->group_)));
  TW_TRY(made->collective_->give_staging(made->group_, made->staging_.get()));
  return made;
}

Collector::~Collector() {
  if (collective_ != nullptr && collective_->is_in_flight())
    static_cast<void>(staging_.release()); // somebody may still read or write there
}

Status Collector::run(const Find &find, std::span<void *const> outputs, WorkerPool &pool) {
  if (collective_ == nullptr || collective_->members(group_).empty())
    return {};
  const size_t devices = local_positions_.size();
  for (size_t i = 0; i < places_.size(); ++i)
    src_[i] = find(static_cast<uint32_t>(i / devices), places_[i]);
  for (size_t r = 0; r < outputs.size(); ++r)
    dst_[r * devices] = outputs[r];
  return comm::run_group(*collective_, group_, src_, dst_, [&](int64_t parts, auto &&body) {
    pool.parallel_for(parts, [&](int64_t part, unsigned) { body(part); });
  });
}

} // namespace tw::runtime
