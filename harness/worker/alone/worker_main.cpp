#include "harness/worker/alone/worker_main.hpp"

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "harness/worker/alone/alone.hpp"
#include "harness/worker/serve/answers.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {

int worker_main(int argc, char** argv, const Build& build) {
  const std::string program = std::string("uotbench-worker-") + build.name;
  const auto fail = [&](const std::string& text, int code) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(), text.c_str());
    return code;
  };
  try {
    if (argc == 1) return serve(build.name, hello_facts(build), worker_answers(build), program + " --help");
    return alone(build, {argv + 1, argv + argc});
  } catch (const UsageError& error) {
    return fail(error.what(), 2);
  } catch (const std::bad_alloc&) {
    return fail("out of memory", 1);
  } catch (const std::exception& error) {
    return fail(error.what(), 1);
  }
}

}  // namespace uotbench
