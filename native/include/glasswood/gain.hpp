// Gain: how much a split improves, one functor per rule. S = −G, W = H, Q = Σ g²/h over a child; l2 is the
// ridge of leaf values. Everything is forced inline because the scan that uses it is compiled per CPU level.
#pragma once

#include <cstdint>

#include "glasswood/statistics.hpp"

namespace glasswood::boosting {

enum class GainKind : std::uint8_t { newton, cred_var, cred_std, welch };

// S / (W + λ)
GLASSWOOD_INLINE double leaf_value(double grad, double hess, double l2) { return -grad / (hess + l2); }

// T = G² / (H + λ)
struct Newton {
    double l2;
    GLASSWOOD_INLINE double operator()(const NodeSums& s) const { return s.grad * s.grad / (s.hess + l2); }
};

// VHM = (S/W)²
GLASSWOOD_INLINE double vhm(const NodeSums& s) { return s.grad / s.hess * (s.grad / s.hess); }

// EVPV = max(ε, Q/W − VHM)
GLASSWOOD_INLINE double evpv(const NodeSums& s) {
    const double variance = s.square / s.hess - vhm(s);
    return variance > 2.2e-16 ? variance : 2.2e-16;
}

// |S| / (1 + λ/W)
GLASSWOOD_INLINE double ridged(const NodeSums& s, double l2) { return __builtin_fabs(s.grad) / (1.0 + l2 / s.hess); }

// T = Z·|S| / (1 + λ/W), Z = VHM / (VHM + EVPV)
struct CredVar {
    double l2;
    GLASSWOOD_INLINE static double z(const NodeSums& s) { return vhm(s) / (vhm(s) + evpv(s)); }
    GLASSWOOD_INLINE double operator()(const NodeSums& s) const { return z(s) * ridged(s, l2); }
};

// T = Z·|S| / (1 + λ/W), Z = √VHM / (√VHM + √EVPV)
struct CredStd {
    double l2;
    GLASSWOOD_INLINE static double z(const NodeSums& s) {
        const double spread = __builtin_sqrt(vhm(s));
        return spread / (spread + __builtin_sqrt(evpv(s)));
    }
    GLASSWOOD_INLINE double operator()(const NodeSums& s) const { return z(s) * ridged(s, l2); }
};

// gain = T(left) + T(right) − T(node)
template <class Term>
struct Improvement {
    Term term;
    GLASSWOOD_INLINE double operator()(const NodeSums& l, const NodeSums& r, const NodeSums& node) const {
        return term(l) + term(r) - term(node);
    }
};

// SS = Q − S²/W, not negative
GLASSWOOD_INLINE double within(const NodeSums& s) {
    const double ss = s.square - s.grad * s.grad / s.hess;
    return ss > 0.0 ? ss : 0.0;
}

// gain = B / N0: B = W_L W_R d² / W, N0 = (W_R v_L + W_L v_R) / W, its expectation when both true means are
// equal; v_c = (SS_c + 5 v_pool) / (max(N_c − 1, 0) + 5), v_pool = (SS_L + SS_R) / max(N − 2, 1)
struct Welch {
    GLASSWOOD_INLINE double operator()(const NodeSums& l, const NodeSums& r, const NodeSums& node) const {
        const double difference = l.grad / l.hess - r.grad / r.hess;
        const double between = l.hess * r.hess / node.hess * difference * difference;
        const double pool = (within(l) + within(r)) / at_least(node.weight - 2.0, 1.0);
        const double noise = (r.hess * variance(l, pool) + l.hess * variance(r, pool)) / node.hess;
        // the floor keeps splits without any noise in the order of B
        const double floor = 1e-9 * within(node) / at_least(node.weight - 1.0, 1.0);
        const double expected = at_least(noise, floor);
        return expected > 0.0 ? between / expected : 0.0;
    }

 private:
    GLASSWOOD_INLINE static double at_least(double x, double low) { return x > low ? x : low; }
    GLASSWOOD_INLINE static double variance(const NodeSums& s, double pool) {
        return (within(s) + 5.0 * pool) / (at_least(s.weight - 1.0, 0.0) + 5.0);
    }
};

}  // namespace glasswood::boosting
