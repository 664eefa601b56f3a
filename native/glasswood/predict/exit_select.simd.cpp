// The select kernels for one CPU level. No standard header with inline functions may be included here: the
// linker could keep the copy compiled for a CPU the user does not have.
#include "glasswood/predict/exit_select.hpp"

#if defined(__AVX2__)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC's own header, on purpose
#endif
#include <immintrin.h>
#endif
#if defined(__AVX512BW__) && defined(__AVX512DQ__)
#define GLASSWOOD_MASKS
#endif

namespace glasswood::predict::GLASSWOOD_LEVEL {
namespace {

#if defined(GLASSWOOD_MASKS)

// What both widths of code share. A byte above 127 looks up 0: adding 112 makes one of every byte but the first 16.
struct Registers {
    using Type = __m512i;
    using Bytes = __m512i;
    static Type load(const void* at) { return _mm512_loadu_si512(at); }
    static void store(void* at, Type x) { _mm512_storeu_si512(at, x); }
    static Bytes load_table(const std::uint8_t* table) {
        return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
    }
    static Type look_up(Bytes table, Type byte) { return _mm512_shuffle_epi8(table, byte); }
    static Type look_up(Bytes table, Type byte, Type number, Type only_16) {
        return _mm512_shuffle_epi8(table, _mm512_adds_epu8(_mm512_xor_si512(byte, number), only_16));
    }
    static Type unite(Type a, Type b) { return _mm512_or_si512(a, b); }
};

template <class Lane>
struct Vector;

template <>
struct Vector<std::int8_t> : Registers {
    using Answer = __mmask64;
    static Type splat(std::int16_t x) { return _mm512_set1_epi8(static_cast<char>(x)); }
    static Answer above(Type code, Type cut) { return _mm512_cmpgt_epi8_mask(code, cut); }
    static Answer has(Type bits, Type bit) { return _mm512_test_epi8_mask(bits, bit); }
    static Type select(Type e, Type lowest, Type middle, Answer right) {
        return _mm512_mask_mov_epi8(e, _mm512_mask_cmpeq_epi8_mask(right, e, lowest), middle);
    }
    static Type append(Type e, Answer right) {
        const Type twice = _mm512_add_epi8(e, e);
        return _mm512_mask_sub_epi8(twice, right, twice, splat(-1));
    }
};

template <>
struct Vector<std::int16_t> : Registers {
    using Answer = __mmask32;
    static Type splat(std::int16_t x) { return _mm512_set1_epi16(x); }
    static Answer above(Type code, Type cut) { return _mm512_cmpgt_epi16_mask(code, cut); }
    static Answer has(Type bits, Type bit) { return _mm512_test_epi16_mask(bits, bit); }
    static Type select(Type e, Type lowest, Type middle, Answer right) {
        return _mm512_mask_mov_epi16(e, _mm512_mask_cmpeq_epi16_mask(right, e, lowest), middle);
    }
    static Type append(Type e, Answer right) {
        const Type twice = _mm512_add_epi16(e, e);
        return _mm512_mask_sub_epi16(twice, right, twice, splat(-1));
    }
};

#else

#if defined(__AVX2__)
constexpr std::size_t vector_bytes = 32;
#else
constexpr std::size_t vector_bytes = 16;
#endif

// Compiler vectors: a comparison gives all ones where it holds.
template <class Lane>
struct Vector {
    typedef Lane Type __attribute__((vector_size(vector_bytes)));
    using Answer = Type;
    static Type splat(std::int16_t x) { return Type{} + static_cast<Lane>(x); }
    static Type load(const void* at) {
        Type x;
        __builtin_memcpy(&x, at, sizeof x);
        return x;
    }
    static void store(void* at, Type x) { __builtin_memcpy(at, &x, sizeof x); }
    static Answer above(Type code, Type cut) { return code > cut; }
    static Answer has(Type bits, Type bit) { return (bits & bit) != Type{}; }
    static Type select(Type e, Type lowest, Type middle, Answer right) {
        return e ^ ((e == lowest) & right & (lowest ^ middle));
    }
    static Type append(Type e, Answer right) { return (e + e) - right; }
    static Type unite(Type a, Type b) { return a | b; }
#if defined(__AVX2__)
    using Bytes = __m256i;
    static Bytes load_table(const std::uint8_t* table) {
        return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
    }
    static Type look_up(Bytes table, Type byte) { return (Type)_mm256_shuffle_epi8(table, (__m256i)byte); }
    static Type look_up(Bytes table, Type byte, Type number, Type only_16) {
        const Type own = byte ^ number;
        return (Type)_mm256_shuffle_epi8(table, _mm256_adds_epu8((__m256i)own, (__m256i)only_16));
    }
#else
    using Bytes = const std::uint8_t*;
    static Bytes load_table(const std::uint8_t* table) { return table; }
    static Type look_up(Bytes table, Type byte) { return look_up(table, byte, Type{}, Type{}); }
    static Type look_up(Bytes table, Type byte, Type number, Type) {
        Type found{};
        for (std::size_t i = 0; i < sizeof(Type) / sizeof(Lane); ++i) {
            const auto at = static_cast<std::uint8_t>(byte[i] ^ number[i]);
            found[i] = static_cast<Lane>(at < table_bytes ? table[at] : 0);
        }
        return found;
    }
#endif
};

#endif

// Whether the levels of the rows are in the set.
template <class V, int Registers, class Code>
inline void ask_set(const SelectNode& node, const std::uint8_t* set, const Code* const* columns, std::size_t row,
                    typename V::Answer* right) {
    constexpr std::size_t lanes = sizeof(typename V::Type) / sizeof(Code);
    const Code* byte = columns[node.column] + row;
    const Code* bit = columns[node.column + 1] + row;
    const auto first = V::load_table(set);
    if (node.n_tables == 1) {
        for (int i = 0; i < Registers; ++i) {
            right[i] = V::has(V::look_up(first, V::load(byte + i * lanes)), V::load(bit + i * lanes));
        }
        return;
    }
    const auto only_16 = V::splat(0x70);
    for (int i = 0; i < Registers; ++i) {
        const auto at = V::load(byte + i * lanes);
        auto bits = V::look_up(first, at, V::splat(0), only_16);
        for (int k = 1; k < node.n_tables; ++k) {
            const auto table = V::load_table(set + k * table_bytes);
            bits = V::unite(bits, V::look_up(table, at, V::splat(static_cast<std::int16_t>(k << 4)), only_16));
        }
        right[i] = V::has(bits, V::load(bit + i * lanes));
    }
}

template <class Code, bool Oblivious, int Registers>
void run(const SelectNode* nodes, std::size_t n_nodes, const std::uint8_t* sets, const Code* const* columns,
         std::size_t row, void* exits) {
    using V = Vector<Code>;
    constexpr std::size_t lanes = sizeof(typename V::Type) / sizeof(Code);
    typename V::Type e[Registers];
    for (int i = 0; i < Registers; ++i) e[i] = V::splat(0);
    for (std::size_t n = 0; n < n_nodes; ++n) {
        const SelectNode& node = nodes[n];
        typename V::Answer right[Registers];
        if (node.n_tables == 0) {
            const Code* codes = columns[node.column] + row;
            const auto cut = V::splat(node.cut);
            for (int i = 0; i < Registers; ++i) right[i] = V::above(V::load(codes + i * lanes), cut);
        } else {
            ask_set<V, Registers>(node, sets, columns, row, right);
            sets += node.n_tables * table_bytes;
        }
        if constexpr (Oblivious) {
            for (int i = 0; i < Registers; ++i) e[i] = V::append(e[i], right[i]);
        } else {
            const auto lowest = V::splat(node.lowest);
            const auto middle = V::splat(node.middle);
            for (int i = 0; i < Registers; ++i) e[i] = V::select(e[i], lowest, middle, right[i]);
        }
    }
    for (int i = 0; i < Registers; ++i) V::store(static_cast<Code*>(exits) + row + i * lanes, e[i]);
}

// Eight registers of rows at a time, then four, two, one: the nodes are read once for as many rows as fit.
template <class Code, class Exit, bool Oblivious>
void select(const SelectNode* nodes, std::size_t n_nodes, const std::uint8_t* sets, const Code* const* columns,
            std::size_t n_rows, Exit* exits) {
    static_assert(sizeof(Exit) == sizeof(Code));
    constexpr std::size_t lanes = sizeof(typename Vector<Code>::Type) / sizeof(Code);
    std::size_t row = 0;
    for (; row + 8 * lanes <= n_rows; row += 8 * lanes)
        run<Code, Oblivious, 8>(nodes, n_nodes, sets, columns, row, exits);
    if (row + 4 * lanes <= n_rows) {
        run<Code, Oblivious, 4>(nodes, n_nodes, sets, columns, row, exits);
        row += 4 * lanes;
    }
    if (row + 2 * lanes <= n_rows) {
        run<Code, Oblivious, 2>(nodes, n_nodes, sets, columns, row, exits);
        row += 2 * lanes;
    }
    for (; row < n_rows; row += lanes) run<Code, Oblivious, 1>(nodes, n_nodes, sets, columns, row, exits);
}

#if defined(GLASSWOOD_MASKS)

__m512i eight(const std::uint8_t* exits) {
    return _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(exits)));
}
__m512i eight(const std::uint16_t* exits) {
    return _mm512_cvtepu16_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(exits)));
}

// The table lives in registers: a permutation of two of them looks up eight rows among 16 values.
template <class Exit, int Pairs>
void add_pairs(const double* table, const Exit* exits, std::size_t n_rows, double* sums) {
    __m512d part[2 * Pairs];
    for (int i = 0; i < 2 * Pairs; ++i) part[i] = _mm512_loadu_pd(table + 8 * i);
    for (std::size_t row = 0; row < n_rows; row += 8) {
        const __m512i at = eight(exits + row);
        __m512d value = _mm512_permutex2var_pd(part[0], at, part[1]);
        if constexpr (Pairs >= 2) {
            const __mmask8 odd = _mm512_test_epi64_mask(at, _mm512_set1_epi64(16));
            value = _mm512_mask_mov_pd(value, odd, _mm512_permutex2var_pd(part[2], at, part[3]));
            if constexpr (Pairs == 4) {
                const __mmask8 high = _mm512_test_epi64_mask(at, _mm512_set1_epi64(32));
                const __m512d upper = _mm512_mask_mov_pd(_mm512_permutex2var_pd(part[4], at, part[5]), odd,
                                                         _mm512_permutex2var_pd(part[6], at, part[7]));
                value = _mm512_mask_mov_pd(value, high, upper);
            }
        }
        _mm512_storeu_pd(sums + row, _mm512_add_pd(_mm512_loadu_pd(sums + row), value));
    }
}

template <class Exit>
void add(const double* table, std::size_t n_exits, const Exit* exits, std::size_t n_rows, double* sums) {
    if (n_exits <= 16) {
        add_pairs<Exit, 1>(table, exits, n_rows, sums);
    } else if (n_exits <= 32) {
        add_pairs<Exit, 2>(table, exits, n_rows, sums);
    } else {
        add_pairs<Exit, 4>(table, exits, n_rows, sums);
    }
}

constexpr AddKernel<std::uint8_t>* add8 = &add<std::uint8_t>;
constexpr AddKernel<std::uint16_t>* add16 = &add<std::uint16_t>;

#else

constexpr AddKernel<std::uint8_t>* add8 = nullptr;
constexpr AddKernel<std::uint16_t>* add16 = nullptr;

#endif

}  // namespace

extern const SelectKernels kernels;
const SelectKernels kernels{
    &select<std::int8_t, std::uint8_t, false>,
    &select<std::int16_t, std::uint16_t, false>,
    &select<std::int8_t, std::uint8_t, true>,
    &select<std::int16_t, std::uint16_t, true>,
    add8,
    add16,
};

}  // namespace glasswood::predict::GLASSWOOD_LEVEL
