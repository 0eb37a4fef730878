// SPDX-License-Identifier: Apache-2.0
// The least that a way between processes has to offer: messages that are prepared once, started and asked
// for, and a word to all others that something went wrong. Nothing here waits. One thread at a time calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.hpp"

namespace tw::comm {

// So many runs, so many bytes from one to the next.
struct Repeat {
  int64_t n, stride;
};
// What lies in a run of bytes, or in as many of them as loops, outer to inner, make of it.
struct Message {
  int64_t peer;
  int32_t tag;
  bool sends;
  std::byte *data;
  int64_t bytes;
  std::vector<Repeat> loops = {};
};

// Messages that start together. Those of one tag between two processes arrive in the order in which they were
// started.
class Batch {
public:
  virtual ~Batch() = default;
  virtual Status start() = 0;
  virtual Result<bool> test() = 0; // all are through
  virtual int64_t missing() = 0;   // a peer with whom one is not; -1: none
  virtual bool give_up() = 0;      // true: nothing reads or writes the memory any more
};

// What is told to all others: fixed in size, so that it can be waited for from the start.
struct RemoteError {
  static constexpr size_t kText = 1000;
  int32_t code = 0;
  int32_t rank = 0;
  char id[16] = {};
  char text[kText] = {};
};

class Transport {
public:
  virtual ~Transport() = default;
  virtual int64_t rank() const = 0;
  virtual int64_t size() const = 0;
  virtual int32_t highest_tag() const = 0;
  virtual Result<std::unique_ptr<Batch>> prepare(std::span<const Message> messages) = 0;
  virtual void broadcast(const RemoteError &error) = 0; // to all others; not waited for
  virtual bool poll_error(RemoteError &error) = 0;      // of somebody else
};

} // namespace tw::comm
