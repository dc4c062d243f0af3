#include "harness/worker/alone/oracle.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "results/base/error.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

constexpr const char* file_name = "uotbench-worker-oracle";
// A program that is no oracle says nothing for ever; one says hello within milliseconds (seconds on a busy
// file server).
constexpr int hello_milliseconds = 10000;

bool is_program(const fs::path& file) {
  return fs::is_regular_file(file) && ::access(file.c_str(), X_OK) == 0;
}

std::string found_oracle() {
  if (const char* given = std::getenv("UOTBENCH_ORACLE"); given && *given) {
    const bool on_path = std::string_view(given).find('/') == std::string_view::npos;
    if (!on_path && !is_program(given))
      throw UsageError(
          fmt::format("UOTBENCH_ORACLE: \"{}\" is no program; set it to the path of a {}", given, file_name));
    return given;
  }
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  if (is_program(folder / file_name)) return folder / file_name;
  const char* path = std::getenv("PATH");
  for (std::string_view rest = path ? path : ""; !rest.empty();) {
    const auto colon = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, colon)) / file_name;
    if (is_program(candidate)) return candidate;
    rest = colon == std::string_view::npos ? "" : rest.substr(colon + 1);
  }
  throw UsageError(
      fmt::format("no {}, which makes inputs and judges, in {} or on PATH; set UOTBENCH_ORACLE to "
                  "its path",
                  file_name, folder.string()));
}

}  // namespace

Oracle::Oracle()
    : program_(found_oracle()),
      process_(Child::Kind::companion, {program_}),
      channel_(process_.from(), process_.to()) {
  pollfd answer{process_.from(), POLLIN, 0};
  const Json hello = ::poll(&answer, 1, hello_milliseconds) > 0 ? channel_.receive() : Json();
  if (!hello.is_object() || hello.value("type", "") != "hello")
    throw UsageError(fmt::format("{} does not say hello as an oracle does; set UOTBENCH_ORACLE to a {}",
                                 program_, file_name));
  if (const Json spoken = hello.value("protocol", Json()); spoken != protocol_version)
    throw UsageError(fmt::format("{} speaks protocol {}, this worker speaks {}: rebuild them", program_,
                                 to_line(spoken), protocol_version));
}

Json Oracle::ask(const Json& request, const std::string& reply) {
  const auto gone = [&] {
    return Error(fmt::format("the oracle ended when asked to {}", request.at("type").get<std::string>()));
  };
  try {
    channel_.send(request);
  } catch (const Error&) {
    throw gone();
  }
  const Json answer = channel_.receive();
  if (answer.is_null()) throw gone();
  const std::string type = answer.value("type", "");
  if (type == "error") throw Error("the oracle: " + answer.value("message", "an error without a message"));
  if (type != reply)
    throw Error(fmt::format("the oracle answered \"{}\" where \"{}\" was asked; set UOTBENCH_ORACLE to a {}",
                            type, reply, file_name));
  return answer;
}

}  // namespace uotbench
