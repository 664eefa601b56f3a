#include "glasswood/base/huge_pages.hpp"

#include <new>

#include "glasswood/base/system_calls.hpp"

namespace glasswood::base {
namespace {

constexpr std::size_t line = 64;
constexpr std::size_t huge = std::size_t{2} << 20;  // bytes of a huge page

std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

}  // namespace

void FreePages::operator()(void* p) const noexcept { free_aligned(p); }

void* take_pages(std::size_t bytes) {
    const bool large = bytes >= 4 * huge;
    const std::size_t unit = large ? huge : line;
    void* p = take_aligned(unit, round_up(bytes > 0 ? bytes : 1, unit), large);
    if (p == nullptr) throw std::bad_alloc();
    return p;
}

}  // namespace glasswood::base
