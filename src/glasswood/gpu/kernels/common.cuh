// Common: what all kernels of boosting share. A tree is a heap of nodes of DEPTH + 1 levels; a node that is not split
// sends all its rows to its left child, so that every row ends in one of the LEAVES slots of the last level.
//
// Set by the host, per compilation: DEPTH levels of splits; which sums a cell has beside gradient and weight: SQUARES
// where the gain needs them, HESSIANS where the hessian is not the weight; WEIGHTED 0 where all rows weigh the same, so
// that rows are counted instead; NC cells per feature; GW bytes of a row that a lane takes; GAIN and LOSS by their
// numbers.
#include "glasswood/base/integers.hpp"
#include "glasswood/base/random.hpp"
#include "glasswood/base/tie.hpp"
#include "glasswood/boosting/gain.hpp"
#include "glasswood/boosting/leaf_step.hpp"
#include "glasswood/boosting/level_formula.hpp"
#include "glasswood/boosting/loss_formula.hpp"
#include "glasswood/boosting/quantised_formula.hpp"
#include "glasswood/boosting/sums.hpp"

namespace gb = glasswood::boosting;
namespace elementary = glasswood::base::elementary;
using glasswood::base::tie;

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#if FLOAT64
typedef double Value;  // of a table
#else
typedef float Value;
#endif

#define NODES ((2 << DEPTH) - 1)
#define LEAVES (1 << DEPTH)
#define FIRST_LEAF (LEAVES - 1)
#define ALL_LANES 0xFFFFFFFFu
#define NCG ((NC + 3) / 4 * 4)  // cells of a feature in global memory
#define FIELDS (2 + SQUARES + HESSIANS)  // of a cell: gradient, square, hessian, weight
#define HESSIAN_FIELD (1 + SQUARES)
#define WEIGHT_FIELD (FIELDS - 1)
#define LEAF_FIELDS (1 + HESSIANS + WEIGHTED)  // of a leaf's own sums: gradient, hessian, weight
#define NONE (-elementary::from_bits(elementary::infinity_bits))

struct Node {
    u32 begin, end;       // its rows
    u32 n_left, n_right;  // rows sent left and right so far
    int feature;          // -1: not split
    int bin;              // numbers: bins up to this one go left
    int missing_left, unseen_left;
    double gain;
    double lower, upper;  // bounds of its value
    u64 groups;           // of features that may still be used, as bits
    i64 sums[4];          // gradient, square, hessian, weight, in units
    u64 left_set[4];      // categories: bins that go left, as bits
};
static_assert(sizeof(Node) == 128, "the host reads nodes");

struct Candidate {
    double gain;
    int bin, missing_left;
    i64 left[4];
};
static_assert(sizeof(Candidate) == 48, "the host allocates candidates");

// What a fit knows from round to round.
struct State {
    u64 tree;  // number of the next tree
    gb::NodeSums unit, per, leaf_unit, leaf_per;
    i64 one;  // units of the weight of a row where all rows weigh the same
    u64 sums[LEAVES * LEAF_FIELDS];
    double value[LEAVES];
    double weight[LEAVES];
    double row_value[LEAVES];  // what rows in a slot get
    u32 slot[LEAVES];          // of the leaf that rows in a slot belong to
    u32 done[DEPTH * LEAVES];  // blocks of `scan` that are done with a pair of nodes
    u32 done_leaves, unused;   // blocks of `sum_leaves` that are done
};

// What does not change in a fit.
struct Rules {
    double l2, rho, min_weight, min_gain;
    double power, largest_step, rate;
    double most_weight;  // the largest weight of a row
    u64 seed, first_stream;
    u64 groups;               // of all features
    u32 n_table, max_leaves;  // rows of the table; 0: no limit on leaves
};
static_assert(sizeof(Rules) == 96, "the host writes the rules");

struct FeatureInfo {
    u64 groups;    // as bits; all of them: no constraint
    u32 category;  // number among categories
    u16 n_bins;
    u8 is_category;
    signed char monotone;
};
static_assert(sizeof(FeatureInfo) == 16, "the host writes features");

#ifndef GLASSWOOD_EMULATED
#define DYNAMIC_SHARED(type, name) extern __shared__ __align__(16) type name[]
__device__ __forceinline__ u32 shared_address(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ __forceinline__ u32 load_shared(u32 at) {
    u32 word;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(at));
    return word;
}
// The address is known to be shared memory, and nobody wants the old value.
template <int OFFSET>
__device__ __forceinline__ void add_shared(u32 at, u32 value) {
    asm volatile("red.shared.add.u32 [%0+%2], %1;" ::"r"(at), "r"(value), "n"(OFFSET) : "memory");
}
#endif

__device__ __forceinline__ gb::Sums sums_of(const i64* s) { return {s[0], s[1], s[2], s[3]}; }

__device__ __forceinline__ double most_of_warp(double x) {
    for (int d = 16; d; d >>= 1) {
        const double other = __shfl_xor_sync(ALL_LANES, x, d);
        x = other > x ? other : x;
    }
    return x;
}

__device__ __forceinline__ int least_of_warp(int x) {
    for (int d = 16; d; d >>= 1) {
        const int other = __shfl_xor_sync(ALL_LANES, x, d);
        x = other < x ? other : x;
    }
    return x;
}

__device__ __forceinline__ i64 sum_of_warp(i64 x) {
    for (int d = 16; d; d >>= 1) x += __shfl_xor_sync(ALL_LANES, x, d);
    return x;
}

// Numbers below 2^26 each.
__device__ __forceinline__ u32 small_sum_of_warp(u32 x) { return __reduce_add_sync(ALL_LANES, x); }

__device__ __forceinline__ i64 sum_of_lanes_before(i64 x) {  // with its own
    const int lane = threadIdx.x & 31;
    for (int d = 1; d < 32; d <<= 1) {
        const i64 other = __shfl_up_sync(ALL_LANES, x, d);
        if (lane >= d) x += other;
    }
    return x;
}

// The bits of numbers that are not negative have their order.
__device__ __forceinline__ void raise(u64* most, double x) {
    if (x > 0.0) atomicMax(most, elementary::bits_of(x));
}

__device__ __forceinline__ bool goes_left(const Node& node, const FeatureInfo& feature, u32 code) {
    if (feature.is_category) return node.left_set[code >> 6] >> (code & 63) & 1;
    return code == feature.n_bins ? node.missing_left != 0 : (int)code <= node.bin;
}
