#include "harness/worker/phases.hpp"

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

}  // namespace uotbench

#else

namespace uotbench {

bool has_phases() { return false; }
PhaseCategory::PhaseCategory(const std::string&) {}
Phase::Phase(const std::string&, PhaseCategory) {}
Phase::Phase(Stage, PhaseCategory, std::optional<std::int64_t>) {}
Phase::~Phase() = default;

}  // namespace uotbench

#endif
