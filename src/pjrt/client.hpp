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
#include "pjrt/processes.hpp"
#include "pjrt/queue.hpp"

namespace tw::pjrt {

class ProgramCache;

struct DeviceDescription {
  int id = 0, process = 0;
  std::string kind, text, debug_text;
};

struct Device {
  Client *client = nullptr;
  DeviceDescription description;
  bool is_addressable = true;     // of this process
  int local_id = 0;               // of its process
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
  int devices = 1;                     // of this process
  std::string platform = "tilewright"; // JAX gives some platforms what it does not give others
  std::string policy = "shardy";       // of plans
  std::string report;                  // folder for a report of each program; "": none
};

class Client : public std::enable_shared_from_this<Client> {
public:
  // `processes`: those that have devices of it; null: this one alone.
  explicit Client(ClientOptions options, std::unique_ptr<Processes> processes = nullptr);
  ~Client();

  const ClientOptions options;
  const std::string version; // of the platform
  ContextHandle context;
  std::vector<std::unique_ptr<Device>> owned_devices;
  std::vector<std::unique_ptr<Memory>> owned_memories;
  const std::unique_ptr<Processes> processes;
  std::vector<Device *> devices, addressable; // of all processes; of this one
  std::vector<Memory *> memories;             // of those
  Topology topology;
  Queue queue;      // of runs of this process
  Queue team_queue; // of those that wait for other processes
  std::unique_ptr<ProgramCache> programs;
  std::shared_ptr<Client> self; // until it is destroyed

  Device &device(int64_t id);
  int process() const { return processes == nullptr ? 0 : static_cast<int>(processes->self()); }
  // By the name of a kind.
  Memory &memory(Device &device, std::string_view kind);
};

} // namespace tw::pjrt
