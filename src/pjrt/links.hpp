// SPDX-License-Identifier: Apache-2.0
// Messages between processes over one connection each. Communicators share the connections: each has a
// channel. Nothing waits: whoever asks sends what the connections take, and takes what has come. A message is
// a head and its bytes, which are read and written where they lie, unless they lie in many small runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pjrt/rendezvous.hpp"
#include <tilewright/tw_transport.h>

namespace tw::pjrt {

// Bytes in memory of somebody else: a run, or runs in loops.
class Runs {
public:
  Runs() = default;
  Runs(void *data, size_t bytes, std::vector<tw_message_loop_t> loops);
  size_t size() const { return size_; }
  size_t run() const { return run_; }
  // The memory from byte `at` on, as far as it lies in one run.
  std::span<std::byte> from(size_t at) const;
  void copy_out(std::byte *to) const;
  void copy_in(const std::byte *from) const;

private:
  std::byte *data_ = nullptr;
  size_t run_ = 0, size_ = 0;
  std::vector<tw_message_loop_t> loops_;
};

// A message that was prepared, and starts again and again.
struct LinkMessage {
  size_t process = 0;
  int32_t tag = 0;
  bool sends = false;
  Runs runs;
  std::vector<std::byte> packed; // where runs are small: what is sent, or comes
  bool is_open = false;          // started, and not through
  // The memory of the message, from a byte on.
  std::span<std::byte> from(size_t at);
};

using Channel = uint64_t;

class Links {
public:
  // `all`: with the connections of the process `self`.
  Links(std::vector<Process> all, size_t self);
  ~Links();
  Links(const Links &) = delete;

  const std::string &name(size_t process) const { return all_[process].name; }

  // ---- all that follows throws what goes wrong as a Failure ----

  // Of one tag and channel messages come as they were started.
  void start(Channel channel, std::span<LinkMessage> messages);
  // Whether all are through.
  bool test(Channel channel, std::span<LinkMessage> messages);
  // Their memory is not looked at any more.
  void give_up(Channel channel, std::span<LinkMessage> messages);
  // Past what is under way.
  void tell(Channel channel, std::span<const size_t> processes, std::span<const std::byte> news);
  // What this process does next on a channel; these processes have to do the same in the same order, else
  // their tests fail.
  void note(Channel channel, std::span<const size_t> processes, const std::string &what);
  // What somebody told, once.
  std::optional<std::vector<std::byte>> news(Channel channel);

private:
  static constexpr size_t kBufferBytes = 64 << 10;
  struct Head {
    Channel channel;
    int64_t bytes;
    int32_t tag; // kNews, kNote: of no message
    int32_t unused;
  };
  static constexpr int32_t kNews = -1, kNote = -2;
  using Key = std::pair<Channel, int32_t>;

  struct Outgoing {
    Head head;
    LinkMessage *message; // or null, and the bytes are here
    std::vector<std::byte> bytes;
    size_t at = 0; // done, of head and bytes
  };
  struct Incoming {
    Key key;
    size_t size = 0, at = 0;
    LinkMessage *target = nullptr; // where it goes, at once or when it is there
    bool is_direct = false;        // at once
    std::vector<std::byte> bytes;  // else
  };
  struct Peer {
    std::deque<Outgoing> out;
    std::map<Key, std::deque<LinkMessage *>> expected; // receives that were started
    std::map<Key, std::list<std::unique_ptr<Incoming>>> early;
    Head head{};
    size_t head_at = 0;
    Incoming *coming = nullptr;       // one of `early`, or `direct`
    std::unique_ptr<Incoming> direct; // what goes where it belongs at once
    std::vector<std::byte> buffer;    // read, and not looked at
    size_t buffer_at = 0, buffer_end = 0;
    std::string gone; // why there is nobody any more
    // What this process does on a channel and the other does not yet, and the other way round.
    std::map<Channel, std::pair<std::deque<std::string>, std::deque<std::string>>> notes;
  };

  void move_all();
  void send_some(size_t process);
  void receive_some(size_t process);
  void take_buffered(size_t process);
  void begin_incoming(Peer &peer);
  void end_incoming(size_t process);
  std::span<std::byte> room(Peer &peer);
  void leave(size_t process, std::string why);
  void compare_notes(size_t process, Channel channel);

  std::mutex mutex_;
  std::vector<Process> all_;
  std::vector<Peer> peers_;
  size_t self_;
  std::map<Channel, std::deque<std::vector<std::byte>>> news_;
  std::map<Channel, std::string> unlike_; // that processes do not do the same
};

} // namespace tw::pjrt
