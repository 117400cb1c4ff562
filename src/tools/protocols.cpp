// SPDX-License-Identifier: BSD-3-Clause
#include "tools/protocols.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "onesided/path/explain_path.hpp"

namespace stretto::tools {
namespace {

using Json = nlohmann::json;
using onesided::OperationKind;

struct NamedOperation {
  const char* name;
  OperationKind kind;
  bool flagged = false;
};
constexpr std::array operations{NamedOperation{"put", OperationKind::put},
                                NamedOperation{"put_signal", OperationKind::put, true},
                                NamedOperation{"get", OperationKind::get},
                                NamedOperation{"accumulate, atomic", OperationKind::accumulate}};

struct Shape {
  const char* name;
  bool contiguous;
  bool large;
};
constexpr std::array shapes{Shape{"small", true, false}, Shape{"large", true, true},
                            Shape{"short rows", false, false}, Shape{"large rows", false, true}};

struct Setting {
  const char* name;
  Progress progress;
  Path contiguous;
};
constexpr std::array settings{Setting{"thread", Progress::thread, onesided::usual_path(Progress::thread)},
                              Setting{"thread, contiguous = rma", Progress::thread, Path::rma},
                              Setting{"poll or none", Progress::poll, onesided::usual_path(Progress::poll)}};

Json row(const char* where, const char* progress, const char* operation, const char* data,
         const ProtocolChoice& choice) {
  return {{"where", where},
          {"progress", progress},
          {"operation", operation},
          {"data", data},
          {"protocol", to_string(choice.protocol)},
          {"reason", choice.reason}};
}

}  // namespace

std::string protocols_document(std::size_t segment_bytes) {
  Json rows = Json::array();
  rows.push_back(
      row("same node", "any", "any", "any", onesided::explain_path({}, {.node_local = true}, true)));
  for (const Setting& setting : settings) {
    for (const NamedOperation& operation : operations) {
      for (const Shape& shape : shapes) {
        if (operation.kind == OperationKind::accumulate && &shape != shapes.data()) continue;
        const onesided::PathQuery query{.kind = operation.kind,
                                        .contiguous = shape.contiguous,
                                        .flagged = operation.flagged,
                                        .large = shape.large};
        const bool any = operation.kind == OperationKind::accumulate;
        rows.push_back(row("other node", setting.name, operation.name, any ? "any" : shape.name,
                           onesided::explain_path({.contiguous = setting.contiguous}, query,
                                                  setting.progress == Progress::thread)));
      }
    }
  }
  const std::size_t segment = segment_bytes == 0 ? onesided::default_segment_bytes : segment_bytes;
  return Json{{"segment_bytes", segment}, {"protocols", std::move(rows)}}.dump();
}

}  // namespace stretto::tools
