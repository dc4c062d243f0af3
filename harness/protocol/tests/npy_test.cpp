#include "harness/protocol/npy.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "harness/protocol/any_npy.hpp"
#include "results/base/error.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using testing::Each;
using testing::ElementsAre;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A file's bytes: magic, version, header (padded to a multiple of 64 unless it is too long), data.
std::string npy(std::string header, std::size_t data_bytes, char major = 1) {
  header.append((64 - (11 + header.size()) % 64) % 64, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY", 6);
  bytes += {major, 0, static_cast<char>(header.size() % 256), static_cast<char>(header.size() / 256)};
  return bytes + header + std::string(data_bytes, '\0');
}

std::string dictionary(const std::string& type, const std::string& order, const std::string& shape) {
  return "{'descr': " + type + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

class Npy : public testing::Test {
 protected:
  /// What `open` says of these bytes, without the file's name.
  std::string refusal(const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
    try {
      NpyArray::open(file);
    } catch (const Error& error) {
      const std::string text = error.what(), name = file.string() + ": ";
      return text.starts_with(name) ? text.substr(name.size()) : "without the file's name: " + text;
    }
    return "opened";
  }

  const Folder own;
  const fs::path folder = own.path(), file = folder / "x.npy";
};

TEST_F(Npy, KeepsTypeShapeAndElements) {
  {
    auto made = NpyArray::create(file, "<f8", {2, 3});
    EXPECT_THAT(made.as<double>(), Each(0)) << "new arrays are zero";
    std::ranges::copy(std::vector<double>{1, 2, 3, 4, 5, 6.5}, made.as_mutable<double>().begin());
  }
  const auto read = NpyArray::open(file);
  EXPECT_EQ(read.type(), "<f8");
  EXPECT_THAT(read.shape(), ElementsAre(2, 3));
  EXPECT_EQ(read.size(), 6u);
  EXPECT_EQ(read.data_bytes(), 48u);
  EXPECT_THAT(read.as<double>(), ElementsAre(1, 2, 3, 4, 5, 6.5));
}

// Byte for byte what numpy.save (1.24) writes, so that other software reads it.
TEST_F(Npy, WritesNumpysOwnHeader) {
  NpyArray::create(file, "<f4", {3, 4});
  EXPECT_EQ(text_of(file), std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }" +
                               std::string(58, ' ') + "\n" + std::string(48, '\0'));
  NpyArray::create(file, "<f8", {5});
  EXPECT_EQ(text_of(file), std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                               "{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }" +
                               std::string(60, ' ') + "\n" + std::string(40, '\0'));
}

TEST_F(Npy, ReadsWhatOthersWrite) {
  EXPECT_EQ(refusal(npy(dictionary("'<f4'", "False", "(3, 4)"), 48)), "opened");
  EXPECT_EQ(refusal(npy(dictionary("'<f4'", "False", "(3, 4)"), 99)), "opened") << "more than promised";
  EXPECT_EQ(refusal(npy("{'shape':(3,4),'fortran_order':False,'descr':'<f4'}", 48)), "opened")
      << "in another order, without blanks";
  EXPECT_EQ(refusal(npy(dictionary("'<f4'", "False", "()"), 4)), "opened");
  EXPECT_EQ(NpyArray::open(file).size(), 1u) << "no dimension: a scalar";
  EXPECT_EQ(refusal(npy(dictionary("'<f4'", "False", "(0, 4)"), 0)), "opened");
  EXPECT_EQ(NpyArray::open(file).size(), 0u);
  for (const char* type : {"'|u1'", "'<i4'", "'<i8'", "'<u2'", "'|b1'"})
    EXPECT_EQ(refusal(npy(dictionary(type, "False", "(2,)"), 16)), "opened") << type;
}

TEST_F(Npy, GivesElementsOnlyAsWhatTheyAre) {
  const auto array = NpyArray::create(file, "<f4", {2});
  try {
    array.as<double>();
    FAIL() << "floats read as doubles";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), file.string() + ": holds <f4, not <f8");
  }
}

TEST_F(Npy, SaysWhatIsWrongAndWhatWouldBeRight) {
  EXPECT_EQ(refusal(""), "not an .npy file");
  EXPECT_EQ(refusal("NUMPY is a library"), "not an .npy file");
  EXPECT_EQ(refusal(npy(dictionary("'<f4'", "False", "(2,)"), 8, 2)),
            "NPY format 2.0; save it as version 1.0 (numpy.save does)");
  EXPECT_EQ(refusal(npy(dictionary("'<f4'", "True", "(3, 4)"), 48)),
            "Fortran order; save numpy.ascontiguousarray(x)");
  EXPECT_EQ(refusal(npy(dictionary("'>f4'", "False", "(2,)"), 8)), "big endian (>f4); save it little endian");
  for (const std::string type : {"<c8", "<U5", "|S9", "<f3", "<M8[ns]", "f4", ""})
    EXPECT_EQ(refusal(npy(dictionary("'" + type + "'", "False", "(2,)"), 99)),
              "elements of type " + type + "; expected f32 (<f4) or f64 (<f8)");
  EXPECT_EQ(refusal(npy(dictionary("[('x', '<f4')]", "False", "(2,)"), 8)),
            "its header lacks a plain descr, fortran_order or shape");
  EXPECT_EQ(refusal(npy(dictionary("'<f4'", "False", "(3, 4)"), 47)),
            "holds 175 bytes, its header promises 176");
  EXPECT_EQ(refusal(npy(dictionary("'<f4'", "False", "(3, 4)"), 0).substr(0, 60)),
            "cut off within its header");
  fs::remove(file);
  try {
    NpyArray::open(file);
    FAIL() << "there is none";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), file.string() + ": No such file or directory");
  }
}

// A header is a stranger's text. None may crash the program, or make it believe in memory that is not there.
TEST_F(Npy, RefusesHostileHeaders) {
  const auto shaped = [&](const std::string& shape) {
    return refusal(npy(dictionary("'<f4'", "False", "(" + shape + ")"), 64));
  };
  EXPECT_EQ(shaped("4294967296, 4294967296"),
            "a shape of (4294967296, 4294967296) is more than any file holds");
  EXPECT_EQ(shaped("4611686018427387904, 4"),
            "a shape of (4611686018427387904, 4) is more than any file holds");
  EXPECT_EQ(shaped("18446744073709551615,"),
            "a shape of (18446744073709551615,) is more than any file holds");
  EXPECT_EQ(shaped("18446744073709551616,"), "(18446744073709551616,) is no shape");
  EXPECT_EQ(shaped("4611686018427387900,"), "a shape of (4611686018427387900,) is more than any file holds");
  EXPECT_EQ(shaped("1099511627776,"), "holds 192 bytes, its header promises 4398046511232");
  for (const std::string shape : {"-4,", "2, -2", "2.5,", "2 3", "0x10,", "a", "2,,b", "'2',", "(2,"})
    EXPECT_EQ(shaped(shape), "(" + shape + ") is no shape");
  std::string many;
  for (int i = 0; i < 20000; ++i) many += "1, ";
  EXPECT_EQ(shaped(many), "opened") << "odd, and harmless";
  EXPECT_EQ(refusal(npy(
                "{'descr': '" + std::string(60000, '<') + "', 'fortran_order': False, 'shape': (2,), }", 8)),
            "elements of type " + std::string(37, '<') + "...; expected f32 (<f4) or f64 (<f8)");
  EXPECT_EQ(refusal(npy(std::string(65000, 'x'), 8)),
            "its header lacks a plain descr, fortran_order or shape");
  EXPECT_EQ(refusal(npy("", 8)), "its header lacks a plain descr, fortran_order or shape");
  EXPECT_EQ(refusal(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2", 8)),
            "its header lacks a plain descr, fortran_order or shape");
}

// Elements that are not aligned may not be read as such.
TEST_F(Npy, RefusesElementsThatAreNotAligned) {
  std::string header = dictionary("'<f8'", "False", "(2,)") + "\n";
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += {static_cast<char>(header.size()), '\0'};
  EXPECT_EQ(refusal(bytes + header + std::string(16, '\0')),
            "its elements start at byte 68, which is not aligned; save it with numpy.save");
}

TEST_F(Npy, IsNotMadeWhereItCannotBe) {
  const auto refused = [&](const std::string& type, const std::vector<std::size_t>& shape) -> std::string {
    try {
      NpyArray::create(file, type, shape);
    } catch (const Error& error) {
      return std::string(error.what()).substr(file.string().size());
    }
    return "made";
  };
  EXPECT_EQ(refused("<f4", {std::size_t{1} << 32, std::size_t{1} << 32}),
            ": no array of <f4 x 4294967296 x 4294967296");
  EXPECT_EQ(refused("<q4", {2}), ": no array of <q4 x 2");
  EXPECT_FALSE(fs::exists(file));
  EXPECT_THAT(refused("<f4", {std::size_t{1} << 50}),
              testing::StartsWith(": no room for 4503599627370624 bytes: "));
}

TEST_F(Npy, IsMovedWithItsMapping) {
  auto first = NpyArray::create(file, "<f4", {1});
  first.as_mutable<float>()[0] = 7;
  NpyArray second = std::move(first);
  EXPECT_EQ(second.as<float>()[0], 7);
  second = NpyArray::create(folder / "y.npy", "<f4", {2});
  EXPECT_EQ(second.size(), 2u);
  EXPECT_EQ(second.as<float>()[1], 0);
}

// What is opened to be read cannot be changed for everybody else by mistake.
TEST_F(Npy, IsOpenedReadOnlyUnlessAsked) {
  NpyArray::create(file, "<f4", {1});
  NpyArray::open(file, true).as_mutable<float>()[0] = 3;
  EXPECT_EQ(NpyArray::open(file).as<float>()[0], 3);
  fs::permissions(file, fs::perms::owner_read);
  EXPECT_NO_THROW(NpyArray::open(file));
}

// Arrays of others are the numbers that NumPy would show, in the order of their indices, whatever the file's.

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
