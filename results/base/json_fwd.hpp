// The name of the JSON value alone, for headers that only mention it.
#pragma once

namespace uotbench {

class Json;

}  // namespace uotbench
