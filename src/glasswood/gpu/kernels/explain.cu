// Explain: counts of rows for exact effects, and attributions from tables. Codes are cells, a byte per row and feature.
#include "common.cuh"

#define EXPLAIN_THREADS 256

// ---- cells ----

struct CellTable {
    u32 a, b;      // features; b is `no_feature` for the table of one
    u32 size_b;    // cells of b
    u32 n_cells;
    u64 start;     // of the table among the counts
};
static_assert(sizeof(CellTable) == 24, "the host writes tables");
#define NO_FEATURE 0xFFFFFFFFu
#define SHARED_CELLS 8192

// Rows in each cell of tables of one or two features. `blocks`: of a table.
extern "C" __global__ void __launch_bounds__(EXPLAIN_THREADS)
count_cells(const u8* __restrict__ columns, u64 column_bytes, u32 n, const CellTable* __restrict__ tables, u32 blocks,
            u64* __restrict__ counts) {
    __shared__ u32 own[SHARED_CELLS];
    const CellTable table = tables[blockIdx.x / blocks];
    const bool fits = table.n_cells <= SHARED_CELLS;
    for (u32 i = threadIdx.x; fits && i < table.n_cells; i += EXPLAIN_THREADS) own[i] = 0;
    __syncthreads();
    const u8* a = columns + table.a * column_bytes;
    const u8* b = table.b == NO_FEATURE ? nullptr : columns + table.b * column_bytes;
    const u64 step = (u64)blocks * EXPLAIN_THREADS;
    for (u64 i = (u64)(blockIdx.x % blocks) * EXPLAIN_THREADS + threadIdx.x; i < n; i += step) {
        const u32 cell = b ? a[i] * table.size_b + b[i] : a[i];
        if (fits) atomicAdd(&own[cell], 1u);
        else atomicAdd(&counts[table.start + cell], 1ull);
    }
    __syncthreads();
    for (u32 i = threadIdx.x; fits && i < table.n_cells; i += EXPLAIN_THREADS) {
        if (own[i]) atomicAdd(&counts[table.start + i], (u64)own[i]);
    }
}

// ---- leaves ----

// Rows that go left at a node: 32 of them, whose codes begin at `codes`. The question: codes up to a cut, or equal to
// another number, go left.
__device__ __forceinline__ u32 goes_left_bits(const u8* codes, u32 question) {
    const u32 cut = (question >> 8 & 255) * 0x01010101u, also = (question & 255) * 0x01010101u;
    u32 bits = 0;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const uint4 four = ((const uint4*)codes)[half];
        const u32 words[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const u32 left = (~__vcmpgtu4(words[k], cut) | __vcmpeq4(words[k], also)) & 0x08040201u;
            bits |= (left * 0x01010101u >> 24) << (16 * half + 4 * k);
        }
    }
    return bits;
}

struct LeafProgram {
    u32 first;      // of its at most 32 conditions, feature by feature: those that must hold, then the free ones
    u32 last_ones;  // as bits: the last condition of each feature
    u16 n_fixed;    // features that must hold for a row to count
    u16 n_free;
    u32 slot;       // where its counts begin
};
static_assert(sizeof(LeafProgram) == 16, "the host writes programs");

// Rows of a word that fail the conditions on one feature, and the next condition. A condition has the number of its
// node in the tree, twice, plus 1 where the path goes left; lane c of the warp holds condition c: none is waited for.
__device__ __forceinline__ u32 failing(u32 own, u32 last_ones, u32& next, const u32* words, u32 n_words, u32 w) {
    u32 fails = 0;
    bool last;
    do {
        const u32 condition = __shfl_sync(ALL_LANES, own, next);
        const u32 left = words[(condition >> 1) * n_words + w];
        fails |= condition & 1 ? ~left : left;
        last = last_ones >> next & 1;
        ++next;
    } while (!last);
    return fails;
}

// Counts the rows that fail none, one or two of at most M free features of a leaf. One warp.
template <int M>
__device__ void count_leaf(const LeafProgram& leaf, const u32* __restrict__ conditions, const u32* words, u32 n_words,
                           u32 n_rows, u64* __restrict__ sums) {
    const u32 lane = threadIdx.x & 31;
    u32 none = 0, one[M], two[M * (M - 1) / 2 + 1];
#pragma unroll
    for (int k = 0; k < M; ++k) one[k] = 0;
#pragma unroll
    for (int k = 0; k < M * (M - 1) / 2; ++k) two[k] = 0;
    const u32 own_condition = conditions[leaf.first + lane];
    for (u32 w = lane; w < n_words; w += 32) {
        const u32 rest = n_rows > 32 * w ? n_rows - 32 * w : 0;
        u32 next = 0, out = rest >= 32 ? 0 : ~((1u << rest) - 1);
        for (u32 k = 0; k < leaf.n_fixed; ++k) {
            out |= failing(own_condition, leaf.last_ones, next, words, n_words, w);
        }
        u32 once = out, twice = out, thrice = out, fails[M];
#pragma unroll
        for (int k = 0; k < M; ++k) {
            fails[k] = k < leaf.n_free ? failing(own_condition, leaf.last_ones, next, words, n_words, w) : 0;
            thrice |= twice & fails[k];
            twice |= once & fails[k];
            once |= fails[k];
        }
        none += __popc(~once);
        const u32 exactly_one = once & ~twice;
#pragma unroll
        for (int k = 0; k < M; ++k) one[k] += __popc(exactly_one & fails[k]);
#if ORDER == 2
        const u32 exactly_two = twice & ~thrice;
#pragma unroll
        for (int b = 1; b < M; ++b) {
#pragma unroll
            for (int a = 0; a < b; ++a) two[b * (b - 1) / 2 + a] += __popc(exactly_two & fails[a] & fails[b]);
        }
#endif
    }
    u64* own = sums + leaf.slot;
    const u32 all_none = __reduce_add_sync(ALL_LANES, none);
    if (lane == 0 && all_none) atomicAdd(own, (u64)all_none);
#pragma unroll
    for (int b = 0; b < M; ++b) {
        if (b >= leaf.n_free) break;
        const u32 alone = __reduce_add_sync(ALL_LANES, one[b]);
        u64* at = own + 1 + (ORDER == 2 ? (b + 1) * b / 2 : b);
        if (lane == 0 && alone) atomicAdd(at, (u64)alone);
#if ORDER == 2
#pragma unroll
        for (int a = 0; a < b; ++a) {
            const u32 both = __reduce_add_sync(ALL_LANES, two[b * (b - 1) / 2 + a]);
            if (lane == 0 && both) atomicAdd(at + a + 1, (u64)both);
        }
#endif
    }
}

// For every leaf, the rows that fail exactly a set of at most ORDER free features of its path. A block takes a tile of
// rows and a share of the trees: first the rows that go left at every node, as bits, then leaf after leaf.
extern "C" __global__ void __launch_bounds__(EXPLAIN_THREADS)
count_leaves(const u8* __restrict__ columns, u64 column_bytes, u32 n, u32 n_words, const u32* __restrict__ node_start,
             const uint2* __restrict__ nodes, const u32* __restrict__ leaf_start,
             const LeafProgram* __restrict__ leaves, const u32* __restrict__ conditions, u32 n_trees, u32 shares,
             u64* __restrict__ sums) {
    DYNAMIC_SHARED(u32, words);
    const u32 tile = blockIdx.x / shares, share = blockIdx.x % shares, warp = threadIdx.x >> 5;
    const u64 first_row = (u64)tile * n_words * 32;
    const u32 n_rows = n - first_row < n_words * 32 ? (u32)(n - first_row) : n_words * 32;
    for (u32 t = share; t < n_trees; t += shares) {
        const u32 first = node_start[t], n_nodes = node_start[t + 1] - first;
        __syncthreads();
        for (u32 i = threadIdx.x; i < n_nodes * n_words; i += EXPLAIN_THREADS) {
            const uint2 node = nodes[first + i / n_words];
            const u8* codes = columns + node.x * column_bytes + first_row + i % n_words * 32;
            words[i] = i % n_words * 32 < n_rows ? goes_left_bits(codes, node.y) : 0;
        }
        __syncthreads();
        for (u32 l = leaf_start[t] + warp; l < leaf_start[t + 1]; l += EXPLAIN_THREADS / 32) {
            const LeafProgram leaf = leaves[l];
            if (leaf.n_free <= 2) count_leaf<2>(leaf, conditions, words, n_words, n_rows, sums);
            else if (leaf.n_free <= 4) count_leaf<4>(leaf, conditions, words, n_words, n_rows, sums);
            else if (leaf.n_free == 5) count_leaf<5>(leaf, conditions, words, n_words, n_rows, sums);
            else if (leaf.n_free == 6) count_leaf<6>(leaf, conditions, words, n_words, n_rows, sums);
            else if (leaf.n_free <= 8) count_leaf<8>(leaf, conditions, words, n_words, n_rows, sums);
            else count_leaf<12>(leaf, conditions, words, n_words, n_rows, sums);
        }
    }
}

// ---- attributions ----

#define LINE_THREADS 128
#define LINE_STRIDE (LINE_THREADS + 4)  // numbers from one value of a row to its next: neighbours lie in other banks

struct LineGroup {
    u32 condition, end;   // its conditions, a multiple of four of them
    u32 number, n_pairs;  // where the places of its numbers begin, and how many pairs of numbers a line has
    u64 line;             // its first pair of numbers
    u32 n_bits, unused;   // of its patterns
};
static_assert(sizeof(LineGroup) == 32, "the host writes groups");

struct alignas(16) TwoNumbers {
    double x, y;
};

// The bit of a condition where a row's code does not answer it. A condition: the code's cut in the top byte, how far
// right the word must be shifted, which word of the row has the code (from bit 8 on), the bit of the pattern (from bit
// 3 on) and, as 1, whether codes up to the cut pass; then the other code that goes left.
__device__ __forceinline__ u32 fails(const uint2& condition, u32 word) {
    const u32 code = word >> (condition.x >> 16 & 31) & 255;
    const bool left = code <= condition.x >> 24 || code == condition.y;
    return left == (condition.x & 1) ? 0 : 1u << (condition.x >> 3 & 31);
}

// Adds to every row the line of its pattern at each group, group after group, as the CPU does. A thread finds the
// pattern of a row; its codes, four to a word, lie in shared memory. Four lanes together read the line of a row, and
// then that of another, so that a warp asks for few pieces of memory at a time. Every number of a line goes to another
// place of the row; one place is for numbers that fill up a line.
extern "C" __global__ void __launch_bounds__(LINE_THREADS)
add_lines(const u32* __restrict__ codes, u32 quads, u32 n, const LineGroup* __restrict__ groups, u32 n_groups,
          const uint2* __restrict__ conditions, const uint2* __restrict__ places,
          const TwoNumbers* __restrict__ lines, u32 row_size, double* __restrict__ out) {
    DYNAMIC_SHARED(double, shared);
    u32* row_codes = (u32*)(shared + (row_size + 1) * LINE_STRIDE) + threadIdx.x;
    const u32 lane = threadIdx.x & 31, part = lane & 3, first_of_warp = threadIdx.x - lane;
    const u32 tiles = (n + LINE_THREADS - 1) / LINE_THREADS;
    for (u32 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const u64 first = (u64)tile * LINE_THREADS, row = first + threadIdx.x;
        for (u32 q = 0; q < quads; ++q) row_codes[q * LINE_THREADS] = row < n ? codes[row * quads + q] : 0;
        for (u32 k = 0; k <= row_size; ++k) shared[k * LINE_STRIDE + threadIdx.x] = 0.0;
        for (u32 g = 0; g < n_groups; ++g) {
            const LineGroup group = groups[g];
            u32 pattern = (1u << group.n_bits) - 1;
            for (u32 c = group.condition; c < group.end; c += 4) {
                uint2 condition[4];
                u32 word[4];
#pragma unroll
                for (int k = 0; k < 4; ++k) condition[k] = conditions[c + k];
#pragma unroll
                for (int k = 0; k < 4; ++k) word[k] = row_codes[(condition[k].x >> 8 & 31) * LINE_THREADS];
#pragma unroll
                for (int k = 0; k < 4; ++k) pattern &= ~fails(condition[k], word[k]);
            }
            __syncwarp();  // other lanes may have added to the same places before
            for (u32 base = 0; base < group.n_pairs; base += 4) {
                const bool inside = base + part < group.n_pairs;
                const u32 pair = inside ? base + part : base;
                const uint2 place = places[group.number + pair];
                TwoNumbers two[4];
#pragma unroll
                for (int k = 0; k < 4; ++k) {
                    const u32 own = __shfl_sync(ALL_LANES, pattern, 8 * k + (lane >> 2));
                    two[k] = lines[group.line + (u64)own * group.n_pairs + pair];
                }
#pragma unroll
                for (int k = 0; k < 4; ++k) {
                    double* result = shared + first_of_warp + 8 * k + (lane >> 2);
                    if (inside) {
                        result[place.x * LINE_STRIDE] += two[k].x;
                        result[place.y * LINE_STRIDE] += two[k].y;
                    }
                }
            }
        }
        __syncthreads();
        const u64 last = n - first < LINE_THREADS ? n - first : LINE_THREADS;
        for (u32 i = threadIdx.x; i < last * row_size; i += LINE_THREADS) {
            out[first * row_size + i] = shared[i % row_size * LINE_STRIDE + i / row_size];
        }
        __syncthreads();
    }
}
