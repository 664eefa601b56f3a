#include "arrays.hpp"
#include "bindings.hpp"
#include "glasswood/formats/ubjson.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

nb::dict call_scan(const nb::bytes& content, std::size_t max_depth) {
    const std::span<const std::uint8_t> seen(static_cast<const std::uint8_t*>(content.data()), content.size());
    formats::UbjsonTokens found;
    {
        nb::gil_scoped_release release;
        found = formats::scan_ubjson(seen, max_depth);
    }
    nb::dict out;
    out["parent"] = to_numpy(std::move(found.parent));
    out["end"] = to_numpy(std::move(found.end));
    out["key"] = to_numpy(std::move(found.key));
    out["key_size"] = to_numpy(std::move(found.key_size));
    out["key_hash"] = to_numpy(std::move(found.key_hash));
    out["marker"] = to_numpy(std::move(found.marker));
    out["start"] = to_numpy(std::move(found.start));
    out["size"] = to_numpy(std::move(found.size));
    return out;
}

}  // namespace

void bind_formats(nb::module_& m) {
    m.def("scan_ubjson", &call_scan, "content"_a, "max_depth"_a,
          nb::sig("def scan_ubjson(content: bytes, max_depth: int) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
          "Where the values of a UBJSON document stand, one entry each; ValueError if it is not a whole document.");
}

}  // namespace glasswood::bind
