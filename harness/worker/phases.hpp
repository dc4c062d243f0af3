// What a worker is doing, as ranges that profilers show over their own (NVTX, domain "uotbench"). Without a
// tool that listens a range costs some 10 ns; a build without NVTX's headers has none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace uotbench {

/// Whether this build has ranges.
bool has_phases();

enum class Stage { prepare, verify, warm_up, sample, count };

/// Ranges of one family have one category.
class PhaseCategory {
 public:
  PhaseCategory() = default;  ///< none
  /// That of FAMILY/FILE.
  explicit PhaseCategory(const std::string& variant);
  std::uint32_t number() const { return number_; }

 private:
  std::uint32_t number_ = 0;
};

/// A range on the calling thread from its construction to its end; ranges nest.
class Phase {
 public:
  /// A case, within which the stages are.
  Phase(const std::string& case_id, PhaseCategory category);
  /// `index` is which sample it is, from 0 on.
  Phase(Stage stage, PhaseCategory category, std::optional<std::int64_t> index = {});
  ~Phase();
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;
};

/// Who hears where the parts of an iteration begin and end.
class RegionListener {
 public:
  virtual ~RegionListener() = default;
  virtual void enter(const char* name) = 0;
  virtual void leave() = 0;
};
/// Of this thread's regions from now on; null: none. Returns the one before.
RegionListener* listen_to_regions(RegionListener* listener);

/// A part of what is timed, from its construction to its end: its share of the time is in the record, and
/// profilers see a range. `name` is one of VariantSpec::phases, and stays. Of a part within another the time
/// is its own alone. The thread that is timed opens them. One costs two looks at the clock, or two events on
/// a GPU: it should last longer than a microsecond.
class Region {
 public:
  explicit Region(const char* name);
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
};

}  // namespace uotbench
