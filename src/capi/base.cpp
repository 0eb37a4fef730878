// SPDX-License-Identifier: Apache-2.0
// tw_base.h: status, errors, blobs, contexts, element types.
#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/check_utf8.hpp"
#include "base/diag.hpp"
#include "base/utf8.hpp"
#include "base/watch.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "comm/nccl/library.hpp"
#include "device/cuda/cuda.hpp"
#include "graph/limits.hpp"
#include "graph/types.hpp"
#include "kernels/info.hpp"
#include "kernels/ref/convert.hpp"

using namespace tw;
using namespace tw::capi;

namespace {

thread_local std::optional<Error> last_error;

// A line of the log for the host, whose levels begin with 0 for errors.
void to_host(LogLevel level, const char *area, const char *text, void *user) {
  const auto *options = static_cast<const tw_context_options_t *>(user);
  options->log(static_cast<int32_t>(level) - static_cast<int32_t>(LogLevel::error), area, text,
               options->log_user);
}

} // namespace

namespace tw::capi {

// Messages quote what came from outside.
tw_status_t remember(Error error) noexcept {
  try {
    ErrorInfo &info = error.info();
    info.message = shown(info.message);
    info.pos.file = shown(info.pos.file);
    for (std::string &note : info.notes)
      note = shown_lines(note);
  } catch (const std::bad_alloc &) { // it stays as it is
  }
  last_error.emplace(std::move(error));
  return static_cast<tw_status_t>(last_error->code());
}

tw_status_t remember_no_memory() noexcept try {
  return remember(Error(Code::resource_exhausted, "TW-701", "out of memory"));
} catch (const std::bad_alloc &) {
  last_error.reset();
  return TW_RESOURCE_EXHAUSTED;
}

tw_status_t remember_unknown(const std::exception &thrown) noexcept try {
  return remember(Error(Code::internal, "TW-000", thrown.what()));
} catch (const std::bad_alloc &) {
  return remember_no_memory();
}

std::optional<Error> exchange_last_error(std::optional<Error> error) noexcept {
  return std::exchange(last_error, std::move(error));
}

Status require(const void *pointer, const char *argument) {
  if (pointer)
    return {};
  return fail(Code::invalid_argument, "TW-702", fmt::format("argument '{}' is NULL", argument));
}

Status require_text(const char *text, const char *argument) {
  TW_TRY(require(text, argument));
  return check_utf8(text, fmt::format("argument '{}'", argument));
}

Status require_at(const void *pointer, const char *array, size_t i) {
  if (pointer)
    return {};
  return fail(Code::invalid_argument, "TW-702", fmt::format("{}[{}] is NULL", array, i));
}

Status check_struct_size(size_t struct_size, const char *argument) {
  constexpr size_t kMost = 4096; // of any version to come
  if (struct_size >= sizeof(size_t) && struct_size <= kMost)
    return {};
  return fail(Code::invalid_argument, "TW-717",
              fmt::format("{0}->struct_size is {1}: set it to sizeof *{0}", argument, struct_size));
}

Status check_unknown(const void *bytes, size_t size, const char *argument) {
  const auto *begin = static_cast<const unsigned char *>(bytes);
  if (std::all_of(begin, begin + size, [](unsigned char byte) { return byte == 0; }))
    return {};
  return fail(
      Code::unimplemented, "TW-725",
      fmt::format("{} sets fields that version {} of the library does not have", argument, TW_VERSION));
}

Status check_reserved(std::span<const uint64_t> reserved, const char *array, size_t i) {
  if (std::ranges::all_of(reserved, [](uint64_t word) { return word == 0; }))
    return {};
  return fail(Code::invalid_argument, "TW-726",
              fmt::format("{}[{}].reserved is not zero: begin with a struct of zeros", array, i));
}

template <class Number> static Status at_least_0(Number value, const char *field) {
  return value >= 0 ? Status()
                    : fail(Code::invalid_argument, "TW-722",
                           fmt::format("options->{} is {}: at least 0", field, value));
}
Status check_at_least_0(int64_t value, const char *field) { return at_least_0(value, field); }
Status check_at_least_0(double value, const char *field) { return at_least_0(value, field); }

Status check_workers(int32_t workers, const char *name) {
  if (workers >= 0 && workers <= 1024)
    return {};
  return fail(workers < 0 ? Code::invalid_argument : Code::out_of_range, "TW-718",
              fmt::format("{} is {}; give 0 (one a core) to 1024", name, workers));
}

Result<graph::TensorType> checked_type(tw_dtype_t dtype, const int64_t *dims, size_t ndims) {
  if (tw_dtype_size(dtype) == 0) // none, or a token
    return fail(Code::invalid_argument, "TW-706", fmt::format("{} is no element type of an array", dtype));
  if (ndims > graph::kMaxRank) // before so many are read
    return fail(Code::invalid_argument, "TW-222",
                fmt::format("{} dimensions: an array has at most {}", ndims, graph::kMaxRank));
  if (ndims)
    TW_TRY(require(dims, "dims"));
  graph::TensorType type{static_cast<graph::DType>(dtype), graph::Shape(dims, dims + ndims)};
  TW_TRY(graph::check_size(type));
  return type;
}

} // namespace tw::capi

const char *tw_version(void) { return TW_VERSION; }

int32_t tw_api_version(void) {
  return TW_API_VERSION_MAJOR * 10000 + TW_API_VERSION_MINOR * 100 + TW_API_VERSION_PATCH;
}

const char *tw_status_name(tw_status_t status) {
  switch (status) {
  case TW_OK: return "ok";
  case TW_INVALID_ARGUMENT: return "invalid_argument";
  case TW_NOT_FOUND: return "not_found";
  case TW_OUT_OF_RANGE: return "out_of_range";
  case TW_FAILED_PRECONDITION: return "failed_precondition";
  case TW_UNIMPLEMENTED: return "unimplemented";
  case TW_RESOURCE_EXHAUSTED: return "resource_exhausted";
  case TW_CANCELLED: return "cancelled";
  case TW_DEADLINE_EXCEEDED: return "deadline_exceeded";
  case TW_UNAVAILABLE: return "unavailable";
  case TW_REMOTE: return "remote";
  case TW_INTERNAL: return "internal";
  case TW_DEVICE_LOST: return "device_lost";
  default: return "unknown";
  }
}

size_t tw_diagnostic_count(void) { return all_diagnostics().size(); }
const char *tw_diagnostic_id(size_t i) {
  return i < all_diagnostics().size() ? all_diagnostics()[i].id : nullptr;
}
const char *tw_diagnostic_meaning(size_t i) {
  return i < all_diagnostics().size() ? all_diagnostics()[i].meaning : nullptr;
}
const char *tw_diagnostic_advice(size_t i) {
  return i < all_diagnostics().size() ? all_diagnostics()[i].advice : nullptr;
}

const char *tw_error_message(void) { return last_error ? last_error->message().c_str() : ""; }

tw_status_t tw_error_set(tw_status_t status, const char *message) {
  if (status == TW_OK)
    return TW_OK;
  return guard([&]() -> Status {
    const Code code = status > TW_OK && status <= TW_DEVICE_LOST ? static_cast<Code>(status) : Code::internal;
    return fail(code, "TW-604", message ? message : tw_status_name(status));
  });
}

tw_status_t tw_error_take(tw_error_t **out_error) {
  if (!out_error)
    return remember(Error(Code::invalid_argument, "TW-702", "argument 'out_error' is NULL"));
  *out_error = last_error ? new (std::nothrow) tw_error{std::move(*last_error)} : nullptr;
  last_error.reset();
  return TW_OK;
}

tw_status_t tw_error_catch(tw_body_fn body, void *user, tw_error_t **out_error) {
  if (auto given = require(out_error, "out_error"); !given)
    return remember(std::move(given.error()));
  if (body == nullptr)
    return guard([] { return require(nullptr, "body"); });
  std::optional<Error> before = exchange_last_error(std::nullopt);
  const tw_status_t status = body(user);
  *out_error = nullptr;
  if (status != TW_OK) {
    if (!last_error || static_cast<tw_status_t>(last_error->code()) != status)
      tw_error_set(status, nullptr); // what the body made itself
    tw_error_take(out_error);
  }
  exchange_last_error(std::move(before));
  return status;
}

void tw_error_release(tw_error_t *error) { delete error; }
tw_status_t tw_error_status(const tw_error_t *error) {
  return error ? static_cast<tw_status_t>(error->error.code()) : static_cast<tw_status_t>(TW_OK);
}
const char *tw_error_id(const tw_error_t *error) { return error ? error->error.info().id : ""; }
const char *tw_error_text(const tw_error_t *error) { return error ? error->error.message().c_str() : ""; }
const char *tw_error_file(const tw_error_t *error) {
  return error ? error->error.info().pos.file.c_str() : "";
}
uint32_t tw_error_line(const tw_error_t *error) { return error ? error->error.info().pos.line : 0; }
uint32_t tw_error_column(const tw_error_t *error) { return error ? error->error.info().pos.column : 0; }
size_t tw_error_num_notes(const tw_error_t *error) { return error ? error->error.info().notes.size() : 0; }
const char *tw_error_note(const tw_error_t *error, size_t i) {
  return i < tw_error_num_notes(error) ? error->error.info().notes[i].c_str() : nullptr;
}

tw_status_t tw_watch_calls(tw_body_fn body, void *user, const tw_watch_options_t *options) {
  constexpr double kInterval = 0.05;
  Watch watch;
  const tw_status_t given = guard([&]() -> Status {
    TW_TRY(require(reinterpret_cast<const void *>(body), "body"));
    TW_TRY(require(options, "options"));
    TW_TRY(check_options(options));
    if (!has_field(options, &tw_watch_options_t::user) || options->progress == nullptr)
      return fail(Code::invalid_argument, "TW-702", "options->progress is NULL");
    const double interval = has_field(options, &tw_watch_options_t::interval) ? options->interval : 0;
    if (!(interval >= 0))
      return fail(Code::invalid_argument, "TW-722",
                  fmt::format("options->interval is {}: it must be positive, or 0", interval));
    watch = {options->progress, options->user,
             std::chrono::duration<double>(interval > 0 ? interval : kInterval)};
    return {};
  });
  if (given != TW_OK)
    return given;
  const Watching watching(watch);
  return body(user);
}

tw_status_t tw_blob_create(const void *data, size_t size, tw_blob_t **out_blob) {
  return guard([&]() -> Status {
    TW_TRY(require(out_blob, "out_blob"));
    if (size)
      TW_TRY(require(data, "data"));
    return give(size ? std::string(static_cast<const char *>(data), size) : std::string(), out_blob);
  });
}
tw_blob_t *tw_blob_retain(tw_blob_t *blob) {
  if (blob)
    blob->retain();
  return blob;
}
void tw_blob_release(tw_blob_t *blob) {
  if (blob)
    blob->release();
}
const char *tw_blob_data(const tw_blob_t *blob) { return blob ? blob->blob->text().data() : nullptr; }
size_t tw_blob_size(const tw_blob_t *blob) { return blob ? blob->blob->size() : 0; }

// Workers end before what they may call does.
tw_context::~tw_context() {
  pool_.reset();
  if (options.destroy_alloc_user != nullptr)
    options.destroy_alloc_user(options.alloc_user);
  if (options.destroy_log_user != nullptr)
    options.destroy_log_user(options.log_user);
  if (options.destroy_parallel_for_user != nullptr)
    options.destroy_parallel_for_user(options.parallel_for_user);
}

Log tw_context::log() const {
  return options.log == nullptr ? Log()
                                : Log(LogLevel::debug, to_host, const_cast<tw_context_options_t *>(&options));
}

std::shared_ptr<WorkerPool> tw_context::pool() const {
  const std::lock_guard lock(mutex_);
  if (!pool_)
    pool_ = std::make_shared<WorkerPool>(static_cast<unsigned>(options.workers), host());
  return pool_;
}

tw_status_t tw_context_create(const tw_context_options_t *options, tw_context_t **out_context) {
  return guard([&]() -> Status {
    TW_TRY(require(out_context, "out_context"));
    TW_TRY(check_options(options));
    auto context = make_ref<tw_context>();
    if (has_field(options, &tw_context_options_t::alloc_user)) {
      if (!options->alloc != !options->free)
        return fail(Code::invalid_argument, "TW-703", "options: give both alloc and free, or neither");
      context->options.alloc = options->alloc;
      context->options.free = options->free;
      context->options.alloc_user = options->alloc_user;
    }
    if (has_field(options, &tw_context_options_t::log_user)) {
      context->options.log = options->log;
      context->options.log_user = options->log_user;
    }
    if (has_field(options, &tw_context_options_t::workers)) {
      TW_TRY(check_workers(options->workers));
      context->options.workers = options->workers;
    }
    if (has_field(options, &tw_context_options_t::parallel_for_user)) {
      context->options.parallel_for = options->parallel_for;
      context->options.parallel_for_user = options->parallel_for_user;
    }
    if (has_field(options, &tw_context_options_t::destroy_parallel_for_user)) {
      context->options.destroy_alloc_user = options->destroy_alloc_user;
      context->options.destroy_log_user = options->destroy_log_user;
      context->options.destroy_parallel_for_user = options->destroy_parallel_for_user;
    }
    *out_context = context.leak();
    return {};
  });
}
tw_context_t *tw_context_retain(tw_context_t *context) {
  if (context)
    context->retain();
  return context;
}
void tw_context_release(tw_context_t *context) {
  if (context)
    context->release();
}

tw_status_t tw_build_info(tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(out_json, "out_json"));
    nlohmann::ordered_json json;
    json["tilewright"] = tw_version();
    json["api"] = tw_api_version();
    json["compiler"] = __VERSION__;
    json["cores"] = std::thread::hardware_concurrency();
    for (const auto &[key, value] : kernels::backend_info())
      json["kernels"][key] = value;
    for (const auto &[key, value] : device::cuda::build_info())
      json["cuda"][key] = value;
    json["nccl"] = comm::nccl::found();
    return give(json_text(json), out_json);
  });
}

const char *tw_dtype_name(tw_dtype_t dtype) {
  if (dtype <= TW_DTYPE_INVALID || dtype >= static_cast<tw_dtype_t>(graph::DType::count_))
    return "invalid";
  return graph::name(static_cast<graph::DType>(dtype)).data(); // literals, NUL-terminated
}
size_t tw_dtype_size(tw_dtype_t dtype) {
  if (dtype <= TW_DTYPE_INVALID || dtype >= static_cast<tw_dtype_t>(graph::DType::count_))
    return 0;
  return graph::byte_size(static_cast<graph::DType>(dtype));
}

namespace {

Status check_element(tw_dtype_t dtype, const void *element, const char *argument) {
  TW_TRY(require(element, argument));
  return tw_dtype_size(dtype) != 0 ? Status()
                                   : fail(Code::invalid_argument, "TW-706",
                                          fmt::format("{} is no element type of an array", dtype));
}

void convert_element(graph::DType from, graph::DType to, const void *in, void *out) {
  kernels::ref::convert_block(from, to)(&in, out, 1);
}

} // namespace

tw_status_t tw_dtype_decode(tw_dtype_t dtype, const void *element, double *out_real, double *out_imaginary) {
  return guard([&]() -> Status {
    TW_TRY(check_element(dtype, element, "element"));
    TW_TRY(require(out_real, "out_real"));
    double parts[2] = {0, 0};
    const bool is_complex = dtype == TW_C64 || dtype == TW_C128;
    convert_element(static_cast<graph::DType>(dtype), is_complex ? graph::DType::c128 : graph::DType::f64,
                    element, parts);
    *out_real = parts[0];
    if (out_imaginary)
      *out_imaginary = parts[1];
    return {};
  });
}
tw_status_t tw_dtype_encode(tw_dtype_t dtype, double real, double imaginary, void *out_element) {
  return guard([&]() -> Status {
    TW_TRY(check_element(dtype, out_element, "out_element"));
    const double parts[2] = {real, imaginary};
    const bool is_complex = dtype == TW_C64 || dtype == TW_C128;
    convert_element(is_complex ? graph::DType::c128 : graph::DType::f64, static_cast<graph::DType>(dtype),
                    parts, out_element);
    return {};
  });
}

static_assert(TW_TOKEN == static_cast<int>(graph::DType::token) &&
                  TW_C64 == static_cast<int>(graph::DType::c64) &&
                  TW_S2 == static_cast<int>(graph::DType::s2) &&
                  TW_U64 == static_cast<int>(graph::DType::u64) &&
                  TW_I1 == static_cast<int>(graph::DType::i1) &&
                  TW_BF16 == static_cast<int>(graph::DType::bf16),
              "tw_dtype_t follows graph::DType");
static_assert(TW_INTERNAL == static_cast<int>(Code::internal) &&
                  TW_REMOTE == static_cast<int>(Code::remote) &&
                  TW_DEVICE_LOST == static_cast<int>(Code::device_lost),
              "tw_status_t follows Code");
