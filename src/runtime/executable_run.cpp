// SPDX-License-Identifier: Apache-2.0
// One run: what the caller gives is checked, copied in where it is not read in place, and what the devices
// made is copied out at the end.
#include "runtime/executable.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/strided.hpp"

namespace tw::runtime {

using kernels::cpu::CopyPlan;
using ops::dense_strides;

Status Executable::check(std::span<const TensorView> inputs, std::span<const TensorView> outputs) const {
  const auto count = [](const char *what, size_t given, size_t wanted) -> Status {
    if (given == wanted)
      return {};
    return fail(Code::invalid_argument, "TW-624",
                fmt::format("{} {} given, the program has {}", given, what, wanted));
  };
  const graph::Graph &graph = program_->graph();
  const size_t each = tiles_ ? local_positions_.size() : 1;
  TW_TRY(count(tiles_ ? "input tiles" : "inputs", inputs.size(), graph.arguments().size() * each));
  TW_TRY(count(tiles_ ? "output tiles" : "outputs", outputs.size(), graph.results().size() * each));
  // What is only said of a mistake is only made then: a run allocates nothing.
  const auto type = [](auto name, const TensorView &given, const graph::TensorType &whole,
                       std::span<const int64_t> dims) -> Status {
    if (given.dtype != whole.dtype || !std::ranges::equal(given.dims, dims))
      return fail(Code::invalid_argument, "TW-625",
                  fmt::format("{} is {}, the program wants {}", name(),
                              graph::to_short_text({given.dtype, {given.dims.begin(), given.dims.end()}}),
                              graph::to_short_text({whole.dtype, {dims.begin(), dims.end()}})));
    if (given.data == nullptr && ops::product(dims) > 0)
      return fail(Code::invalid_argument, "TW-625", fmt::format("{} has no data", name()));
    return {};
  };
  for (size_t i = 0; i < inputs.size(); ++i) {
    const graph::TensorType &whole = graph.type(graph.result(graph.arguments()[i / each]));
    const auto name = [&] { return graph.argument_name(static_cast<uint32_t>(i / each)); };
    TW_TRY(type(name, inputs[i], whole, tiles_ ? argument_tiles_[i].extent : whole.dims));
    TW_TRY(check_where(inputs[i], name()));
    if (tiles_ && inputs[i].where.is_host() && !inputs[i].is_dense())
      return fail(Code::invalid_argument, "TW-625", fmt::format("a tile of {} is not dense", name()));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const graph::TensorType &whole = graph.type(graph.operands(graph.results()[i / each])[0]);
    const auto name = [&] { return graph.result_name(static_cast<uint32_t>(i / each)); };
    TW_TRY(type(name, outputs[i], whole, tiles_ ? result_tiles_[i].extent : whole.dims));
    TW_TRY(check_where(outputs[i], name()));
    if (outputs[i].overlaps_itself())
      return fail(Code::invalid_argument, "TW-625",
                  fmt::format("elements of {} lie one over the other", name()));
    if (outputs[i].where.is_host() && !outputs[i].is_dense())
      return fail(Code::invalid_argument, "TW-625", fmt::format("{} is not dense", name()));
  }
  return check_donated(inputs, outputs);
}

// "the tile of x on device 3", or "x".
std::string Executable::array_name(bool is_result, size_t i) const {
  const size_t each = tiles_ ? local_positions_.size() : 1;
  const auto whole = static_cast<uint32_t>(i / each);
  std::string name =
      is_result ? program_->graph().result_name(whole) : program_->graph().argument_name(whole);
  return tiles_ ? fmt::format("the tile of {} on device {}", name, devices_.first + i % each) : name;
}

// A run writes over what is donated: nobody else may have that memory, but who gets it afterwards.
Status Executable::check_donated(std::span<const TensorView> inputs,
                                 std::span<const TensorView> outputs) const {
  if (std::ranges::count(donated_, graph::kNone) == std::ssize(donated_))
    return {};
  const size_t each = tiles_ ? local_positions_.size() : 1;
  struct Array {
    const TensorView *view;
    const std::byte *begin;
    bool is_result;
    size_t index;
    bool is_given;
  };
  std::vector<Array> arrays;
  arrays.reserve(inputs.size() + outputs.size());
  const auto add = [&](const TensorView &view, bool is_result, size_t i) {
    const bool is_copied = view.where.is_host() && !view.is_dense();
    arrays.push_back({&view, view.reach().first, is_result, i,
                      !is_result && donated_[i / each] != graph::kNone && !is_copied && view.bytes() != 0});
  };
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!is_owners_tile(inputs, argument_owners_, i))
      add(inputs[i], false, i);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!is_owners_tile(outputs, result_owners_, i))
      add(outputs[i], true, i);
  const auto takes_over = [&](const Array &result, const Array &given) {
    return result.is_result && result.index == donated_[given.index / each] * each + given.index % each &&
           result.view->data == given.view->data &&
           std::ranges::equal(result.view->strides, given.view->strides);
  };
  std::ranges::sort(arrays, {}, &Array::begin);
  for (auto a = arrays.begin(); a != arrays.end(); ++a)
    for (auto b = a + 1; b != arrays.end() && b->begin < a->begin + a->view->reach().second; ++b)
      for (const auto &[given, other] : {std::pair(&*a, &*b), std::pair(&*b, &*a)})
        if (given->is_given && overlap(*given->view, *other->view) && !takes_over(*other, *given))
          return fail(Code::invalid_argument, "TW-628",
                      fmt::format("{} is donated, and {} has some of its memory",
                                  array_name(false, given->index),
                                  array_name(other->is_result, other->index)));
  return {};
}

// Only devices with queues reach what is not on the host, each on units of its own.
Status Executable::check_where(const TensorView &given, const std::string &name) const {
  if (given.where.is_host() || given.bytes() == 0)
    return {};
  const bool is_there =
      queues_ != nullptr && given.where.kind == device_ &&
      std::ranges::any_of(local_positions_, [&](Position p) { return unit(p) == given.where.unit; });
  if (is_there && !communicator_->is_shared())
    return {};
  if (is_there)
    return fail(Code::unimplemented, "TW-671",
                fmt::format("{} lies on {}: runs in several processes take arrays of the host", name,
                            to_text(given.where)));
  std::set<std::string> devices;
  for (const Position p : local_positions_)
    devices.insert(queues_ != nullptr ? to_text(device::Where{device_->as_queues(), unit(p)}) : "the host");
  return fail(Code::invalid_argument, "TW-629",
              fmt::format("{} lies on {}, and the devices of this executable are {}", name,
                          to_text(given.where), fmt::join(devices, ", ")));
}

Status Executable::run(std::span<const TensorView> inputs, std::span<const TensorView> outputs,
                       RunOrder order) {
  const std::lock_guard lock(callers_);
  TW_TRY(start(inputs, outputs, is_small_, std::move(order)));
  return wait();
}

Result<uint64_t> Executable::start(std::span<const TensorView> inputs, std::span<const TensorView> outputs,
                                   RunOrder order) {
  return start(inputs, outputs, false, std::move(order));
}

Result<uint64_t> Executable::start(std::span<const TensorView> inputs, std::span<const TensorView> outputs,
                                   bool alone, RunOrder order) {
  if (Status status = check(inputs, outputs); !status) {
    communicator_->abort(status.error());
    return fail(std::move(status.error()));
  }
  if (in_progress_.exchange(true))
    return fail(Code::failed_precondition, "TW-626",
                "a run of this executable is in progress: wait for it, or make another executable");
  try {
    auto begun = begin(inputs, outputs, alone, std::move(order));
    if (!begun) {
      in_progress_ = false;
      communicator_->abort(begun.error());
    }
    return begun;
  } catch (...) { // no memory
    in_progress_ = false;
    throw;
  }
}

Result<uint64_t> Executable::begin(std::span<const TensorView> inputs, std::span<const TensorView> outputs,
                                   bool alone, RunOrder order) {
  const auto name = [this](uint32_t i) { return array_name(true, i); };
  if (!collector_ || is_local(Position(0))) // else others write them
    TW_TRY(check_apart(outputs, output_order_, name, result_owners_));
  dense_.clear();
  inputs_.resize(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    inputs_[i] = inputs[i].data;
    if (inputs[i].is_dense() || !inputs[i].where.is_host())
      continue;
    const auto size = static_cast<int64_t>(byte_size(inputs[i].dtype));
    dense_.emplace_back(graph::TensorType{inputs[i].dtype, {inputs[i].dims.begin(), inputs[i].dims.end()}});
    CopyPlan(inputs[i].dims, inputs[i].strides, dense_strides(inputs[i].dims), size)
        .run(inputs[i].data, dense_.back().data());
    inputs_[i] = dense_.back().data();
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs_[i] = outputs[i].data;
    is_owners_out_[i] = is_owners_tile(outputs, result_owners_, i);
  }
  const auto in = [](void *self, int64_t part) { static_cast<Executable *>(self)->copy_in(part); };
  const auto out = [](void *self, int64_t part) { static_cast<Executable *>(self)->copy_out(part); };
  const size_t out_parts = communicator_->is_shared() ? 0 : gather_parts_.size();
  Task task{arenas_,
            inputs_,
            {static_cast<int64_t>(scatter_parts_.size()), in, this},
            {static_cast<int64_t>(out_parts), out, this},
            alone};
  if (queues_ != nullptr) {
    TW_TRY(arrange(inputs, outputs));
    task.arguments = bases_;
    task.to_devices = to_devices_;
    task.to_host = to_host_;
    task.carry_in = carry_in_;
    task.carry_out = carry_out_;
  }
  TW_ASSIGN(task.order, join(std::move(order)));
  finished_ = false;
  const uint64_t number = executor_->begin(task);
  if (task.order.stream != nullptr)
    executor_->wait_issued();
  return number;
}

void Executable::copy_in(int64_t part) {
  const auto [transfer, piece] = scatter_parts_[static_cast<size_t>(part)];
  const ArrayCopy &t = scatter_[transfer];
  if (queues_ != nullptr && is_on_device_in_[t.array])
    return;
  std::byte *const wanted =
      queues_ != nullptr ? landings_in_[transfer].host : arenas_[t.place.arena] + t.place.offset;
  t.plan.run_part(static_cast<const std::byte *>(inputs_[t.array]) + t.array_offset, wanted, piece, t.parts);
}

void Executable::copy_out(int64_t part) {
  const auto [transfer, piece] = gather_parts_[static_cast<size_t>(part)];
  const ArrayCopy &t = gather_[transfer];
  if (is_owners_out_[t.array] || (queues_ != nullptr && is_on_device_out_[t.array]))
    return;
  const std::byte *made = queues_ != nullptr ? landings_out_[transfer].host
                          : t.place.base == 0
                              ? arenas_[t.place.arena] + t.place.offset
                              : static_cast<std::byte *>(inputs_[t.place.base - 1]) + t.place.offset;
  std::byte *wanted = static_cast<std::byte *>(outputs_[t.array]) + t.array_offset;
  if (made != wanted) // else it was made there
    t.plan.run_part(made, wanted, piece, t.parts);
}

bool Executable::test() {
  finished_ = finished_ || executor_->try_finish();
  return finished_;
}

Status Executable::wait() {
  if (!finished_)
    executor_->finish();
  finished_ = true;
  return end();
}

Status Executable::end() {
  auto failure = executor_->take_failure();
  if (failure && !communicator_->is_shared()) // else the others were told at once
    explain(*failure);
  Status status = failure ? fail(std::move(failure->error)) : share_success();
  if (!status)
    communicator_->abort(status.error());
  ++(status ? runs_ : failed_runs_);
  dense_.clear();
  in_progress_ = false;
  return status;
}

// With other processes either all have results, or none.
Status Executable::share_success() {
  if (!communicator_->is_shared())
    return {};
  TW_TRY(communicator_->barrier());
  pool_->parallel_for(static_cast<int64_t>(gather_parts_.size()),
                      [&](int64_t part, unsigned) { copy_out(part); });
  const auto find = [this](uint32_t result, const Location &place) { return landed(result, place); };
  return collector_ ? collector_->run(find, outputs_, *pool_) : Status();
}

// Where a tile of a result lies on the host after a run; null: it is another process's, or nobody asks for
// it.
const void *Executable::landed(uint32_t result, const Location &place) const {
  if (queues_ == nullptr)
    return arenas_[place.arena] + place.offset;
  for (size_t i = 0; i < gather_.size(); ++i)
    if (const ArrayCopy &copy = gather_[i];
        copy.array == result && copy.place.arena == place.arena && copy.place.offset == place.offset)
      return landings_out_[i].host;
  return nullptr;
}

} // namespace tw::runtime
