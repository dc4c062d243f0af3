// ZIP files, by minizip: written so that equal contents are equal bytes, and read as what anybody may have
// made.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

namespace uotbench {

/// Contents by name; folders are what stands before a '/'.
using PackedFiles = std::map<std::string, std::string>;

/// Throws UsageError, with what to install, where the program was built without minizip.
void require_zip();
/// In the order of their names, all dated 1980-01-01, the first day that a ZIP file knows. Throws Error
/// where there is no room for it.
std::string zip_of(const PackedFiles& files);

/// What unpacking may take.
struct ZipLimits {
  std::size_t files = 10'000;
  std::size_t bytes = std::size_t{2} << 30;
};

/// Of a file that is no friend's: throws UsageError in one line where it is no ZIP file, a name leads out of
/// the folder or is none that a file of ours has, an entry is a link or a device, a name is there twice, or
/// the whole is larger than the limits, whatever its entries say that they are.
PackedFiles read_zip(const std::filesystem::path& path, const ZipLimits& limits = {});

}  // namespace uotbench
