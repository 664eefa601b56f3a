// RowShares: for every leaf the weight of the rows that fail exactly the free features V of its path, by sets of rows.
//
// A block of rows is carried down a tree as one bitset per live V. At a split each set is cut in two by the bitset of
// the rows that go left; the part that goes the other way has failed the split's feature on this side. Sets that run
// empty are dropped, and leaves only count. Where sets hold few rows, the rows go on one by one (row_entries.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "glasswood/base/pool.hpp"
#include "glasswood/explain/cell_codes.hpp"
#include "glasswood/explain/leaf_paths.hpp"
#include "glasswood/explain/shares.hpp"
#include "glasswood/explain/split_questions.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::explain {

// Rows whose sets stay in the first cache. Sums are whole numbers, so the result does not depend on the blocks.
inline constexpr std::size_t block_rows = 4096;

class RowShares {
 public:
    // The ensemble and the paths must outlive it. Only the given trees are looked at.
    RowShares(const model::Ensemble& ensemble, const Paths& paths, std::span<const Role> role, int order,
              TreeRange trees);
    ~RowShares();

    // Adds rows [first, last). The result does not depend on how rows are cut into calls; whole blocks are fastest.
    // Weighted rows must have their unit.
    void add(const Codes& codes, std::size_t first, std::size_t last, int n_threads);

    // Adds rows that were counted elsewhere: the weight in each slot and of all rows, in the unit of the rows here.
    void add_sums(std::span<const std::int64_t> sums, std::int64_t total);

    std::size_t n_slots() const { return sums_.size(); }
    std::span<const std::int64_t> slot_start() const { return layout_.start; }  // by leaf
    std::span<const std::int64_t> sums() const { return sums_; }
    std::int64_t total() const { return total_; }  // in units
    const Paths& paths() const { return paths_; }
    // Shares of the rows added so far.
    LeafShares shares() const;

    struct Step {                   // one per node
        std::int32_t position = 0;  // of a free feature on the path, 0 otherwise
        std::int32_t n_free = 0;    // free features that the path has asked for before
        Role role = Role::fixed;
        bool repeated = false;         // the path has asked for the feature before
        std::int64_t first_slot = -1;  // of a leaf
    };
    struct Scratch;  // memory of one thread

 private:
    const model::Ensemble& ensemble_;
    const Paths& paths_;
    std::vector<Step> steps_;
    SplitQuestions questions_;
    LeafShares layout_;               // without shares
    std::vector<std::int64_t> sums_;  // per slot, in units
    std::int64_t total_ = 0;
    std::unique_ptr<base::Pool<Scratch>> scratch_;  // kept between calls: its sets are large
};

}  // namespace glasswood::explain
