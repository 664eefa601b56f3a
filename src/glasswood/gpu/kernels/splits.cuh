// Splits: the best split of every node.
#define PER_LANE ((NC + 31) / 32)  // cells of a lane
#define SCAN_FEATURES 4            // of a block: a warp takes one of them in one of two children

#if GAIN == 0
#define GAIN_RULE gb::Improvement<gb::Newton>{{rules->l2}}
#elif GAIN == 1
#define GAIN_RULE gb::Improvement<gb::CredVar>{{rules->l2}}
#elif GAIN == 2
#define GAIN_RULE gb::Improvement<gb::CredStd>{{rules->l2}}
#elif GAIN == 3
#define GAIN_RULE gb::Welch{}
#else
#define GAIN_RULE gb::WelchPower{rules->rho}
#endif

// Histograms of the children of a pair: the smaller one was summed up, the larger one is the parent less the smaller.
struct PairCells {
    const i64* parent;
    const i64* small;
    u64 plane;  // numbers of one field
    i64 one;
    bool large;

    // In units; rows that weigh the same are counted.
    __device__ __forceinline__ i64 stored(int field, u64 cell) const {
        const u64 at = field * plane + cell;
        return large ? parent[at] - small[at] : small[at];
    }
    __device__ __forceinline__ i64 of(int field, u64 cell) const {
        return !WEIGHTED && field == WEIGHT_FIELD ? stored(field, cell) * one : stored(field, cell);
    }
    __device__ __forceinline__ gb::Sums sums(u64 cell) const {
        const i64 weight = of(WEIGHT_FIELD, cell);
        return {of(0, cell), SQUARES ? of(1, cell) : 0, HESSIANS ? of(HESSIAN_FIELD, cell) : weight, weight};
    }
};

// Which histograms the children of pair number `pair` of a level have; at level 0 the root is the smaller of a pair.
__device__ __forceinline__ PairCells cells_of(const Node* nodes, const i64* before, const i64* now, int level, u32 pair,
                                              bool large, u32 n_features, i64 one, u32* slot) {
    u32 small = 0;
    if (level > 0) {
        const Node* p = nodes + (1 << (level - 1)) - 1 + pair;
        small = 2 * pair + (p->n_left <= p->end - p->begin - p->n_left ? 0 : 1);
    }
    *slot = large ? small ^ 1 : small;
    const u64 words = (u64)FIELDS * n_features * NCG;
    return {before + pair * words, now + small * words, (u64)n_features * NCG, one, large};
}

__device__ __forceinline__ bool may_split(const Node& node, const Rules* rules, const State* state) {
    return (double)node.sums[3] * state->unit.weight >= 2 * rules->min_weight && node.end - node.begin >= 2;
}

#if CATEGORIES
// The levels of every category in the order of their means, in every node of the level. One warp each.
extern "C" __global__ void __launch_bounds__(32)
order(const Node* nodes, const i64* __restrict__ before, const i64* __restrict__ now,
      const FeatureInfo* __restrict__ features, const u32* __restrict__ categories, u32 n_categories, u32 n_features,
      const State* state, int level, u8* __restrict__ orders, u32* __restrict__ n_ordered) {
    __shared__ gb::NodeSums level_sums[256];
    __shared__ double mean[256];
    __shared__ u8 levels[256];
    __shared__ double needed;
    const u32 lane = threadIdx.x, per_pair = 2 * n_categories, pair = blockIdx.x / per_pair;
    const bool large = blockIdx.x % per_pair >= n_categories;
    if (level == 0 && large) return;
    if (level > 0 && nodes[(1 << (level - 1)) - 1 + pair].feature < 0) return;
    const u32 c = blockIdx.x % n_categories, f = categories[c], n_bins = features[f].n_bins;
    u32 slot;
    const PairCells cells = cells_of(nodes, before, now, level, pair, large, n_features, state->one, &slot);
    const Node& node = nodes[(1 << level) - 1 + slot];
    const u64 first = (u64)f * NCG;
    u32 n = 0;
    for (u32 base = 0; base < n_bins; base += 32) {
        const u32 b = base + lane;
        const bool holds = b < n_bins && cells.of(WEIGHT_FIELD, first + b) != 0;
        const u32 who = __ballot_sync(ALL_LANES, holds);
        if (holds) {
            const u32 place = n + __popc(who & ((1u << lane) - 1));
            levels[place] = (u8)b;
            level_sums[place] = gb::in_numbers(cells.sums(first + b), state->unit);
        }
        n += __popc(who);
    }
    __syncwarp();
    if (lane == 0) {
        const double weight = (double)node.sums[3] * state->unit.weight;
        const double rows = (double)(node.end - node.begin) / weight;
        const double even = gb::even_weight([&](u32 k) { return level_sums[k]; }, n, rows < 1.0 ? 1.0 : rows, 1.0);
        needed = (1 - tie) * even;
    }
    __syncwarp();
    i64 grad = 0, hess = 0;  // of the levels whose mean is not credible
    for (u32 k = lane; k < n; k += 32) {
        if (level_sums[k].hess >= needed) continue;
        const gb::Sums own = cells.sums(first + levels[k]);
        grad += own.grad;
        hess += own.hess;
    }
    grad = sum_of_warp(grad);
    hess = sum_of_warp(hess);
    for (u32 k = lane; k < n; k += 32) {
        const gb::Sums own = cells.sums(first + levels[k]);
        const bool credible = level_sums[k].hess >= needed;
        mean[k] = -(double)(credible ? own.grad : grad) / (double)(credible ? own.hess : hess);
    }
    __syncwarp();
    u8* to = orders + ((u64)slot * n_categories + c) * 256;
    for (u32 k = lane; k < n; k += 32) {  // levels ascend: of equal means the first level comes first
        u32 rank = 0;
        for (u32 j = 0; j < n; ++j) rank += mean[j] < mean[k] || (mean[j] == mean[k] && j < k) ? 1 : 0;
        to[rank] = levels[k];
    }
    if (lane == 0) n_ordered[slot * n_categories + c] = n;
}
#endif

__device__ __forceinline__ double clip(double x, double lower, double upper) {
    return x < lower ? lower : x > upper ? upper : x;
}

// Best cut of one feature, the first of those that tie; missing values go right, then left.
__device__ void scan_feature(const PairCells& cells, const Node& node, const FeatureInfo& feature, u32 f,
                             const u8* ordered, u32 n_bins, const State* state, const Rules* rules, Candidate* out) {
    const int lane = threadIdx.x & 31;
    const u64 first_cell = (u64)f * NCG;
    const gb::Sums total = sums_of(node.sums);
    const gb::NodeSums all = gb::in_numbers(total, state->unit);
    gb::Sums own[PER_LANE], inside{0, 0, 0, 0};
#pragma unroll
    for (int i = 0; i < PER_LANE; ++i) {
        const u32 b = lane * PER_LANE + i;
        own[i] = b < n_bins ? cells.sums(first_cell + (ordered ? ordered[b] : b)) : gb::Sums{0, 0, 0, 0};
        inside = gb::plus(inside, own[i]);
    }
    const gb::Sums missing = cells.sums(first_cell + feature.n_bins);
    const gb::Sums before{sum_of_lanes_before(inside.grad) - inside.grad,
                          sum_of_lanes_before(inside.square) - inside.square,
                          sum_of_lanes_before(inside.hess) - inside.hess,
                          sum_of_lanes_before(inside.weight) - inside.weight};
    double found = NONE;
    int found_bin = -1, found_pass = 0;
    for (int pass = 0; pass < (missing.weight != 0 ? 2 : 1); ++pass) {
        gb::Sums left = pass ? gb::plus(before, missing) : before;
        double gain[PER_LANE], best = NONE;
#pragma unroll
        for (int i = 0; i < PER_LANE; ++i) {
            left = gb::plus(left, own[i]);
            gain[i] = NONE;
            if (own[i].weight != 0) {
                const gb::NodeSums l = gb::in_numbers(left, state->unit);
                const gb::NodeSums r = gb::in_numbers(gb::minus(total, left), state->unit);
                const double improvement = GAIN_RULE(l, r, all);
                const bool heavy = l.weight >= rules->min_weight && r.weight >= rules->min_weight;
                if (heavy && gb::differ(l, r, all)) gain[i] = improvement;
                if (feature.monotone != 0) {
                    const double low = clip(gb::leaf_value(l.grad, l.hess, rules->l2), node.lower, node.upper);
                    const double high = clip(gb::leaf_value(r.grad, r.hess, rules->l2), node.lower, node.upper);
                    if (feature.monotone * (high - low) < 0.0) gain[i] = NONE;
                }
            }
            best = gain[i] > best ? gain[i] : best;
        }
        best = most_of_warp(best);
        if (best == NONE || !(best - found > tie * best)) continue;
        const double enough = best - tie * (best > 0.0 ? best : 0.0);
        int first = 1 << 20;
#pragma unroll
        for (int i = PER_LANE - 1; i >= 0; --i) {
            if (gain[i] >= enough) first = lane * PER_LANE + i;
        }
        found_bin = least_of_warp(first);
        found = best;
        found_pass = pass;
    }
    if (found_bin < 0) {
        if (lane == 0) out->gain = NONE;
        return;
    }
    gb::Sums left = found_pass ? gb::plus(before, missing) : before;
#pragma unroll
    for (int i = 0; i < PER_LANE; ++i) {
        if (lane * PER_LANE + i <= found_bin) left = gb::plus(left, own[i]);
    }
    if (lane != found_bin / PER_LANE) return;
    out->left[0] = left.grad;
    out->left[1] = left.square;
    out->left[2] = left.hess;
    out->left[3] = left.weight;
    // what the node has not seen goes with the heavier child
    out->missing_left = missing.weight != 0 ? found_pass : 2 * left.weight >= total.weight;
    out->bin = found_bin;
    out->gain = found;
}

__device__ __forceinline__ double bounded_value(const i64* sums, const Node& bounds, const State* state,
                                                const Rules* rules) {
    const gb::NodeSums numbers = gb::in_numbers(sums_of(sums), state->unit);
    const double value = gb::step(numbers.grad, numbers.hess, {rules->l2, rules->power, rules->largest_step});
    return clip(value, bounds.lower, bounds.upper);
}

// What the children of a node start with. A node that is not split sends everything to the left.
__device__ void make_children(Node* node, Node* left, Node* right, const i64* sums, const FeatureInfo* features,
                              const State* state, const Rules* rules) {
    for (int k = 0; k < 4; ++k) {
        const i64 own = node->sums[k];
        left->sums[k] = sums ? sums[k] : own;
        right->sums[k] = sums ? own - sums[k] : 0;
    }
    left->lower = right->lower = node->lower;
    left->upper = right->upper = node->upper;
    left->groups = right->groups = node->groups;
    if (node->feature < 0) return;
    if (!SQUARES) left->sums[1] = right->sums[1] = 0;  // `part` adds the rows
    const FeatureInfo& feature = features[node->feature];
    left->groups = right->groups = node->groups & feature.groups;
    if (feature.monotone == 0) return;
    // no value below one side may pass any value below the other
    const double a = bounded_value(left->sums, *node, state, rules);
    const double b = bounded_value(right->sums, *node, state, rules);
    const double cut = a + (b - a) / 2;
    (feature.monotone > 0 ? left->upper : left->lower) = cut;
    (feature.monotone > 0 ? right->lower : right->upper) = cut;
}

// Chooses among the features of a node, the first of those that tie. One warp.
__device__ void choose(Node* nodes, u32 id, const Candidate* found, u32 n_features, const FeatureInfo* features,
                       const u8* orders, const u32* n_ordered, u32 n_categories, const State* state,
                       const Rules* rules) {
    const u32 lane = threadIdx.x & 31;
    Node* node = nodes + id;
    double best = NONE;
    for (u32 f = lane; f < n_features; f += 32) {
        const double gain = __ldcg(&found[f].gain);
        best = gain > best ? gain : best;
    }
    best = most_of_warp(best);
    int first = 1 << 30;
    for (u32 f = lane; f < n_features; f += 32) {
        const double gain = __ldcg(&found[f].gain);
        if (gain > rules->min_gain && gain >= best - tie * best && (int)f < first) first = (int)f;
    }
    first = least_of_warp(first);
    if (lane) return;
    const bool splits = best > rules->min_gain && may_split(*node, rules, state);
    node->feature = splits ? first : -1;
    node->n_left = splits ? 0 : node->end - node->begin;
    node->n_right = 0;
    i64 left[4];
    if (splits) {
        const Candidate* own = found + first;
        for (int k = 0; k < 4; ++k) left[k] = __ldcg(&own->left[k]);
        const bool heavier_left = 2 * left[3] >= node->sums[3];
        node->bin = __ldcg(&own->bin);
        node->missing_left = __ldcg(&own->missing_left);
        node->unseen_left = features[first].is_category && heavier_left;
        node->gain = __ldcg(&own->gain);
        if (features[first].is_category) {
            u64 set[4];
            for (int k = 0; k < 4; ++k) set[k] = heavier_left ? ~0ull : 0;
            const u8* ordered = orders + features[first].category * 256;
            const u32 n = n_ordered[features[first].category];
            for (u32 k = 0; k <= n; ++k) {
                const u32 b = k < n ? ordered[k] : features[first].n_bins;
                const bool goes = k < n ? (int)k <= node->bin : node->missing_left != 0;
                set[b >> 6] = (set[b >> 6] & ~(1ull << (b & 63))) | (u64)goes << (b & 63);
            }
            for (int k = 0; k < 4; ++k) node->left_set[k] = set[k];
        }
    }
    make_children(node, nodes + 2 * id + 1, nodes + 2 * id + 2, splits ? left : nullptr, features, state, rules);
}

// The larger child is the parent less the smaller, and is kept for the next level; then the best split of every
// feature; the last block of a pair chooses among the features. `used`: features of the tree.
extern "C" __global__ void __launch_bounds__(64 * SCAN_FEATURES)
scan(Node* nodes, const i64* __restrict__ before, i64* now, Candidate* found, const FeatureInfo* __restrict__ features,
     const u8* __restrict__ used, u32 n_features, const u8* orders, const u32* n_ordered, u32 n_categories,
     State* state, const Rules* rules, int level) {
    __shared__ int is_last;
    const u32 blocks = (n_features + SCAN_FEATURES - 1) / SCAN_FEATURES;  // of a pair
    const u32 pair = blockIdx.x / blocks, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const u32 f = blockIdx.x % blocks * SCAN_FEATURES + warp / 2;
    const bool large = warp & 1;
    const u32 base = (1u << level) - 1 + 2 * pair;  // the left child; at level 0 the root
    if (level > 0 && nodes[(1 << (level - 1)) - 1 + pair].feature < 0) {
        if (blockIdx.x % blocks == 0 && threadIdx.x < 2) {
            const u32 id = base + threadIdx.x;
            Node* node = nodes + id;
            node->feature = -1;
            node->n_left = node->end - node->begin;
            node->n_right = 0;
            make_children(node, nodes + 2 * id + 1, nodes + 2 * id + 2, nullptr, features, state, rules);
        }
        return;
    }
    if (f < n_features && !(level == 0 && large)) {
        u32 slot;
        const PairCells cells = cells_of(nodes, before, now, level, pair, large, n_features, state->one, &slot);
        const u64 first_cell = (u64)f * NCG;
        if (large && level + 1 < DEPTH) {
            i64* to = now + (u64)slot * FIELDS * n_features * NCG;
            for (int field = 0; field < FIELDS; ++field) {
                for (u32 b = lane; b <= features[f].n_bins; b += 32) {
                    to[field * cells.plane + first_cell + b] = cells.stored(field, first_cell + b);
                }
            }
        }
        const Node& node = nodes[(1u << level) - 1 + slot];
        Candidate* own = found + (u64)slot * n_features + f;
        if (used[f] && (node.groups & features[f].groups) != 0) {
            const u8* ordered = nullptr;
            u32 n_bins = features[f].n_bins;
            if (features[f].is_category) {
                const u32 place = slot * n_categories + features[f].category;
                ordered = orders + (u64)place * 256;
                n_bins = n_ordered[place];
            }
            scan_feature(cells, node, features[f], f, ordered, n_bins, state, rules, own);
        } else if (lane == 0) {
            own->gain = NONE;
        }
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicAdd(&state->done[level * LEAVES + pair], 1u) == blocks - 1;
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    if (warp >= (level == 0 ? 1u : 2u)) return;
    const u32 slot = level == 0 ? 0 : 2 * pair + warp;
    choose(nodes, base + warp, found + (u64)slot * n_features, n_features, features,
           orders + (u64)slot * n_categories * 256, n_ordered + slot * n_categories, n_categories, state, rules);
}
