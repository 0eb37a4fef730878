// SPDX-License-Identifier: Apache-2.0
// tw_transport.h: the host's functions as a way between processes.
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "capi/call.hpp"
#include "capi/callbacks.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "comm/remote/processes.hpp"
#include "comm/remote/transport.hpp"
#include <tilewright/tw_transport.h>

using namespace tw;
using namespace tw::capi;

namespace {

constexpr const char *kTransportFailed = "TW-647";
constexpr int32_t kLeastTags = 65535; // what collectives, meetings and questions take for sure

// What the host gave, as its version of the struct has it.
struct TransportHost {
  tw_transport_t given{};
  ~TransportHost() {
    if (given.destroy != nullptr)
      given.destroy(given.user);
  }
};

class HostBatch final : public comm::Batch {
public:
  HostBatch(std::shared_ptr<const TransportHost> host, void *batch) : host_(std::move(host)), batch_(batch) {}
  ~HostBatch() override { host_->given.release(batch_, host_->given.user); }

  Status start() override {
    const tw_transport_t &t = host_->given;
    return ask_host(kTransportFailed, "the transport's start", [&] { return t.start(batch_, t.user); });
  }
  Result<bool> test() override {
    const tw_transport_t &t = host_->given;
    int done = 0;
    TW_TRY(ask_host(kTransportFailed, "the transport's test", [&] { return t.test(batch_, t.user, &done); }));
    return done != 0;
  }
  // Who does not exist is nobody.
  int64_t missing() override {
    const int32_t peer = host_->given.missing(batch_, host_->given.user);
    return peer >= 0 && peer < host_->given.size ? peer : -1;
  }
  bool give_up() override { return host_->given.give_up(batch_, host_->given.user) != 0; }

private:
  const std::shared_ptr<const TransportHost> host_;
  void *const batch_;
};

class HostTransport final : public comm::Transport {
public:
  explicit HostTransport(std::shared_ptr<const TransportHost> host) : host_(std::move(host)) {}

  int64_t rank() const override { return host_->given.rank; }
  int64_t size() const override { return host_->given.size; }
  int32_t highest_tag() const override { return host_->given.highest_tag; }

  Result<std::unique_ptr<comm::Batch>> prepare(std::span<const comm::Message> messages) override {
    std::vector<std::vector<tw_message_loop_t>> loops;
    std::vector<tw_message_t> all;
    std::vector<const tw_message_t *> each;
    for (const comm::Message &m : messages) {
      auto &of_message = loops.emplace_back();
      for (const comm::Repeat &loop : m.loops)
        of_message.push_back({loop.n, loop.stride});
      all.push_back({sizeof(tw_message_t), static_cast<int32_t>(m.peer), m.tag, m.sends, m.data, m.bytes,
                     of_message.data(), of_message.size()});
    }
    for (const tw_message_t &m : all)
      each.push_back(&m);
    const tw_transport_t &t = host_->given;
    void *batch = nullptr;
    TW_TRY(ask_host(kTransportFailed, "the transport's prepare",
                    [&] { return t.prepare(each.data(), each.size(), t.user, &batch); }));
    return std::make_unique<HostBatch>(host_, batch);
  }
  void broadcast(const comm::RemoteError &error) override {
    host_->given.broadcast(&error, sizeof error, host_->given.user);
  }
  bool poll_error(comm::RemoteError &error) override {
    if (host_->given.poll(&error, sizeof error, host_->given.user) == 0)
      return false;
    error.id[sizeof error.id - 1] = error.text[sizeof error.text - 1] = 0;
    return true;
  }

private:
  const std::shared_ptr<const TransportHost> host_;
};

Status check_transport(const tw_transport_t &t) {
  const std::pair<const char *, bool> functions[] = {
      {"prepare", t.prepare != nullptr},     {"start", t.start != nullptr},
      {"test", t.test != nullptr},           {"missing", t.missing != nullptr},
      {"give_up", t.give_up != nullptr},     {"release", t.release != nullptr},
      {"broadcast", t.broadcast != nullptr}, {"poll", t.poll != nullptr}};
  for (const auto &[name, is_there] : functions)
    if (!is_there)
      return fail(Code::invalid_argument, "TW-722", fmt::format("transport->{} is NULL", name));
  if (t.size < 1 || t.rank < 0 || t.rank >= t.size)
    return fail(
        Code::out_of_range, "TW-722",
        fmt::format("transport: process {} of {}; they count from 0 to {}", t.rank, t.size, t.size - 1));
  if (t.highest_tag < kLeastTags)
    return fail(Code::out_of_range, "TW-722",
                fmt::format("transport->highest_tag is {}: {} or more", t.highest_tag, kLeastTags));
  return {};
}

} // namespace

tw_status_t tw_comm_create_transport(const tw_transport_t *transport, double deadline, tw_comm_t **out_comm) {
  return guard([&]() -> Status {
    TW_TRY(require(transport, "transport"));
    TW_TRY(require(out_comm, "out_comm"));
    TW_TRY(check_options(transport, "transport"));
    TW_ASSIGN(const auto time, checked_comm_deadline(deadline));
    const tw_transport_t given = completed(transport);
    TW_TRY(check_transport(given));
    auto host = std::make_shared<TransportHost>();
    host->given = given;
    host->given.destroy = nullptr; // the caller's, until nothing can fail any more
    auto processes = std::make_shared<comm::Processes>(std::make_unique<HostTransport>(host), time);
    *out_comm = new tw_comm(std::move(processes));
    host->given.destroy = given.destroy;
    return {};
  });
}
