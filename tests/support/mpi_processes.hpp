// SPDX-License-Identifier: Apache-2.0
// Processes over MPI as tests use them, and a transport that fails on purpose at one of its exchanges.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

#include "comm/mpi/mpi.hpp"
#include "comm/remote/processes.hpp"

namespace tw::test {

using comm::Clock;

// What happens in front of the n-th exchange that a process begins.
struct ProcessFault {
  enum class Kind : uint8_t { none, error, desert, delay, exit, kill, stop };
  Kind kind = Kind::none;
  int64_t exchange = 0;
  std::chrono::milliseconds late{0};
};

inline constexpr std::pair<std::string_view, ProcessFault::Kind> kProcessFaults[] = {
    {"error", ProcessFault::Kind::error}, {"desert", ProcessFault::Kind::desert},
    {"delay", ProcessFault::Kind::delay}, {"exit", ProcessFault::Kind::exit},
    {"kill", ProcessFault::Kind::kill},   {"stop", ProcessFault::Kind::stop},
};

// Shared with the test, which sets the fault and reads when it happened.
struct FaultPlan {
  ProcessFault fault;
  int64_t exchanges = 0;
  Clock::time_point happened{};
  bool deserted = false; // it returns early and tells nobody
};

class FaultyTransport final : public comm::Transport {
public:
  FaultyTransport(std::unique_ptr<comm::Transport> inner, std::shared_ptr<FaultPlan> plan)
      : inner_(std::move(inner)), plan_(std::move(plan)) {}

  int64_t rank() const override { return inner_->rank(); }
  int64_t size() const override { return inner_->size(); }
  int32_t highest_tag() const override { return inner_->highest_tag(); }
  Result<std::unique_ptr<comm::Batch>> prepare(std::span<const comm::Message> messages) override {
    TW_ASSIGN(auto batch, inner_->prepare(messages));
    return std::make_unique<Batch>(std::move(batch), plan_);
  }
  void broadcast(const comm::RemoteError &error) override {
    if (!plan_->deserted)
      inner_->broadcast(error);
  }
  bool poll_error(comm::RemoteError &error) override { return inner_->poll_error(error); }

private:
  class Batch final : public comm::Batch {
  public:
    Batch(std::unique_ptr<comm::Batch> inner, std::shared_ptr<FaultPlan> plan)
        : inner_(std::move(inner)), plan_(std::move(plan)) {}
    Status start() override {
      using Kind = ProcessFault::Kind;
      if (plan_->fault.kind != Kind::none && plan_->exchanges++ == plan_->fault.exchange) {
        plan_->happened = Clock::now();
        switch (plan_->fault.kind) {
        case Kind::none: break;
        case Kind::desert: plan_->deserted = true; [[fallthrough]];
        case Kind::error: return fail(Code::internal, "TW-621", "an error provoked by a test");
        case Kind::delay: std::this_thread::sleep_for(plan_->fault.late); break;
        case Kind::exit: _exit(0);
        case Kind::kill: static_cast<void>(::raise(SIGKILL)); break;
        case Kind::stop: static_cast<void>(::raise(SIGSTOP)); break;
        }
      }
      return inner_->start();
    }
    Result<bool> test() override { return inner_->test(); }
    int64_t missing() override { return inner_->missing(); }
    bool give_up() override { return inner_->give_up(); }

  private:
    std::unique_ptr<comm::Batch> inner_;
    std::shared_ptr<FaultPlan> plan_;
  };

  std::unique_ptr<comm::Transport> inner_;
  std::shared_ptr<FaultPlan> plan_;
};

// A fresh communicator of all processes; what fails here ends the test.
inline std::shared_ptr<comm::Processes> mpi_processes(std::chrono::nanoseconds deadline,
                                                      std::shared_ptr<FaultPlan> plan = nullptr) {
  auto transport =
      comm::open_mpi(nullptr, "", std::max<std::chrono::nanoseconds>(deadline, std::chrono::seconds(30)));
  if (!transport) {
    std::fprintf(stderr, "%s\n", transport.error().message().c_str());
    _exit(1);
  }
  if (plan != nullptr)
    *transport = std::make_unique<FaultyTransport>(std::move(*transport), std::move(plan));
  return std::make_shared<comm::Processes>(std::move(*transport), deadline);
}

// What every process has to say, on every process.
template <class T> std::vector<T> all_say(comm::Processes &processes, const T &mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(static_cast<size_t>(processes.size()), mine);
  T copy = mine;
  const auto tag = processes.take_tags(1);
  std::vector<comm::Message> messages;
  for (int64_t p = 0; p < processes.size(); ++p)
    if (p != processes.rank()) {
      messages.push_back(
          {p, *tag, false, reinterpret_cast<std::byte *>(&all[static_cast<size_t>(p)]), sizeof(T)});
      messages.push_back({p, *tag, true, reinterpret_cast<std::byte *>(&copy), sizeof(T)});
    }
  auto exchange = processes.prepare(messages);
  Status status = exchange ? exchange->start() : fail(std::move(exchange.error()));
  for (bool done = false; status && !done;) {
    auto asked = exchange->done();
    if (asked)
      done = *asked;
    else
      status = fail(std::move(asked.error()));
    std::this_thread::yield();
  }
  if (!status) {
    std::fprintf(stderr, "%s\n", status.error().message().c_str());
    _exit(1);
  }
  return all;
}

} // namespace tw::test
