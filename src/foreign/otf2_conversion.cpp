// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <vector>

#include "foreign/call_writer.hpp"
#include "foreign/conversion.hpp"
#include "foreign/damaged.hpp"
#include "foreign/otf2_archive.hpp"
#include "foreign/otf2_rank.hpp"
#include "replay/for_all.hpp"

namespace stretto::foreign {

LeftOut convert_otf2(const std::filesystem::path& anchor, const std::filesystem::path& directory) {
  const Otf2Archive archive(anchor);
  const std::size_t ranks = archive.ranks().size();
  const Origin origin{.file = anchor.filename().string(), .format = "OTF2 archive"};
  std::vector<LeftOut> left_out(ranks);
  std::vector<char> has_begun(ranks);
  replay::for_all(ranks, 0, [&] {
    return [&](std::size_t rank) {
      CallWriter out(directory, static_cast<std::int32_t>(rank), ranks, left_out[rank]);
      convert_otf2_rank(archive, out, left_out[rank]);
      has_begun[rank] = out.has_begun();
      out.finish(origin);
    };
  });
  if (std::ranges::none_of(has_begun, [](char has) { return has != 0; })) throw NoMpi("no MPI call is in it");
  LeftOut all;
  for (const LeftOut& one : left_out) {
    for (const auto& [what, count] : one) all[what] += count;
  }
  return all;
}

}  // namespace stretto::foreign
