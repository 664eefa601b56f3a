#include "glasswood/explain/row_shares.hpp"

#include <algorithm>

#include "glasswood/base/parallel.hpp"
#include "glasswood/explain/row_bitsets.hpp"

namespace glasswood::explain {
namespace {

constexpr std::size_t words = block_rows / 64;
constexpr std::size_t blocks_at_once = 8;  // tables of weights then take 8 MB
using Step = RowShares::Step;

// The rows of a block that have failed exactly the free features at positions a < b (0: none) on the way to a node.
struct State {
    std::int32_t a, b;
    std::uint32_t count;
    std::int64_t sum;
    const std::uint64_t* rows;

    bool has(std::int32_t position) const { return a == position || b == position; }
    int size() const { return (a > 0 ? 1 : 0) + (b > 0 ? 1 : 0); }
    std::int64_t slot(int order) const {
        return b == 0 ? 0 : a == 0 ? LeafShares::of(order, b) : LeafShares::of_two(a, b);
    }
    State with(std::int32_t position) const {
        State more = *this;
        more.a = std::min(b, position);
        more.b = std::max(b, position);
        return more;
    }
};

// What one depth of the walk owns. Sets of a node live here until both its children are done.
struct Frame {
    std::vector<State> left, right;
    std::vector<std::uint64_t> rows;
};

struct Visit {
    std::int32_t node;
    std::size_t depth;  // of the node; its states are in the frame above
    bool is_left;
};

// Memory of a thread, kept between trees: sets are large enough for the allocator to fetch fresh pages each time.
struct Scratch {
    std::vector<Frame> frames;
    std::vector<Visit> stack;
    std::vector<std::int32_t> where;  // slot → position of the state in a list, or -1
    std::vector<std::uint64_t> all = std::vector<std::uint64_t>(words);
    std::vector<std::uint64_t> goes_left = std::vector<std::uint64_t>(words);
};

struct Block {
    const Codes& codes;
    std::size_t first, n_rows;
    const std::int64_t* table;  // weights by byte, null where rows weigh 1
    std::int64_t weight;
    std::size_t n_words() const { return (n_rows + 63) / 64; }
};

class TreeWalk {
 public:
    TreeWalk(const model::Ensemble& e, const Axes& axes, std::span<const Step> steps,
             std::span<const std::int64_t> choice_start, std::span<const std::uint8_t> choices, const Block& block,
             int order, std::vector<std::int64_t>& sums, Scratch& scratch)
        : e_(e),
          axes_(axes),
          steps_(steps),
          choice_start_(choice_start),
          choices_(choices),
          block_(block),
          kernels_(bit_kernels(base::cpu_level())),
          n_words_(block.n_words()),
          order_(order),
          sums_(sums.data()),
          s_(scratch) {}

    void walk(std::size_t tree) {
        std::fill_n(s_.all.begin(), n_words_, ~std::uint64_t{0});
        if (block_.n_rows % 64 != 0) s_.all[n_words_ - 1] = (std::uint64_t{1} << (block_.n_rows % 64)) - 1;
        const State everyone{0, 0, static_cast<std::uint32_t>(block_.n_rows), block_.weight, s_.all.data()};
        const std::int32_t root = e_.tree_start[tree];
        if (e_.is_leaf(root)) {
            add(root, everyone, everyone.sum);
            return;
        }
        frame(0).left.assign(1, everyone);
        s_.stack.push_back({root, 0, true});
        while (!s_.stack.empty()) {
            const Visit at = s_.stack.back();
            s_.stack.pop_back();
            visit(at);
        }
    }

 private:
    Frame& frame(std::size_t depth) {
        if (s_.frames.size() <= depth) s_.frames.resize(depth + 1);
        return s_.frames[depth];
    }

    void visit(const Visit& at) {
        Frame& below = frame(at.depth + 1);
        const Frame& above = s_.frames[at.depth];
        const std::vector<State>& states = at.is_left ? above.left : above.right;
        below.left.clear();
        below.right.clear();
        const Step& step = steps_[at.node];
        const bool both_leaves = e_.is_leaf(e_.left[at.node]) && e_.is_leaf(e_.right[at.node]);
        // at most two new sets per state, and two more where a failed feature is asked again
        if (!both_leaves) below.rows.resize(states.size() * words * (step.repeated ? 4 : 2));
        next_ = both_leaves ? nullptr : below.rows.data();
        left_ = {e_.left[at.node], e_.is_leaf(e_.left[at.node]) ? nullptr : &below.left};
        right_ = {e_.right[at.node], e_.is_leaf(e_.right[at.node]) ? nullptr : &below.right};
        if (step.role == Role::replaced) {
            for (const State& state : states) {
                send(left_, state, state.rows, state.count, state.sum);
                send(right_, state, state.rows, state.count, state.sum);
            }
        } else {
            fill_goes_left(at.node);
            if (step.repeated) {
                split_again(states, step);
            } else {
                for (const State& state : states) split(state, step);
            }
        }
        if (!below.right.empty()) s_.stack.push_back({right_.node, at.depth + 1, false});
        if (!below.left.empty()) s_.stack.push_back({left_.node, at.depth + 1, true});
    }

    struct Child {
        std::int32_t node;
        std::vector<State>* states;  // null for a leaf, which only sums
    };

    void add(std::int32_t leaf, const State& state, std::int64_t sum) {
        sums_[steps_[leaf].slots + state.slot(order_)] += sum;
    }

    void send(const Child& child, State state, const std::uint64_t* rows, std::uint32_t count, std::int64_t sum) {
        if (count == 0) return;
        if (child.states == nullptr) {
            add(child.node, state, sum);
            return;
        }
        state.rows = rows;
        state.count = count;
        state.sum = sum;
        child.states->push_back(state);
    }

    // A state cut by goes_left.
    struct Cut {
        const std::uint64_t *yes, *no;
        std::uint32_t n_yes, n_no;
        std::int64_t sum_yes, sum_no;
    };

    Cut cut(const State& state) {
        Cut out{};
        if (next_ == nullptr) {
            out.n_yes = kernels_.count(state.rows, s_.goes_left.data(), n_words_);
        } else {
            std::uint64_t* yes = next_;
            std::uint64_t* no = next_ + words;
            out.n_yes = kernels_.split(state.rows, s_.goes_left.data(), n_words_, yes, no);
            out.yes = yes;
            out.no = no;
            next_ += 2 * words;
        }
        out.n_no = state.count - out.n_yes;
        if (block_.table == nullptr) {
            out.sum_yes = out.n_yes;
        } else if (out.n_no == 0 || out.n_yes == 0) {
            out.sum_yes = out.n_no == 0 ? state.sum : 0;
        } else {
            out.sum_yes = kernels_.weigh(block_.table, state.rows, s_.goes_left.data(), n_words_);
        }
        out.sum_no = state.sum - out.sum_yes;
        return out;
    }

    void split(const State& state, const Step& step) {
        const Cut c = cut(state);
        send(left_, state, c.yes, c.n_yes, c.sum_yes);
        send(right_, state, c.no, c.n_no, c.sum_no);
        if (step.role != Role::free || state.size() == order_) return;
        const State failed = state.with(step.position);
        send(left_, failed, c.no, c.n_no, c.sum_no);
        send(right_, failed, c.yes, c.n_yes, c.sum_yes);
    }

    // The path has asked for the feature before: rows that have failed it go both ways and stay failed, joined by those
    // that fail it now.
    void split_again(const std::vector<State>& states, const Step& step) {
        for (std::size_t i = 0; i < states.size(); ++i) {
            const auto slot = static_cast<std::size_t>(states[i].slot(order_));
            if (s_.where.size() <= slot) s_.where.resize(slot + 1, -1);
            s_.where[slot] = static_cast<std::int32_t>(i);
        }
        for (const State& state : states) {
            if (state.has(step.position)) continue;
            const Cut c = cut(state);
            send(left_, state, c.yes, c.n_yes, c.sum_yes);
            send(right_, state, c.no, c.n_no, c.sum_no);
            if (step.role != Role::free || state.size() == order_) continue;
            const State failed = state.with(step.position);
            const auto slot = static_cast<std::size_t>(failed.slot(order_));
            if (slot < s_.where.size() && s_.where[slot] >= 0) {
                const State& before = states[s_.where[slot]];
                s_.where[slot] = -1;  // done here
                join(left_, before, c.no, c.n_no, c.sum_no);
                join(right_, before, c.yes, c.n_yes, c.sum_yes);
            } else {
                send(left_, failed, c.no, c.n_no, c.sum_no);
                send(right_, failed, c.yes, c.n_yes, c.sum_yes);
            }
        }
        for (const State& state : states) {
            std::int32_t& place = s_.where[state.slot(order_)];
            if (place >= 0 && state.has(step.position)) {
                send(left_, state, state.rows, state.count, state.sum);
                send(right_, state, state.rows, state.count, state.sum);
            }
            place = -1;
        }
    }

    void join(const Child& child, const State& state, const std::uint64_t* rows, std::uint32_t count,
              std::int64_t sum) {
        const std::uint64_t* all = state.rows;
        if (count > 0 && child.states != nullptr) {
            kernels_.unite(state.rows, rows, n_words_, next_);
            all = next_;
            next_ += words;
        }
        send(child, state, all, state.count + count, state.sum + sum);
    }

    void fill_goes_left(std::int32_t node) {
        const std::int32_t f = e_.feature[node];
        if (e_.is_category_split(node)) {
            const std::uint8_t* choice = choices_.data() + choice_start_[node];
            read(f, kernels_.chosen8, kernels_.chosen16, kernels_.chosen32, choice);
            return;
        }
        const auto highest = static_cast<std::uint32_t>(axes_.cut[node]);
        const bool takes_missing = axes_.has_missing(f) && e_.missing_left[node] != 0;
        const auto also = takes_missing ? static_cast<std::uint32_t>(axes_.missing[f]) : highest;
        read(f, kernels_.at_most8, kernels_.at_most16, kernels_.at_most32, highest, also);
    }

    template <class F8, class F16, class F32, class... Args>
    void read(std::int32_t f, F8 f8, F16 f16, F32 f32, Args... args) {
        const Codes& codes = block_.codes;
        std::uint64_t* out = s_.goes_left.data();
        if (codes.width(f) == 1) f8(codes.column<std::uint8_t>(f, block_.first), args..., n_words_, out);
        if (codes.width(f) == 2) f16(codes.column<std::uint16_t>(f, block_.first), args..., n_words_, out);
        if (codes.width(f) == 4) f32(codes.column<std::uint32_t>(f, block_.first), args..., n_words_, out);
    }

    const model::Ensemble& e_;
    const Axes& axes_;
    std::span<const Step> steps_;
    std::span<const std::int64_t> choice_start_;
    std::span<const std::uint8_t> choices_;
    const Block& block_;
    const BitKernels& kernels_;
    const std::size_t n_words_;
    const int order_;
    std::int64_t* sums_;
    Scratch& s_;
    Child left_{}, right_{};
    std::uint64_t* next_ = nullptr;  // where the next set of the current frame goes; null below a parent of two leaves
};

// table[256 * k + b]: weight of those of rows 8k … 8k+7 that are set in byte b
void fill_table(std::span<const std::int64_t> weight, std::vector<std::int64_t>& table) {
    const std::size_t n_bytes = (weight.size() + 63) / 64 * 8;
    table.resize(n_bytes * 256);
    for (std::size_t k = 0; k < n_bytes; ++k) {
        std::int64_t* sums = table.data() + 256 * k;
        sums[0] = 0;
        for (std::size_t bit = 0; bit < 8; ++bit) {
            const std::size_t row = 8 * k + bit;
            const std::int64_t w = row < weight.size() ? weight[row] : 0;
            const std::size_t half = std::size_t{1} << bit;
            for (std::size_t b = 0; b < half; ++b) sums[half + b] = sums[b] + w;
        }
    }
}

}  // namespace

RowShares::RowShares(const model::Ensemble& e, const Paths& paths, std::span<const Role> role, int order)
    : ensemble_(e),
      paths_(paths),
      steps_(e.n_nodes()),
      choice_start_(e.n_nodes() + 1, 0),
      slots_(make_leaf_shares(paths, role, order)),
      sums_(slots_.share.size(), 0) {
    for (std::size_t leaf = 0; leaf < paths.n_leaves(); ++leaf) steps_[paths.leaf[leaf]].slots = slots_.start[leaf];
    // Positions are handed down from parent to child: the free features of the path so far, by node.
    std::vector<std::vector<std::int32_t>> asked(e.n_nodes());
    for (std::size_t node = 0; node < e.n_nodes(); ++node) {
        choice_start_[node + 1] = choice_start_[node];
        if (e.is_leaf(node)) continue;
        const std::int32_t f = e.feature[node];
        Step& step = steps_[node];
        step.role = role[f];
        std::vector<std::int32_t> path = std::move(asked[node]);
        if (step.role == Role::free) {
            const auto at = std::ranges::find(path, f);
            step.repeated = at != path.end();
            step.position = static_cast<std::int32_t>(at - path.begin()) + 1;
            if (!step.repeated) path.push_back(f);
        }
        asked[e.left[node]] = path;
        asked[e.right[node]] = std::move(path);
        if (!e.is_category_split(node)) continue;
        const std::int32_t levels = e.n_levels[f];
        for (std::int32_t code = 0; code < levels; ++code) choices_.push_back(e.in_set(e.category_set[node], code));
        choices_.push_back(e.unseen_left[node]);
        if (paths.axes.has_missing(f)) choices_.push_back(e.missing_left[node]);
        choice_start_[node + 1] = static_cast<std::int64_t>(choices_.size());
    }
}

void RowShares::add(const Codes& codes, std::size_t first, std::size_t last, int n_threads) {
    // Several blocks between two meetings of the threads.
    if (codes.is_weighted()) unit_ = codes.unit();
    const std::size_t batch_rows = blocks_at_once * block_rows;
    std::vector<std::vector<std::int64_t>> tables(codes.is_weighted() ? blocks_at_once : 0);
    const std::vector<std::uint64_t> all(words, ~std::uint64_t{0});
    for (std::size_t from = first; from < last; from += batch_rows) {
        std::vector<Block> blocks;
        for (std::size_t at = from; at < std::min(last, from + batch_rows); at += block_rows) {
            const std::size_t n = std::min(block_rows, last - at);
            blocks.push_back({codes, at, n, nullptr, static_cast<std::int64_t>(n)});
            if (!codes.is_weighted()) continue;
            std::vector<std::int64_t>& table = tables[blocks.size() - 1];
            fill_table(codes.whole().subspan(at, n), table);
            blocks.back().table = table.data();
            blocks.back().weight =
                bit_kernels(base::cpu_level()).weigh(table.data(), all.data(), all.data(), blocks.back().n_words());
        }
        for (const Block& block : blocks) total_ += block.weight;
        const base::Work work = base::work_of(ensemble_.n_nodes() * std::min(last - from, batch_rows), 0.2);
        base::parallel_for(ensemble_.n_trees(), n_threads, work, [&](std::size_t tree) {
            thread_local Scratch scratch;
            for (const Block& block : blocks) {
                base::check_interrupt();
                TreeWalk(ensemble_, paths_.axes, steps_, choice_start_, choices_, block, slots_.order, sums_, scratch)
                    .walk(tree);
            }
        });
    }
}

LeafShares RowShares::shares() const {
    LeafShares slots = slots_;
    std::ranges::transform(sums_, slots.share.begin(), [](std::int64_t sum) { return static_cast<double>(sum); });
    sum_subsets(paths_, static_cast<double>(total_), slots);
    return slots;
}

}  // namespace glasswood::explain
