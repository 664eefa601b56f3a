// Partition: rows go left or right. Which of them comes first within a side depends on the run; no sum does.
#define PART_THREADS 256
#define PART_ITEMS 4  // rows of a thread
// Blocks at once on a multiprocessor: rows are waited for, so many help. Some have room for 2048 threads, others for
// 1536.
#if NARROW_RECORD && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000)
#define PART_BLOCKS 8
#else
#define PART_BLOCKS 6
#endif
#define PART_WARPS (PART_THREADS / 32)

// Adds the squares of a block's rows to both children of their node.
__device__ __forceinline__ void add_squares(u32 left, u32 right, Node* children, u32 (*found)[PART_WARPS]) {
    const u32 lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    left = small_sum_of_warp(left);
    right = small_sum_of_warp(right);
    if (lane == 0) {
        found[0][warp] = left;
        found[1][warp] = right;
    }
    __syncthreads();
    if (warp == 0) {
        const u32 all_left = small_sum_of_warp(lane < PART_WARPS ? found[0][lane] : 0);
        const u32 all_right = small_sum_of_warp(lane < PART_WARPS ? found[1][lane] : 0);
        if (lane == 0 && all_left) atomicAdd((u64*)&children[0].sums[1], (u64)all_left);
        if (lane == 0 && all_right) atomicAdd((u64*)&children[1].sums[1], (u64)all_right);
    }
}

// Rows of a level in tiles. At the last level every row gets the number of its slot instead. Also clears `next`, the
// histograms of the next level.
extern "C" __global__ void __launch_bounds__(PART_THREADS, PART_BLOCKS)
part(const u8* __restrict__ by_column, u64 column_bytes, const u32* __restrict__ list,
     const Record* __restrict__ from, Record* __restrict__ to, u16* __restrict__ slot, Node* nodes,
     const Stat* __restrict__ stat, const FeatureInfo* __restrict__ features, u64* __restrict__ next, u64 n_clear,
     int level, u32 n) {
    __shared__ u32 begin[LEAVES / 2 + 1], count[2][PART_ITEMS * PART_WARPS], base[2];
    __shared__ u64 left_set[4];
#if !SQUARES
    __shared__ u32 squares[2][PART_WARPS];
#endif
    const u32 tid = threadIdx.x, lane = tid & 31, warp = tid >> 5, m = 1u << level, first = m - 1;
    for (u64 i = (u64)blockIdx.x * PART_THREADS + tid; i < n_clear; i += (u64)gridDim.x * PART_THREADS) next[i] = 0;
    for (u32 i = tid; i < m; i += PART_THREADS) begin[i] = nodes[first + i].begin;
    if (tid == 0) begin[m] = n;
    __syncthreads();
    const u32 tile = blockIdx.x * (PART_THREADS * PART_ITEMS);
    const u32 stop = n - tile < PART_THREADS * PART_ITEMS ? n : tile + PART_THREADS * PART_ITEMS;
    const bool last = level + 1 == DEPTH;
    u32 place = 0;  // of the node in its level
    for (u32 d = m >> 1; d; d >>= 1) {
        if (begin[place + d] <= tile) place += d;
    }
    for (u32 a = tile; a < stop; ++place) {
        if (begin[place + 1] <= a) continue;
        const u32 b = stop < begin[place + 1] ? stop : begin[place + 1];
        Node* node = nodes + first + place;
        const int feature = node->feature;
        if (feature < 0) {
            for (u32 i = a + tid; i < b; i += PART_THREADS) {
                const Record own = from ? from[i] : record_of(list ? list[i] : i, stat);
                if (last) slot[row_of(own)] = (u16)(2 * place);
                else to[i] = own;
            }
            a = b;
            continue;
        }
        const FeatureInfo& info = features[feature];
        const int bin = node->bin, missing_left = node->missing_left, missing = info.n_bins;
        const bool is_category = info.is_category;
        if (tid < 4) left_set[tid] = node->left_set[tid];
        __syncthreads();
        const u8* column = by_column + feature * column_bytes;
        Record own[PART_ITEMS];
        u32 inside = 0, lefts = 0;
#pragma unroll
        for (int k = 0; k < PART_ITEMS; ++k) {
            const u32 i = tile + k * PART_THREADS + tid;
            if (i < a || i >= b) continue;
            own[k] = from ? from[i] : record_of(list ? list[i] : i, stat);
            inside |= 1u << k;
        }
#pragma unroll
        for (int k = 0; k < PART_ITEMS; ++k) {
            if (!(inside >> k & 1)) continue;
            const int code = column[row_of(own[k])];
            const bool left = is_category ? left_set[code >> 6] >> (code & 63) & 1
                                          : code == missing ? missing_left != 0 : code <= bin;
            lefts |= left ? 1u << k : 0;
        }
        if (last) {
#pragma unroll
            for (int k = 0; k < PART_ITEMS; ++k) {
                if (inside >> k & 1) slot[row_of(own[k])] = (u16)(2 * place + (lefts >> k & 1 ? 0 : 1));
            }
            __syncthreads();
            a = b;
            continue;
        }
#if !SQUARES
        u32 square[2] = {0, 0};  // of the rows that go left and right
#pragma unroll
        for (int k = 0; k < PART_ITEMS; ++k) {
            if (inside >> k & 1) (lefts >> k & 1 ? square[0] : square[1]) += sums_of_row(own[k]).square;
        }
        add_squares(square[0], square[1], nodes + 2 * (first + place) + 1, squares);
#endif
        u32 who[2][PART_ITEMS];
#pragma unroll
        for (int k = 0; k < PART_ITEMS; ++k) {
            const bool in = inside >> k & 1, left = lefts >> k & 1;
            who[0][k] = __ballot_sync(ALL_LANES, in && left);
            who[1][k] = __ballot_sync(ALL_LANES, in && !left);
            if (lane == 0) {
                count[0][k * PART_WARPS + warp] = __popc(who[0][k]);
                count[1][k * PART_WARPS + warp] = __popc(who[1][k]);
            }
        }
        __syncthreads();
        if (warp < 2) {
            u32 carry = 0;
            for (int i = 0; i < PART_ITEMS * PART_WARPS; i += 32) {
                const u32 c = count[warp][i + lane];
                const u32 sum = (u32)sum_of_lanes_before(c);
                count[warp][i + lane] = carry + sum - c;
                carry += __shfl_sync(ALL_LANES, sum, 31);
            }
            if (lane == 0) {
                const u32 taken = carry ? atomicAdd(warp ? &node->n_right : &node->n_left, carry) : 0;
                base[warp] = warp ? node->end - taken - carry : node->begin + taken;
            }
        }
        __syncthreads();
        const u32 below = (1u << lane) - 1;
#pragma unroll
        for (int k = 0; k < PART_ITEMS; ++k) {
            if (!(inside >> k & 1)) continue;
            const int side = lefts >> k & 1 ? 0 : 1;
            const u32 before = __popc((side ? who[1][k] : who[0][k]) & below);
            to[base[side] + count[side][k * PART_WARPS + warp] + before] = own[k];
        }
        __syncthreads();
        a = b;
    }
}
