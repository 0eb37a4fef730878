// SPDX-License-Identifier: Apache-2.0
// tw_run.h: runs in the background, and in the order of a stream.
#include "capi/call.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"

using namespace tw;
using namespace tw::capi;

namespace {

// How the run ended, once nobody works on it.
void settle(tw_run &run) {
  if (run.over)
    return;
  Status status = run.executable->executable->wait();
  run.over = true;
  if (!status) {
    log_failure(*run.executable, status.error());
    run.error.emplace(std::move(status.error()));
  }
  run.inputs.clear();
  run.outputs.clear();
  run.stream = nullptr;
}

Error copy_of(const Error &error) {
  Error copy(error.code(), error.info().id, error.message());
  copy.info() = error.info();
  return copy;
}

} // namespace

// A program that ends without memory for the run's error has still ended it.
tw_run::~tw_run() {
  if (over)
    return;
  executable->executable->cancel(number);
  guard_value(0, [&] { return settle(*this), 0; });
}

tw_status_t tw_run_start(tw_executable_t *executable, const tw_tensor_t *const *inputs, size_t num_inputs,
                         tw_tensor_t *const *outputs, size_t num_outputs, tw_run_t **out_run) {
  return tw_run_start_with(executable, inputs, num_inputs, outputs, num_outputs, nullptr, out_run);
}

tw_status_t tw_run_start_with(tw_executable_t *executable, const tw_tensor_t *const *inputs,
                              size_t num_inputs, tw_tensor_t *const *outputs, size_t num_outputs,
                              const tw_run_options_t *options, tw_run_t **out_run) {
  return guard([&]() -> Status {
    TW_TRY(require(executable, "executable"));
    TW_TRY(require(out_run, "out_run"));
    TW_TRY(check_options(options));
    TW_TRY(check_call(*executable->executable, inputs, num_inputs, outputs, num_outputs));
    auto run = make_ref<tw_run>(Ref<tw_executable>::share(executable));
    for (size_t i = 0; i < num_inputs; ++i)
      run->inputs.push_back(Ref<const tw_tensor>::share(inputs[i]));
    for (size_t i = 0; i < num_outputs; ++i)
      run->outputs.push_back(Ref<tw_tensor>::share(outputs[i]));
    const Views views(inputs, num_inputs, outputs, num_outputs);
    TW_ASSIGN(auto order, order_of(inputs, num_inputs, outputs, num_outputs));
    if (has_field(options, &tw_run_options_t::stream) && options->stream != nullptr) {
      run->stream = Ref<tw_stream>::share(options->stream);
      TW_TRY(executable->executable->check_stream(run->stream->where));
      order.stream = run->stream->queue.get();
      order.unit = run->stream->where.unit;
    }
    TW_ASSIGN(run->number, executable->executable->start(views.inputs, views.outputs, std::move(order)));
    run->over = false;
    for (size_t i = 0; i < num_outputs; ++i)
      outputs[i]->set_ready(outputs[i]->tensor.where().is_host() ? nullptr : executable->executable->done());
    *out_run = run.leak();
    return {};
  });
}

tw_status_t tw_run_test(tw_run_t *run, int *out_over) {
  return guard([&]() -> Status {
    TW_TRY(require(run, "run"));
    TW_TRY(require(out_over, "out_over"));
    const bool over = run->over || run->executable->executable->test();
    if (over)
      settle(*run);
    *out_over = over;
    return {};
  });
}

tw_status_t tw_run_wait(tw_run_t *run) {
  return guard([&]() -> Status {
    TW_TRY(require(run, "run"));
    settle(*run);
    if (run->error)
      return fail(copy_of(*run->error));
    return {};
  });
}

tw_status_t tw_run_cancel(const tw_run_t *run) {
  return guard([&]() -> Status {
    TW_TRY(require(run, "run"));
    run->executable->executable->cancel(run->number);
    return {};
  });
}

tw_run_t *tw_run_retain(tw_run_t *run) {
  if (run)
    run->retain();
  return run;
}
void tw_run_release(tw_run_t *run) {
  if (run)
    run->release();
}
