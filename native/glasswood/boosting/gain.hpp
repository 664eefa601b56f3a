// Gain: how much a split improves, one functor per rule. S = −G, W = H, Q = Σ g²/h over a child; l2 is the
// ridge of leaf values. Everything is forced inline because the scan that uses it is compiled per CPU level. No
// standard header is needed, so that a GPU compiler can read this text as it is.
#pragma once

#include "glasswood/base/elementary.hpp"
#include "glasswood/base/integers.hpp"
#include "glasswood/base/macros.hpp"
#include "glasswood/boosting/sums.hpp"

namespace glasswood::boosting {

enum class GainKind : base::UInt8 { newton, cred_var, cred_std, welch };

// S / (W + λ)
GLASSWOOD_INLINE double leaf_value(double grad, double hess, double l2) { return -grad / (hess + l2); }

// Means that differ by less than 1e-10 of the node's root mean square differ by rounding: B > 1e-20 Q, without
// dividing.
GLASSWOOD_INLINE bool differ(const NodeSums& l, const NodeSums& r, const NodeSums& node) {
    const double cross = l.grad * r.hess - r.grad * l.hess;
    return cross * cross > 1e-20 * node.square * node.hess * (l.hess * r.hess);
}

// T = G² / (H + λ)
struct Newton {
    double l2;
    GLASSWOOD_INLINE double operator()(const NodeSums& s) const { return s.grad * s.grad / (s.hess + l2); }
};

// EVPV = max(ε, Q/W − VHM), VHM = (S/W)², with 1/W and S/W at hand: divisions are what a scan waits for.
GLASSWOOD_INLINE double evpv(const NodeSums& s, double inverse, double mean) {
    const double variance = s.square * inverse - mean * mean;
    return variance > 2.2e-16 ? variance : 2.2e-16;
}

// T = Z·|S| / (1 + λ/W), Z = VHM / (VHM + EVPV)
struct CredVar {
    double l2;
    GLASSWOOD_INLINE double operator()(const NodeSums& s) const {
        const double inverse = 1.0 / s.hess;
        const double mean = s.grad * inverse;
        const double vhm = mean * mean;
        return vhm * base::elementary::absolute(s.grad) * s.hess / ((vhm + evpv(s, inverse, mean)) * (s.hess + l2));
    }
};

// T = Z·|S| / (1 + λ/W), Z = √VHM / (√VHM + √EVPV)
struct CredStd {
    double l2;
    GLASSWOOD_INLINE double operator()(const NodeSums& s) const {
        const double inverse = 1.0 / s.hess;
        const double mean = s.grad * inverse;
        const double spread = base::elementary::absolute(mean);
        const double noise = base::elementary::square_root(evpv(s, inverse, mean));
        return spread * base::elementary::absolute(s.grad) * s.hess / ((spread + noise) * (s.hess + l2));
    }
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
GLASSWOOD_INLINE double within(const NodeSums& s, double mean) {
    const double ss = s.square - s.grad * mean;
    return ss > 0.0 ? ss : 0.0;
}

// B = W_L W_R d² / W, and N0 = (W_R v_L + W_L v_R) / W, its expectation when both true means are equal; both times W.
// v_c = (SS_c + 5 v_pool) / (max(N_c − 1, 0) + 5), v_pool = (SS_L + SS_R) / max(N − 2, 1)
struct Noise {
    double between;
    double expected;

    GLASSWOOD_INLINE Noise(const NodeSums& l, const NodeSums& r, const NodeSums& node) {
        const double inverse_l = 1.0 / l.hess;
        const double inverse_r = 1.0 / r.hess;
        const double apart = l.grad * inverse_l - r.grad * inverse_r;
        const double within_l = within(l, l.grad * inverse_l);
        const double within_r = within(r, r.grad * inverse_r);
        between = l.hess * r.hess * apart * apart;
        const double pool = (within_l + within_r) * (1.0 / at_least(node.weight - 2.0, 1.0));
        const double n_l = at_least(l.weight - 1.0, 0.0) + 5.0;
        const double n_r = at_least(r.weight - 1.0, 0.0) + 5.0;
        // one division for both variances: divisions are what a scan waits for
        const double noise =
            (r.hess * (within_l + 5.0 * pool) * n_r + l.hess * (within_r + 5.0 * pool) * n_l) / (n_l * n_r);
        // the floor keeps splits without any noise in the order of B
        const double all = within(node, node.grad / node.hess);
        expected = at_least(noise, 1e-9 * node.hess * all / at_least(node.weight - 1.0, 1.0));
    }

 private:
    GLASSWOOD_INLINE static double at_least(double x, double low) { return x > low ? x : low; }
};

// gain = B / N0
struct Welch {
    GLASSWOOD_INLINE double operator()(const NodeSums& l, const NodeSums& r, const NodeSums& node) const {
        const Noise noise(l, r, node);
        return noise.expected > 0.0 ? noise.between / noise.expected : 0.0;
    }
};

// gain = B / N0^ρ
struct WelchPower {
    double rho;
    GLASSWOOD_INLINE double operator()(const NodeSums& l, const NodeSums& r, const NodeSums& node) const {
        const Noise noise(l, r, node);
        const double scale = noise.expected / node.hess;
        return scale > 0.0 ? noise.between / node.hess * base::elementary::exp(-rho * base::elementary::log(scale))
                           : 0.0;
    }
};

}  // namespace glasswood::boosting
