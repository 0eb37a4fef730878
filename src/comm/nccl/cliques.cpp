// SPDX-License-Identifier: Apache-2.0
// Process 0 makes the unique id and shares it; everything else is split from the communicator of all. Nothing
// blocks: NCCL is asked again and again, beside the other processes, until the deadline.
#include "comm/nccl/cliques.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/hash.hpp"

namespace tw::comm::nccl {
namespace {

constexpr auto kLinkNap = std::chrono::microseconds(50);
// How long others may take that end their communicators too.
constexpr auto kFarewell = std::chrono::seconds(2);

} // namespace

int32_t Clique::rank_of(int64_t process) const {
  const auto at = std::ranges::lower_bound(processes, static_cast<int32_t>(process));
  return static_cast<int32_t>(at - processes.begin());
}

Result<std::unique_ptr<Cliques>> Cliques::make(std::shared_ptr<Library> library, Device &device,
                                               Processes &processes, std::chrono::nanoseconds deadline) {
  std::unique_ptr<Cliques> made(new Cliques(std::move(library), device, processes, deadline));
  const Fact facts[] = {{"NCCL's version", made->library_->version()}};
  TW_TRY(processes.agree(facts));
  TW_TRY(refuse_shared_devices(device.id(), processes));
  const Inside inside(device);
  Id id{};
  if (processes.rank() == 0) {
    TW_ASSIGN(id, made->library_->make_id());
  }
  TW_TRY(processes.share(0, id));
  for (int32_t p = 0; p < processes.size(); ++p)
    made->all_.processes.push_back(p);
  TW_ASSIGN(made->all_.link,
            made->library_->init(id, made->all_.processes, static_cast<int32_t>(processes.rank())));
  TW_TRY(made->wait_until_ready(*made->all_.link, "make a communicator of NCCL"));
  return made;
}

Cliques::~Cliques() {
  const auto is_idle = [](Link &link) {
    const auto ready = link.is_ready();
    return ready && *ready;
  };
  if (all_.link == nullptr || !processes_.poll() || !is_idle(*all_.link))
    return; // the links end by aborts
  for (auto &[groups, clique] : of_groups_)
    if (clique.link != nullptr && (!is_idle(*clique.link) || !finish(*clique.link)))
      return;
  of_groups_.clear();
  static_cast<void>(finish(*all_.link));
}

Status Cliques::finish(Link &link) {
  TW_TRY(link.finish());
  for (const auto begin = Clock::now(); Clock::now() - begin < kFarewell;) {
    TW_ASSIGN(const bool ready, link.is_ready());
    if (ready)
      return {};
    TW_TRY(processes_.poll());
    std::this_thread::sleep_for(kLinkNap);
  }
  return fail(Code::deadline_exceeded, "TW-641", "another process did not end its communicators");
}

Status refuse_shared_devices(const std::string &id, Processes &processes) {
  // By process: a number that names its device, and that a double holds.
  std::vector<double> devices(static_cast<size_t>(processes.size()), 0);
  devices[static_cast<size_t>(processes.rank())] =
      static_cast<double>(Hasher().add(std::string_view(id)).value() >> 12);
  TW_TRY(processes.agree_on_largest(devices));
  for (size_t p = 0; p < devices.size(); ++p)
    for (size_t q = 0; q < p; ++q)
      if (devices[p] == devices[q])
        return fail(Code::failed_precondition, "TW-653",
                    fmt::format("processes {} and {} are on one device{}: NCCL wants a device for each", q, p,
                                devices[p] == devices[static_cast<size_t>(processes.rank())]
                                    ? fmt::format(" ({})", id)
                                    : ""));
  return {};
}

Status Cliques::wait_until_ready(Link &link, const char *what) {
  for (const auto begin = Clock::now();;) {
    TW_ASSIGN(const bool ready, link.is_ready());
    if (ready)
      return {};
    TW_TRY(processes_.poll());
    if (Clock::now() - begin > deadline_) {
      TW_ASSIGN(const auto silent, processes_.silent());
      return fail(Code::deadline_exceeded, "TW-641",
                  fmt::format("process {} has waited {:.3g} s for others to {}; {}", processes_.rank(),
                              std::chrono::duration<double>(deadline_).count(), what,
                              silent.empty() ? "all of them answer"
                                             : fmt::format("process {} does not answer", silent.front())));
    }
    std::this_thread::sleep_for(kLinkNap);
  }
}

Result<Clique *> Cliques::find(std::span<const int64_t> group) {
  const auto [at, is_new] = of_groups_.try_emplace({group.begin(), group.end()});
  Clique &clique = at->second;
  const auto self = static_cast<size_t>(processes_.rank());
  const auto alone = [&](size_t process) { return std::ranges::count(group, group[process]) == 1; };
  if (is_new) {
    for (size_t p = 0; p < group.size(); ++p)
      if (group[p] == group[self])
        clique.processes.push_back(static_cast<int32_t>(p));
    const bool whole = clique.processes.size() == group.size();
    bool any = false;
    for (size_t p = 0; p < group.size(); ++p)
      any = any || !alone(p);
    if (any && !whole) {
      const bool takes_part = !alone(self);
      const Inside inside(device_);
      TW_ASSIGN(clique.link, all_.link->split(takes_part ? std::span<const int32_t>(clique.processes)
                                                         : std::span<const int32_t>(),
                                              clique.rank_of(static_cast<int64_t>(self))));
      constexpr const char *kWhat = "split a communicator of NCCL";
      TW_TRY(wait_until_ready(*all_.link, kWhat));
      if (takes_part)
        TW_TRY(wait_until_ready(*clique.link, kWhat));
    }
  }
  if (alone(self))
    return nullptr;
  return clique.processes.size() == group.size() ? &all_ : &clique;
}

Status Cliques::poll() {
  TW_ASSIGN(const bool ready, all_.link->is_ready());
  static_cast<void>(ready); // errors alone matter here
  for (auto &[groups, clique] : of_groups_)
    if (clique.link != nullptr) {
      TW_TRY(clique.link->is_ready());
    }
  return {};
}

void Cliques::abort() {
  of_groups_.clear();
  all_.link.reset();
}

} // namespace tw::comm::nccl
