// SPDX-License-Identifier: Apache-2.0
// Work is what one process does on the host, as commands of a thread.
#include "support/nccl_device.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "comm/local/region_reduce.hpp"
#include "comm/local/step_work.hpp"
#include "kernels/cpu/copy.hpp"
#include "ops/strided.hpp"
#include "support/nccl_double/control.hpp"

namespace tw::test {
namespace {

namespace nccl = comm::nccl;
using kernels::cpu::CopyPlan;

class ThreadStream final : public nccl_double::Stream {
public:
  explicit ThreadStream(uint64_t seed) : random_(seed), thread_([this] { work(); }) {}
  ~ThreadStream() override {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    more_.notify_all();
    thread_.join();
  }
  void push(std::function<void()> command) override {
    {
      const std::lock_guard lock(mutex_);
      commands_.push_back(std::move(command));
    }
    more_.notify_all();
  }

private:
  void work() {
    for (std::unique_lock lock(mutex_);;) {
      more_.wait(lock, [this] { return ends_ || !commands_.empty(); });
      if (commands_.empty())
        return;
      const auto command = std::move(commands_.front());
      commands_.pop_front();
      lock.unlock();
      if (random_() % 4 == 0)
        std::this_thread::sleep_for(std::chrono::microseconds(random_() % 200));
      command();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::function<void()>> commands_;
  bool ends_ = false;
  std::mt19937_64 random_;
  std::thread thread_;
};

using Run = std::function<void(comm::SourceTiles, comm::TargetTiles)>;

class ThreadWork final : public nccl::Work {
public:
  ThreadWork(ThreadStream &stream, Run run)
      : stream_(stream), run_(std::make_shared<const Run>(std::move(run))) {}
  Status enqueue(comm::SourceTiles src, comm::TargetTiles dst) const override {
    stream_.push([run = run_, from = std::vector(src.begin(), src.end()),
                  to = std::vector(dst.begin(), dst.end())] { (*run)(from, to); });
    return {};
  }

private:
  ThreadStream &stream_;
  const std::shared_ptr<const Run> run_; // commands keep it
};

// As prepared work counts them.
comm::Groups all_of(const std::vector<std::vector<comm::Position>> &members, size_t devices) {
  comm::Groups groups{members, std::vector<size_t>(devices, 0)};
  for (size_t g = 0; g < members.size(); ++g)
    for (const comm::Position p : members[g])
      groups.of[static_cast<size_t>(p)] = g;
  return groups;
}

class ThreadDevice final : public nccl::Device {
public:
  ThreadDevice(std::string id, uint64_t seed) : id_(std::move(id)), stream_(seed) {}
  std::string id() const override { return id_; }
  void enter() override {}
  void leave() override {}
  void *stream() const override {
    return static_cast<nccl_double::Stream *>(const_cast<ThreadStream *>(&stream_));
  }

  Result<std::unique_ptr<nccl::Work>> make_copies(std::vector<nccl::BoxCopy> copies) override {
    std::vector<CopyPlan> plans;
    for (const nccl::BoxCopy &c : copies)
      plans.emplace_back(c.extent, c.strides, ops::dense_strides(c.extent), c.element_size,
                         CopyPlan::Stream::never);
    return work(
        [copies = std::move(copies), plans = std::move(plans)](comm::SourceTiles src, comm::TargetTiles dst) {
          for (size_t i = 0; i < copies.size(); ++i)
            plans[i].run(static_cast<const std::byte *>(src[copies[i].src]) + copies[i].src_offset,
                         static_cast<std::byte *>(dst[copies[i].dst]) + copies[i].dst_offset);
        });
  }

  Result<std::unique_ptr<nccl::Work>> make_moves(nccl::LocalMoves moves) override {
    const size_t devices = moves.moves[0].buffers[0].num_devices();
    const comm::Groups groups = all_of(moves.groups, devices);
    auto works = std::make_shared<comm::StepWorks>(moves.slots, devices);
    for (const comm::ArrayStep &move : moves.moves)
      works->add(comm::work_of(move, groups, comm::bytes_written(move)));
    return work([works, n = groups.members.size()](comm::SourceTiles src, comm::TargetTiles dst) {
      for (size_t g = 0; g < n; ++g)
        for (int64_t part = 0; part < works->parts(g); ++part)
          works->run(g, part, src, dst);
    });
  }

  Result<std::unique_ptr<nccl::Work>> make_reduce(nccl::LocalReduce given) override {
    const size_t devices = given.move.buffers[0].num_devices();
    TW_ASSIGN(auto made,
              comm::make_region_reduce(given.reduce, given.move, all_of(given.groups, devices), given.slots));
    return work([collective = std::shared_ptr<comm::Collective>(std::move(made)),
                 groups = given.groups](comm::SourceTiles src, comm::TargetTiles dst) {
      for (size_t g = 0; g < groups.size(); ++g)
        for (int64_t part = 0; !groups[g].empty() && part < collective->parts(g, 0); ++part)
          collective->run(g, 0, part, src, dst);
    });
  }

  Result<uint64_t> mark() override {
    stream_.push([reached = reached_] { reached->fetch_add(1); });
    return ++marks_;
  }
  Result<bool> has_reached(uint64_t mark) override { return reached_->load() >= mark; }

private:
  Result<std::unique_ptr<nccl::Work>> work(Run run) {
    return std::make_unique<ThreadWork>(stream_, std::move(run));
  }

  const std::string id_;
  const std::shared_ptr<std::atomic<uint64_t>> reached_ = std::make_shared<std::atomic<uint64_t>>(0);
  uint64_t marks_ = 0;
  ThreadStream stream_;
};

} // namespace

std::shared_ptr<comm::nccl::Device> make_thread_device(std::string id, uint64_t seed) {
  return std::make_shared<ThreadDevice>(std::move(id), seed);
}

} // namespace tw::test
