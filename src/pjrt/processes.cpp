// SPDX-License-Identifier: Apache-2.0
// Who has which device, and communicators for those who run a program together.
#include "pjrt/processes.hpp"

#include <algorithm>

#include "pjrt/compiled.hpp"

namespace tw::pjrt {

namespace {

constexpr size_t kMostOfTeam = 256;
constexpr int64_t kMostArenas = int64_t{1} << 30; // of arenas
constexpr size_t kMostAtOnce = 62;                // programs that a number tells of, a bit each

// How many clients there have been of this one among so many processes.
int next_meeting(int process, int processes) {
  static std::mutex mutex;
  static std::map<std::pair<int, int>, int> count;
  const std::scoped_lock lock(mutex);
  return count[{process, processes}]++;
}

std::string text_of_devices(const std::vector<int64_t> &numbers) {
  std::string text = "[";
  for (const int64_t number : numbers)
    text += (text.size() > 1 ? "," : "") + std::to_string(number);
  return text + "]";
}

} // namespace

Team::Team(const tw_context_t *context, std::shared_ptr<Links> links, std::vector<size_t> processes,
           size_t self, double deadline)
    : context_(context), processes_(std::move(processes)),
      rank_(static_cast<size_t>(std::ranges::find(processes_, self) - processes_.begin())),
      links_(std::move(links)), comm_(make_comm(links_, processes_, self, deadline)),
      most_programs_(kMostOfTeam), most_bytes_(kMostArenas) {}

tw_executable_t *Team::executable(const std::shared_ptr<const Compiled> &compiled) {
  links_->note(channel_of(processes_), processes_,
               compiled->name + " (" + compiled->identity.substr(0, 8) + ")");
  const auto found =
      std::ranges::find_if(kept_, [&](const Kept &kept) { return kept.identity == compiled->identity; });
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
    kept_.front().user = compiled;
    return kept_.front().executable.get();
  }
  if (kept_.size() >= most_programs_ || kept_bytes_ > most_bytes_)
    drop_unused();
  tw_executable_options_t how = options_of(*compiled, context_);
  how.comm = comm_.get();
  Kept made{compiled->identity, compiled, make<ExecutableHandle>([&](tw_executable_t **out) {
              return tw_executable_create(compiled->program.get(), &how, out);
            }),
            // Alike on all processes, since they decide by it.
            compiled->bytes.temporaries * compiled->num_partitions / static_cast<int64_t>(processes_.size())};
  kept_bytes_ += made.bytes;
  kept_.push_front(std::move(made));
  return kept_.front().executable.get();
}

// Of the programs that ran least lately, those that no process holds any more. When a process lets go of one
// is its own affair, so they ask each other.
void Team::drop_unused() {
  const size_t n = std::min(kept_.size(), kMostAtOnce);
  int64_t unused = 0;
  auto oldest = kept_.rbegin();
  for (size_t i = 0; i < n; ++i, ++oldest)
    if (oldest->user.expired())
      unused |= int64_t{1} << i;
  int64_t everywhere = unused;
  for (size_t rank = 0; rank < processes_.size(); ++rank) {
    int64_t said = unused;
    check(tw_comm_share(comm_.get(), static_cast<int32_t>(rank), &said));
    everywhere &= said;
  }
  auto at = kept_.end();
  for (size_t i = 0; i < n; ++i) {
    --at;
    if ((everywhere >> i & 1) == 0)
      continue;
    kept_bytes_ -= at->bytes;
    at = kept_.erase(at);
  }
  most_programs_ = std::max(kMostOfTeam, 2 * kept_.size());
  most_bytes_ = std::max(kMostArenas, 2 * kept_bytes_);
}

void Team::fail(const Failure &failure) {
  std::string line = failure.message;
  std::ranges::replace(line, '\n', ' ');
  // What failed on all of them has ended their communicator already.
  static_cast<void>(tw_comm_fail(comm_.get(), TW_UNAVAILABLE, line.c_str()));
}

Processes::Processes(const Store &store, const Meeting &meeting, double deadline)
    : self_(static_cast<size_t>(meeting.process)), deadline_(deadline) {
  std::vector<Process> all = meet(store, meeting, next_meeting(meeting.process, meeting.processes));
  for (const Process &process : all) {
    devices_.push_back(process.devices);
    names_.push_back(process.name);
  }
  links_ = std::make_shared<Links>(std::move(all), self_);
}

size_t Processes::owner_of(int64_t device) const {
  size_t process = 0;
  for (int64_t first = 0; process + 1 < devices_.size(); ++process)
    if (device < (first += devices_[process]))
      break;
  return process;
}

std::shared_ptr<Team> Processes::team_for(const std::vector<int64_t> &devices, const tw_context_t *context) {
  std::vector<size_t> owners, members;
  for (const int64_t device : devices) {
    owners.push_back(owner_of(device));
    if (std::ranges::find(members, owners.back()) == members.end())
      members.push_back(owners.back());
  }
  if (members == std::vector{self_})
    return nullptr;
  if (std::ranges::find(members, self_) == members.end())
    throw Failure{abi::Code::invalid_argument, "a program on devices " + text_of_devices(devices) +
                                                   ", of which process " + std::to_string(self_) +
                                                   " has none"};
  for (size_t p = 0; p < devices.size(); ++p)
    if (const size_t dealt = members[p * members.size() / devices.size()]; owners[p] != dealt)
      throw Failure{abi::Code::unimplemented,
                    "a program on devices " + text_of_devices(devices) + ": partition " + std::to_string(p) +
                        " is on device " + std::to_string(devices[p]) + " of " + names_[owners[p]] +
                        ", where one of " + names_[dealt] +
                        " is needed. Each process has as many partitions as the others, in a row: a mesh "
                        "whose devices are in the order of jax.devices(), as jax.make_mesh makes it"};
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<Team> &team = teams_[members];
  if (team == nullptr)
    team = std::make_shared<Team>(context, links_, members, self_, deadline_);
  return team;
}

} // namespace tw::pjrt
