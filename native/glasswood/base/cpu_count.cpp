#include "glasswood/base/cpu_count.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string_view>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

namespace glasswood::base {
namespace {

constexpr double no_quota = std::numeric_limits<double>::infinity();

// The whole text of a file, empty where there is none. C's files, not C++'s streams: a module that was linked with
// libstdc++ inside crashes in a stream when another copy of libstdc++ is in the process (PyTorch brings one).
std::string text_of(const std::string& path) {
    std::string text;
    std::FILE* file = std::fopen(path.c_str(), "r");
    if (file == nullptr) return text;
    char part[4096];
    for (std::size_t n; (n = std::fread(part, 1, sizeof part, file)) > 0;) text.append(part, n);
    std::fclose(file);
    return text;
}

// Cuts off `rest` what comes before the next separator, and the separator.
std::string_view next_part(std::string_view& rest, char separator) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

// A whole number, 0 for anything else ("max").
std::int64_t number_of(std::string_view text) {
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

double share(std::int64_t quota, std::int64_t period) {
    return quota > 0 && period > 0 ? static_cast<double>(quota) / static_cast<double>(period) : no_quota;
}

// cpu.max: "50000 100000", or "max 100000".
double quota_of_2(const std::string& folder) {
    const std::string text = text_of(folder + "/cpu.max");
    std::string_view rest = text;
    const std::string_view quota = next_part(rest, ' ');
    return share(number_of(quota), number_of(rest));
}

// cpu.cfs_quota_us is -1 without a quota.
double quota_of_1(const std::string& folder) {
    return share(number_of(text_of(folder + "/cpu.cfs_quota_us")), number_of(text_of(folder + "/cpu.cfs_period_us")));
}

// The smallest quota of a group and its ancestors. A container may see its own group at the root of the mount, under
// a path that does not exist there: files that are missing count as no quota.
double along(const std::string& root, std::string path, double (*quota_of)(const std::string&)) {
    double lowest = quota_of(root);
    while (!path.empty() && path != "/") {
        lowest = std::min(lowest, quota_of(root + path));
        path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
    }
    return lowest;
}

bool names_cpu(std::string_view controllers) {
    while (!controllers.empty()) {
        if (next_part(controllers, ',') == "cpu") return true;
    }
    return false;
}

int cpus_of_mask() {
#ifdef __linux__
    for (int max_cpus = 1024; max_cpus <= 1 << 20; max_cpus *= 2) {
        cpu_set_t* mask = CPU_ALLOC(max_cpus);
        if (mask == nullptr) break;
        const std::size_t size = CPU_ALLOC_SIZE(max_cpus);
        const int found = sched_getaffinity(0, size, mask) == 0 ? CPU_COUNT_S(size, mask) : 0;
        CPU_FREE(mask);
        if (found > 0) return found;
    }
#endif
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace

double cpu_quota(const std::string& membership, const std::string& root) {
    double lowest = no_quota;
    const std::string text = text_of(membership);
    for (std::string_view rest = text; !rest.empty();) {  // number:controllers:path
        std::string_view line = next_part(rest, '\n');
        if (std::count(line.begin(), line.end(), ':') < 2) continue;
        next_part(line, ':');
        const std::string controllers(next_part(line, ':')), path(line);
        if (controllers.empty()) {
            lowest = std::min({lowest, along(root, path, quota_of_2), along(root + "/unified", path, quota_of_2)});
        } else if (names_cpu(controllers)) {
            lowest = std::min(
                {lowest, along(root + "/cpu", path, quota_of_1), along(root + "/" + controllers, path, quota_of_1)});
        }
    }
    return lowest;
}

int available_cpus() {
    const double quota = cpu_quota("/proc/self/cgroup", "/sys/fs/cgroup");
    const int mask = cpus_of_mask();
    return std::isfinite(quota) ? std::clamp(static_cast<int>(std::min(std::ceil(quota), 1e6)), 1, mask) : mask;
}

}  // namespace glasswood::base
