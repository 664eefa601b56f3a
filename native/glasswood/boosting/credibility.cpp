#include "glasswood/boosting/credibility.hpp"

#include <algorithm>
#include <cmath>

namespace glasswood::boosting {
namespace {

NodeSums both(const NodeSums& l, const NodeSums& r) {
    return {l.grad + r.grad, l.square + r.square, l.hess + r.hess, l.weight + r.weight};
}

template <class Gain>
void apply(const Gain& gain, std::span<const NodeSums> left, std::span<const NodeSums> right, std::span<double> out) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = gain(left[i], right[i], both(left[i], right[i]));
}

}  // namespace

void split_gains(GainKind kind, std::span<const NodeSums> left, std::span<const NodeSums> right, double l2,
                 std::span<double> out) {
    switch (kind) {
        case GainKind::newton:
            return apply(Improvement<Newton>{{l2}}, left, right, out);
        case GainKind::cred_var:
            return apply(Improvement<CredVar>{{l2}}, left, right, out);
        case GainKind::cred_std:
            return apply(Improvement<CredStd>{{l2}}, left, right, out);
        case GainKind::welch:
            return apply(Welch{}, left, right, out);
    }
}

// Without a ridge T = Z·|S|; a mean of 0 has no credibility.
void credibilities(GainKind kind, std::span<const NodeSums> nodes, std::span<double> out) {
    const auto z = [kind](const NodeSums& s) {
        const double size = std::fabs(s.grad);
        if (kind == GainKind::cred_var) return size > 0.0 ? CredVar{0.0}(s) / size : 0.0;
        if (kind == GainKind::cred_std) return size > 0.0 ? CredStd{0.0}(s) / size : 0.0;
        return 1.0;
    };
    std::transform(nodes.begin(), nodes.end(), out.begin(), z);
}

}  // namespace glasswood::boosting
