// Select: the leaf that many rows reach in one small tree, without branches.
//
// The exits of a tree are numbered left to right and its nodes stand in an order where a parent comes before
// its children. Every row holds one number e, at first 0: the lowest exit it can still reach. A node asks `if
// (e == lowest && code > cut) e = middle`, where `lowest` is the first exit below the node and `middle` the
// first below its right child. All its ancestors have been asked before, so e == lowest exactly when the row
// passes the node. One register holds 16 to 64 rows.
//
// A node may also ask whether a level is in a set. A level is then two columns: the byte of the set it stands in, and
// its bit there. A set is a table of bytes, of which a register looks up 16 for all its rows at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "glasswood/base/cpu_level.hpp"

namespace glasswood::predict {

struct SelectNode {
    std::uint16_t column;  // of a set: that of the level's byte; its bit is in the next column
    std::int16_t cut;      // a code above it goes right
    std::uint8_t lowest;
    std::uint8_t middle;
    std::uint8_t n_tables;  // of its set; 0: the node compares with `cut`
};

// A set of levels: bit l % 8 of byte l / 8 says that level l goes right. The sets of a tree's nodes stand one after the
// other, each as n_tables times as many bytes.
inline constexpr std::size_t table_bytes = 16;
inline constexpr std::size_t max_tables = 4;
inline constexpr std::size_t max_set_levels = 8 * table_bytes * max_tables;

// How a level is coded. The upper half of a code of two bytes tells the vector unit to look up nothing there.
template <class Code>
constexpr Code byte_code(std::uint32_t level) {
    return static_cast<Code>((sizeof(Code) == 2 ? 0x8000U : 0U) | (level >> 3U));
}
template <class Code>
constexpr Code bit_code(std::uint32_t level) {
    return static_cast<Code>(1U << (level & 7U));
}

// Rows are processed in whole registers: columns and exits must have room for n_rows rounded up to
// row_padding.
inline constexpr std::size_t row_padding = 64;
constexpr std::size_t padded(std::size_t n_rows) { return (n_rows + row_padding - 1) / row_padding * row_padding; }

template <class Code, class Exit>
using SelectKernel = void(const SelectNode* nodes, std::size_t n_nodes, const std::uint8_t* sets,
                          const Code* const* columns, std::size_t n_rows, Exit* exits);

template <class Exit>
using AddKernel = void(const double* table, std::size_t n_exits, const Exit* exits, std::size_t n_rows, double* sums);

struct SelectKernels {
    SelectKernel<std::int8_t, std::uint8_t>* select8;
    SelectKernel<std::int16_t, std::uint16_t>* select16;
    // Trees whose nodes of one depth ask the same question: one node per depth, exit = the answers as binary
    // digits.
    SelectKernel<std::int8_t, std::uint8_t>* oblivious8;
    SelectKernel<std::int16_t, std::uint16_t>* oblivious16;
    // sums[row] += table[exits[row]] for at most 64 exits, the table padded to 64; null where scalar loads
    // are as fast.
    AddKernel<std::uint8_t>* add8;
    AddKernel<std::uint16_t>* add16;
};

const SelectKernels& select_kernels(base::CpuLevel level);

}  // namespace glasswood::predict
