// SPDX-License-Identifier: Apache-2.0
// One run of a loaded executable: what it reads and makes, checked when it is handed over, and run by the
// caller's thread or by the queue.
#pragma once

#include <memory>
#include <vector>

#include "pjrt/buffer.hpp"
#include "pjrt/executable.hpp"

namespace tw::pjrt {

class Run {
public:
  explicit Run(std::shared_ptr<const Compiled> compiled)
      : compiled_(std::move(compiled)), positions_(compiled_->positions) {}
  ~Run();

  // Takes the arguments of all devices, those that are donated out of their buffers. Nothing has changed
  // where it throws.
  void take_arguments(const abi::Execute &args);
  void make_results();
  // Whether the caller may run it: it takes little time and waits for nobody.
  bool is_at_once() const;
  // Runs it, once. How that ends is what `done` says.
  void run();

  const StoragePtr &result(size_t partition, size_t i) const { return results_[index(partition, i)]; }
  const std::shared_ptr<Completion> &done() const { return done_; }

private:
  // Arrays are ordered as runs take them: by argument or result, then by position.
  size_t index(size_t partition, size_t i) const { return i * positions_.size() + positions_[partition]; }
  bool has_arguments() const; // all of them are there already
  void stop_reading();
  // Whether nobody else reads, or sees, what was given away.
  bool is_alone(size_t argument, const Storage &storage) const;
  void run_whole();
  void run_tiles();
  // Of arrays that are moved: the tiles of all positions, and what the buffers get of them.
  std::vector<StoragePtr> tiles_of_argument(size_t i) const;
  void hand_out_result(size_t i, const std::vector<StoragePtr> &tiles);

  // The tile that the program has at a position.
  Box tile_of(bool is_result, size_t i, size_t position) const;

  std::shared_ptr<const Compiled> compiled_;
  const std::vector<size_t> &positions_;  // by partition of this process
  tw_executable_t *executable_ = nullptr; // while it runs
  std::vector<StoragePtr> arguments_, results_;
  std::vector<bool> is_taken_; // by argument: donated, and given to this run alone
  std::shared_ptr<Completion> done_ = std::make_shared<Completion>();
  bool reads_ = false; // its arguments count it as a reader
};

} // namespace tw::pjrt
