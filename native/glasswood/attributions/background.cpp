#include "glasswood/attributions/background.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "glasswood/base/bitset.hpp"
#include "glasswood/base/parallel.hpp"

namespace glasswood::attributions {
namespace {

constexpr std::size_t count_rows = 8192;  // rows counted at a time
constexpr std::size_t mean_rows = 2048;
constexpr int max_bits = 53;

// weight · 2^exponent, rounded
std::vector<std::int64_t> scaled(std::span<const double> weight, int exponent) {
    std::vector<std::int64_t> out(weight.size());
    std::ranges::transform(weight, out.begin(), [&](double w) { return std::llrint(std::ldexp(w, exponent)); });
    return out;
}

// Four separate counts, so that an increment does not wait until the one before is stored.
template <class Pattern>
void add_counts(const Pattern* pattern, std::size_t n, std::vector<std::uint32_t>& four, std::int64_t* out,
                std::size_t n_patterns) {
    four.assign(4 * n_patterns, 0);
    std::uint32_t* c = four.data();
    std::size_t r = 0;
    for (; r + 4 <= n; r += 4) {
        for (std::size_t i = 0; i < 4; ++i) ++c[i * n_patterns + pattern[r + i]];
    }
    for (; r < n; ++r) ++c[pattern[r]];
    for (std::size_t i = 0; i < n_patterns; ++i)
        out[i] += std::int64_t{c[i]} + c[n_patterns + i] + c[2 * n_patterns + i] + c[3 * n_patterns + i];
}

template <class Pattern>
void add_weights(const Pattern* pattern, std::size_t first, std::size_t n, const Background& background,
                 std::int64_t* out) {
    for (std::size_t r = 0; r < n; ++r) out[pattern[r]] += background.weight(first + r);
}

// Weight of the rows of a stretch that reach each leaf of a tree, added to `out` by node.
class LeafCounter {
 public:
    void add(const AttributionPlan& plan, const AttributionTree& tree, const Background& background, std::size_t first,
             std::size_t n, std::vector<std::int64_t>& out) {
        const model::Ensemble& e = plan.ensemble();
        planes_.prepare(tree, plan.splits(), background.codes(), first, n);
        const std::size_t words = planes_.n_words();
        const std::int32_t root = e.tree_start[tree.tree];
        const auto n_nodes = static_cast<std::size_t>(e.tree_start[tree.tree + 1] - root);
        rows_.assign(n_nodes * words, 0);
        base::set_first_bits(std::span(rows_).first(words), n);
        for (std::size_t i = 0; i < n_nodes; ++i) {
            const auto node = root + static_cast<std::int32_t>(i);
            const std::uint64_t* here = rows_.data() + i * words;
            if (e.is_leaf(node)) {
                out[i] += weigh(here, words, background, first);
                continue;
            }
            if (tree.question_of[i] < 0) continue;  // no path leads here
            const std::uint64_t* goes_left = planes_.answer(tree.question_of[i]);
            std::uint64_t* left = rows_.data() + static_cast<std::size_t>(e.left[node] - root) * words;
            std::uint64_t* right = rows_.data() + static_cast<std::size_t>(e.right[node] - root) * words;
            for (std::size_t w = 0; w < words; ++w) {
                left[w] = here[w] & goes_left[w];
                right[w] = here[w] & ~goes_left[w];
            }
        }
    }

 private:
    static std::int64_t weigh(const std::uint64_t* rows, std::size_t n_words, const Background& background,
                              std::size_t first) {
        std::int64_t sum = 0;
        for (std::size_t w = 0; w < n_words; ++w) {
            if (!background.is_weighted()) {
                sum += std::popcount(rows[w]);
                continue;
            }
            for (std::uint64_t left = rows[w]; left != 0; left &= left - 1)
                sum += background.weight(first + 64 * w + static_cast<std::size_t>(std::countr_zero(left)));
        }
        return sum;
    }

    AnswerPlanes planes_;
    std::vector<std::uint64_t> rows_;
};

}  // namespace

std::vector<std::int64_t> whole_weights(std::span<const double> weight) {
    const double largest = *std::ranges::max_element(weight);
    // a first scale from the largest weight and their number; then as fine as their exact sum allows
    const auto count_bits = static_cast<int>(std::bit_width(weight.size()));
    const int first = 60 - count_bits - (std::ilogb(largest) + 1);
    const std::vector<std::int64_t> rough = scaled(weight, first);
    const std::int64_t sum = std::accumulate(rough.begin(), rough.end(), std::int64_t{0});
    const auto digits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(sum) + weight.size()));
    return scaled(weight, first + (max_bits - 1 - digits));
}

Background::Background(explain::Codes codes) : codes_(std::move(codes)) {
    if (codes_.is_weighted()) {
        weight_ = whole_weights(codes_.weight());
        total_ = static_cast<double>(std::accumulate(weight_.begin(), weight_.end(), std::int64_t{0}));
    } else {
        total_ = static_cast<double>(codes_.n_rows());
    }
}

std::vector<std::vector<std::int64_t>> PatternCounter::count(const AttributionTree& tree,
                                                             const explain::SplitQuestions& splits,
                                                             const Background& background) {
    bytes_.resize(count_rows);
    words_.resize(count_rows);
    std::vector<std::vector<std::int64_t>> out;
    for (const AttributionGroup& group : tree.groups) out.emplace_back(std::size_t{1} << group.n_bits(), 0);
    for (std::size_t first = 0; first < background.n_rows(); first += count_rows) {
        const std::size_t n = std::min(count_rows, background.n_rows() - first);
        planes_.prepare(tree, splits, background.codes(), first, n);
        for (std::size_t g = 0; g < tree.groups.size(); ++g) {
            const auto count_group = [&](auto* pattern) {
                writer_.write(planes_, tree.groups[g], pattern);
                if (background.is_weighted()) {
                    add_weights(pattern, first, n, background, out[g].data());
                } else {
                    add_counts(pattern, n, four_, out[g].data(), out[g].size());
                }
            };
            if (tree.groups[g].n_bits() <= 8) {
                count_group(bytes_.data());
            } else {
                count_group(words_.data());
            }
        }
    }
    return out;
}

std::vector<double> mean_over_rows(const AttributionPlan& plan, const Background& background, int n_threads) {
    const model::Ensemble& e = plan.ensemble();
    std::vector<std::vector<double>> parts(e.n_trees());
    base::parallel_for(e.n_trees(), n_threads, base::work_of(e.n_nodes() * 64 + background.n_rows() * e.n_trees(), 4.0),
                       [&](std::size_t t) {
                           const bool kept = plan.kind(t) == AttributionKind::table;
                           const AttributionTree made = kept ? AttributionTree{} : plan.questions(t);
                           const AttributionTree& tree = kept ? plan.tree(t) : made;
                           const std::int32_t root = e.tree_start[t];
                           std::vector<std::int64_t> count(static_cast<std::size_t>(e.tree_start[t + 1] - root), 0);
                           LeafCounter counter;
                           for (std::size_t first = 0; first < background.n_rows(); first += mean_rows)
                               counter.add(plan, tree, background, first,
                                           std::min(mean_rows, background.n_rows() - first), count);
                           parts[t].assign(e.width, 0.0);
                           for (std::size_t i = 0; i < count.size(); ++i) {
                               if (!e.is_leaf(root + i) || count[i] == 0) continue;
                               const double share = static_cast<double>(count[i]) / background.total();
                               for (std::size_t k = 0; k < e.width; ++k)
                                   parts[t][k] += share * e.value[(root + i) * e.width + k];
                           }
                       });
    std::vector<double> out(e.baseline.begin(), e.baseline.end());
    for (std::size_t t = 0; t < e.n_trees(); ++t) {
        for (std::size_t k = 0; k < e.width; ++k) out[e.tree_output[t] + k] += parts[t][k];
    }
    return out;
}

std::vector<double> mean_over_shares(const AttributionPlan& plan) {
    const model::Ensemble& e = plan.ensemble();
    std::vector<double> out(e.baseline.begin(), e.baseline.end()), reach(e.n_nodes(), 0.0);
    for (std::size_t t = 0; t < e.n_trees(); ++t) {
        reach[e.tree_start[t]] = 1.0;
        for (std::int32_t node = e.tree_start[t]; node < e.tree_start[t + 1]; ++node) {
            if (e.is_leaf(node)) {
                for (std::size_t k = 0; k < e.width; ++k)
                    out[e.tree_output[t] + k] += reach[node] * e.value[node * e.width + k];
                continue;
            }
            for (const std::int32_t child : {e.left[node], e.right[node]})
                reach[child] = reach[node] * plan.share(node, child);
        }
    }
    return out;
}

}  // namespace glasswood::attributions
