// tie: how close two gains must be to count as equal. Forests and boosting share it, so that equal splits are chosen by
// one rule everywhere.
#pragma once

namespace glasswood::base {

// Two candidates tie when their gains differ by less than this share of the larger.
inline constexpr double tie = 1e-9;

}  // namespace glasswood::base
