// SPDX-License-Identifier: Apache-2.0
// tw leaves MPI to the library.
#include "cli/processes.hpp"

#include <fmt/format.h>

#include <tilewright/tw_mpi.h>

namespace tw::cli {
namespace {

constexpr const char *kDiffer = "TW-642"; // all processes find it at once

} // namespace

Processes::Processes(bool mpi) : mpi_(mpi) {
  if (!mpi)
    return;
  check(tw_mpi_start(nullptr));
  comm_ = make<Comm>([](tw_comm_t **out) { return tw_comm_create_mpi(nullptr, nullptr, out); });
}

void Processes::agree(const Facts &facts) const {
  if (!comm_)
    return;
  std::vector<const char *> names, values;
  for (const auto &[name, value] : facts) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  check(tw_comm_agree(comm(), names.data(), values.data(), facts.size()));
}

std::string Processes::levels(const tw_plan_t *plan) const {
  return comm_ ? text_of([&](tw_blob_t **out) { return tw_comm_levels(comm(), plan, out); }) : std::string();
}

int Processes::verdict(int status) const {
  int64_t value = status;
  if (comm_)
    check(tw_comm_share(comm(), 0, &value));
  return static_cast<int>(value);
}

void Processes::fail(const Failure &failure) const {
  if (!comm_ || failure.code == "remote" || failure.id == kDiffer)
    return;
  tw_status_t status = TW_INTERNAL;
  for (tw_status_t s = TW_INVALID_ARGUMENT; s <= TW_DEVICE_LOST; ++s)
    if (failure.code == tw_status_name(s))
      status = s;
  tw_comm_fail(comm(), status, fmt::format("{} [{}]", failure.message, failure.id).c_str());
}

bool Processes::prints(const Failure &failure) const {
  return is_first() || (failure.code != "remote" && failure.id != kDiffer);
}

void Processes::finish() {
  comm_.reset();
  if (mpi_)
    check(tw_mpi_finish(nullptr));
}

int in_processes(bool mpi, const std::function<int(const Processes &)> &body) {
  Processes processes(mpi);
  try {
    const int status = processes.verdict(body(processes));
    processes.finish();
    return status;
  } catch (const Failure &failure) {
    processes.fail(failure);
    if (processes.prints(failure))
      throw;
    return failure.exit_status;
  } catch (const std::exception &error) {
    processes.fail(fail("internal", "TW-000", error.what()));
    throw;
  }
}

} // namespace tw::cli
