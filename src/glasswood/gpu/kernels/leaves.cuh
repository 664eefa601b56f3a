// Leaves: their values, and what they add to raw.
#define LEAF_THREADS 256
#define LEAF_COPIES (DEPTH <= 6 ? 8 : DEPTH <= 8 ? 2 : 1)  // sums side by side, so that fewer threads meet

// With a limit on leaves the node with the largest gain is split first, the older one among equals. All nodes have
// chosen their splits already; here those are undone whose turn does not come. One thread: trees are small.
extern "C" __global__ void keep_best(Node* nodes, State* state, const Rules* rules, u32* open) {
    const u32 first_leaf = FIRST_LEAF;
    u32 n_open = 0, n_leaves = 1, number = 0;
    u32* age = open + NODES;   // of a node that waits
    u32* kept = age + NODES;   // whether a node is split
    for (u32 i = 0; i < first_leaf; ++i) kept[i] = 0;
    if (nodes[0].feature >= 0) {
        open[n_open++] = 0;
        age[0] = number++;
    }
    while (n_open > 0 && n_leaves < rules->max_leaves) {
        u32 best = 0;
        for (u32 k = 1; k < n_open; ++k) {
            const double gain = nodes[open[k]].gain, other = nodes[open[best]].gain;
            if (gain > other || (gain == other && age[open[k]] < age[open[best]])) best = k;
        }
        const u32 node = open[best];
        open[best] = open[--n_open];
        kept[node] = 1;
        ++n_leaves;
        for (u32 child = 2 * node + 1; child <= 2 * node + 2; ++child) {
            if (child >= first_leaf || nodes[child].feature < 0) continue;
            open[n_open++] = child;
            age[child] = number++;
        }
    }
    for (u32 i = 0; i < first_leaf; ++i) {
        if (!kept[i]) nodes[i].feature = -1;
    }
    for (u32 s = 0; s < LEAVES; ++s) {
        u32 leaf = s + first_leaf, levels = 0, up = 0;
        for (u32 at = leaf; at > 0;) {  // the highest node above that is not split
            at = (at - 1) / 2;
            ++up;
            if (!kept[at]) levels = up;
        }
        state->slot[s] = s >> levels << levels;
    }
}

// The leaf that the rows of a slot belong to: the highest node above that is not split.
__device__ __forceinline__ u32 leaf_of(const Node* nodes, u32 slot) {
    u32 leaf = slot + FIRST_LEAF;
    for (u32 at = leaf; at > 0;) {
        at = (at - 1) / 2;
        if (nodes[at].feature < 0) leaf = at;
    }
    return leaf;
}

// Values and weights of the leaves. One block.
__device__ void set_values(const Node* nodes, State* state, const Rules* rules) {
    for (u32 s = threadIdx.x; s < LEAVES; s += LEAF_THREADS) {
        u64 sums[LEAF_FIELDS];
        for (int k = 0; k < LEAF_FIELDS; ++k) sums[k] = __ldcg(&state->sums[s * LEAF_FIELDS + k]);
        const Node& leaf = nodes[leaf_of(nodes, s)];
        // rows that weigh the same were counted by the split above
        const i64 weight = WEIGHTED ? (i64)sums[LEAF_FIELDS - 1]
                                    : leaf.sums[3] / state->one * __double2ll_rn(state->leaf_per.weight);
        const gb::NodeSums numbers =
            gb::in_numbers({(i64)sums[0], 0, HESSIANS ? (i64)sums[1] : weight, weight}, state->leaf_unit);
        double value = 0.0;
        if (numbers.hess > 0.0) {
            value = gb::step(numbers.grad, numbers.hess, {rules->l2, rules->power, rules->largest_step});
            value = clip(value, leaf.lower, leaf.upper);
        }
        state->value[s] = value;
        state->weight[s] = numbers.weight;
    }
}

struct TreesOut {
    Node* nodes;
    double* values;
    double* weights;
};

// Scales the values and writes the tree out. One block.
__device__ void finish(const Node* nodes, State* state, const Rules* rules, u64 first_tree, const TreesOut& out) {
    const u64 tree = state->tree - first_tree;
    for (u32 s = threadIdx.x; s < LEAVES; s += LEAF_THREADS) {
        const double value = state->value[s] * rules->rate;
        state->value[s] = value;
        out.values[tree * LEAVES + s] = value;
        out.weights[tree * LEAVES + s] = state->weight[s];
    }
    for (u32 i = threadIdx.x; i < FIRST_LEAF; i += LEAF_THREADS) out.nodes[tree * FIRST_LEAF + i] = nodes[i];
    __syncthreads();
    for (u32 s = threadIdx.x; s < LEAVES; s += LEAF_THREADS) state->row_value[s] = state->value[state->slot[s]];
    if (threadIdx.x == 0) state->tree = state->tree + 1;
}

// Sums of the numbers themselves per leaf, in 64-bit fixed point: exact, in any order. The last block sets the values
// and, unless they are quantiles, finishes the tree. Also clears `most`, which the next round finds anew.
extern "C" __global__ void __launch_bounds__(LEAF_THREADS)
sum_leaves(const double* __restrict__ grad, const double* __restrict__ hess, const double* __restrict__ weight,
           const u32* __restrict__ list, const u16* __restrict__ slot, u32 n, u64* most, const Node* nodes,
           State* state, const Rules* rules, u64 first_tree, Node* out_nodes, double* out_values, double* out_weights,
           u32 finishes) {
    __shared__ u64 sums[LEAF_COPIES][LEAVES * LEAF_FIELDS];
    __shared__ int is_last;
    for (u32 i = threadIdx.x; i < LEAF_COPIES * LEAVES * LEAF_FIELDS; i += LEAF_THREADS) (&sums[0][0])[i] = 0;
    if (blockIdx.x == 0 && threadIdx.x < 3) most[threadIdx.x] = 0;
    __syncthreads();
    const gb::NodeSums per = state->leaf_per;
    u64* own = sums[(threadIdx.x >> 5) % LEAF_COPIES];
    for (u64 i = (u64)blockIdx.x * LEAF_THREADS + threadIdx.x; i < n; i += (u64)gridDim.x * LEAF_THREADS) {
        const u32 row = list ? list[i] : (u32)i;
        u64* at = own + state->slot[slot[row]] * LEAF_FIELDS;
        atomicAdd(at, (u64)__double2ll_rn(grad[row] * per.grad));
#if HESSIANS
        atomicAdd(at + 1, (u64)__double2ll_rn(hess[row] * per.hess));
#endif
#if WEIGHTED
        atomicAdd(at + LEAF_FIELDS - 1, (u64)__double2ll_rn(weight[row] * per.weight));
#endif
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < LEAVES * LEAF_FIELDS; i += LEAF_THREADS) {
        u64 sum = 0;
        for (int c = 0; c < LEAF_COPIES; ++c) sum += sums[c][i];
        if (sum) atomicAdd(&state->sums[i], sum);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicAdd(&state->done_leaves, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    set_values(nodes, state, rules);
    __syncthreads();
    if (finishes) finish(nodes, state, rules, first_tree, {out_nodes, out_values, out_weights});
}

// Finishes a tree whose values are quantiles. One block.
extern "C" __global__ void __launch_bounds__(LEAF_THREADS)
finish_tree(const Node* nodes, State* state, const Rules* rules, u64 first_tree, Node* __restrict__ out_nodes,
            double* __restrict__ out_values, double* __restrict__ out_weights) {
    finish(nodes, state, rules, first_tree, {out_nodes, out_values, out_weights});
}

// Rows that the tree was grown on.
extern "C" __global__ void __launch_bounds__(LEAF_THREADS)
add_values(double* __restrict__ raw, const u32* __restrict__ list, const u16* __restrict__ slot, u32 n,
           const State* state) {
    __shared__ double value[LEAVES];
    for (u32 i = threadIdx.x; i < LEAVES; i += LEAF_THREADS) value[i] = state->row_value[i];
    __syncthreads();
    for (u64 i = (u64)blockIdx.x * LEAF_THREADS + threadIdx.x; i < n; i += (u64)gridDim.x * LEAF_THREADS) {
        const u32 row = list ? list[i] : (u32)i;
        raw[row] += value[slot[row]];
    }
}

// Rows that walk down the tree: those left out, and those of other tables.
extern "C" __global__ void __launch_bounds__(LEAF_THREADS)
walk(double* __restrict__ raw, const u8* __restrict__ bins, u64 stride, const u32* __restrict__ list,
     u32 n, const Node* __restrict__ nodes, const FeatureInfo* __restrict__ features,
     const State* state) {
    for (u64 i = (u64)blockIdx.x * LEAF_THREADS + threadIdx.x; i < n; i += (u64)gridDim.x * LEAF_THREADS) {
        const u32 row = list ? list[i] : (u32)i;
        const u8* own = bins + row * stride;
        u32 at = 0, level = 0;
        while (level < DEPTH && nodes[at].feature >= 0) {
            const Node& node = nodes[at];
            const bool left = goes_left(node, features[node.feature], own[node.feature]);
            at = 2 * at + (left ? 1 : 2);
            ++level;
        }
        raw[row] += state->value[((at + 1) << (DEPTH - level)) - 1 - FIRST_LEAF];
    }
}
