// Statistics: what a row adds to histograms, in whole units of at most 17 bits and a sign.

// What is kept of a row, and its record in the list of a node: its number with its statistics, so that they need not be
// gathered level after level.
#if FIELDS == 3 && !WEIGHTED
typedef int2 Stat;    // gradient, square
typedef u64 Record;   // 29 bits of the row, 18 of the gradient, 17 of the square
#else
typedef int4 Stat;    // gradient, square, hessian or weight, weight
typedef uint4 Record;
#endif
#define FIVE (FIELDS == 4 && WEIGHTED)

__device__ __forceinline__ Record record_of(u32 row, const Stat* stat) {
    const Stat s = stat[row];
#if FIELDS == 3 && !WEIGHTED
    return row | (u64)(u32)(s.x + 65536) << 29 | (u64)(u32)s.y << 47;
#elif FIVE
    // 17 bits each of square, hessian and weight in two words
    return make_uint4(row, (u32)s.x, (u32)s.y | (u32)s.z << 17, (u32)s.w | (u32)s.z >> 15 << 17);
#else
    return make_uint4(row, (u32)s.x, (u32)s.y, (u32)s.z);
#endif
}

__device__ __forceinline__ u32 row_of(const Record& r) {
#if FIELDS == 3 && !WEIGHTED
    return (u32)r & 0x1fffffffu;
#else
    return r.x;
#endif
}

// The row, its gradient, its square, and its hessian (4 fields) or weight.
__device__ __forceinline__ uint4 staged_of(const Record& r) {
#if FIELDS == 3 && !WEIGHTED
    return make_uint4((u32)r & 0x1fffffffu, ((u32)(r >> 29) & 0x3ffffu) - 65536u, (u32)(r >> 47), 1u);
#elif FIVE
    return make_uint4(r.x, r.y, r.z & 0x1ffffu, (r.z >> 17) | (r.w >> 17 << 15));
#else
    return r;
#endif
}

__device__ __forceinline__ u32 weight_of(const Record& r) {
#if FIVE
    return r.w & 0x1ffffu;
#else
    return 1u;
#endif
}

// Units of the tree, and the root.
extern "C" __global__ void __launch_bounds__(256)
start_tree(State* state, const Rules* rules, const u64* __restrict__ most, Node* nodes, u32 n_rows) {
    for (int i = threadIdx.x; i < LEAVES * LEAF_FIELDS; i += 256) state->sums[i] = 0;
    for (int i = threadIdx.x; i < DEPTH * LEAVES; i += 256) state->done[i] = 0;
    for (int i = threadIdx.x; i < LEAVES; i += 256) state->slot[i] = i;
    if (threadIdx.x) return;
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
    state->unit = {unit[0], unit[1], unit[2], unit[3]};
    state->per = {per[0], per[1], per[2], per[3]};
    state->leaf_unit = {leaf_unit[0], leaf_unit[1], leaf_unit[2], leaf_unit[3]};
    state->leaf_per = {leaf_per[0], leaf_per[1], leaf_per[2], leaf_per[3]};
    state->one = gb::at_least_one(per[3]);
    Node& root = nodes[0];
    root.begin = 0;
    root.end = n_rows;
    root.lower = NONE;
    root.upper = -NONE;
    root.groups = rules->groups;
}

// Also clears the histogram of the root. `row_id`: null where rows are numbered by position.
extern "C" __global__ void __launch_bounds__(256)
quantise(const double* __restrict__ grad, const double* __restrict__ hess, const double* __restrict__ weight,
         const i64* __restrict__ row_id, u32 n, const State* state, const Rules* rules, Stat* __restrict__ stat,
         u64* __restrict__ root_cells, u32 n_cells) {
    const u32 at = blockIdx.x * 256 + threadIdx.x, step = gridDim.x * 256;
    for (u32 i = at; i < n_cells; i += step) root_cells[i] = 0;
    const glasswood::base::RowKeys keys(rules->seed, rules->first_stream + state->tree);
    const gb::NodeSums per = state->per;
    for (u64 i = at; i < n; i += step) {
        const double g = grad[i], w = weight ? weight[i] : 1.0;
        const double h = hess ? hess[i] : w;
        const gb::Narrow s = gb::narrow_of(g, h, w, per, keys.of(row_id ? (u64)row_id[i] : i));
#if FIELDS == 3 && !WEIGHTED
        stat[i] = make_int2(s.grad, s.square);
#elif FIELDS == 3
        stat[i] = make_int4(s.grad, s.square, s.weight, 0);
#else
        stat[i] = make_int4(s.grad, s.square, s.hess, s.weight);
#endif
    }
}
