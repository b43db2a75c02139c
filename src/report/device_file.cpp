#include "report/device_file.h"

#include "report/yaml.h"

namespace mgbench {

DeviceFigures device_from_yaml(const std::string& text, const std::string& file) {
  constexpr double kMostRate = 1e21;
  const Document document = parse_yaml(text, file);
  const Value root = document.root();
  root.fields({"name", "source", "flops", "bytes_per_second", "throughput"}, {"doubts"});
  DeviceFigures device;
  device.name = root.at("name").text();
  device.source = root.at("source").text();
  if (const auto doubts = root.find("doubts")) device.doubts = doubts->text();
  device.flops = root.at("flops").positive(kMostRate);
  device.bytes_per_second = root.at("bytes_per_second").positive(kMostRate);
  for (const auto& [model, throughput] : root.at("throughput").entries()) {
    throughput.fields({"batch", "images_per_second"});
    device.throughput[model] = {.batch = throughput.at("batch").integer<int>(1, 1'000'000),
                                .images_per_second = throughput.at("images_per_second").positive()};
  }
  if (device.throughput.empty()) root.at("throughput").wrong("no model, expected at least one");
  return device;
}

}  // namespace mgbench
