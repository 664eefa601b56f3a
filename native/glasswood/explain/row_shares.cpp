#include "glasswood/explain/row_shares.hpp"

#include <algorithm>
#include <bit>

#include "glasswood/base/bitset.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/explain/row_bitsets.hpp"
#include "glasswood/explain/row_entries.hpp"

namespace glasswood::explain {
namespace {

constexpr std::size_t words = block_rows / 64;
constexpr std::size_t blocks_at_once = 8;  // tables of weights then take 8 MB
constexpr std::size_t few_rows = 12;       // rows of a set that go on one by one as fast as all its bits
using Step = RowShares::Step;

// The rows of a block that have failed exactly the free features at positions a < b (0: none) on the way to a node.
struct RowSet {
    std::int32_t a, b;
    std::uint32_t count;
    std::int64_t sum;
    const std::uint64_t* rows;

    bool has(std::int32_t position) const { return a == position || b == position; }
    int size() const { return (a > 0 ? 1 : 0) + (b > 0 ? 1 : 0); }
    std::int64_t slot(int order) const {
        return b == 0 ? 0 : a == 0 ? LeafShares::of(order, b) : LeafShares::of_two(a, b);
    }
    RowSet with(std::int32_t position) const {
        RowSet more = *this;
        more.a = std::min(b, position);
        more.b = std::max(b, position);
        return more;
    }
};

// The sets of one depth of the walk. Those of a node live here until both its children are done.
struct Frame {
    std::vector<RowSet> left, right;
    std::vector<std::uint64_t> rows;
};

struct Visit {
    std::int32_t node;
    std::size_t depth;  // of the node; its sets are in the frame above
    bool is_left;
};

}  // namespace

// Kept between trees: sets are large enough for the allocator to fetch fresh pages each time.
struct RowShares::Scratch {
    std::vector<Frame> frames;
    std::vector<Visit> stack;
    std::vector<std::int32_t> index_of;  // slot → index of its set in a list, or -1
    std::vector<std::uint64_t> all = std::vector<std::uint64_t>(words);
    std::vector<std::uint64_t> goes_left = std::vector<std::uint64_t>(words);
    EntryFrames entries;
};

namespace {

struct Block {
    const Codes& codes;
    std::size_t first, n_rows;
    const std::int64_t* table;  // weights by byte, null where rows weigh 1
    std::int64_t weight;
    std::size_t n_words() const { return base::words_for(n_rows); }
    std::span<const std::int64_t> whole() const {
        return table == nullptr ? std::span<const std::int64_t>{} : codes.whole().subspan(first, n_rows);
    }
};

class TreeWalk {
 public:
    TreeWalk(const model::Ensemble& e, const SplitQuestions& questions, std::span<const Step> steps, const Block& block,
             int order, std::vector<std::int64_t>& sums, RowShares::Scratch& scratch)
        : e_(e),
          questions_(questions),
          steps_(steps),
          block_(block),
          kernels_(bit_kernels(base::cpu_level())),
          n_words_(block.n_words()),
          order_(order),
          sums_(sums.data()),
          s_(scratch),
          entries_(e, questions, steps, block.codes, block.first, block.whole(), order, sums.data(), scratch.entries) {}

    void walk(std::size_t tree) {
        base::set_first_bits(std::span(s_.all).first(n_words_), block_.n_rows);
        const RowSet everyone{0, 0, static_cast<std::uint32_t>(block_.n_rows), block_.weight, s_.all.data()};
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
        const std::vector<RowSet>& sets = at.is_left ? above.left : above.right;
        std::size_t n_rows = 0;
        for (const RowSet& set : sets) n_rows += set.count;
        if (n_rows <= few_rows * sets.size()) {
            list(sets, n_rows);
            entries_.walk(at.node);
            return;
        }
        below.left.clear();
        below.right.clear();
        const Step& step = steps_[at.node];
        const bool both_leaves = e_.is_leaf(e_.left[at.node]) && e_.is_leaf(e_.right[at.node]);
        // at most two new sets per set, and two more where a failed feature is asked again
        const std::size_t n_needed = both_leaves ? 0 : sets.size() * words * (step.repeated ? 4 : 2);
        // never made smaller: what grows again is cleared again
        if (below.rows.size() < n_needed) below.rows.resize(n_needed);
        next_ = both_leaves ? nullptr : below.rows.data();
        left_ = {e_.left[at.node], e_.is_leaf(e_.left[at.node]) ? nullptr : &below.left};
        right_ = {e_.right[at.node], e_.is_leaf(e_.right[at.node]) ? nullptr : &below.right};
        if (step.role == Role::replaced) {
            for (const RowSet& set : sets) {
                send(left_, set, set.rows, set.count, set.sum);
                send(right_, set, set.rows, set.count, set.sum);
            }
        } else {
            questions_.answer(questions_.of(at.node), block_.codes, block_.first, n_words_, s_.goes_left.data());
            if (step.repeated) {
                split_again(sets, step);
            } else {
                for (const RowSet& set : sets) split(set, step);
            }
        }
        if (!below.right.empty()) s_.stack.push_back({right_.node, at.depth + 1, false});
        if (!below.left.empty()) s_.stack.push_back({left_.node, at.depth + 1, true});
    }

    // The rows of all sets one by one.
    void list(const std::vector<RowSet>& sets, std::size_t n_rows) {
        NodeEntries& entries = entries_.begin(n_rows);
        for (const RowSet& set : sets) {
            const bool is_open = set.size() < order_;
            EntryList& list = is_open ? entries.open : entries.done;
            const std::int64_t failed = is_open ? set.b : set.slot(order_);
            for (std::size_t w = 0; w < n_words_; ++w) {
                for (std::uint64_t left = set.rows[w]; left != 0; left &= left - 1) {
                    const auto row = 64 * w + static_cast<std::uint64_t>(std::countr_zero(left));
                    list.entries[list.n++] = RowEntry::of(row, failed);
                }
            }
        }
    }

    struct Child {
        std::int32_t node;
        std::vector<RowSet>* sets;  // null for a leaf, which only sums
    };

    void add(std::int32_t leaf, const RowSet& set, std::int64_t sum) {
        sums_[steps_[leaf].first_slot + set.slot(order_)] += sum;
    }

    void send(const Child& child, RowSet set, const std::uint64_t* rows, std::uint32_t count, std::int64_t sum) {
        if (count == 0) return;
        if (child.sets == nullptr) {
            add(child.node, set, sum);
            return;
        }
        set.rows = rows;
        set.count = count;
        set.sum = sum;
        child.sets->push_back(set);
    }

    // A set of rows cut by goes_left.
    struct Cut {
        const std::uint64_t *yes, *no;
        std::uint32_t n_yes, n_no;
        std::int64_t sum_yes, sum_no;
    };

    Cut cut(const RowSet& set) {
        Cut out{};
        if (next_ == nullptr) {
            out.n_yes = kernels_.count(set.rows, s_.goes_left.data(), n_words_);
        } else {
            std::uint64_t* yes = next_;
            std::uint64_t* no = next_ + words;
            out.n_yes = kernels_.split(set.rows, s_.goes_left.data(), n_words_, yes, no);
            out.yes = yes;
            out.no = no;
            next_ += 2 * words;
        }
        out.n_no = set.count - out.n_yes;
        if (block_.table == nullptr) {
            out.sum_yes = out.n_yes;
        } else if (out.n_no == 0 || out.n_yes == 0) {
            out.sum_yes = out.n_no == 0 ? set.sum : 0;
        } else {
            out.sum_yes = kernels_.weigh(block_.table, set.rows, s_.goes_left.data(), n_words_);
        }
        out.sum_no = set.sum - out.sum_yes;
        return out;
    }

    void split(const RowSet& set, const Step& step) {
        const Cut c = cut(set);
        send(left_, set, c.yes, c.n_yes, c.sum_yes);
        send(right_, set, c.no, c.n_no, c.sum_no);
        if (step.role != Role::free || set.size() == order_) return;
        const RowSet failed = set.with(step.position);
        send(left_, failed, c.no, c.n_no, c.sum_no);
        send(right_, failed, c.yes, c.n_yes, c.sum_yes);
    }

    // The path has asked for the feature before: rows that have failed it go both ways and stay failed, joined by those
    // that fail it now.
    void split_again(const std::vector<RowSet>& sets, const Step& step) {
        for (std::size_t i = 0; i < sets.size(); ++i) {
            const auto slot = static_cast<std::size_t>(sets[i].slot(order_));
            if (s_.index_of.size() <= slot) s_.index_of.resize(slot + 1, -1);
            s_.index_of[slot] = static_cast<std::int32_t>(i);
        }
        for (const RowSet& set : sets) {
            if (set.has(step.position)) continue;
            const Cut c = cut(set);
            send(left_, set, c.yes, c.n_yes, c.sum_yes);
            send(right_, set, c.no, c.n_no, c.sum_no);
            if (step.role != Role::free || set.size() == order_) continue;
            const RowSet failed = set.with(step.position);
            const auto slot = static_cast<std::size_t>(failed.slot(order_));
            if (slot < s_.index_of.size() && s_.index_of[slot] >= 0) {
                const RowSet& before = sets[s_.index_of[slot]];
                s_.index_of[slot] = -1;  // it is dealt with here
                join(left_, before, c.no, c.n_no, c.sum_no);
                join(right_, before, c.yes, c.n_yes, c.sum_yes);
            } else {
                send(left_, failed, c.no, c.n_no, c.sum_no);
                send(right_, failed, c.yes, c.n_yes, c.sum_yes);
            }
        }
        for (const RowSet& set : sets) {
            std::int32_t& index = s_.index_of[set.slot(order_)];
            if (index >= 0 && set.has(step.position)) {
                send(left_, set, set.rows, set.count, set.sum);
                send(right_, set, set.rows, set.count, set.sum);
            }
            index = -1;
        }
    }

    void join(const Child& child, const RowSet& set, const std::uint64_t* rows, std::uint32_t count, std::int64_t sum) {
        const std::uint64_t* all = set.rows;
        if (count > 0 && child.sets != nullptr) {
            kernels_.unite(set.rows, rows, n_words_, next_);
            all = next_;
            next_ += words;
        }
        send(child, set, all, set.count + count, set.sum + sum);
    }

    const model::Ensemble& e_;
    const SplitQuestions& questions_;
    std::span<const Step> steps_;
    const Block& block_;
    const BitKernels& kernels_;
    const std::size_t n_words_;
    const int order_;
    std::int64_t* sums_;
    RowShares::Scratch& s_;
    EntryWalk entries_;
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

RowShares::RowShares(const model::Ensemble& e, const Paths& paths, std::span<const Role> role, int order,
                     TreeRange trees)
    : ensemble_(e),
      paths_(paths),
      steps_(e.n_nodes()),
      questions_(e, paths.axes),
      layout_(make_layout(paths, role, order, trees)),
      sums_(layout_.start.back(), 0),
      scratch_(std::make_unique<base::Pool<Scratch>>()) {
    for (std::int32_t leaf = paths.tree_leaf[trees.first]; leaf < paths.tree_leaf[trees.last]; ++leaf)
        steps_[paths.leaf[leaf]].first_slot = layout_.start[leaf];
    // Positions are handed down from parent to child: the free features of the path so far, by node.
    const auto first = static_cast<std::size_t>(e.tree_start[trees.first]);
    const auto last = static_cast<std::size_t>(e.tree_start[trees.last]);
    std::vector<std::vector<std::int32_t>> asked(last - first);
    for (std::size_t node = first; node < last; ++node) {
        if (e.is_leaf(node)) continue;
        const std::int32_t f = e.feature[node];
        Step& step = steps_[node];
        step.role = role[f];
        std::vector<std::int32_t> path = std::move(asked[node - first]);
        if (step.role == Role::free) {
            const auto found = std::ranges::find(path, f);
            step.repeated = found != path.end();
            step.position = static_cast<std::int32_t>(found - path.begin()) + 1;
            step.n_free = static_cast<std::int32_t>(path.size());
            if (!step.repeated) path.push_back(f);
        }
        asked[e.left[node] - first] = path;
        asked[e.right[node] - first] = std::move(path);
    }
}

RowShares::~RowShares() = default;

void RowShares::add(const Codes& codes, std::size_t first, std::size_t last, int n_threads) {
    // Several blocks per parallel region, so that threads wait for each other less often.
    const std::size_t batch_rows = blocks_at_once * block_rows;
    std::vector<std::vector<std::int64_t>> tables(codes.is_weighted() ? blocks_at_once : 0);
    const std::vector<std::uint64_t> all(words, ~std::uint64_t{0});
    for (std::size_t from = first; from < last; from += batch_rows) {
        std::vector<Block> blocks;
        for (std::size_t row = from; row < std::min(last, from + batch_rows); row += block_rows) {
            const std::size_t n = std::min(block_rows, last - row);
            blocks.push_back({codes, row, n, nullptr, static_cast<std::int64_t>(n)});
            if (!codes.is_weighted()) continue;
            std::vector<std::int64_t>& table = tables[blocks.size() - 1];
            fill_table(codes.whole().subspan(row, n), table);
            blocks.back().table = table.data();
            blocks.back().weight =
                bit_kernels(base::cpu_level()).weigh(table.data(), all.data(), all.data(), blocks.back().n_words());
        }
        for (const Block& block : blocks) total_ += block.weight;
        const base::Work work = base::work_of(ensemble_.n_nodes() * std::min(last - from, batch_rows), 0.2);
        base::parallel_for(layout_.last_tree - layout_.first_tree, n_threads, work, [&](std::size_t i) {
            const auto scratch = scratch_->borrow();
            for (const Block& block : blocks) {
                base::check_interrupt();
                TreeWalk walk(ensemble_, questions_, steps_, block, layout_.order, sums_, *scratch);
                walk.walk(layout_.first_tree + i);
            }
        });
    }
}

void RowShares::add_sums(std::span<const std::int64_t> sums, std::int64_t total) {
    for (std::size_t s = 0; s < sums_.size(); ++s) sums_[s] += sums[s];
    total_ += total;
}

LeafShares RowShares::shares() const {
    LeafShares out = layout_;
    out.share.assign(sums_.begin(), sums_.end());
    sum_subsets(paths_, static_cast<double>(total_), out);
    return out;
}

}  // namespace glasswood::explain
