// SPDX-License-Identifier: Apache-2.0
// Processes that are threads of one, so that what several processes do is tested where there is no MPI, under
// sanitizers, and thousands of times. A message stays where it is until its receiver takes it, as large ones
// do elsewhere.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "comm/remote/processes.hpp"
#include "comm/remote/transport.hpp"

namespace tw::test {

class ThreadTransport final : public comm::Transport {
public:
  struct Hub {
    explicit Hub(int64_t n) : size(n), remote_errors(static_cast<size_t>(n)) {}
    const int64_t size;
    std::mutex mutex;
    struct Sent {
      const comm::Message &message;
      bool taken = false;
    };
    std::map<std::tuple<int64_t, int64_t, int32_t>, std::deque<std::shared_ptr<Sent>>>
        queues; // from, to, tag
    std::vector<std::optional<comm::RemoteError>> remote_errors;
  };

  ThreadTransport(std::shared_ptr<Hub> hub, int64_t rank) : hub_(std::move(hub)), rank_(rank) {}

  int64_t rank() const override { return rank_; }
  int64_t size() const override { return hub_->size; }
  int32_t highest_tag() const override { return 1 << 30; }
  Result<std::unique_ptr<comm::Batch>> prepare(std::span<const comm::Message> messages) override {
    return std::make_unique<Batch>(hub_, rank_, messages);
  }
  void broadcast(const comm::RemoteError &error) override {
    const std::lock_guard lock(hub_->mutex);
    for (size_t p = 0; p < hub_->remote_errors.size(); ++p)
      if (static_cast<int64_t>(p) != rank_ && !hub_->remote_errors[p])
        hub_->remote_errors[p] = error;
  }
  bool poll_error(comm::RemoteError &error) override {
    const std::lock_guard lock(hub_->mutex);
    const auto &mine = hub_->remote_errors[static_cast<size_t>(rank_)];
    if (mine)
      error = *mine;
    return mine.has_value();
  }

private:
  class Batch final : public comm::Batch {
  public:
    Batch(std::shared_ptr<Hub> hub, int64_t rank, std::span<const comm::Message> messages)
        : hub_(std::move(hub)), rank_(rank), messages_(messages.begin(), messages.end()),
          sent_(messages.size()), done_(messages.size(), 1) {}
    ~Batch() override { take_back(); }

    Status start() override {
      const std::lock_guard lock(hub_->mutex);
      for (size_t i = 0; i < messages_.size(); ++i) {
        const comm::Message &m = messages_[i];
        done_[i] = 0;
        if (m.sends)
          sent_[i] =
              hub_->queues[{rank_, m.peer, m.tag}].emplace_back(std::make_shared<Hub::Sent>(Hub::Sent{m}));
      }
      return {};
    }
    Result<bool> test() override {
      const std::lock_guard lock(hub_->mutex);
      bool all = true;
      for (size_t i = 0; i < messages_.size(); ++i) {
        const comm::Message &m = messages_[i];
        if (done_[i])
          continue;
        if (m.sends) {
          done_[i] = sent_[i]->taken;
          all = all && done_[i];
          continue;
        }
        auto &queue = hub_->queues[{m.peer, rank_, m.tag}];
        if (queue.empty()) {
          all = false;
          continue;
        }
        std::vector<std::byte> bytes;
        each_run(queue.front()->message,
                 [&](std::byte *run, size_t n) { bytes.insert(bytes.end(), run, run + n); });
        size_t at = 0, wanted = 0;
        each_run(m, [&](std::byte *, size_t n) { wanted += n; });
        if (bytes.size() != wanted)
          return fail(Code::internal, "TW-643", "a message of another size than expected");
        each_run(m, [&](std::byte *run, size_t n) {
          std::copy_n(bytes.data() + at, n, run);
          at += n;
        });
        queue.front()->taken = true;
        queue.pop_front();
        done_[i] = 1;
      }
      return all;
    }
    int64_t missing() override {
      for (size_t i = 0; i < messages_.size(); ++i)
        if (!done_[i])
          return messages_[i].peer;
      return -1;
    }
    bool give_up() override {
      take_back();
      return true;
    }

  private:
    void take_back() {
      const std::lock_guard lock(hub_->mutex);
      for (size_t i = 0; i < messages_.size(); ++i)
        if (sent_[i] != nullptr && !sent_[i]->taken)
          std::erase(hub_->queues[{rank_, messages_[i].peer, messages_[i].tag}], sent_[i]);
    }
    template <class Visit> static void each_run(const comm::Message &m, Visit &&visit) {
      std::vector<int64_t> at(m.loops.size(), 0);
      for (;;) {
        int64_t offset = 0;
        for (size_t l = 0; l < at.size(); ++l)
          offset += at[l] * m.loops[l].stride;
        visit(m.data + offset, static_cast<size_t>(m.bytes));
        size_t l = at.size();
        while (l-- > 0 && ++at[l] == m.loops[l].n)
          at[l] = 0;
        if (l == SIZE_MAX)
          return;
      }
    }

    std::shared_ptr<Hub> hub_;
    int64_t rank_;
    std::vector<comm::Message> messages_;
    std::vector<std::shared_ptr<Hub::Sent>> sent_; // by message
    std::vector<uint8_t> done_;
  };

  std::shared_ptr<Hub> hub_;
  int64_t rank_;
};

// One for each of `size` threads.
inline std::vector<std::shared_ptr<comm::Processes>>
thread_processes(int64_t size, std::chrono::nanoseconds deadline = std::chrono::seconds(30)) {
  auto hub = std::make_shared<ThreadTransport::Hub>(size);
  std::vector<std::shared_ptr<comm::Processes>> all;
  for (int64_t p = 0; p < size; ++p)
    all.push_back(std::make_shared<comm::Processes>(std::make_unique<ThreadTransport>(hub, p), deadline));
  return all;
}

} // namespace tw::test
