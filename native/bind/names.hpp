// Names: what Python calls the members of the core's enums, in their order. Python reads them here and keeps no list of
// its own.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "glasswood/base/cpu_level.hpp"
#include "glasswood/boosting/gain.hpp"
#include "glasswood/boosting/loss.hpp"
#include "glasswood/explain/intervals/interval_tables.hpp"
#include "glasswood/forest/forest.hpp"

namespace glasswood::bind {

template <class Enum, std::size_t n>
struct Names {
    const char* what;
    std::array<std::string_view, n> names;

    // The member of this name; ValueError if there is none.
    Enum find(std::string_view name) const {
        const auto found = std::ranges::find(names, name);
        if (found == names.end()) {
            throw nanobind::value_error(
                ("unknown " + std::string(what) + " '" + std::string(name) + "'; there are " + list()).c_str());
        }
        return static_cast<Enum>(found - names.begin());
    }

    std::string of(Enum member) const { return std::string(names[static_cast<std::size_t>(member)]); }

    std::string list() const {
        std::string all;
        for (const std::string_view name : names) all += (all.empty() ? "" : ", ") + std::string(name);
        return all;
    }

    nanobind::tuple tuple() const {
        nanobind::list all;
        for (const std::string_view name : names) all.append(nanobind::str(name.data(), name.size()));
        return nanobind::tuple(all);
    }
};

// The last member is named to notice, when compiling, that a member was added without a name.
template <class Enum, class... Text>
constexpr auto name_enum(const char* what, Enum last, Text... names) {
    if (static_cast<std::size_t>(last) + 1 != sizeof...(names)) throw "an enum and its names differ in length";
    return Names<Enum, sizeof...(names)>{what, {names...}};
}

inline constexpr auto gain_names =
    name_enum("gain", boosting::GainKind::welch, "newton", "cred_var", "cred_std", "welch");
inline constexpr auto loss_names = name_enum("loss", boosting::LossKind::softmax, "squared_error", "absolute_error",
                                             "quantile", "poisson", "gamma", "tweedie", "logistic", "softmax");
inline constexpr auto criterion_names =
    name_enum("criterion", forest::CriterionKind::entropy, "squared_error", "gini", "entropy");
inline constexpr auto formula_names =
    name_enum("formula", explain::intervals::Formula::treemind, "shared", "leafmean", "treemind");
inline constexpr auto level_names = name_enum("CPU level", base::CpuLevel::v4, "plain", "v3", "v4");

}  // namespace glasswood::bind
