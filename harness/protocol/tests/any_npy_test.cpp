// Arrays of others are the numbers that NumPy would show, in the order of their indices, whatever the file's.
#include "harness/protocol/any_npy.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "results/base/error.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class AnyNpyTest : public testing::Test {
 protected:
  void save(const std::string& type, const std::string& order, const std::string& shape,
            const std::string& data, char version = 1) {
    std::string header =
        "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': (" + shape + "), }";
    header.append((64 - (11 + header.size()) % 64) % 64, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY", 6);
    bytes += {version, 0, static_cast<char>(header.size() % 256), static_cast<char>(header.size() / 256)};
    if (version > 1) bytes += std::string(2, '\0');
    std::ofstream(file, std::ios::binary) << bytes << header << data;
  }
  template <class T>
  static std::string bytes_of(const std::vector<T>& values, bool swapped = false) {
    std::string bytes;
    for (const T value : values) {
      std::string one(sizeof(T), '\0');
      std::memcpy(one.data(), &value, sizeof(T));
      if (swapped) one = {one.rbegin(), one.rend()};
      bytes += one;
    }
    return bytes;
  }
  std::vector<double> read() {
    const AnyNpy array = AnyNpy::open(file);
    std::vector<double> values;
    for (std::size_t k = 0; k < array.size(); ++k) values.push_back(array[k]);
    return values;
  }
  std::string refusal() try {
    AnyNpy::open(file);
    return "";
  } catch (const Error& error) {
    return std::string(error.what()).substr(file.string().size() + 2);
  }

  const Folder own;
  const fs::path file = own.path() / "x.npy";
};

TEST_F(AnyNpyTest, ReadsAllTypesOfNumbers) {
  const auto expect = [&](const std::string& type, const auto& values) {
    const std::vector<double> want(values.begin(), values.end());
    save("<" + type, "False", "3,", bytes_of(values));
    EXPECT_EQ(read(), want) << type;
    save(">" + type, "False", "3,", bytes_of(values, true));
    EXPECT_EQ(read(), want) << "big endian " << type;
  };
  expect("f4", std::vector<float>{1, -2.5f, 1e30f});
  expect("f8", std::vector<double>{1, -2.5, 1e300});
  expect("i1", std::vector<std::int8_t>{1, -2, 127});
  expect("i2", std::vector<std::int16_t>{1, -2, 30000});
  expect("i4", std::vector<std::int32_t>{1, -2, 2000000000});
  expect("i8", std::vector<std::int64_t>{1, -2, std::int64_t{1} << 53});
  expect("u1", std::vector<std::uint8_t>{1, 2, 255});
  expect("u2", std::vector<std::uint16_t>{1, 2, 65535});
  expect("u4", std::vector<std::uint32_t>{1, 2, 4000000000});
  expect("u8", std::vector<std::uint64_t>{1, 2, std::uint64_t{1} << 63});
  save("|b1", "False", "3,", std::string("\1\0\1", 3));
  EXPECT_THAT(read(), ElementsAre(1, 0, 1));
}

TEST_F(AnyNpyTest, ReadsHalves) {
  // 1, -2, the largest, the least above 0, the largest that is subnormal, inf
  const std::vector<std::uint16_t> bits{0x3c00, 0xc000, 0x7bff, 0x0001, 0x03ff, 0x7c00};
  save("<f2", "False", "6,", bytes_of(bits));
  EXPECT_THAT(read(), ElementsAre(1, -2, 65504, std::ldexp(1, -24), std::ldexp(1023, -24), INFINITY));
  save(">f2", "False", "1,", bytes_of(std::vector<std::uint16_t>{0x7e00}, true));
  EXPECT_TRUE(std::isnan(read()[0]));
}

TEST_F(AnyNpyTest, GivesFortranOrderInCOrder) {
  save("<f4", "True", "2, 3", bytes_of(std::vector<float>{11, 21, 12, 22, 13, 23}));
  EXPECT_THAT(read(), ElementsAre(11, 12, 13, 21, 22, 23));
  std::vector<std::int32_t> cube;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i) cube.push_back(100 * i + 10 * j + k);
  save("<i4", "True", "2, 3, 2", bytes_of(cube));
  EXPECT_THAT(read(), ElementsAre(0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121));
  save("<f4", "True", "2,", bytes_of(std::vector<float>{1, 2}));
  EXPECT_THAT(read(), ElementsAre(1, 2));
}

TEST_F(AnyNpyTest, ReadsVersions1To3) {
  for (const char version : {1, 2, 3}) {
    save("<f8", "False", "2,", bytes_of(std::vector<double>{3, 4}), version);
    EXPECT_THAT(read(), ElementsAre(3, 4)) << int(version);
  }
  save("<f8", "False", "2,", bytes_of(std::vector<double>{3, 4}), 4);
  EXPECT_EQ(refusal(), "NPY format 4.0; expected 1.0 to 3.0");
}

TEST_F(AnyNpyTest, RefusesWhatIsNoArrayOfNumbers) {
  for (const std::string type : {"<c8", "<U5", "|S9", "|O", "<M8[ns]", "<f16", "f4", "<i3", ""}) {
    save(type, "False", "2,", std::string(64, '\0'));
    EXPECT_EQ(refusal(),
              "elements of type " + type + "; expected floats of 2, 4 or 8 bytes, integers or booleans");
  }
  save("<f8", "Maybe", "2,", std::string(16, '\0'));
  EXPECT_EQ(refusal(), "fortran_order is Maybe; expected True or False");
  save("<f8", "True", "2, 3", std::string(40, '\0'));
  EXPECT_THAT(refusal(), HasSubstr("its header promises"));
  std::ofstream(file, std::ios::binary) << std::string("\x93NUMPY\2\0\xff\xff\xff\x7f", 12);
  EXPECT_EQ(refusal(), "cut off within its header");
}

}  // namespace
}  // namespace uotbench
