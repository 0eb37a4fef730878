// SPDX-License-Identifier: Apache-2.0
// The functions of <tilewright/tw_transport.h>, as Links does what they are for.
#include "pjrt/transport.hpp"

#include <algorithm>
#include <cstring>

#include "pjrt/fingerprint.hpp"

namespace tw::pjrt {

namespace {

constexpr int32_t kHighestTag = 1 << 30;
constexpr size_t kPackedRun = 2048; // smaller runs are packed

struct Transport {
  std::shared_ptr<Links> links;
  std::vector<size_t> processes; // by rank
  Channel channel = 0;
  bool has_told = false;

  size_t rank_of(size_t process) const {
    return static_cast<size_t>(std::ranges::find(processes, process) - processes.begin());
  }
};

using Batch = std::vector<LinkMessage>;

Transport &of(void *user) { return *static_cast<Transport *>(user); }
Batch &batch_of(void *batch) { return *static_cast<Batch *>(batch); }

tw_status_t prepare(const tw_message_t *const *messages, size_t count, void *user, void **out) {
  return guard_callback([&] {
    auto batch = std::make_unique<Batch>(count);
    for (size_t i = 0; i < count; ++i) {
      const tw_message_t &given = *messages[i];
      LinkMessage &made = (*batch)[i];
      made.process = of(user).processes[static_cast<size_t>(given.peer)];
      made.tag = given.tag;
      made.sends = given.sends != 0;
      made.runs =
          Runs(given.data, static_cast<size_t>(given.bytes), {given.loops, given.loops + given.num_loops});
      if (given.num_loops != 0 && static_cast<size_t>(given.bytes) < kPackedRun)
        made.packed.resize(made.runs.size());
    }
    *out = batch.release();
  });
}

tw_status_t start(void *batch, void *user) {
  return guard_callback([&] { of(user).links->start(of(user).channel, batch_of(batch)); });
}

tw_status_t test(void *batch, void *user, int *out_done) {
  return guard_callback([&] { *out_done = of(user).links->test(of(user).channel, batch_of(batch)); });
}

int32_t missing(void *batch, void *user) {
  const Batch &messages = batch_of(batch);
  const auto open = std::ranges::find_if(messages, &LinkMessage::is_open);
  return open == messages.end() ? -1 : static_cast<int32_t>(of(user).rank_of(open->process));
}

int give_up(void *batch, void *user) {
  return guard_callback([&] { of(user).links->give_up(of(user).channel, batch_of(batch)); }) == TW_OK;
}

void release(void *batch, void *user) {
  give_up(batch, user);
  delete static_cast<Batch *>(batch);
}

void broadcast(const void *news, size_t size, void *user) {
  Transport &transport = of(user);
  transport.has_told = true;
  guard_callback([&] {
    transport.links->tell(transport.channel, transport.processes,
                          {static_cast<const std::byte *>(news), size});
  });
}

// News are passed on: so who goes away because of them has told everybody why.
int poll_news(void *news, size_t size, void *user) {
  int found = 0;
  guard_callback([&] {
    const auto told = of(user).links->news(of(user).channel);
    if (!told)
      return;
    std::memcpy(news, told->data(), std::min(size, told->size()));
    found = 1;
    if (!of(user).has_told)
      broadcast(told->data(), told->size(), user);
  });
  return found;
}

void destroy(void *user) { delete static_cast<Transport *>(user); }

} // namespace

Channel channel_of(const std::vector<size_t> &processes) {
  std::string order;
  for (const size_t process : processes)
    order += std::to_string(process) + ",";
  return hash_of(order);
}

CommHandle make_comm(std::shared_ptr<Links> links, std::vector<size_t> processes, size_t self,
                     double deadline) {
  auto user = std::make_unique<Transport>();
  user->links = std::move(links);
  user->processes = std::move(processes);
  user->channel = channel_of(user->processes);
  tw_transport_t transport{};
  transport.struct_size = sizeof transport;
  transport.rank = static_cast<int32_t>(user->rank_of(self));
  transport.size = static_cast<int32_t>(user->processes.size());
  transport.highest_tag = kHighestTag;
  transport.prepare = prepare;
  transport.start = start;
  transport.test = test;
  transport.missing = missing;
  transport.give_up = give_up;
  transport.release = release;
  transport.broadcast = broadcast;
  transport.poll = poll_news;
  transport.user = user.get();
  transport.destroy = destroy;
  auto comm =
      make<CommHandle>([&](tw_comm_t **out) { return tw_comm_create_transport(&transport, deadline, out); });
  user.release();
  return comm;
}

} // namespace tw::pjrt
