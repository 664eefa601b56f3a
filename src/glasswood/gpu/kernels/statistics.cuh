// Statistics: what a row adds to histograms, in whole units of at most 17 bits and a sign.

// What is kept of a row, and its record in the list of a node: its number with its statistics, so that they need not be
// gathered level after level.
#define NARROW_RECORD (!HESSIANS && !WEIGHTED)
#if NARROW_RECORD
typedef int2 Stat;   // gradient, square
typedef u64 Record;  // 29 bits of the row, 18 of the gradient, 17 of the square
#else
typedef int4 Stat;   // gradient, square, hessian or weight, weight
typedef uint4 Record;
#endif
#define BOTH_WEIGHTS (HESSIANS && WEIGHTED)

__device__ __forceinline__ Record record_of(u32 row, const Stat* stat) {
    const Stat s = stat[row];
#if NARROW_RECORD
    return row | (u64)(u32)(s.x + 65536) << 29 | (u64)(u32)s.y << 47;
#elif BOTH_WEIGHTS
    // 17 bits each of square, hessian and weight in two words
    return make_uint4(row, (u32)s.x, (u32)s.y | (u32)s.z << 17, (u32)s.w | (u32)s.z >> 15 << 17);
#else
    return make_uint4(row, (u32)s.x, (u32)s.y, (u32)s.z);
#endif
}

// What a record says.
struct RowSums {
    u32 row, grad, square, hess, weight;  // the gradient has a sign
};

__device__ __forceinline__ RowSums sums_of_row(const Record& r) {
#if NARROW_RECORD
    return {(u32)r & 0x1fffffffu, ((u32)(r >> 29) & 0x3ffffu) - 65536u, (u32)(r >> 47), 1u, 1u};
#elif BOTH_WEIGHTS
    return {r.x, r.y, r.z & 0x1ffffu, (r.z >> 17) | (r.w >> 17 << 15), r.w & 0x1ffffu};
#elif HESSIANS
    return {r.x, r.y, r.z, r.w, 1u};
#else
    return {r.x, r.y, r.z, r.w, r.w};
#endif
}

__device__ __forceinline__ u32 row_of(const Record& r) { return sums_of_row(r).row; }

struct Units {
    gb::NodeSums unit, per, leaf_unit, leaf_per;
};

__device__ Units units_of(const u64* most, const Rules* rules) {
    const int exponent[4] = {gb::narrow_exponent(elementary::from_bits(most[0])),
                             gb::narrow_exponent(elementary::from_bits(most[1])),
                             gb::narrow_exponent(elementary::from_bits(most[2])),
                             gb::narrow_exponent(rules->most_weight)};
    double unit[4], per[4], leaf_unit[4], leaf_per[4];
    for (int k = 0; k < 4; ++k) {
        const int finer = gb::leaf_exponent(exponent[k], rules->n_table);
        unit[k] = gb::power_of_two(exponent[k]);
        per[k] = gb::power_of_two(-exponent[k]);
        leaf_unit[k] = gb::power_of_two(finer);
        leaf_per[k] = gb::power_of_two(-finer);
    }
    return {{unit[0], unit[1], unit[2], unit[3]},
            {per[0], per[1], per[2], per[3]},
            {leaf_unit[0], leaf_unit[1], leaf_unit[2], leaf_unit[3]},
            {leaf_per[0], leaf_per[1], leaf_per[2], leaf_per[3]}};
}

// What a tree starts with. One block.
__device__ void start_tree(State* state, const Rules* rules, const Units& units, Node* nodes, u32 n_rows) {
    for (int i = threadIdx.x; i < LEAVES * LEAF_FIELDS; i += blockDim.x) state->sums[i] = 0;
    for (int i = threadIdx.x; i < DEPTH * LEAVES; i += blockDim.x) state->done[i] = 0;
    for (int i = threadIdx.x; i < LEAVES; i += blockDim.x) state->slot[i] = i;
    if (threadIdx.x) return;
    state->done_leaves = 0;
    state->unit = units.unit;
    state->per = units.per;
    state->leaf_unit = units.leaf_unit;
    state->leaf_per = units.leaf_per;
    state->one = gb::at_least_one(units.per.weight);
    Node& root = nodes[0];
    root.begin = 0;
    root.end = n_rows;
    root.lower = NONE;
    root.upper = -NONE;
    root.groups = rules->groups;
    for (int k = 0; k < 4; ++k) root.sums[k] = 0;  // `fill` adds the rows
}

// Starts the tree, writes what every row adds, and clears the histogram of the root, but for `root_counts` of its
// cells where the host knows them. `row_id`: null where rows are numbered by position. `n_rows`: rows of the tree.
extern "C" __global__ void __launch_bounds__(256)
quantise(const double* __restrict__ grad, const double* __restrict__ hess, const double* __restrict__ weight,
         const i64* __restrict__ row_id, u32 n, const u64* __restrict__ most, Node* nodes, u32 n_rows, State* state,
         const Rules* rules, Stat* __restrict__ stat, u64* __restrict__ root_cells, u32 n_cells,
         const u64* __restrict__ root_counts) {
    __shared__ Units units;
    if (threadIdx.x == 0) units = units_of(most, rules);
    __syncthreads();
    if (blockIdx.x == 0) start_tree(state, rules, units, nodes, n_rows);
    const u32 at = blockIdx.x * 256 + threadIdx.x, step = gridDim.x * 256;
    const u32 first_count = n_cells / FIELDS * WEIGHT_FIELD;
    for (u32 i = at; i < n_cells; i += step) {
        root_cells[i] = root_counts && i >= first_count ? root_counts[i - first_count] : 0;
    }
    const glasswood::base::RowKeys keys(rules->seed, rules->first_stream + state->tree);
    const gb::NodeSums per = units.per;
    for (u64 i = at; i < n; i += step) {
        const double g = grad[i], w = weight ? weight[i] : 1.0;
        const double h = hess ? hess[i] : w;
        const gb::Narrow s = gb::narrow_of(g, h, w, per, keys.of(row_id ? (u64)row_id[i] : i));
#if NARROW_RECORD
        stat[i] = make_int2(s.grad, s.square);
#elif !HESSIANS
        stat[i] = make_int4(s.grad, s.square, s.weight, 0);
#else
        stat[i] = make_int4(s.grad, s.square, s.hess, s.weight);
#endif
    }
}

// The counts of the root's cells, which are the same for every tree on all rows.
extern "C" __global__ void __launch_bounds__(256)
keep_counts(const u64* __restrict__ root_cells, u32 n_cells, u64* __restrict__ root_counts) {
    const u32 first_count = n_cells / FIELDS * WEIGHT_FIELD;
    for (u32 i = first_count + blockIdx.x * 256 + threadIdx.x; i < n_cells; i += gridDim.x * 256) {
        root_counts[i - first_count] = root_cells[i];
    }
}
