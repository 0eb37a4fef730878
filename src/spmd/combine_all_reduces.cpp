// SPDX-License-Identifier: Apache-2.0
// Combines small all_reduces into buckets: those over the same axes, by the same reduction, of the same
// element type, up to a number of bytes. A bucket is sent when the next one does not fit in, or when nothing
// in the body of its loop or branch that leads to another small all_reduce can go on without it. Instructions
// stay in their order but for those that a bucket holds up.
#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "spmd/rewrite.hpp"

namespace tw::spmd {

namespace {

using redistribute::Kind;

class Combiner {
public:
  explicit Combiner(Lowering &lowering)
      : limit_(lowering.options.bucket_bytes), rewrite_(lowering), old_(rewrite_.old()),
        maker_of_(old_.values().size()) {}

  void run() { write({0, static_cast<uint32_t>(old_.instrs().size())}); }

private:
  // What an all_reduce must have in common with others: axes, reduction, element type.
  using Key = std::tuple<sharding::AxisSet, sharding::Reduction, graph::DType>;
  struct Bucket {
    std::vector<uint32_t> nodes; // of the sequence
    int64_t bytes = 0;
  };
  struct Place {
    uint32_t sequence = 0, node = 0;
  };

  // The instructions of one body.
  void write(const Node &body) {
    const uint32_t sequence = ++sequences_;
    const std::vector<Node> nodes = rewrite_.nodes_of(body);
    std::vector<std::vector<uint32_t>> readers(nodes.size());
    std::vector<uint32_t> missing(nodes.size(), 0); // makers that are not written
    for (uint32_t n = 0; n < nodes.size(); ++n)
      for (uint32_t i = nodes[n].begin; i < nodes[n].end; ++i) {
        const Instr &instr = old_.instrs()[i];
        for (uint32_t r = 0; r < instr.num_results; ++r)
          maker_of_[instr.first_result + r] = {sequence, n};
        for (const ValueRef v : old_.operands(instr))
          if (const Place &maker = maker_of_[v]; maker.sequence == sequence && maker.node != n) {
            readers[maker.node].push_back(n);
            ++missing[n];
          }
      }

    const std::vector<bool> leads = find_leading(nodes, readers);
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready; // the first one first
    size_t leading = 0;                                                         // of those that are ready
    const auto make_ready = [&](uint32_t n) {
      ready.push(n);
      leading += leads[n];
    };
    std::map<Key, Bucket> buckets;
    for (uint32_t n = 0; n < nodes.size(); ++n)
      if (missing[n] == 0)
        make_ready(n);
    const auto done = [&](uint32_t n) {
      for (const uint32_t reader : readers[n])
        if (--missing[reader] == 0)
          make_ready(reader);
    };
    const auto send = [&](Bucket &bucket) {
      std::vector<uint32_t> all;
      for (const uint32_t n : bucket.nodes)
        all.push_back(nodes[n].begin);
      rewrite_.copy_together(all);
      for (const uint32_t n : std::exchange(bucket, {}).nodes)
        done(n);
    };
    for (;;) {
      if (leading == 0) {
        Bucket *first = nullptr;
        for (auto &[key, bucket] : buckets)
          if (!bucket.nodes.empty() && (first == nullptr || bucket.nodes[0] < first->nodes[0]))
            first = &bucket;
        if (first != nullptr) {
          send(*first);
          continue;
        }
      }
      if (ready.empty())
        return;
      const uint32_t n = ready.top();
      ready.pop();
      leading -= leads[n];
      if (nodes[n].end - nodes[n].begin > 1) {
        rewrite_.copy(nodes[n], [&](const Node &inner) { write(inner); });
        done(n);
      } else if (!is_small(nodes[n].begin)) {
        rewrite_.copy(nodes[n].begin);
        done(n);
      } else {
        Bucket &bucket = buckets[key(nodes[n].begin)];
        if (!bucket.nodes.empty() && bucket.bytes + bytes(nodes[n].begin) > limit_)
          send(bucket);
        bucket.nodes.push_back(n);
        bucket.bytes += bytes(nodes[n].begin);
      }
    }
  }

  // Whether a small all_reduce needs what a node makes, or is it.
  std::vector<bool> find_leading(const std::vector<Node> &nodes,
                                 const std::vector<std::vector<uint32_t>> &readers) const {
    std::vector<bool> leads(nodes.size());
    for (size_t n = nodes.size(); n-- > 0;)
      leads[n] = (nodes[n].end - nodes[n].begin == 1 && is_small(nodes[n].begin)) ||
                 std::ranges::any_of(readers[n], [&](uint32_t reader) { return leads[reader]; });
    return leads;
  }

  const redistribute::Summary &summary(uint32_t i) const {
    return old_.collectives()[old_.instrs()[i].index].summary;
  }
  ValueRef result(uint32_t i) const { return old_.instrs()[i].first_result; }

  int64_t bytes(uint32_t i) const { // of the largest tile
    const graph::TensorType &type = old_.type(result(i));
    const sharding::Sharding &s = old_.sharding(old_.values()[result(i)].sharding);
    return largest_tile_elements(s, type.dims, old_.mesh()) *
           static_cast<int64_t>(graph::byte_size(type.dtype));
  }

  bool is_small(uint32_t i) const {
    return old_.instrs()[i].kind == InstrKind::collective && summary(i).kind == Kind::all_reduce &&
           summary(i).reduction != sharding::Reduction::region && bytes(i) < limit_;
  }

  Key key(uint32_t i) const {
    return {axes_of(summary(i)), summary(i).reduction, old_.type(result(i)).dtype};
  }

  const int64_t limit_;
  Rewrite rewrite_;
  const Program &old_;
  std::vector<Place> maker_of_; // per value, in the sequence that was looked at last
  uint32_t sequences_ = 0;
};

} // namespace

Status combine_all_reduces(Lowering &lowering) {
  if (lowering.options.bucket_bytes > 0)
    Combiner(lowering).run();
  return {};
}

} // namespace tw::spmd
