// SPDX-License-Identifier: Apache-2.0
// Foreign functions: code of the process that programs call by the names under which a framework has
// registered it (jax.ffi).
#pragma once

#include <string>

#include "pjrt/abi_ffi.hpp"
#include "pjrt/handles.hpp"

namespace tw::pjrt {

// An error that a handler answers, or gets from what it calls. Owned by who gets it.
struct FfiError : Failure {};

// The calls that programs may make, as they are now; registering another one leaves these alone.
CustomCallsHandle foreign_calls();

bool is_foreign_function(const std::string &target);

// Makes the call `shown`, of one device's parts: for each index of the dimensions in front once.
tw_status_t make_foreign_call(abi::FfiHandler handler, const tw_call_t &shown);
// Whether a handler can be given the attributes and types of a call.
tw_status_t check_foreign_call(const tw_call_t &shown);
// Whether this thread is inside a call of a handler.
bool is_in_foreign_call();

// What handlers call.
const abi::FfiApi &ffi_api();
// Returns when what a handler has left to be done later is done; null: it went well. Destroys the future.
FfiError *await_future(FfiFuture *future);

// The extension of the table.
void ffi_type_register(abi::FfiTypeRegister &args);
void ffi_user_data_add(abi::FfiUserData &args);
void ffi_handler_register(abi::FfiRegister &args);

} // namespace tw::pjrt
