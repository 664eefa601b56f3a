// Tests of the core that need no Python: what Python cannot reach, and the same bits on another kind of CPU.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glasswood::tests {

// Says what does not hold, and where; the run goes on and fails in the end.
void check(bool holds, const char* sentence, const char* file, int line);

#define CHECK(sentence) ::glasswood::tests::check((sentence), #sentence, __FILE__, __LINE__)

void test_bitset();
void test_exact_sum();
void test_extended();
void test_frontier();
void test_rounding_grid();
void test_interrupt();
void test_parallel();
void test_row_statistics();

// Prints one line per kernel: its name and a hash of the bits it computes.
void print_bits();

}  // namespace glasswood::tests
