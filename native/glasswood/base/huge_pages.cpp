#include "glasswood/base/huge_pages.hpp"

#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace glasswood::base {
namespace {

constexpr std::size_t line = 64;
constexpr std::size_t huge = std::size_t{2} << 20;  // bytes of a huge page

std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

}  // namespace

void FreePages::operator()(void* p) const noexcept { std::free(p); }

void* take_pages(std::size_t bytes) {
    const bool large = bytes >= 4 * huge;
    const std::size_t unit = large ? huge : line;
    void* p = std::aligned_alloc(unit, round_up(bytes > 0 ? bytes : 1, unit));
    if (p == nullptr) throw std::bad_alloc();
#ifdef __linux__
    if (large) (void)madvise(p, round_up(bytes, unit), MADV_HUGEPAGE);  // a hint: without it all is only slower
#endif
    return p;
}

}  // namespace glasswood::base
