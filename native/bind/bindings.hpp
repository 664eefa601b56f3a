// Functions that add parts of the core to the Python module. Each is defined in the file of its name.
#pragma once

#include <nanobind/nanobind.h>

namespace glasswood::bind {

void bind_base(nanobind::module_& m);
void bind_table(nanobind::module_& m);
void bind_model(nanobind::module_& m);
void bind_predict(nanobind::module_& m);
void bind_bins(nanobind::module_& m);
void bind_boost(nanobind::module_& m);
void bind_gains(nanobind::module_& m);
void bind_forest(nanobind::module_& m);
void bind_explain(nanobind::module_& m);
void bind_effects(nanobind::module_& m);
void bind_interactions(nanobind::module_& m);
void bind_attributions(nanobind::module_& m);
void bind_level_tree(nanobind::module_& m);
void bind_loss(nanobind::module_& m);
void bind_row_statistics(nanobind::module_& m);
void bind_shared_grower(nanobind::module_& m);
void bind_proofs(nanobind::module_& m);
void bind_rules(nanobind::module_& m);
void bind_examples(nanobind::module_& m);
void bind_formats(nanobind::module_& m);
void bind_formulas(nanobind::module_& m);

}  // namespace glasswood::bind
