// SPDX-License-Identifier: Apache-2.0
// The caller's functions, called.
#include "pjrt/store.hpp"

#include <memory>

#include "pjrt/slots.hpp"

namespace tw::pjrt {

namespace {

Error *error_of_store(abi::Code code, const char *message, size_t size) {
  return guard([&] { throw Failure{code, std::string(message, size)}; });
}
abi::StoreError make_store_error = error_of_store;

void check_store(Error *error) {
  if (error == nullptr)
    return;
  Failure failure = error->failure;
  abi::Of<Error> end{};
  end.object = error;
  error_destroy(end);
  throw failure;
}

} // namespace

Store::Store(const abi::ClientCreate &args) : args_(args) {
  if (args.kv_get == nullptr || args.kv_put == nullptr)
    throw Failure{
        abi::Code::invalid_argument,
        "option num_nodes says that there are several processes, and there is no key-value store in "
        "which they find each other"};
}

void Store::put(const std::string &key, const std::string &value) const {
  abi::StorePut put{};
  put.struct_size = sizeof put;
  put.key = key.data();
  put.key_size = key.size();
  put.value = value.data();
  put.value_size = value.size();
  put.make_error = &make_store_error;
  put.user = args_.kv_put_user;
  check_store(args_.kv_put(&put));
}

std::string Store::get(const std::string &key, std::chrono::milliseconds timeout) const {
  abi::StoreGet get{};
  get.struct_size = sizeof get;
  get.key = key.data();
  get.key_size = key.size();
  get.timeout_ms = static_cast<int>(timeout.count());
  get.make_error = &make_store_error;
  get.user = args_.kv_get_user;
  check_store(args_.kv_get(&get));
  std::string value(get.value, get.value_size);
  if (get.deleter != nullptr)
    get.deleter(get.value);
  return value;
}

} // namespace tw::pjrt
