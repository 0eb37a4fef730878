// SPDX-License-Identifier: Apache-2.0
// Processes that are threads of one: messages go through queues, so that what several processes do is tested where there is no MPI, under
// sanitizers, and thousands of times.
#pragma once

#include <chrono>
#include <cstring>
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
    explicit Hub(int64_t n) : size(n), alarms(static_cast<size_t>(n)) {}
    const int64_t size;
    std::mutex mutex;
    std::map<std::tuple<int64_t, int64_t, int32_t>, std::deque<std::vector<std::byte>>>
        queues; // from, to, tag
    std::vector<std::optional<comm::Alarm>> alarms;
  };

  ThreadTransport(std::shared_ptr<Hub> hub, int64_t rank) : hub_(std::move(hub)), rank_(rank) {}

  int64_t rank() const override { return rank_; }
  int64_t size() const override { return hub_->size; }
  int32_t highest_tag() const override { return 1 << 30; }
  Result<std::unique_ptr<comm::Batch>> prepare(std::span<const comm::Message> messages) override {
    return std::make_unique<Batch>(hub_, rank_, messages);
  }
  void raise(const comm::Alarm &alarm) override {
    const std::lock_guard lock(hub_->mutex);
    for (size_t p = 0; p < hub_->alarms.size(); ++p)
      if (static_cast<int64_t>(p) != rank_ && !hub_->alarms[p])
        hub_->alarms[p] = alarm;
  }
  bool heard(comm::Alarm &alarm) override {
    const std::lock_guard lock(hub_->mutex);
    const auto &mine = hub_->alarms[static_cast<size_t>(rank_)];
    if (mine)
      alarm = *mine;
    return mine.has_value();
  }

private:
  class Batch final : public comm::Batch {
  public:
    Batch(std::shared_ptr<Hub> hub, int64_t rank, std::span<const comm::Message> messages)
        : hub_(std::move(hub)), rank_(rank), messages_(messages.begin(), messages.end()),
          done_(messages.size(), 1) {}

    Status start() override {
      const std::lock_guard lock(hub_->mutex);
      for (size_t i = 0; i < messages_.size(); ++i) {
        const comm::Message &m = messages_[i];
        done_[i] = m.sends;
        if (m.sends)
          hub_->queues[{rank_, m.peer, m.tag}].emplace_back(m.data, m.data + m.bytes);
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
        auto &queue = hub_->queues[{m.peer, rank_, m.tag}];
        if (queue.empty()) {
          all = false;
          continue;
        }
        if (static_cast<int64_t>(queue.front().size()) != m.bytes)
          return fail(Code::internal, "TW-643", "a message of another size than expected");
        if (m.bytes > 0)
          std::memcpy(m.data, queue.front().data(), static_cast<size_t>(m.bytes));
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
    bool give_up() override { return true; }

  private:
    std::shared_ptr<Hub> hub_;
    int64_t rank_;
    std::vector<comm::Message> messages_;
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
