// A tool as NVTX loads it (NVTX_INJECTION64_PATH): writes every range into $UOTBENCH_NVTX_LOG, a line each:
// "push|DOMAIN|CATEGORY|MESSAGE|PAYLOAD" or "pop|DOMAIN".
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

namespace {

struct Recorder {
  std::mutex one_at_a_time;
  std::FILE* log = nullptr;
  std::map<std::uint32_t, std::string> categories;
};

Recorder& recorder() {
  static Recorder only;
  return only;
}

// What is registered is a name, which lives as long as the program.
template <class Handle>
Handle handle_of(const char* name) {
  return reinterpret_cast<Handle>(new std::string(name));
}
template <class Handle>
const std::string& name_of(Handle handle) {
  return *reinterpret_cast<const std::string*>(handle);
}

nvtxDomainHandle_t NVTX_API create(const char* name) { return handle_of<nvtxDomainHandle_t>(name); }

nvtxStringHandle_t NVTX_API register_string(nvtxDomainHandle_t, const char* text) {
  return handle_of<nvtxStringHandle_t>(text);
}

void NVTX_API name_category(nvtxDomainHandle_t, std::uint32_t category, const char* name) {
  const std::lock_guard lock(recorder().one_at_a_time);
  recorder().categories[category] = name;
}

int NVTX_API push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* range) {
  const std::lock_guard lock(recorder().one_at_a_time);
  const bool registered = range->messageType == NVTX_MESSAGE_TYPE_REGISTERED;
  const std::string payload = range->payloadType == NVTX_PAYLOAD_TYPE_INT64
                                  ? std::to_string(static_cast<long long>(range->payload.llValue))
                                  : "none";
  std::fprintf(recorder().log, "push|%s|%s|%s|%s\n", name_of(domain).c_str(),
               recorder().categories[range->category].c_str(),
               registered ? name_of(range->message.registered).c_str() : "(not registered)", payload.c_str());
  return 0;
}

int NVTX_API pop(nvtxDomainHandle_t domain) {
  const std::lock_guard lock(recorder().one_at_a_time);
  std::fprintf(recorder().log, "pop|%s\n", name_of(domain).c_str());
  std::fflush(recorder().log);
  return 0;
}

}  // namespace

extern "C" NVTX_DYNAMIC_EXPORT int NVTX_API InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  const char* file = std::getenv("UOTBENCH_NVTX_LOG");
  recorder().log = file ? std::fopen(file, "a") : nullptr;
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (!recorder().log || !callbacks ||
      callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0 ||
      size <= NVTX_CBID_CORE2_DomainCreateA)
    return 0;
  const auto answer = [&](int id, auto function) {
    *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
  };
  answer(NVTX_CBID_CORE2_DomainCreateA, create);
  answer(NVTX_CBID_CORE2_DomainRegisterStringA, register_string);
  answer(NVTX_CBID_CORE2_DomainNameCategoryA, name_category);
  answer(NVTX_CBID_CORE2_DomainRangePushEx, push);
  answer(NVTX_CBID_CORE2_DomainRangePop, pop);
  return 1;
}
