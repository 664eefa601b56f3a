// Formula texts: the formula headers as they are, by their names in an #include.
#pragma once

#include <map>
#include <string>

namespace glasswood::bind {

const std::map<std::string, std::string>& formula_texts();

}  // namespace glasswood::bind
