// Select: the leaf that many rows reach in one small tree, without branches.
//
// The exits of a tree are numbered left to right and its nodes stand in an order where a parent comes before
// its children. Every row holds one number e, at first 0: the lowest exit it can still reach. A node asks `if
// (e == lowest && code > cut) e = middle`, where `lowest` is the first exit below the node and `middle` the
// first below its right child. All its ancestors have been asked before, so e == lowest exactly when the row
// passes the node. One register holds 16 to 64 rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "glasswood/base/cpu_level.hpp"

namespace glasswood::predict {

struct SelectNode {
    std::uint16_t column;
    std::int16_t cut;  // a code above it goes right
    std::uint16_t lowest;
    std::uint16_t middle;
};

// Rows are processed in whole registers: columns and exits must have room for n_rows rounded up to
// row_padding.
inline constexpr std::size_t row_padding = 64;
constexpr std::size_t padded(std::size_t n_rows) { return (n_rows + row_padding - 1) / row_padding * row_padding; }

template <class Code, class Exit>
using SelectKernel = void(const SelectNode* nodes, std::size_t n_nodes, const Code* const* columns, std::size_t n_rows,
                          Exit* exits);

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
