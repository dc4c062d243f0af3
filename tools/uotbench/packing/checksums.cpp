// SHA-256 (FIPS 180-4), and the checksums of an artefact.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>

#include "results/base/error.hpp"
#include "tools/uotbench/packing/artefact.hpp"

namespace uotbench {
namespace {

using ShaWords = std::array<std::uint32_t, 8>;

/// The first 32 bits behind the point of `root` of the i-th prime: what sections 4.2.2 (cube roots) and 5.3.3
/// (square roots) of the standard take for constants.
std::uint32_t fraction_of(double root) {
  return static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0);
}

std::array<int, 64> primes() {
  std::array<int, 64> all{};
  std::size_t count = 0;
  for (int n = 2; count < all.size(); ++n) {
    bool prime = true;
    for (std::size_t i = 0; i < count && prime; ++i) prime = n % all[i] != 0;
    if (prime) all[count++] = n;
  }
  return all;
}

struct Constants {
  Constants() {
    const auto of = primes();
    for (std::size_t i = 0; i < rounds.size(); ++i)
      rounds[i] = fraction_of(std::cbrt(static_cast<double>(of[i])));
    for (std::size_t i = 0; i < start.size(); ++i)
      start[i] = fraction_of(std::sqrt(static_cast<double>(of[i])));
  }
  std::array<std::uint32_t, 64> rounds{};
  ShaWords start{};
};

/// Section 6.2.2: the hash of a block of 64 bytes more.
void add_block(ShaWords& hash, const unsigned char* block, const Constants& constants) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t t = 0; t < 16; ++t)
    for (std::size_t byte = 0; byte < 4; ++byte) w[t] = w[t] << 8 | block[4 * t + byte];
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t a = w[t - 15], b = w[t - 2];
    w[t] = (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10) + w[t - 7] +
           (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[t - 16];
  }
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                              ((e & f) ^ (~e & g)) + constants.rounds[t] + w[t];
    const std::uint32_t two =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
  }
  const ShaWords more{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] += more[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  static const Constants constants;
  ShaWords hash = constants.start;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t whole = bytes.size() / 64;
  for (std::size_t i = 0; i < whole; ++i) add_block(hash, data + 64 * i, constants);
  // Section 5.1.1: a one, zeros, and the length in bits.
  std::string end(bytes.substr(64 * whole));
  end += '\x80';
  while (end.size() % 64 != 56) end += '\0';
  for (int shift = 56; shift >= 0; shift -= 8)
    end += static_cast<char>(static_cast<std::uint64_t>(bytes.size()) * 8 >> shift & 0xff);
  for (std::size_t at = 0; at < end.size(); at += 64)
    add_block(hash, reinterpret_cast<const unsigned char*>(end.data()) + at, constants);
  std::string text;
  for (const auto word : hash) text += fmt::format("{:08x}", word);
  return text;
}

std::string checksums_of(const PackedFiles& files) {
  std::string text;
  for (const auto& [name, contents] : files)
    if (name != checksums_file) text += fmt::format("{}  {}\n", sha256(contents), name);
  return text;
}

std::vector<std::string> wrong_checksums(const PackedFiles& files) {
  std::vector<std::string> wrong;
  const auto told = files.find(checksums_file);
  if (told == files.end())
    return {fmt::format("{} is missing: this is no artefact of uotbench pack", checksums_file)};
  std::map<std::string, std::string> sums;
  const std::string& text = told->second;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const auto gap = line.find("  ");
    if (gap == 64 && line.size() > 66)
      sums[line.substr(66)] = line.substr(0, 64);
    else
      wrong.push_back(fmt::format("{}: \"{}\" is no checksum and a name", checksums_file,
                                  on_one_line(line.substr(0, 80))));
  }
  for (const auto& [name, sum] : sums) {
    const auto file = files.find(name);
    if (file == files.end())
      wrong.push_back(fmt::format("{}: is missing", on_one_line(name)));
    else if (const std::string own = sha256(file->second); own != sum)
      wrong.push_back(fmt::format("{}: was changed: its SHA-256 is {}…, {} says {}…", name, own.substr(0, 12),
                                  checksums_file, on_one_line(sum.substr(0, 12))));
  }
  for (const auto& [name, contents] : files)
    if (name != checksums_file && !sums.contains(name))
      wrong.push_back(fmt::format("{}: was added: {} does not name it", name, checksums_file));
  return wrong;
}

}  // namespace uotbench
