// What is loaded when a kernel asks for it says in a line what is missing.
#include "kernels/common/loaded_library.hpp"
#include "kernels/simplex/tests/fixture.hpp"

namespace uotbench::simplex {
namespace {

TEST(LoadedLibrary, SaysWhatIsMissing) {
  EXPECT_FALSE(LoadedLibrary::available("libnobody.so.7"));
  EXPECT_EQ(error_of([] { LoadedLibrary("libnobody.so.7", "NOBODY"); }),
            "NOBODY cannot be loaded: there is no libnobody.so.7");
  ASSERT_TRUE(LoadedLibrary::available("libm.so.6"));
  const LoadedLibrary mathematics("libm.so.6", "libm");
  EXPECT_EQ(mathematics.find<double (*)(double)>("cos")(0), 1);
  EXPECT_EQ(error_of([&] { mathematics.find<void (*)()>("cosinus"); }), "libm.so.6 has no cosinus");
}

}  // namespace
}  // namespace uotbench::simplex
