// One registration function per room; each is defined in the file of its name.
#pragma once

#include <nanobind/nanobind.h>

namespace glasswood::bind {

void bind_attributions(nanobind::module_& m);
void bind_bins(nanobind::module_& m);
void bind_boost(nanobind::module_& m);
void bind_boxes(nanobind::module_& m);
void bind_credibility(nanobind::module_& m);
void bind_neighbours(nanobind::module_& m);
void bind_nodes(nanobind::module_& m);
void bind_paths(nanobind::module_& m);
void bind_codes(nanobind::module_& m);
void bind_effects(nanobind::module_& m);
void bind_interactions(nanobind::module_& m);
void bind_trees(nanobind::module_& m);
void bind_encode(nanobind::module_& m);
void bind_predict(nanobind::module_& m);
void bind_threads(nanobind::module_& m);
void bind_forest(nanobind::module_& m);
void bind_rules(nanobind::module_& m);
void bind_sums(nanobind::module_& m);
void bind_ubjson(nanobind::module_& m);

}  // namespace glasswood::bind
