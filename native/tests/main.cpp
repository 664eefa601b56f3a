// `core_tests` runs the tests; `core_tests bits` prints the hashes that must be the same on every machine.
#include <cstdio>
#include <cstring>

#include "tests.hpp"

namespace glasswood::tests {
namespace {

int failures = 0;

}  // namespace

void check(bool holds, const char* sentence, const char* file, int line) {
    if (holds) return;
    ++failures;
    std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, sentence);
}

}  // namespace glasswood::tests

int main(int argc, char** argv) {
    using namespace glasswood::tests;
    if (argc > 1 && std::strcmp(argv[1], "bits") == 0) {
        print_bits();
        return 0;
    }
    test_bitset();
    test_exact_sum();
    test_extended();
    test_frontier();
    test_rounding_grid();
    test_interrupt();
    test_parallel();
    test_row_statistics();
    std::printf("core tests: %s\n", failures == 0 ? "all hold" : "see above");
    return failures == 0 ? 0 : 1;
}
