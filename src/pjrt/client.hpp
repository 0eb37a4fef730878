// SPDX-License-Identifier: Apache-2.0
// A client: its devices, their memories, the topology, and what its programs run with. Everything that the
// caller got of it by pointer lives as long as the client, which lives until it was destroyed and the last
// buffer and executable are gone.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "pjrt/handles.hpp"
#include "pjrt/named_values.hpp"
#include "pjrt/queue.hpp"

namespace tw::pjrt {

class ProgramCache;

struct DeviceDescription {
  int id = 0;
  std::string kind, text, debug_text;
};

struct Device {
  Client *client = nullptr;
  DeviceDescription description;
  std::vector<Memory *> memories; // the default one first
};

constexpr const char *kDefaultMemory = "device";

// Memories of a device. They are all of the host: a kind is a name that the program gives.
struct Memory {
  const abi::MemoryTable *table; // read by the caller
  int id = 0, kind = 0;
  Device *device = nullptr;
  std::string kind_name, text;
  // What the caller attached.
  struct UserData {
    void *data;
    void (*destroy)(void *);
  };
  std::mutex mutex;
  std::map<const void *, UserData> user_data;
  ~Memory();
};

struct Topology {
  Client *client = nullptr;
  std::vector<DeviceDescription *> descriptions;
  NamedValues attributes;
  bool is_alone = false; // made without a client: this one is its own
};

struct ClientOptions {
  int devices = 1;
  std::string platform = "tilewright"; // JAX gives some platforms what it does not give others
  std::string policy = "shardy";       // of plans
  std::string report;                  // folder for a report of each program; "": none
};

class Client : public std::enable_shared_from_this<Client> {
public:
  explicit Client(ClientOptions options);
  ~Client();

  const ClientOptions options;
  const std::string version; // of the platform
  ContextHandle context;
  CustomCallsHandle custom_calls; // that frameworks make of every platform
  std::vector<std::unique_ptr<Device>> owned_devices;
  std::vector<std::unique_ptr<Memory>> owned_memories;
  std::vector<Device *> devices;
  std::vector<Memory *> memories;
  Topology topology;
  Queue queue;
  std::unique_ptr<ProgramCache> programs;
  std::shared_ptr<Client> self; // until it is destroyed

  Device &device(int64_t id);
  // By the name of a kind.
  Memory &memory(Device &device, std::string_view kind);
};

} // namespace tw::pjrt
