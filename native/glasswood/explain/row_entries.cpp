#include "glasswood/explain/row_entries.hpp"

#include <algorithm>

namespace glasswood::explain {
namespace {

static_assert(block_rows <= 1 << 16, "a row of a block has 16 bits of an entry");

void copy(const EntryList& from, EntryList& to) {
    std::ranges::copy(from.all(), to.room_for(from.n));
    to.n = from.n;
}

}  // namespace

NodeEntries& EntryWalk::begin(std::size_t n) {
    if (frames_.empty()) frames_.resize(1);
    NodeEntries& root = frames_[0].left;
    for (EntryList* list : {&root.open, &root.done}) {
        list->room_for(n);
        list->n = 0;
    }
    return root;
}

void EntryWalk::walk(std::int32_t node) {
    stack_.push_back({node, 0, true});
    while (!stack_.empty()) {
        const EntryFrames::Visit at = stack_.back();
        stack_.pop_back();
        visit(at);
    }
}

void EntryWalk::visit(const EntryFrames::Visit& at) {
    if (frames_.size() <= at.depth + 1) frames_.resize(at.depth + 2);
    const NodeEntries& entries = at.is_left ? frames_[at.depth].left : frames_[at.depth].right;
    Frame& below = frames_[at.depth + 1];
    const RowShares::Step& step = steps_[at.node];
    if (step.role == Role::replaced) {
        for (NodeEntries* side : {&below.left, &below.right}) {
            copy(entries.open, side->open);
            copy(entries.done, side->done);
        }
    } else {
        const SplitQuestion question = questions_.of(at.node);
        const std::size_t width = codes_.width(question.feature);
        if (width == 1) split_codes<std::uint8_t>(question, step, entries, below);
        if (width == 2) split_codes<std::uint16_t>(question, step, entries, below);
        if (width == 4) split_codes<std::uint32_t>(question, step, entries, below);
    }
    follow(e_.right[at.node], below.right, at.depth + 1, false);
    follow(e_.left[at.node], below.left, at.depth + 1, true);
}

void EntryWalk::follow(std::int32_t child, const NodeEntries& entries, std::size_t depth, bool is_left) const {
    if (e_.is_leaf(child)) {
        add(child, entries);
    } else if (entries.size() > 0) {
        stack_.push_back({child, depth, is_left});
    }
}

template <class Code>
void EntryWalk::split_codes(const SplitQuestion& question, const RowShares::Step& step, const NodeEntries& entries,
                            Frame& below) const {
    const Code* code = codes_.column<Code>(static_cast<std::size_t>(question.feature), first_row_);
    const auto split = [&](auto goes_left) {
        split_open(step, entries.open.all(), goes_left, below);
        if (step.repeated && order_ > 0) {
            mark(step, 1);
            split_done<true>(entries.done.all(), goes_left, below);
            mark(step, 0);
        } else {
            split_done<false>(entries.done.all(), goes_left, below);
        }
    };
    if (question.choice >= 0) {
        const std::uint8_t* chosen = questions_.choices(question);
        split([=](std::uint64_t row) -> std::size_t { return chosen[code[row]]; });
    } else {
        const auto highest = static_cast<Code>(question.cut);
        const auto other = static_cast<Code>(question.also);
        split([=](std::uint64_t row) -> std::size_t {
            const Code c = code[row];
            return (c <= highest ? 1U : 0U) | (c == other ? 1U : 0U);
        });
    }
}

// Entries that may fail more: they go on to their side, and to the other one as failed. Those that have failed the
// feature before go both ways.
template <class GoesLeft>
void EntryWalk::split_open(const RowShares::Step& step, std::span<const RowEntry> entries, GoesLeft goes_left,
                           Frame& below) const {
    // at most one entry each, and as many again that have just failed
    RowEntry* open[2] = {below.right.open.room_for(2 * entries.size()), below.left.open.room_for(2 * entries.size())};
    RowEntry* done[2] = {below.right.done.room_for(entries.size()), below.left.done.room_for(entries.size())};
    std::size_t n_open[2] = {}, n_done[2] = {};
    const std::int64_t position = step.position;
    for (const RowEntry entry : entries) {
        const std::size_t side = goes_left(entry.row()), other = side ^ 1U;
        open[side][n_open[side]++] = entry;
        if (step.role != Role::free) continue;
        const std::int64_t failed = entry.failed();
        if (failed == position) {
            open[other][n_open[other]++] = entry;
        } else if (order_ == 2 && failed == 0) {
            open[other][n_open[other]++] = RowEntry::of(entry.row(), position);
        } else {
            const std::int64_t slot =
                order_ == 1 ? position : LeafShares::of_two(std::min(failed, position), std::max(failed, position));
            done[other][n_done[other]++] = RowEntry::of(entry.row(), slot);
        }
    }
    below.right.open.n = n_open[0];
    below.left.open.n = n_open[1];
    below.right.done.n = n_done[0];
    below.left.done.n = n_done[1];
}

// The others, which are most: each is written on both sides, and counts where it goes, so that no branch depends on it.
template <bool repeated, class GoesLeft>
void EntryWalk::split_done(std::span<const RowEntry> entries, GoesLeft goes_left, Frame& below) const {
    const std::size_t most = entries.size() + std::max(below.left.done.n, below.right.done.n);
    RowEntry* const left = below.left.done.room_for(most);
    RowEntry* const right = below.right.done.room_for(most);
    const std::uint8_t* const holds = holds_.data();
    std::size_t n_left = below.left.done.n, n_right = below.right.done.n;
    for (const RowEntry entry : entries) {
        const std::size_t yes = goes_left(entry.row());
        std::size_t both = 0;
        if constexpr (repeated) both = holds[entry.failed()];
        left[n_left] = entry;
        right[n_right] = entry;
        n_left += yes | both;
        n_right += (yes ^ 1U) | both;
    }
    below.left.done.n = n_left;
    below.right.done.n = n_right;
}

// Marks the slots that hold the position of a step.
void EntryWalk::mark(const RowShares::Step& step, std::uint8_t mark) const {
    const std::int64_t p = step.position, m = step.n_free;
    if (order_ == 1) {
        if (static_cast<std::int64_t>(holds_.size()) <= m) holds_.resize(m + 1, 0);
        holds_[p] = mark;
        return;
    }
    const auto n = static_cast<std::size_t>(LeafShares::count(2, m));
    if (holds_.size() < n) holds_.resize(n, 0);
    for (std::int64_t a = 1; a < p; ++a) holds_[LeafShares::of_two(a, p)] = mark;
    for (std::int64_t b = p + 1; b <= m; ++b) holds_[LeafShares::of_two(p, b)] = mark;
}

void EntryWalk::add(std::int32_t leaf, const NodeEntries& entries) const {
    std::int64_t* const sums = sums_ + steps_[leaf].first_slot;
    const auto weight = [&](RowEntry entry) { return whole_.empty() ? 1 : whole_[entry.row()]; };
    for (const RowEntry entry : entries.open.all()) {
        const std::int64_t failed = entry.failed();
        sums[failed == 0 ? 0 : LeafShares::of(order_, failed)] += weight(entry);
    }
    for (const RowEntry entry : entries.done.all()) sums[entry.failed()] += weight(entry);
}

}  // namespace glasswood::explain
