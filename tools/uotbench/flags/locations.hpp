// Where the program finds its data: configs/ of its source tree or of its installation.
#pragma once

#include <filesystem>
#include <string>

namespace uotbench {

/// The folder of this program and its workers.
std::filesystem::path bin_folder();
/// configs/ beside the sources it was built from, or share/uotbench/configs of its installation. Throws
/// UsageError.
std::filesystem::path configs_folder();
/// templates/ beside configs/: what `uotbench new` writes.
std::filesystem::path templates_folder();
/// ${XDG_CACHE_HOME:-~/.cache}/uotbench. `what` will be kept there, for the error. Throws UsageError where
/// neither XDG_CACHE_HOME nor HOME names a folder.
std::filesystem::path cache_folder(const std::string& what);
/// A sweep as given from the current directory, then in configs/, then in kernels/ (uot/awkward.json), there
/// also without .json. Throws UsageError naming the nearest.
std::filesystem::path find_sweep(const std::string& name);

/// A machine's ceilings: a specification or a run as given from the current directory, else one of
/// configs/machines, there also without .json. Throws UsageError naming the nearest.
std::filesystem::path find_machine(const std::string& name);

/// A paper's claims: a file as given from the current directory, else one of configs/claims, there also
/// without .json. Throws UsageError naming the nearest.
std::filesystem::path find_claims(const std::string& name);

}  // namespace uotbench
