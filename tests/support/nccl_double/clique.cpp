// SPDX-License-Identifier: Apache-2.0
// Runs groups on the threads of their streams, matches operations, and finds what never can.
#include "support/nccl_double/clique.hpp"

#include <algorithm>
#include <cstring>
#include <set>

namespace tw::nccl_double {

Hub &Hub::get() {
  static Hub &hub = *new Hub; // streams may outlive everything else
  return hub;
}

Clock::time_point Hub::soon(int most_microseconds) {
  return Clock::now() + std::chrono::microseconds(random() % static_cast<unsigned>(most_microseconds + 1));
}

std::string Operation::text(int rank) const {
  constexpr const char *kNames[] = {"ncclSend",          "ncclRecv",      "ncclAllReduce",
                                    "ncclReduceScatter", "ncclAllGather", "ncclBroadcast"};
  std::string text = std::string(kNames[static_cast<size_t>(kind)]) + " of " + std::to_string(count) +
                     " elements of type " + std::to_string(dtype) + " on rank " + std::to_string(rank);
  if (!is_collective())
    text += (kind == Kind::send ? " to " : " from ") + std::to_string(peer);
  return text;
}

void Hub::blame(Run &run, const std::string &what) {
  reports += what + "\n";
  run.wrong = true;
  run.rank->state = nccl::kInvalidUsage;
  run.rank->error = what;
}

void Hub::join(Rank &rank) {
  rank.ranks->all[static_cast<size_t>(rank.rank)] = &rank;
  ++rank.ranks->joined;
  rank.pending = Rank::Pending::join;
  rank.ready_at = soon(300);
}

void Hub::advance(const std::shared_ptr<Rank> &rank) {
  if (rank->pending == Rank::Pending::none || rank->pending == Rank::Pending::for_ever ||
      Clock::now() < rank->ready_at)
    return;
  const Ranks &ranks = *rank->ranks;
  if (rank->pending == Rank::Pending::join &&
      (ranks.joined < std::ssize(ranks.all) ||
       (ranks.parent != nullptr && ranks.parent->split_calls[ranks.number] < std::ssize(ranks.parent->all))))
    return;
  if (rank->pending == Rank::Pending::finalize && ranks.finalized < std::ssize(ranks.all))
    return;
  for (const auto &run : rank->launches) {
    in_streams.emplace(run.get(), run);
    put(run->stream, [run] { run->execute(); });
  }
  for (const auto &[run, kept] : std::map(in_streams))
    if (!rank->launches.empty() && run->begun && !run->wrong)
      find_circle(*run);
  rank->launches.clear();
  rank->pending = Rank::Pending::none;
  if (rank->state == nccl::kInProgress)
    rank->state = nccl::kSuccess;
}

// On the stream's thread, which goes on when all is through or the communicator is aborted.
void Run::execute() {
  Hub &hub = Hub::get();
  std::unique_lock lock(hub.mutex);
  begun = true;
  ++rank->running;
  if (!rank->aborted && !hangs) {
    hub.post(*this);
    hub.find_circle(*this);
  }
  const auto through = [&] { return std::ranges::all_of(operations, &Operation::done) && !hangs && !wrong; };
  hub.changed.wait(lock, [&] { return rank->aborted || through(); });
  const auto is_ours = [&](const Ranks::Posted &posted) { return posted.run == this; };
  for (auto *queues : {&rank->ranks->sends, &rank->ranks->receives})
    for (auto &[pair, queue] : *queues)
      std::erase_if(queue, is_ours);
  for (auto &[sequence, posted] : rank->ranks->collectives)
    std::erase_if(posted, is_ours);
  --rank->running;
  hub.in_streams.erase(this);
  hub.changed.notify_all();
}

void Hub::post(Run &run) {
  Ranks &ranks = *run.rank->ranks;
  const int self = run.rank->rank;
  for (Operation &operation : run.operations) {
    if (operation.is_collective()) {
      auto &posted = ranks.collectives[operation.sequence];
      posted.push_back({&run, &operation});
      const Operation &first = *posted[0].operation;
      if (operation.kind != first.kind || operation.count != first.count || operation.dtype != first.dtype ||
          operation.op != first.op || operation.peer != first.peer)
        blame(run,
              "collectives differ: " + operation.text(self) + ", " + first.text(posted[0].run->rank->rank));
      else if (posted.size() == ranks.all.size())
        finish_collective(posted);
      continue;
    }
    const bool sends = operation.kind == Kind::send;
    const auto pair = sends ? std::pair(self, operation.peer) : std::pair(operation.peer, self);
    (sends ? ranks.sends : ranks.receives)[pair].push_back({&run, &operation});
    match(ranks, pair.first, pair.second);
  }
}

// Sends and receives between two ranks meet in the order in which they came.
void Hub::match(Ranks &ranks, int from, int to) {
  auto &sends = ranks.sends[{from, to}], &receives = ranks.receives[{from, to}];
  while (!sends.empty() && !receives.empty()) {
    const auto [sender, send] = sends.front();
    const auto [receiver, receive] = receives.front();
    const size_t bytes = send->count * size_of(send->dtype);
    sends.pop_front();
    receives.pop_front();
    if (bytes != receive->count * size_of(receive->dtype)) {
      blame(*sender, "sizes differ: " + send->text(from) + ", " + receive->text(to));
      blame(*receiver, "sizes differ: " + receive->text(to) + ", " + send->text(from));
      return;
    }
    std::memcpy(found_at(receive->to), found_at(send->from), bytes);
    send->done = receive->done = true;
  }
  changed.notify_all();
}

void Hub::finish_collective(std::vector<Ranks::Posted> &posted) {
  std::ranges::sort(posted, {}, [](const Ranks::Posted &p) { return p.run->rank->rank; });
  const Operation &op = *posted[0].operation;
  const size_t part = op.count * size_of(op.dtype), n = posted.size();
  const bool sums = op.kind == Kind::all_reduce || op.kind == Kind::reduce_scatter;
  const size_t sent = op.kind == Kind::reduce_scatter ? part * n : part;
  std::vector<char> all; // what was sent, since targets may lie there
  for (size_t r = 0; r < n; ++r) {
    const auto *from = static_cast<const char *>(found_at(posted[r].operation->from));
    if (sums && r > 0) // from the last rank to the first: another order than ours
      combine(op.dtype, op.op, all.data(), found_at(posted[n - r - 1].operation->from),
              sent / size_of(op.dtype));
    else if (sums)
      all.assign(static_cast<const char *>(found_at(posted[n - 1].operation->from)),
                 static_cast<const char *>(found_at(posted[n - 1].operation->from)) + sent);
    else if (op.kind == Kind::all_gather || static_cast<int>(r) == op.peer)
      all.insert(all.end(), from, from + sent);
  }
  for (size_t r = 0; r < n; ++r) {
    const size_t offset = op.kind == Kind::reduce_scatter ? r * part : 0;
    std::memcpy(found_at(posted[r].operation->to), all.data() + offset,
                op.kind == Kind::reduce_scatter ? part : all.size());
    posted[r].operation->done = true;
  }
  ++collectives;
  posted.clear();
  changed.notify_all();
}

// What stands at the head of the streams in which those operations wait that this one needs. An operation
// that has not come to a stream may still do so.
std::vector<Run *> Hub::waited_for(Run &run) {
  std::vector<Run *> heads;
  const auto matches = [&](const Operation &mine, const Run &other, const Operation &theirs) {
    if (mine.is_collective() || theirs.is_collective())
      return mine.is_collective() && theirs.is_collective() && mine.sequence == theirs.sequence;
    return mine.kind != theirs.kind && mine.peer == other.rank->rank && theirs.peer == run.rank->rank;
  };
  if (run.hangs || run.wrong) // it waits for nobody
    return heads;
  for (const Operation &mine : run.operations)
    for (const auto &[other, kept] : in_streams) {
      if (mine.done || other->begun || other->rank->ranks != run.rank->ranks || other->rank == run.rank)
        continue;
      const Run &there = *other;
      const bool any = std::ranges::any_of(
          there.operations, [&](const Operation &theirs) { return matches(mine, there, theirs); });
      for (const auto &[head, kept_too] : in_streams)
        if (any && head->begun && head->stream == other->stream)
          heads.push_back(head);
    }
  return heads;
}

void Hub::find_circle(Run &from) {
  std::set<Run *> seen;
  std::vector<Run *> left = waited_for(from);
  while (!left.empty()) {
    Run *run = left.back();
    left.pop_back();
    if (run == &from) {
      for (Run *one : seen) // all of them wait for it, or it for them
        if (!one->wrong)
          blame(*one, "deadlock: " + one->operations[0].text(one->rank->rank) +
                          " is in a circle of groups that wait for each other");
      return;
    }
    if (!seen.insert(run).second)
      continue;
    for (Run *next : waited_for(*run))
      left.push_back(next);
  }
}

} // namespace tw::nccl_double
