// SPDX-License-Identifier: Apache-2.0
// Deals devices out to processes and prepares collectives on what they have in common.
#include "comm/remote/remote.hpp"

#include <utility>
#include <vector>

#include "comm/array_steps.hpp"
#include "comm/remote/form.hpp"
#include "comm/remote/hosts.hpp"

namespace tw::comm {
namespace {

class RemoteCommunicator final : public Communicator {
public:
  RemoteCommunicator(std::shared_ptr<Processes> processes, std::optional<Form> form)
      : processes_(std::move(processes)), form_(form) {}

  const char *name() const override { return "remote"; }
  bool is_shared() const override { return true; }
  std::shared_ptr<Processes> processes() const override { return processes_; }
  DeviceRange devices(int64_t num_devices) const override {
    const int64_t rank = processes_->rank(), size = processes_->size();
    return {(num_devices * rank + size - 1) / size, (num_devices * (rank + 1) + size - 1) / size};
  }
  int64_t process_of(DeviceIndex device, int64_t num_devices) const override {
    return device.index() * processes_->size() / num_devices; // the first device is the first process's
  }
  Result<int64_t> turn_on_host() override { return comm::turn_on_host(*processes_); }
  Status agree(std::span<const Fact> facts) override {
    TW_TRY(processes_->poll());
    TW_TRY(processes_->agree(facts));
    return rendezvous_.prepare(*processes_);
  }
  Status poll() override { return processes_->poll(); }
  Status barrier() override { return rendezvous_.barrier(); }
  void abort(const Error &error) override { processes_->abort(error); }

  Result<std::unique_ptr<Collective>> prepare(std::span<const Transfer> transfers) override {
    TW_ASSIGN(const Rounds rounds, rounds_of(transfers));
    const auto process = process_by_device(transfers[0].move.problem());
    TW_ASSIGN(const Form form, form_ ? Result<Form>(*form_) : forms_.choose(rounds, *processes_, process));
    return make_collective(rounds, find_groups(flat(rounds)), *processes_, process, form);
  }
  // Packed, for tiles lie in arrays of the caller, which no message may reach.
  Result<std::unique_ptr<Collective>> prepare_alone(std::span<const Transfer> transfers) override {
    TW_ASSIGN(const Rounds rounds, rounds_of(transfers));
    const auto process = process_by_device(transfers[0].move.problem());
    return make_collective(rounds, all_together(process.size()), *processes_, process);
  }
  Result<std::unique_ptr<Collective>> prepare(const sharding::Mesh &mesh,
                                              std::span<const ArrayStep> moves) override {
    return make_collective(at_once(moves), find_groups(moves), *processes_, process_by_position(mesh));
  }
  Result<std::unique_ptr<Collective>> prepare(const RegionReduce &reduce) override {
    return make_collective(reduce, *processes_, process_by_device(reduce.move.problem()));
  }

private:
  std::shared_ptr<Processes> processes_;
  const std::optional<Form> form_;
  Forms forms_;
  Rendezvous rendezvous_;
};

} // namespace

std::shared_ptr<Communicator> make_remote(std::shared_ptr<Processes> processes, std::optional<Form> form) {
  return std::make_shared<RemoteCommunicator>(std::move(processes), form);
}

} // namespace tw::comm
