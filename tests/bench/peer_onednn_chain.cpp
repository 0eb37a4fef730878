// SPDX-License-Identifier: Apache-2.0
// oneDNN 2.x convolution primitives behind one class. The fast ones want layouts of their own: weights
// always, images and results where channels do not lie together.
#include "bench/peer_onednn_chain.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <thread>

#include "kernels/onednn/library.hpp"

namespace tw::bench {

using namespace kernels::onednn;

namespace {

using Direction = ConvShape::Direction;
using Dims = std::vector<dnnl_dim_t>;

constexpr size_t kArrays = 3; // images, weights, results

size_t written(Direction d) { return d == Direction::forward ? 2 : d == Direction::images_gradient ? 0 : 1; }

// Channels of all groups as one dimension, which the callers see to.
Dims extents(const ConvShape &s, size_t array) {
  Dims dims = array == 1 ? Dims{s.out, s.in} : Dims{s.batch, s.groups * (array == 0 ? s.in : s.out)};
  if (array == 1 && s.groups > 1)
    dims.insert(dims.begin(), s.groups);
  const auto &space = array == 0 ? s.image : array == 1 ? s.taps : s.result;
  dims.insert(dims.end(), space.begin(), space.end());
  return dims;
}

Dims strides(const ConvShape &s, size_t array) {
  const auto &layout = array == 0 ? s.images_layout : array == 1 ? s.weights_layout : s.results_layout;
  Dims dims =
      array == 1 ? Dims{layout.out, layout.in} : Dims{layout.batch, array == 0 ? layout.in : layout.out};
  if (array == 1 && s.groups > 1)
    dims.insert(dims.begin(), layout.group);
  dims.insert(dims.end(), layout.spatial.begin(), layout.spatial.end());
  return dims;
}

struct Layouts {
  std::array<dnnl_memory_desc_t, kArrays> of;
};

bool describe(const ConvShape &s, Layouts &caller, Layouts &wanted, bool in_place) {
  for (size_t i = 0; i < kArrays; ++i) {
    const auto type = data_type(i == written(s.direction) ? s.made : s.operand);
    const Dims dims = extents(s, i), steps = strides(s, i);
    const auto rank = static_cast<int>(dims.size());
    if (dnnl_memory_desc_init_by_strides(&caller.of[i], rank, dims.data(), type, steps.data()) !=
        dnnl_success)
      return false;
    if (in_place && i != 1)
      wanted.of[i] = caller.of[i];
    else if (dnnl_memory_desc_init_by_tag(&wanted.of[i], rank, dims.data(), type, dnnl_format_tag_any) !=
             dnnl_success)
      return false;
  }
  return true;
}

struct Numbers {
  Dims strides, dilations, low, high;
};

bool make_forward(const ConvShape &s, const Layouts &l, const Numbers &n, dnnl_convolution_desc_t *op) {
  (void)s;
  return dnnl_dilated_convolution_forward_desc_init(
             op, dnnl_forward_training, dnnl_convolution_direct, &l.of[0], &l.of[1], nullptr, &l.of[2],
             n.strides.data(), n.dilations.data(), n.low.data(), n.high.data()) == dnnl_success;
}

bool make_gradient(const ConvShape &s, const Layouts &l, const Numbers &n, dnnl_convolution_desc_t *op) {
  if (s.direction == Direction::images_gradient)
    return dnnl_dilated_convolution_backward_data_desc_init(op, dnnl_convolution_direct, &l.of[0], &l.of[1],
                                                            &l.of[2], n.strides.data(), n.dilations.data(),
                                                            n.low.data(), n.high.data()) == dnnl_success;
  return dnnl_dilated_convolution_backward_weights_desc_init(
             op, dnnl_convolution_direct, &l.of[0], &l.of[1], nullptr, &l.of[2], n.strides.data(),
             n.dilations.data(), n.low.data(), n.high.data()) == dnnl_success;
}

// One primitive and which memory it takes for what.
struct Step {
  Primitive primitive;
  struct Argument {
    int name;
    size_t memory; // into Impl::memory
  };
  std::vector<Argument> arguments;
};

struct Session {
  Stream stream;
  std::vector<Memory> memory;
};

} // namespace

struct ConvChain::Impl {
  // The first three are the caller's arrays; the others lie in scratch at `offset`.
  std::vector<dnnl_memory_desc_t> memory;
  std::vector<int64_t> offset;
  int64_t scratch = 0;
  std::vector<Step> steps;
  std::string implementation;

  std::mutex mutex;
  std::vector<std::unique_ptr<Session>> idle;

  size_t add(const dnnl_memory_desc_t &layout) {
    memory.push_back(layout);
    offset.push_back(scratch);
    scratch += aligned(static_cast<int64_t>(dnnl_memory_desc_get_size(&layout)));
    return memory.size() - 1;
  }

  bool add_step(const dnnl_primitive_desc_t descriptor, std::vector<Step::Argument> arguments) {
    Step step;
    step.arguments = std::move(arguments);
    step.arguments.push_back(
        {DNNL_ARG_SCRATCHPAD, add(*dnnl_primitive_desc_query_md(descriptor, dnnl_query_scratchpad_md, 0))});
    if (dnnl_primitive_create(step.primitive.out(), descriptor) != dnnl_success)
      return false;
    steps.push_back(std::move(step));
    return true;
  }

  bool add_reorder(size_t from, size_t to, const_dnnl_primitive_attr_t attr) {
    Descriptor descriptor;
    return dnnl_reorder_primitive_desc_create(descriptor.out(), &memory[from], cpu_engine(), &memory[to],
                                              cpu_engine(), attr) == dnnl_success &&
           add_step(descriptor.get(), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  }

  bool make(const ConvShape &s, bool in_place);

  Result<std::unique_ptr<Session>> make_session() {
    auto session = std::make_unique<Session>();
    TW_TRY(check(dnnl_stream_create(session->stream.out(), cpu_engine(), dnnl_stream_default_flags),
                 "creating a stream"));
    session->memory.resize(memory.size());
    for (size_t i = 0; i < memory.size(); ++i)
      TW_TRY(check(dnnl_memory_create(session->memory[i].out(), &memory[i], cpu_engine(), DNNL_MEMORY_NONE),
                   "creating a memory object"));
    return session;
  }
  Result<std::unique_ptr<Session>> acquire() {
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        auto session = std::move(idle.back());
        idle.pop_back();
        return session;
      }
    }
    return make_session(); // more threads than cores
  }
  void release(std::unique_ptr<Session> session) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(session));
  }
};

bool ConvChain::Impl::make(const ConvShape &s, bool in_place) {
  memory.clear();
  offset.assign(kArrays, 0);
  scratch = 0;
  steps.clear();
  Layouts caller, wanted;
  if (!describe(s, caller, wanted, in_place))
    return false;
  memory.assign(caller.of.begin(), caller.of.end());
  Numbers numbers{s.strides, s.dilations, s.low, {}};
  for (size_t d = 0; d < s.taps.size(); ++d) {
    --numbers.dilations[d]; // oneDNN counts what lies between
    numbers.high.push_back(s.high(d));
  }
  dnnl_convolution_desc_t op;
  Attr attr;
  Descriptor hint, descriptor;
  if (dnnl_primitive_attr_create(attr.out()) != dnnl_success ||
      dnnl_primitive_attr_set_scratchpad_mode(attr.get(), dnnl_scratchpad_mode_user) != dnnl_success)
    return false;
  if (s.direction != Direction::forward) {
    Layouts forward = wanted; // of the operands' type
    for (size_t i = 0; i < kArrays; ++i)
      forward.of[i].data_type = data_type(s.operand);
    if (!make_forward(s, forward, numbers, &op) ||
        dnnl_primitive_desc_create(hint.out(), &op, attr.get(), cpu_engine(), nullptr) != dnnl_success ||
        !make_gradient(s, wanted, numbers, &op))
      return false;
  } else if (!make_forward(s, wanted, numbers, &op)) {
    return false;
  }
  const char *name = nullptr;
  if (dnnl_primitive_desc_create(descriptor.out(), &op, attr.get(), cpu_engine(), hint.get()) !=
          dnnl_success ||
      dnnl_primitive_desc_query(descriptor.get(), dnnl_query_impl_info_str, 0, &name) != dnnl_success)
    return false;
  implementation = name;
  if (implementation.starts_with("ref")) // a thousand times slower than our own
    return false;

  constexpr std::array kQueries = {
      std::array{dnnl_query_src_md, dnnl_query_diff_src_md, dnnl_query_src_md},
      std::array{dnnl_query_weights_md, dnnl_query_weights_md, dnnl_query_diff_weights_md},
      std::array{dnnl_query_dst_md, dnnl_query_diff_dst_md, dnnl_query_diff_dst_md}};
  constexpr std::array kArguments = {std::array{DNNL_ARG_SRC, DNNL_ARG_DIFF_SRC, DNNL_ARG_SRC},
                                     std::array{DNNL_ARG_WEIGHTS, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_WEIGHTS},
                                     std::array{DNNL_ARG_DST, DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_DST}};
  const auto direction = static_cast<size_t>(s.direction);
  std::array<size_t, kArrays> at{0, 1, 2};
  std::vector<Step::Argument> arguments;
  const size_t result = written(s.direction);
  for (size_t i = 0; i < kArrays; ++i) {
    const dnnl_memory_desc_t *chosen =
        dnnl_primitive_desc_query_md(descriptor.get(), kQueries[i][direction], 0);
    if (!dnnl_memory_desc_equal(chosen, &memory[i])) {
      at[i] = add(*chosen);
      if (i != result && !add_reorder(i, at[i], attr.get()))
        return false;
    }
    arguments.push_back({kArguments[i][direction], at[i]});
  }
  return add_step(descriptor.get(), std::move(arguments)) &&
         (at[result] == result || add_reorder(at[result], result, attr.get()));
}

ConvChain::ConvChain(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ConvChain::~ConvChain() = default;

std::unique_ptr<ConvChain> ConvChain::create(const ConvShape &s) {
  if (cpu_engine() == nullptr)
    return nullptr;
  const SingleThread single;
  auto impl = std::make_unique<Impl>();
  const auto together = [&](int64_t step, int64_t channels) { return step == 1 || channels == 1; };
  const bool in_place =
      together(s.images_layout.in, s.groups * s.in) && together(s.results_layout.out, s.groups * s.out);
  if (!(in_place && impl->make(s, true)) && !impl->make(s, false))
    return nullptr;
  impl->idle.reserve(64);
  for (unsigned i = std::clamp(std::thread::hardware_concurrency(), 1u, 16u); i > 0; --i) {
    auto session = impl->make_session();
    if (!session)
      return nullptr;
    impl->release(std::move(*session));
  }
  return std::unique_ptr<ConvChain>(new ConvChain(std::move(impl)));
}

const std::string &ConvChain::implementation() const { return impl_->implementation; }
int64_t ConvChain::scratch_bytes() const { return impl_->scratch; }

Status ConvChain::run(const void *images, const void *weights, const void *results, void *scratch) const {
  const SingleThread single;
  TW_ASSIGN(auto session, impl_->acquire());
  const std::array<const void *, kArrays> arrays{images, weights, results};
  for (size_t i = 0; i < impl_->memory.size(); ++i) {
    void *data =
        i < kArrays ? const_cast<void *>(arrays[i]) : static_cast<std::byte *>(scratch) + impl_->offset[i];
    TW_TRY(check(dnnl_memory_set_data_handle(session->memory[i].get(), data), "setting a buffer"));
  }
  std::array<dnnl_exec_arg_t, kArrays + 1> arguments;
  for (const Step &step : impl_->steps) {
    for (size_t i = 0; i < step.arguments.size(); ++i)
      arguments[i] = {step.arguments[i].name, session->memory[step.arguments[i].memory].get()};
    TW_TRY(check(dnnl_primitive_execute(step.primitive.get(), session->stream.get(),
                                        static_cast<int>(step.arguments.size()), arguments.data()),
                 "a convolution"));
  }
  impl_->release(std::move(session));
  return {};
}

} // namespace tw::bench
