// SPDX-License-Identifier: Apache-2.0
// Runs: arguments taken and checked, results made, and those that lie otherwise in the program moved.
#include "pjrt/run.hpp"

#include <algorithm>
#include <utility>

#include "pjrt/element_type.hpp"
#include "pjrt/ffi.hpp"
#include "pjrt/moved.hpp"

namespace tw::pjrt {

namespace {

std::string text_of_type(tw_dtype_t dtype, const std::vector<int64_t> &dims) {
  std::string text = std::string(tw_dtype_name(dtype)) + "[";
  for (size_t d = 0; d < dims.size(); ++d)
    text += (d ? "," : "") + std::to_string(dims[d]);
  return text + "]";
}

void copy(tw_tensor_t *target, const tw_tensor_t *source) { check(tw_tensor_copy(target, source, nullptr)); }

// A result is made where its argument lies: in the argument's own memory where that is this run's alone, else
// in a copy.
void give_place(Storage &result, Storage &argument, bool is_alone, std::span<const int64_t> dims) {
  if (is_alone) {
    result.tensor.reset(tw_tensor_retain(argument.tensor.get()));
    argument.is_ours = false; // where several devices hold it, the first result has it
    return;
  }
  if (result.tensor == nullptr)
    result.tensor = std::move(allocate(tw_tensor_dtype(argument.tensor.get()), dims)->tensor);
  copy(result.tensor.get(), argument.tensor.get());
}

} // namespace

Run::~Run() { stop_reading(); }

void Run::stop_reading() {
  if (std::exchange(reads_, false))
    for (size_t a = 0; a < arguments_.size(); ++a)
      if (!is_taken_[a / positions_.size()])
        --arguments_[a]->readers;
}

Box Run::tile_of(bool is_result, size_t i, size_t position) const {
  const size_t rank = (is_result ? compiled_->results : compiled_->arguments)[i].dims.size();
  Box box{std::vector<int64_t>(rank), std::vector<int64_t>(rank)};
  check(tw_executable_tile(executable_, is_result, i, position, box.offset.data(), box.extent.data()));
  return box;
}

void Run::take_arguments(const abi::Execute &args) {
  const size_t n = compiled_->arguments.size();
  if (args.num_args != n)
    throw Failure{abi::Code::invalid_argument, compiled_->name + " takes " + std::to_string(n) +
                                                   " arguments, " + std::to_string(args.num_args) +
                                                   " were given"};
  is_taken_ = compiled_->is_donated;
  for (size_t i = 0; args.options != nullptr && i < args.options->num_not_donatable; ++i)
    if (const int64_t argument = args.options->not_donatable[i];
        argument >= 0 && static_cast<size_t>(argument) < n)
      is_taken_[static_cast<size_t>(argument)] = false;

  std::vector<Buffer *> buffers(n * positions_.size());
  std::vector<std::pair<Buffer *, size_t>> donated;
  for (size_t i = 0; i < n; ++i)
    for (size_t p = 0; p < positions_.size(); ++p) {
      Buffer &buffer = *(buffers[index(p, i)] = args.arguments[p][i]);
      const ArraySpec &spec = compiled_->arguments[i];
      if (spec.dtype != TW_TOKEN && (buffer.type != spec.type || buffer.dims != spec.local))
        throw Failure{abi::Code::invalid_argument,
                      "argument " + std::to_string(i) + " of " + compiled_->name + " is " +
                          text_of_type(dtype_of(buffer.type), buffer.dims) + " on partition " +
                          std::to_string(p) + ", it takes " + text_of_type(spec.dtype, spec.local)};
      if (is_taken_[i])
        donated.emplace_back(&buffer, i);
    }
  if (!donated.empty()) {
    std::ranges::sort(donated);
    for (size_t i = 0; i < n; ++i)
      for (size_t p = 0; p < positions_.size(); ++p) {
        Buffer *const buffer = buffers[index(p, i)];
        for (auto at = std::ranges::lower_bound(donated, std::pair{buffer, size_t{0}});
             at != donated.end() && at->first == buffer; ++at)
          if (at->second != i)
            throw Failure{abi::Code::invalid_argument, "argument " + std::to_string(at->second) + " of " +
                                                           compiled_->name + " is donated, and argument " +
                                                           std::to_string(i) + " is the same buffer"};
      }
  }
  arguments_.reserve(buffers.size());
  for (size_t a = 0; a < buffers.size(); ++a) {
    StoragePtr storage = buffers[a]->get();
    // JAX hands over an empty array for a token.
    const bool is_token = compiled_->arguments[a / positions_.size()].dtype == TW_TOKEN;
    arguments_.push_back(is_token ? allocate(TW_TOKEN, {}) : std::move(storage));
  }
  if (is_in_foreign_call() && !has_arguments())
    throw Failure{abi::Code::failed_precondition,
                  compiled_->name + " is run by a function that another program calls, and takes arrays that "
                                    "may be there only after that program"};
  for (size_t a = 0; a < buffers.size(); ++a)
    if (is_taken_[a / positions_.size()])
      buffers[a]->take();
    else
      ++arguments_[a]->readers;
  reads_ = true;
}

bool Run::has_arguments() const {
  return std::ranges::all_of(arguments_, [](const StoragePtr &storage) { return storage->ready->is_over(); });
}

void Run::make_results() {
  const size_t n = compiled_->results.size() * positions_.size();
  results_.reserve(n);
  for (size_t r = 0; r < n; ++r) {
    const size_t i = r / positions_.size();
    const ArraySpec &spec = compiled_->results[i];
    const int64_t argument = compiled_->argument_of[i];
    if (const size_t owner = compiled_->result_owners[r]; owner != r % positions_.size() && !spec.is_moved)
      results_.push_back(results_[i * positions_.size() + owner]);
    else if (argument >= 0 && is_taken_[static_cast<size_t>(argument)] && !spec.is_moved)
      results_.push_back(std::make_shared<Storage>()); // its memory is found when the run begins
    else
      results_.push_back(allocate(spec.dtype, spec.local));
    results_.back()->ready = done_;
  }
}

bool Run::is_at_once() const {
  return compiled_->is_quick && std::ranges::all_of(arguments_, [&](const StoragePtr &storage) {
           return storage->ready->is_over() &&
                  (storage->readers == 0 ||
                   !is_taken_[static_cast<size_t>(&storage - arguments_.data()) / positions_.size()]);
         });
}

bool Run::is_alone(size_t argument, const Storage &storage) const {
  return is_taken_[argument] && storage.is_ours && storage.readers == 0 && storage.views == 0 &&
         storage.holders == 0;
}

void Run::run_whole() {
  std::vector<const tw_tensor_t *> inputs(arguments_.size());
  std::vector<tw_tensor_t *> outputs(results_.size());
  std::vector<StoragePtr> kept;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    Storage &storage = *arguments_[i];
    inputs[i] = storage.tensor.get();
    const int64_t result = compiled_->result_in[i];
    if (result < 0)
      continue;
    Storage &made = *results_[static_cast<size_t>(result)];
    give_place(made, storage, is_alone(i, storage), compiled_->arguments[i].dims);
    inputs[i] = made.tensor.get();
  }
  for (size_t i = 0; i < results_.size(); ++i)
    outputs[i] = results_[i]->tensor.get();
  check(tw_executable_run(executable_, inputs.data(), inputs.size(), outputs.data(), outputs.size()));
}

std::vector<StoragePtr> Run::tiles_of_argument(size_t i) const {
  const ArraySpec &spec = compiled_->arguments[i];
  const size_t n = positions_.size();
  std::vector<StoragePtr> buffers, tiles;
  for (size_t p = 0; p < n; ++p)
    buffers.push_back(arguments_[index(p, i)]);
  const StoragePtr whole = join_held(spec, buffers);
  for (size_t position = 0; position < n; ++position) {
    const Box box = tile_of(false, i, position);
    tiles.push_back(allocate(spec.dtype, box.extent));
    cut(spec, *whole, box, *tiles.back());
  }
  return tiles;
}

void Run::hand_out_result(size_t i, const std::vector<StoragePtr> &tiles) {
  const ArraySpec &spec = compiled_->results[i];
  std::vector<Box> boxes;
  for (size_t position = 0; position < tiles.size(); ++position)
    boxes.push_back(tile_of(true, i, position));
  const StoragePtr whole = join_tiles(spec, tiles, boxes);
  for (size_t p = 0; p < tiles.size(); ++p)
    cut_held(spec, *whole, p, *results_[index(p, i)]);
}

void Run::run_tiles() {
  const size_t n = positions_.size();
  std::vector<const tw_tensor_t *> inputs(arguments_.size());
  std::vector<tw_tensor_t *> outputs(results_.size());
  std::vector<std::vector<StoragePtr>> made(compiled_->results.size()); // tiles of what is moved
  for (size_t i = 0; i < made.size(); ++i)
    for (size_t k = 0; k < n && compiled_->results[i].is_moved; ++k)
      if (const size_t owner = compiled_->result_owners[i * n + k]; owner != k)
        made[i].push_back(made[i][owner]);
      else
        made[i].push_back(compiled_->argument_of[i] >= 0
                              ? std::make_shared<Storage>()
                              : allocate(compiled_->results[i].dtype, tile_of(true, i, k).extent));
  const auto tile_of_result = [&](size_t i, size_t k) -> Storage & {
    return made[i].empty() ? *results_[i * n + k] : *made[i][k];
  };
  std::vector<std::vector<StoragePtr>> cut(compiled_->arguments.size());
  for (size_t i = 0; i < cut.size(); ++i) {
    if (compiled_->arguments[i].is_moved)
      cut[i] = tiles_of_argument(i);
    for (size_t k = 0; k < n; ++k) {
      Storage &given = cut[i].empty() ? *arguments_[i * n + k] : *cut[i][k];
      inputs[i * n + k] = given.tensor.get();
      if (compiled_->result_in[i] < 0)
        continue;
      const auto result = static_cast<size_t>(compiled_->result_in[i]);
      Storage &place = tile_of_result(result, k);
      if (compiled_->result_owners[result * n + k] == k)
        give_place(place, given, !cut[i].empty() || is_alone(i, given), tile_of(false, i, k).extent);
      inputs[i * n + k] = place.tensor.get();
    }
  }
  for (size_t i = 0; i < made.size(); ++i)
    for (size_t k = 0; k < n; ++k)
      outputs[i * n + k] = tile_of_result(i, k).tensor.get();
  check(tw_executable_run(executable_, inputs.data(), inputs.size(), outputs.data(), outputs.size()));
  for (size_t i = 0; i < made.size(); ++i)
    if (!made[i].empty())
      hand_out_result(i, made[i]);
}

void Run::run() {
  std::optional<Failure> failure;
  try {
    for (const StoragePtr &storage : arguments_) {
      storage->ready->wait();
      if (storage->ready->failure() != nullptr)
        throw *storage->ready->failure();
    }
    executable_ =
        compiled_->team == nullptr ? compiled_->executable.get() : compiled_->team->executable(compiled_);
    compiled_->is_whole ? run_whole() : run_tiles();
  } catch (const Failure &thrown) {
    failure = thrown;
  } catch (const std::exception &thrown) {
    failure = Failure{abi::Code::internal, thrown.what()};
  }
  if (failure && compiled_->team != nullptr)
    compiled_->team->fail(*failure);
  stop_reading(); // before anybody hears of the end, and gives an argument away
  done_->finish(std::move(failure));
}

} // namespace tw::pjrt
