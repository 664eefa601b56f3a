#include "glasswood/rules/nonnegative_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace glasswood::rules {
namespace {

class ActiveSet {
 public:
    ActiveSet(std::span<const double> gram, std::span<const double> target)
        : gram_(gram), target_(target), n_(target.size()), beta_(n_, 0.0), active_(n_, 0) {
        for (const double b : target) tolerance_ = std::max(tolerance_, std::abs(b) * 1e-13);
    }

    const std::vector<double>& solve(double penalty) {
        penalty_ = penalty;
        for (std::size_t step = 0; step < 30 * n_ + 30; ++step) {
            if (!settle() && !enter()) break;
        }
        return beta_;
    }

 private:
    double entry(std::size_t i, std::size_t j) const { return gram_[i * n_ + j] + (i == j ? penalty_ : 0.0); }

    // Moves the active weights towards their minimum until one of them reaches 0 and is no longer active. Returns
    // whether that happened before the minimum.
    bool settle() {
        std::vector<std::size_t> members;
        for (std::size_t i = 0; i < n_; ++i) {
            if (active_[i]) members.push_back(i);
        }
        const std::vector<double> wanted = minimum(members);
        double reach = 1.0;
        for (std::size_t k = 0; k < members.size(); ++k) {
            const double from = beta_[members[k]];
            if (wanted[k] <= 0) reach = std::min(reach, from <= 0 ? 0.0 : from / (from - wanted[k]));
        }
        bool stopped = false;
        for (std::size_t k = 0; k < members.size(); ++k) {
            double& beta = beta_[members[k]];
            const bool blocks = wanted[k] <= 0 && (beta <= 0 || beta / (beta - wanted[k]) <= reach);
            beta = blocks ? 0.0 : beta + reach * (wanted[k] - beta);
            if (!blocks) continue;
            active_[members[k]] = 0;
            stopped = true;
        }
        return stopped;
    }

    // Activates the weight whose growth helps most; false where none does.
    bool enter() {
        double best = tolerance_;
        std::size_t entering = n_;
        for (std::size_t i = 0; i < n_; ++i) {
            if (active_[i]) continue;
            double slope = target_[i];
            for (std::size_t j = 0; j < n_; ++j) slope -= gram_[i * n_ + j] * beta_[j];
            if (slope > best) {
                best = slope;
                entering = i;
            }
        }
        if (entering == n_) return false;
        active_[entering] = 1;
        return true;
    }

    // Unconstrained minimum over `members`, by Cholesky. A column that depends linearly on earlier ones gets weight 0.
    std::vector<double> minimum(const std::vector<std::size_t>& members) const {
        const std::size_t m = members.size();
        std::vector<double> factor(m * m), out(m);
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                double sum = entry(members[i], members[j]);
                for (std::size_t k = 0; k < j; ++k) sum -= factor[i * m + k] * factor[j * m + k];
                if (i != j) {
                    factor[i * m + j] = factor[j * m + j] > 0 ? sum / factor[j * m + j] : 0.0;
                } else {
                    factor[i * m + i] = sum > 1e-14 * entry(members[i], members[i]) ? std::sqrt(sum) : 0.0;
                }
            }
            out[i] = target_[members[i]];
            for (std::size_t k = 0; k < i; ++k) out[i] -= factor[i * m + k] * out[k];
            out[i] = factor[i * m + i] > 0 ? out[i] / factor[i * m + i] : 0.0;
        }
        for (std::size_t i = m; i-- > 0;) {
            for (std::size_t k = i + 1; k < m; ++k) out[i] -= factor[k * m + i] * out[k];
            out[i] = factor[i * m + i] > 0 ? out[i] / factor[i * m + i] : 0.0;
        }
        return out;
    }

    std::span<const double> gram_, target_;
    std::size_t n_;
    std::vector<double> beta_;
    std::vector<std::uint8_t> active_;
    double penalty_ = 0.0;
    double tolerance_ = 0.0;
};

}  // namespace

std::vector<double> nonnegative_ridge(std::span<const double> gram, std::span<const double> target,
                                      std::span<const double> penalties) {
    ActiveSet set(gram, target);
    std::vector<double> out;
    out.reserve(penalties.size() * target.size());
    for (const double penalty : penalties) {
        const std::vector<double>& beta = set.solve(penalty);
        out.insert(out.end(), beta.begin(), beta.end());
    }
    return out;
}

}  // namespace glasswood::rules
