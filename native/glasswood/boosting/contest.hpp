// Contest: the features of a node that may have its best split, found one after the other in any order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

#include "glasswood/base/spin.hpp"
#include "glasswood/boosting/split_scan.hpp"

namespace glasswood::boosting {

class Contest {
 public:
    struct Entry {
        std::uint32_t k;  // place among the features of the tree
        bool is_known;    // otherwise of the candidate only the gain is known
        Candidate candidate;
    };

    explicit Contest(double min_gain) : min_gain_(min_gain) {}

    // A feature that gains less cannot win any more. A little less than what ties, so that rounding does not matter.
    double least() const { return std::max(min_gain_, most_ - 2 * tie * most_); }

    void offer(std::size_t k, const Candidate& candidate) { offer({static_cast<std::uint32_t>(k), true, candidate}); }
    void offer(std::size_t k, double gain) { offer({static_cast<std::uint32_t>(k), false, {gain, -1, false, {}}}); }

    // Several threads may call this at once.
    void take(const Contest& other) {
        const base::PatientLock lock(guard_);
        for (const Entry& entry : other.entries_) offer(entry);
    }

    // The first feature among those that tie with the best; null if none gains more than `min_gain`.
    const Entry* winner() const {
        const double enough = most_ - tie * most_;
        const Entry* first = nullptr;
        for (const Entry& entry : entries_) {
            const bool ties = entry.candidate.gain >= enough;
            if (ties && (first == nullptr || entry.k < first->k)) first = &entry;
        }
        return first;
    }

 private:
    void offer(const Entry& entry) {
        const double gain = entry.candidate.gain;
        if (!(gain > min_gain_ && gain >= least())) return;
        most_ = std::max(most_, gain);
        entries_.push_back(entry);
    }

    double min_gain_;
    double most_ = 0.0;
    std::vector<Entry> entries_;
    std::mutex guard_;
};

}  // namespace glasswood::boosting
