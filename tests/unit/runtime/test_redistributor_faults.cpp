// SPDX-License-Identifier: Apache-2.0
// What goes wrong on one process, on its way to others or in its memory, ends a redistribution on all: each
// hears what it was, sources stay as they are, and whoever begins again has the right bits.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "comm/remote/remote.hpp"
#include "comm/remote/roll_call.hpp"
#include "redistribute/planner.hpp"
#include "redistribute/type_text.hpp"
#include "support/machine_pace.hpp"
#include "support/thread_transport.hpp"
#include "unit/runtime/placed_tiles.hpp"

namespace tw::test_redistributor_faults {

using namespace tw::redistribute;
using runtime::Redistributor;
using namespace tw::test::placed;

namespace {

// What a process does from its `at`-th start of messages on, or at its `at`-th memory.
struct Fault {
  enum Kind : uint8_t {
    none,
    start_fails, // messages do not leave
    test_fails,  // they break under way
    told,        // another part of the program gives up, and tells all
    silent,      // the process goes away and says nothing
    no_memory,
  } kind = none;
  int at = 0;
};
const std::map<Fault::Kind, std::string> kSaid = {{Fault::start_fails, "the network broke at the start"},
                                                  {Fault::test_fails, "the network broke under way"},
                                                  {Fault::told, "somebody else gave up"},
                                                  {Fault::no_memory, "no memory"}};

struct Injected {
  Fault fault;
  int seen = 0;
  bool fired = false;
  bool due() {
    fired = fired || seen++ == fault.at;
    return fired;
  }
};

class FaultyTransport final : public comm::Transport {
public:
  FaultyTransport(std::unique_ptr<comm::Transport> inner, Injected &injected)
      : inner_(std::move(inner)), injected_(injected) {}

  int64_t rank() const override { return inner_->rank(); }
  int64_t size() const override { return inner_->size(); }
  int32_t highest_tag() const override { return inner_->highest_tag(); }
  Result<std::unique_ptr<comm::Batch>> prepare(std::span<const comm::Message> messages) override {
    TW_ASSIGN(auto batch, inner_->prepare(messages));
    const bool asks = !messages.empty() && messages[0].tag > highest_tag() - comm::RollCall::kTags;
    return std::make_unique<Batch>(std::move(batch), *this, asks);
  }
  void broadcast(const comm::RemoteError &error) override {
    if (!is_silent())
      inner_->broadcast(error);
  }
  bool poll_error(comm::RemoteError &error) override {
    if (injected_.fired && injected_.fault.kind == Fault::told) {
      error = given_up();
      return true;
    }
    return inner_->poll_error(error);
  }

private:
  comm::RemoteError given_up() const {
    return {static_cast<int32_t>(Code::internal), static_cast<int32_t>(rank()), "TW-000",
            "somebody else gave up"};
  }
  bool is_silent() const { return injected_.fired && injected_.fault.kind == Fault::silent; }

  class Batch final : public comm::Batch {
  public:
    Batch(std::unique_ptr<comm::Batch> inner, FaultyTransport &all, bool asks)
        : inner_(std::move(inner)), all_(all), asks_(asks) {}

    Status start() override {
      const Fault::Kind kind = all_.injected_.fault.kind;
      const bool due = !asks_ && kind != Fault::none && kind != Fault::no_memory && all_.injected_.due();
      broken_ = due && kind == Fault::test_fails;
      if (due && kind == Fault::start_fails)
        return fail(Code::unavailable, "TW-643", "the network broke at the start");
      if (due && kind == Fault::told)
        all_.inner_->broadcast(all_.given_up());
      if (all_.is_silent())
        return {};
      started_ = true;
      return inner_->start();
    }
    Result<bool> test() override {
      if (broken_)
        return fail(Code::unavailable, "TW-643", "the network broke under way");
      if (all_.is_silent())
        return false;
      return inner_->test();
    }
    int64_t missing() override { return started_ ? inner_->missing() : -1; }
    bool give_up() override { return inner_->give_up(); }

  private:
    std::unique_ptr<comm::Batch> inner_;
    FaultyTransport &all_;
    const bool asks_;
    bool broken_ = false, started_ = false;
  };

  std::unique_ptr<comm::Transport> inner_;
  Injected &injected_;
};

std::shared_ptr<const Plan> plan_of(std::string_view on, std::string_view src, std::string_view dst,
                                    Method method, const char *levels = nullptr) {
  const sharding::Mesh mesh = *sharding::Mesh::parse(on);
  const DistributedType before = *parse_distributed_type(src, mesh);
  auto problem =
      make_problem(mesh, before, mesh, *parse_distributed_type(dst, mesh, &before.type), graph::DType::f32);
  REQUIRE(problem.has_value());
  PlanOptions options;
  options.method = method;
  if (levels != nullptr)
    options.topology = *Topology::parse(levels, (*problem)->device_ids());
  const auto made = make_plan(*problem, options);
  REQUIRE_MESSAGE(made.has_value(), (made ? "" : made.error().message()));
  return made->plan;
}

// What each process says and has.
struct Outcome {
  std::vector<std::string> told;
  std::vector<Bytes> targets;
  bool fired = false;
};

// `who` of so many processes has the fault.
Outcome run_with(const Fault &fault, size_t who, int64_t processes, const Plans &plans, const Bytes &source,
                 const char *kind, std::chrono::milliseconds deadline) {
  auto hub = std::make_shared<tw::test::ThreadTransport::Hub>(processes);
  std::vector<Injected> injected(static_cast<size_t>(processes));
  injected[who].fault = fault;
  std::vector<std::string> told(injected.size());
  std::vector<Bytes> targets(injected.size());
  std::vector<std::thread> threads;
  for (size_t p = 0; p < injected.size(); ++p)
    threads.emplace_back([&, p] {
      auto transport = std::make_unique<FaultyTransport>(
          std::make_unique<tw::test::ThreadTransport>(hub, static_cast<int64_t>(p)), injected[p]);
      const auto all = std::make_shared<comm::Processes>(std::move(transport), deadline);
      Redistributor::Options how;
      how.communicator = comm::make_remote(all);
      how.device = *device::find_kind(kind);
      if (injected[p].fault.kind == Fault::no_memory) {
        how.allocator.user = &injected[p];
        how.allocator.alloc = [](size_t size, size_t alignment, void *user) -> void * {
          return static_cast<Injected *>(user)->due() ? nullptr : std::aligned_alloc(alignment, size);
        };
        how.allocator.free = [](void *memory, size_t, void *) { std::free(memory); };
      }
      told[p] = run_plans(plans, source, std::move(how), targets[p]);
    });
  for (std::thread &t : threads)
    t.join();
  return {std::move(told), std::move(targets), injected[who].fired};
}

// Whether a process that says nothing has what it must have.
bool is_right(const Outcome &outcome, size_t p, size_t devices, const Bytes &want) {
  const size_t processes = outcome.told.size();
  bool right = outcome.told[p].empty() && outcome.targets[p].size() == want.size();
  for (size_t i = 0; right && i < want.size(); ++i)
    right = i % devices * processes / devices != p || outcome.targets[p][i] == want[i];
  return right;
}

} // namespace

TEST_CASE("hundreds of faults: all processes hear of each") {
  const auto deadline = std::chrono::milliseconds(20'000) * tw::test::machine_pace();
  const std::vector<Plans> moves = {
      {plan_of("x=6", "f32[12,6] [{x},{}]", "[{},{x}]", Method::direct)},
      {plan_of("x=6", "f32[12] [{}]+x", "[{}]", Method::direct, "node=3")},
      {plan_of("x=2,y=3", "f32[12,6] [{x},{y}]", "[{y},{x}]", Method::level, "node=2")},
      {plan_of("x=2,y=3", "f32[12,6] [{x,y},{}]", "[{},{y}]", Method::vector),
       plan_of("x=2,y=3", "f32[6] [{y}]", "[{x}]", Method::direct)},
  };
  std::map<Fault::Kind, int> faults;
  int all = 0;
  for (const Plans &plans : moves) {
    const Bytes source = source_of(plans);
    const size_t devices = plans[0]->problem->num_devices();
    Bytes want;
    REQUIRE(run_plans(plans, source, {}, want) == "");
    for (const char *kind : {"host", "detached"})
      for (const int64_t processes : {2, 3}) {
        // The same processes without a fault, and after each.
        const auto begin_again = [&] {
          const Outcome good = run_with({}, 0, processes, plans, source, kind, deadline);
          for (size_t p = 0; p < good.told.size(); ++p) {
            REQUIRE(good.told[p] == "");
            REQUIRE(is_right(good, p, devices, want));
          }
        };
        begin_again();
        for (const Fault::Kind what : {Fault::start_fails, Fault::test_fails, Fault::told, Fault::no_memory})
          for (int at = 0; at < 40; at += at < 4 ? 1 : 5) {
            CAPTURE(kind);
            CAPTURE(processes);
            CAPTURE(static_cast<int>(what));
            CAPTURE(at);
            const auto who = static_cast<size_t>(at) % static_cast<size_t>(processes);
            const Outcome outcome = run_with({what, at}, who, processes, plans, source, kind, deadline);
            if (!outcome.fired)
              break;
            int heard = 0;
            for (size_t p = 0; p < outcome.told.size(); ++p) {
              const std::string &said = outcome.told[p];
              CAPTURE(said);
              heard += !said.empty();
              // Who has all that it wants has no need to hear of it.
              if (!said.empty() || (p == who && what != Fault::told))
                CHECK(said.find(kSaid.at(what)) != std::string::npos);
              else
                CHECK(is_right(outcome, p, devices, want));
            }
            faults[what] += heard != 0;
            all += heard == std::ssize(outcome.told);
          }
        begin_again();
      }
  }
  MESSAGE(all << " faults that all heard of");
  CHECK(all >= 200);
  for (const auto &said : kSaid)
    CHECK_MESSAGE(faults[said.first] >= 8, said.second);
}

TEST_CASE("who goes away is named when the deadline is over") {
  const auto deadline = std::chrono::milliseconds(150) * tw::test::machine_pace();
  const Plans plans{plan_of("x=6", "f32[12,6] [{x},{}]", "[{},{x}]", Method::direct)};
  const Bytes source = source_of(plans);
  int silent = 0;
  for (const char *kind : {"host", "detached"})
    for (int at = 0; at < 20; ++at) {
      CAPTURE(kind);
      CAPTURE(at);
      const auto who = static_cast<size_t>(at) % 3;
      const Outcome outcome = run_with({Fault::silent, at}, who, 3, plans, source, kind, deadline);
      if (!outcome.fired)
        break;
      ++silent;
      for (size_t p = 0; p < 3; ++p)
        if (p != who)
          CHECK_MESSAGE(outcome.told[p].find(fmt::format("process {}", who)) != std::string::npos,
                        outcome.told[p]);
    }
  CHECK(silent >= 6);
}

} // namespace tw::test_redistributor_faults
