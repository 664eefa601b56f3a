#include "glasswood/forest/quantile_pick.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace glasswood::forest {
namespace {

// Distinct values, ascending; stops when there are more than `max_values`.
std::vector<double> distinct_values(std::span<const double> values, std::size_t max_values) {
    std::vector<double> distinct;
    for (const double x : values) {
        const auto found = std::ranges::lower_bound(distinct, x);
        if (found != distinct.end() && *found == x) continue;
        distinct.insert(found, x);
        if (distinct.size() > max_values) break;
    }
    return distinct;
}

struct Entry {
    double value;
    std::uint64_t weight;
};

// Values between two neighbours of a sample, and the weight of all below.
struct Bucket {
    std::uint64_t before;
    std::vector<Entry> entries;
};

// Divides the values at those of a sample, so that buckets are about equally full whatever the distribution, and sorts
// only the few buckets in which a quantile is reached.
class Picker {
 public:
    Picker(std::span<const double> values, std::span<const double> weight, std::size_t n_quantiles)
        : values_(values), weight_(weight), n_quantiles_(n_quantiles), buckets_(sample(values)) {}

    std::vector<double> pick() {
        std::vector<std::uint16_t> bucket(values_.size());
        std::vector<std::uint64_t> sums(buckets_.size());
        double largest = values_[0];
        for (std::size_t i = 0; i < values_.size(); ++i) {
            bucket[i] = static_cast<std::uint16_t>(buckets_.count_below(values_[i]));
            sums[bucket[i]] += weight_of(i);
            largest = std::max(largest, values_[i]);
        }
        for (const std::uint64_t sum : sums) total_ += sum;
        std::vector<double> cuts;
        std::uint64_t k = 1;
        for (Bucket& one : gather(bucket, sums)) {
            std::ranges::sort(one.entries, {}, &Entry::value);
            std::uint64_t below = one.before;
            for (std::size_t i = 0; i < one.entries.size(); ++i) {
                below += one.entries[i].weight;
                const bool more = i + 1 < one.entries.size() && one.entries[i + 1].value == one.entries[i].value;
                if (more || k == n_quantiles_ || !reaches(below, k)) continue;
                while (k < n_quantiles_ && reaches(below, k)) ++k;
                if (one.entries[i].value != largest) cuts.push_back(one.entries[i].value);
            }
        }
        return cuts;
    }

 private:
    static CutSearch sample(std::span<const double> values) {
        constexpr std::size_t n = 511;
        std::vector<double> some(n);
        for (std::size_t i = 0; i < n; ++i) some[i] = values[i * values.size() / n];
        std::ranges::sort(some);
        return CutSearch(some);
    }

    std::uint64_t weight_of(std::size_t i) const {
        return weight_.empty() ? 1 : static_cast<std::uint64_t>(weight_[i]);
    }
    // Products instead of quotients: exact.
    bool reaches(std::uint64_t below, std::uint64_t k) const { return below * n_quantiles_ >= k * total_; }

    // The buckets in which a quantile is reached, with their entries.
    std::vector<Bucket> gather(std::span<const std::uint16_t> bucket, std::span<const std::uint64_t> sums) const {
        std::vector<Bucket> wanted;
        std::vector<std::uint16_t> number(sums.size());  // 1 + index among the wanted; 0: not wanted
        std::uint64_t below = 0, k = 1;
        for (std::size_t b = 0; b < sums.size(); ++b) {
            const std::uint64_t before = std::exchange(below, below + sums[b]);
            if (k == n_quantiles_ || !reaches(below, k)) continue;
            while (k < n_quantiles_ && reaches(below, k)) ++k;
            wanted.push_back({before, {}});
            number[b] = static_cast<std::uint16_t>(wanted.size());
        }
        for (std::size_t i = 0; i < bucket.size(); ++i) {
            const std::uint16_t which = number[bucket[i]];
            if (which > 0) wanted[which - 1].entries.push_back({values_[i], weight_of(i)});
        }
        return wanted;
    }

    std::span<const double> values_, weight_;
    std::uint64_t n_quantiles_, total_ = 0;
    CutSearch buckets_;
};

}  // namespace

CutSearch::CutSearch(std::span<const double> cuts)
    : padded_(std::bit_ceil(cuts.size() + 1) - 1, std::numeric_limits<double>::infinity()) {
    std::ranges::copy(cuts, padded_.begin());
}

std::vector<double> pick_quantiles(std::span<const double> values, std::span<const double> weight,
                                   std::size_t n_quantiles) {
    std::vector<double> cuts = distinct_values(values, n_quantiles);
    if (cuts.size() > n_quantiles) {
        cuts = Picker(values, weight, n_quantiles).pick();
    } else if (!cuts.empty()) {
        cuts.pop_back();
    }
    for (double& cut : cuts) cut += 0.0;  // -0 is shown as 0
    return cuts;
}

}  // namespace glasswood::forest
