// Histograms: sums of the rows of every node, per feature and bin.
//
// A warp takes one row at a time, a lane GW neighbouring bytes of it; the sums in shared memory are [field][byte][bin]
// [lane], so that lane l always writes bank l: no two lanes meet, whatever the data. Sums of 32 bits are emptied into
// 64-bit sums before they can overflow.
#define PLANE (GW * NC * 32)                            // words of one field
#define SUMMED (FIELDS - ROOT_ONLY)                     // fields in shared memory
#define PAIRS (1 << (DEPTH > 1 ? DEPTH - 2 : 0))
#define MOST_ROWS 32736u                                // |gradient| <= 2^16: sums of so many rows fit 32 bits
#define IN_FLIGHT 8                                     // rows of a warp whose bytes are being loaded

#define SLIM (!SQUARES && NARROW_RECORD)                // rows have a gradient, all else is counted

// A row in shared memory.
#if SLIM
typedef uint2 Staged;  // row, gradient
#else
typedef uint4 Staged;  // row, gradient, then square, hessian and weight, as far as they are summed up
#endif

__device__ __forceinline__ Staged staged_of(const RowSums& s) {
#if SLIM
    return make_uint2(s.row, s.grad);
#elif SQUARES
    return make_uint4(s.row, s.grad, s.square, HESSIANS ? s.hess : s.weight);
#else
    return make_uint4(s.row, s.grad, HESSIANS ? s.hess : s.weight, s.weight);
#endif
}

// COUNT: whether weights are added too.
template <int K, bool COUNT>
__device__ __forceinline__ void add_byte(u32 at, u32 word, const Staged& s, u32 weight) {
    const u32 cell = at + __byte_perm(word, 0, 0x4440 + K) * 128;
    constexpr int plane = K * NC * 128;
    add_shared<plane>(cell, s.y);
#if SQUARES
    add_shared<plane + PLANE * 4>(cell, s.z);
#endif
#if HESSIANS
    add_shared<plane + HESSIAN_FIELD * PLANE * 4>(cell, SQUARES ? s.w : s.z);
#endif
    if (COUNT) add_shared<plane + WEIGHT_FIELD * PLANE * 4>(cell, weight);
}

template <bool COUNT>
__device__ __forceinline__ void add_word(u32 at, u32 word, const Staged& s, u32 weight) {
    add_byte<0, COUNT>(at, word, s, weight);
#if GW >= 2
    add_byte<1, COUNT>(at, word, s, weight);
#endif
#if GW == 4
    add_byte<2, COUNT>(at, word, s, weight);
    add_byte<3, COUNT>(at, word, s, weight);
#endif
}

// The weight of a row in shared memory; `weights` where a row has five words.
__device__ __forceinline__ u32 staged_weight(const Staged& s, const u32* weights, int r) {
#if !WEIGHTED
    return 1u;
#elif SQUARES && HESSIANS
    return weights[r];
#else
    return s.w;
#endif
}

__device__ __forceinline__ u32 load_bytes(const u8* p) {
#if GW == 4
    return __ldg((const u32*)p);
#elif GW == 2
    return __ldg((const u16*)p);
#else
    return __ldg(p);
#endif
}

// Rows in `staged` of the warp's own.
template <bool COUNT>
__device__ __forceinline__ void add_rows(const Staged* staged, const u32* weights, int m, const u8* mine, u32 stride,
                                         u32 cells) {
    int r = 0;
#pragma unroll 1
    for (; r + IN_FLIGHT <= m; r += IN_FLIGHT) {
        Staged s[IN_FLIGHT];
        u32 word[IN_FLIGHT], weight[IN_FLIGHT];
#if SLIM
#pragma unroll
        for (int k = 0; k < IN_FLIGHT; k += 2) {  // two rows at a time
            const uint4 two = *(const uint4*)(staged + r + k);
            s[k] = make_uint2(two.x, two.y);
            s[k + 1] = make_uint2(two.z, two.w);
        }
#else
#pragma unroll
        for (int k = 0; k < IN_FLIGHT; ++k) s[k] = staged[r + k];
#endif
#pragma unroll
        for (int k = 0; k < IN_FLIGHT; ++k) weight[k] = staged_weight(s[k], weights, r + k);
#pragma unroll
        for (int k = 0; k < IN_FLIGHT; ++k) word[k] = load_bytes(mine + (u64)s[k].x * stride);
#pragma unroll
        for (int k = 0; k < IN_FLIGHT; ++k) add_word<COUNT>(cells, word[k], s[k], weight[k]);
    }
    for (; r < m; ++r) {
        const Staged s = staged[r];
        add_word<COUNT>(cells, load_bytes(mine + (u64)s.x * stride), s, staged_weight(s, weights, r));
    }
}

// The children of split nodes get their rows; which rows of the level are summed up: those of the child with fewer.
__device__ void list_pairs(Node* nodes, int level, u32* first_of, u32* slot_of, u32* before) {
    const int lane = threadIdx.x & 31, pairs = level == 0 ? 1 : 1 << (level - 1);
    u32 carry = 0;
    for (int base = 0; base < pairs; base += 32) {
        const int j = base + lane;
        u32 count = 0, first = 0, slot = 0;
        if (j < pairs && level == 0) count = nodes[0].end;
        if (j < pairs && level > 0) {
            const Node* p = nodes + (1 << (level - 1)) - 1 + j;
            const u32 begin = p->begin, end = p->end, n_left = p->n_left, n_right = end - begin - n_left;
            const bool left = n_left <= n_right;
            first = left ? begin : begin + n_left;
            slot = 2 * j + (left ? 0 : 1);
            count = p->feature < 0 ? 0 : left ? n_left : n_right;
            if (blockIdx.x == 0) {
                Node* child = nodes + (1 << level) - 1 + 2 * j;
                child[0].begin = begin;
                child[0].end = child[1].begin = begin + n_left;
                child[1].end = end;
            }
        }
        const u32 sum = (u32)sum_of_lanes_before(count);
        if (j < pairs) {
            first_of[j] = first;
            slot_of[j] = slot;
            before[j + 1] = carry + sum;
        }
        carry += __shfl_sync(ALL_LANES, sum, 31);
    }
    if (lane == 0) before[0] = 0;
}

// Adds the sums in shared memory to those of a node and clears them: four neighbouring cells of eight lanes per warp.
__device__ __forceinline__ void empty(u32* sums, u64* out, u32 group, u32 group_features, u32 n_features, u32 lanes,
                                      bool counts) {
    const u32 lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const u32 part = lane & 3, of_eight = lane >> 2;
    for (u32 u = warp; u < GW * (NCG / 4) * 4; u += HISTOGRAM_THREADS / 32) {
        const u32 l = (u & 3) * 8 + of_eight, bin = (u >> 2) % (NCG / 4) * 4 + part, k = (u >> 2) / (NCG / 4);
        const u32 f = group * group_features + l * GW + k;
        if (l >= lanes || l * GW + k >= group_features || f >= n_features || bin >= NC) continue;
        u32* cell = sums + (k * NC + bin) * 32 + l;
        if (!ROOT_ONLY && counts && cell[WEIGHT_FIELD * PLANE] == 0) continue;
        u64* to = out + (u64)f * NCG + bin;
#pragma unroll
        for (int field = 0; field < SUMMED; ++field) {
            const u32 v = cell[field * PLANE];
            if (v == 0) continue;
            cell[field * PLANE] = 0;
            atomicAdd(to + (u64)field * n_features * NCG, field == 0 ? (u64)(i64)(int)v : (u64)v);
        }
    }
}

// The sums of the root, from what the threads of a block found.
__device__ void add_to_root(Node* root, const i64* found, u32 n_rows, i64 one) {
    __shared__ u64 of_block[4];
    if (threadIdx.x < 4) of_block[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 4; ++k) {
        const i64 sum = sum_of_warp(found[k]);
        if ((threadIdx.x & 31) == 0) atomicAdd(&of_block[k], (u64)sum);
    }
    __syncthreads();
    if (threadIdx.x) return;
    const u64 weight = WEIGHTED ? of_block[3] : (u64)n_rows * (u64)one;
    atomicAdd((u64*)&root->sums[0], of_block[0]);
    atomicAdd((u64*)&root->sums[1], of_block[1]);
    atomicAdd((u64*)&root->sums[2], HESSIANS ? of_block[2] : weight);
    atomicAdd((u64*)&root->sums[3], weight);
}

// All nodes of a level in one launch. A block takes an equal share of all rows; where its share spans nodes it empties
// its sums in between. `list`: rows of the tree at the root; null: all rows. `records`: those of deeper levels.
// `counts`: 0 where the cells of the level know their counts. ROOT_ONLY: this is so, and lanes may take more bytes.
extern "C" __global__ void __launch_bounds__(HISTOGRAM_THREADS, 1)
fill(const u8* __restrict__ bins, u32 stride, u32 group_features, u32 groups, u32 lanes,
     u32 n_features, const Stat* __restrict__ stat, const u32* __restrict__ list, const Record* __restrict__ records,
     Node* nodes, u64* __restrict__ cells, const State* state, int level, u32 least_rows, u32 counts) {
    DYNAMIC_SHARED(u32, sums);
    __shared__ u32 first_of[PAIRS], slot_of[PAIRS], before[PAIRS + 1];
    const u32 lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (u32 i = threadIdx.x; i < SUMMED * PLANE / 4; i += HISTOGRAM_THREADS) {
        ((uint4*)sums)[i] = make_uint4(0, 0, 0, 0);
    }
    if (warp == 0) list_pairs(nodes, level, first_of, slot_of, before);
    __syncthreads();
    const int pairs = level == 0 ? 1 : 1 << (level - 1);
    const u32 total = before[pairs];
    const u32 block = blockIdx.x / groups, group = blockIdx.x % groups, n_blocks = gridDim.x / groups;
    u32 used = total / least_rows;
    used = used < 1 ? 1 : used > n_blocks ? n_blocks : used;
    if (block >= used) return;
    u32 at = (u32)((u64)total * block / used);
    const u32 begin = at, until = (u32)((u64)total * (block + 1) / used);
    Staged* staged = (Staged*)(sums + SUMMED * PLANE) + warp * 32;
    u32* weights = sums + SUMMED * PLANE + HISTOGRAM_THREADS * 4 + warp * 32;
    const u8* mine = bins + group * group_features + lane * GW;
    const u32 own_cells = shared_address(sums) + lane * 4;
    i64 root[4] = {0, 0, 0, 0};
    int pair = 0;
    while (at < until) {
        while (before[pair + 1] <= at) ++pair;
        u32 stop = until < before[pair + 1] ? until : before[pair + 1];
        if (stop - at > MOST_ROWS) stop = at + MOST_ROWS;
        const u32 a = first_of[pair] + (at - before[pair]), b = a + (stop - at);
        for (u32 t = a + warp * 32; t < b; t += HISTOGRAM_THREADS) {
            const u32 i = t + lane < b ? t + lane : b - 1;
            const RowSums own = sums_of_row(records ? records[i] : record_of(list ? list[i] : i, stat));
            staged[lane] = staged_of(own);
            if (SQUARES && BOTH_WEIGHTS) weights[lane] = own.weight;
            if (level == 0 && t + lane < b) {
                root[0] += (int)own.grad;
                root[1] += own.square;
                root[2] += own.hess;
                root[3] += own.weight;
            }
            __syncwarp();
            const int m = b - t < 32 ? b - t : 32;
            if (lane < lanes) {
                if (!ROOT_ONLY && counts) add_rows<true>(staged, weights, m, mine, stride, own_cells);
                else add_rows<false>(staged, weights, m, mine, stride, own_cells);
            }
            __syncwarp();
        }
        __syncthreads();
        empty(sums, cells + (u64)slot_of[pair] * FIELDS * n_features * NCG, group, group_features, n_features, lanes,
              counts);
        __syncthreads();
        at = stop;
    }
    if (level == 0 && group == 0) add_to_root(nodes, root, until - begin, state->one);
}
