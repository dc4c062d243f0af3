#include "harness/worker/phases.hpp"

#include <utility>

namespace uotbench {
namespace {

// A kernel knows nothing of who measures it, and two threads may measure.
thread_local RegionListener* listening = nullptr;

}  // namespace

RegionListener* listen_to_regions(RegionListener* listener) { return std::exchange(listening, listener); }

}  // namespace uotbench

#if UOTBENCH_WITH_NVTX

#include <nvtx3/nvToolsExt.h>

#include <array>
#include <map>

namespace uotbench {
namespace {

/// What NVTX knows of us: made once, and handles are all that a range needs.
class Domain {
 public:
  Domain() : handle_(::nvtxDomainCreateA("uotbench")) {
    constexpr std::array names = {"prepare", "verify", "warm-up", "sample", "count"};
    for (std::size_t i = 0; i < names.size(); ++i) stages_[i] = string(names[i]);
  }

  nvtxStringHandle_t string(const char* text) const { return ::nvtxDomainRegisterStringA(handle_, text); }
  nvtxStringHandle_t stage(Stage stage) const { return stages_[static_cast<std::size_t>(stage)]; }

  /// Of a part of an iteration: many are opened, of few names.
  nvtxStringHandle_t region(const char* name) {
    const auto [entry, fresh] = regions_.try_emplace(name);
    if (fresh) entry->second = string(name);
    return entry->second;
  }

  std::uint32_t category(const std::string& family) {
    const auto [entry, fresh] = categories_.try_emplace(family, categories_.size() + 1);  // 0 is none
    if (fresh) ::nvtxDomainNameCategoryA(handle_, entry->second, family.c_str());
    return entry->second;
  }

  void push(nvtxStringHandle_t message, PhaseCategory category,
            const std::optional<std::int64_t>& index) const {
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.category = category.number();
    attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    attributes.message.registered = message;
    if (index) {
      attributes.payloadType = NVTX_PAYLOAD_TYPE_INT64;
      attributes.payload.llValue = *index;
    }
    ::nvtxDomainRangePushEx(handle_, &attributes);
  }
  void pop() const { ::nvtxDomainRangePop(handle_); }

 private:
  nvtxDomainHandle_t handle_;
  std::array<nvtxStringHandle_t, 5> stages_{};
  std::map<std::string, std::uint32_t> categories_;
  std::map<const char*, nvtxStringHandle_t> regions_;
};

/// A tool's registry; the process has one.
Domain& domain() {
  static Domain only;
  return only;
}

}  // namespace

bool has_phases() { return true; }

PhaseCategory::PhaseCategory(const std::string& variant)
    : number_(domain().category(variant.substr(0, variant.rfind('/')))) {}

Phase::Phase(const std::string& case_id, PhaseCategory category) {
  domain().push(domain().string(case_id.c_str()), category, {});
}

Phase::Phase(Stage stage, PhaseCategory category, std::optional<std::int64_t> index) {
  domain().push(domain().stage(stage), category, index);
}

Phase::~Phase() { domain().pop(); }

// The range is outside of what is measured, so that a tool that listens adds little to it.
Region::Region(const char* name) {
  domain().push(domain().region(name), {}, {});
  if (listening) listening->enter(name);
}

Region::~Region() {
  if (listening) listening->leave();
  domain().pop();
}

}  // namespace uotbench

#else

namespace uotbench {

bool has_phases() { return false; }
PhaseCategory::PhaseCategory(const std::string&) {}
Phase::Phase(const std::string&, PhaseCategory) {}
Phase::Phase(Stage, PhaseCategory, std::optional<std::int64_t>) {}
Phase::~Phase() = default;
Region::Region(const char* name) {
  if (listening) listening->enter(name);
}
Region::~Region() {
  if (listening) listening->leave();
}

}  // namespace uotbench

#endif
