// Row entries: rows on their way down a tree as a list, each with the free features it has failed so far.
//
// Deep in a tree the sets of RowShares hold a few rows each, and cutting a whole block of bits for each set is waste.
// There every row of every set becomes one entry, and a split sends the entries on one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/explain/cell_codes.hpp"
#include "glasswood/explain/row_shares.hpp"
#include "glasswood/explain/split_questions.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain {

// A row of the block and what it has failed. While it may fail more, that is the position of the one feature it has
// failed so far, or 0; afterwards it is its slot of LeafShares, which no longer changes.
struct RowEntry {
    std::uint64_t bits;

    static RowEntry of(std::uint64_t row, std::int64_t failed) {
        return {row | static_cast<std::uint64_t>(failed) << 16};
    }
    std::uint64_t row() const { return bits & 0xFFFF; }
    std::int64_t failed() const { return static_cast<std::int64_t>(bits >> 16); }
};

// A growing list in memory that is kept: its first n entries count.
struct EntryList {
    std::vector<RowEntry> entries;
    std::size_t n = 0;

    RowEntry* room_for(std::size_t most) {
        if (entries.size() < most) entries.resize(2 * most);
        return entries.data();
    }
    std::span<const RowEntry> all() const { return {entries.data(), n}; }
};

// The entries of a node: those that may fail more, and the others.
struct NodeEntries {
    EntryList open, done;

    std::size_t size() const { return open.n + done.n; }
};

// Memory of one thread, kept between walks.
struct EntryFrames {
    struct Frame {
        NodeEntries left, right;
    };
    struct Visit {
        std::int32_t node;
        std::size_t depth;  // of the node; its entries are in the frame above
        bool is_left;
    };
    std::vector<Frame> frames;
    std::vector<Visit> stack;
    std::vector<std::uint8_t> holds;  // by slot: whether it holds the position that a split asks for; 0 in between
};

class EntryWalk {
 public:
    // `whole`: weights of the block's rows in units; empty where rows weigh 1. `sums`: per slot.
    EntryWalk(const model::Ensemble& ensemble, const SplitQuestions& questions, std::span<const RowShares::Step> steps,
              const Codes& codes, std::size_t first_row, std::span<const std::int64_t> whole, int order,
              std::int64_t* sums, EntryFrames& frames)
        : e_(ensemble),
          questions_(questions),
          steps_(steps),
          codes_(codes),
          first_row_(first_row),
          whole_(whole),
          order_(order),
          sums_(sums),
          frames_(frames.frames),
          stack_(frames.stack),
          holds_(frames.holds) {}

    // Empty lists for the entries of a walk, room for n each.
    NodeEntries& begin(std::size_t n);
    // Follows the entries from `node`, which is split, down to the leaves and adds their weights there.
    void walk(std::int32_t node);

 private:
    using Frame = EntryFrames::Frame;

    void visit(const EntryFrames::Visit& at);
    template <class Code>
    void split_codes(const SplitQuestion& question, const RowShares::Step& step, const NodeEntries& entries,
                     Frame& below) const;
    template <class GoesLeft>
    void split_open(const RowShares::Step& step, std::span<const RowEntry> entries, GoesLeft goes_left,
                    Frame& below) const;
    template <bool repeated, class GoesLeft>
    void split_done(std::span<const RowEntry> entries, GoesLeft goes_left, Frame& below) const;
    void mark(const RowShares::Step& step, std::uint8_t mark) const;
    void follow(std::int32_t child, const NodeEntries& entries, std::size_t depth, bool is_left) const;
    void add(std::int32_t leaf, const NodeEntries& entries) const;

    const model::Ensemble& e_;
    const SplitQuestions& questions_;
    const std::span<const RowShares::Step> steps_;
    const Codes& codes_;
    const std::size_t first_row_;
    const std::span<const std::int64_t> whole_;
    const int order_;
    std::int64_t* const sums_;
    std::vector<Frame>& frames_;
    std::vector<EntryFrames::Visit>& stack_;
    std::vector<std::uint8_t>& holds_;
};

}  // namespace glasswood::explain
