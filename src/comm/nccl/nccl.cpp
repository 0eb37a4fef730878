// SPDX-License-Identifier: Apache-2.0
// Prepares collectives in the lane of a process; the rest is as between processes without NCCL.
#include "comm/nccl/nccl.hpp"

#include <utility>
#include <vector>

#include "comm/nccl/collective.hpp"
#include "comm/nccl/lane.hpp"
#include "comm/nccl/library.hpp"
#include "comm/remote/remote.hpp"

namespace tw::comm::nccl {
namespace {

class NcclCommunicator final : public Communicator {
public:
  NcclCommunicator(std::shared_ptr<Processes> processes, std::shared_ptr<Lane> lane, const Options &options)
      : rank_(processes->rank()), size_(processes->size()), remote_(make_remote(std::move(processes))),
        lane_(std::move(lane)), fast_sums_(options.fast_sums), in_queue_(options.in_queue) {}

  const char *name() const override { return "nccl"; }
  bool is_shared() const override { return true; }
  std::shared_ptr<Processes> processes() const override { return remote_->processes(); }
  DeviceRange devices(int64_t num_devices) const override { return remote_->devices(num_devices); }
  int64_t process_of(DeviceIndex device, int64_t num_devices) const override {
    return remote_->process_of(device, num_devices);
  }
  Result<int64_t> turn_on_host() override { return remote_->turn_on_host(); }
  Status agree(std::span<const Fact> facts) override {
    std::vector<Fact> all(facts.begin(), facts.end());
    all.push_back({"the order of sums", fast_sums_ ? "any" : "that of the devices"});
    return remote_->agree(all);
  }
  Status poll() override { return lane_->poll(); }
  Status barrier() override { return remote_->barrier(); }
  void abort(const Error &error) override {
    remote_->abort(error);
    lane_->abort();
  }
  void stop() override { lane_->abort(); }

  Result<std::unique_ptr<Collective>> prepare(std::span<const Transfer> transfers) override {
    TW_ASSIGN(const Rounds rounds, rounds_of(transfers));
    const redistribute::Problem &problem = transfers[0].move.problem();
    const auto process = process_by_device(problem);
    Asked asked{problem.src().mesh, process, rank_, size_};
    asked.in_queue = in_queue_;
    for (const Transfer &t : transfers)
      asked.sums.push_back(
          native_sum(t.move.problem().reduction(), t.move.problem().type().dtype, fast_sums_));
    return make_collective(rounds, lane_, asked);
  }
  Result<std::unique_ptr<Collective>> prepare_alone(std::span<const Transfer> transfers) override {
    return prepare(transfers); // all of it is in one stream
  }
  Result<std::unique_ptr<Collective>> prepare(const sharding::Mesh &mesh,
                                              std::span<const ArrayStep> moves) override {
    const auto process = process_by_position(mesh);
    return make_collective(at_once(moves), lane_, {mesh, process, rank_, size_, in_queue_, false});
  }
  Result<std::unique_ptr<Collective>> prepare(const RegionReduce &reduce) override {
    const redistribute::Problem &problem = reduce.move.problem();
    const auto process = process_by_device(problem);
    return make_collective(reduce, lane_, {problem.src().mesh, process, rank_, size_, in_queue_});
  }

private:
  const int64_t rank_, size_;
  const std::shared_ptr<Communicator> remote_;
  const std::shared_ptr<Lane> lane_;
  const bool fast_sums_, in_queue_;
};

} // namespace

Result<std::shared_ptr<Communicator>> make_nccl(std::shared_ptr<Processes> processes,
                                                std::shared_ptr<Device> device, const Options &options) {
  TW_ASSIGN(auto library, Library::open(options.library));
  TW_ASSIGN(std::shared_ptr<Lane> lane,
            Lane::make(std::move(library), std::move(device), processes, options.deadline, options.in_queue));
  return std::make_shared<NcclCommunicator>(std::move(processes), std::move(lane), options);
}

} // namespace tw::comm::nccl
