// SPDX-License-Identifier: Apache-2.0
// Errors: what the library says, in the codes of the ABI.
#include "pjrt/error.hpp"

#include <exception>
#include <memory>
#include <new>

#include "pjrt/slots.hpp"

namespace tw::pjrt {

namespace {

abi::Code code_of(tw_status_t status) {
  switch (status) {
  case TW_OK: return abi::Code::ok;
  case TW_INVALID_ARGUMENT: return abi::Code::invalid_argument;
  case TW_NOT_FOUND: return abi::Code::not_found;
  case TW_OUT_OF_RANGE: return abi::Code::out_of_range;
  case TW_FAILED_PRECONDITION: return abi::Code::failed_precondition;
  case TW_UNIMPLEMENTED: return abi::Code::unimplemented;
  case TW_RESOURCE_EXHAUSTED: return abi::Code::resource_exhausted;
  case TW_CANCELLED: return abi::Code::cancelled;
  case TW_DEADLINE_EXCEEDED: return abi::Code::deadline_exceeded;
  case TW_UNAVAILABLE: return abi::Code::unavailable;
  case TW_REMOTE: return abi::Code::unavailable; // another process has failed, or is gone
  default: return abi::Code::internal;
  }
}

tw_status_t status_of(abi::Code code) {
  for (const tw_status_t status :
       {TW_INVALID_ARGUMENT, TW_NOT_FOUND, TW_OUT_OF_RANGE, TW_FAILED_PRECONDITION, TW_UNIMPLEMENTED,
        TW_RESOURCE_EXHAUSTED, TW_CANCELLED, TW_DEADLINE_EXCEEDED, TW_UNAVAILABLE})
    if (code_of(status) == code)
      return status;
  return TW_INTERNAL;
}

void tell(const Error *error, const char **text, size_t *size) {
  *text = error->failure.message.c_str();
  *size = error->failure.message.size();
}

void drop(Error *error);

const abi::ErrorTable kTable = {
    .struct_size = sizeof(abi::ErrorTable),
    .instance_size = sizeof(Error),
    .extensions = nullptr,
    .destroy = drop,
    .message = tell,
    .code = [](const Error *error) { return error->failure.code; },
    .for_each_payload = [](const Error *, abi::PayloadVisitor, void *) {},
};

// Where there is no memory for an error either. Never deleted: `error_destroy` knows it.
Error &no_memory() {
  static Error error{&kTable, {abi::Code::resource_exhausted, "out of memory"}};
  return error;
}

void drop(Error *error) {
  if (error != &no_memory())
    delete error;
}

} // namespace

Failure last_failure(tw_status_t status) {
  tw_error_t *taken = nullptr;
  if (tw_error_take(&taken) != TW_OK || taken == nullptr)
    return {code_of(status), tw_status_name(status)};
  const std::unique_ptr<tw_error_t, void (*)(tw_error_t *)> error(taken, tw_error_release);
  std::string text = tw_error_text(taken);
  if (*tw_error_id(taken) != '\0')
    text += std::string(" [") + tw_error_id(taken) + "]";
  if (tw_error_line(taken) != 0)
    text = std::string(tw_error_file(taken)) + ":" + std::to_string(tw_error_line(taken)) + ":" +
           std::to_string(tw_error_column(taken)) + ": " + text;
  for (size_t i = 0; i < tw_error_num_notes(taken); ++i)
    text += std::string("\n") + tw_error_note(taken, i);
  return {code_of(status), std::move(text)};
}

Error *make_error(Failure failure) { return new Error{&kTable, std::move(failure)}; }

tw_status_t current_status() noexcept {
  try {
    throw;
  } catch (const Failure &failure) {
    return tw_error_set(status_of(failure.code), failure.message.c_str());
  } catch (const std::bad_alloc &) {
    return tw_error_set(TW_RESOURCE_EXHAUSTED, "out of memory");
  } catch (const std::exception &exception) {
    return tw_error_set(TW_INTERNAL, exception.what());
  } catch (...) {
    return tw_error_set(TW_INTERNAL, "an exception of another kind");
  }
}

Error *current_error() noexcept {
  try {
    try {
      throw;
    } catch (Failure &failure) {
      return make_error(std::move(failure));
    } catch (const std::bad_alloc &) {
      return &no_memory();
    } catch (const std::exception &exception) {
      return make_error({abi::Code::internal, exception.what()});
    } catch (...) {
      return make_error({abi::Code::internal, "an exception of unknown type"});
    }
  } catch (...) {
    return &no_memory();
  }
}

void error_destroy(abi::Of<Error> &args) { drop(args.object); }

void error_message(abi::ErrorMessage &args) { tell(args.object, &args.text, &args.size); }

void error_code(abi::ErrorCode &args) { args.value = args.object->failure.code; }

void error_for_each_payload(abi::ErrorForEachPayload &) {} // there are none

} // namespace tw::pjrt
