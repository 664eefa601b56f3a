# The text of every formula header, as a source file: kernels for a GPU are compiled on the user's machine, from the same
# text that the core is compiled from.
set(formulas
    base/elementary
    base/integers
    base/macros
    base/random
    base/tie
    boosting/gain
    boosting/leaf_step
    boosting/level_formula
    boosting/loss_formula
    boosting/quantised_formula
    boosting/sums)

set(formula_texts ${CMAKE_CURRENT_BINARY_DIR}/formula_texts.cpp)
set(formula_entries "")
foreach(formula ${formulas})
  set(formula_file ${CMAKE_CURRENT_SOURCE_DIR}/native/glasswood/${formula}.hpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${formula_file})
  file(READ ${formula_file} formula_text)
  string(APPEND formula_entries "    {\"glasswood/${formula}.hpp\", R\"formula(${formula_text})formula\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${formula_texts} CONTENT "#include \"formula_texts.hpp\"

namespace glasswood::bind {

const std::map<std::string, std::string>& formula_texts() {
    static const std::map<std::string, std::string> texts{
@formula_entries@    };
    return texts;
}

}  // namespace glasswood::bind
" @ONLY)
