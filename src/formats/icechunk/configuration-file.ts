/** `config.yaml`, where repositories of format 1 have their configuration. */
import { configurationOf, type Configuration } from "./configuration.ts";
import { icechunkFault } from "./fault.ts";
import { CONFIG_PATH } from "./paths.ts";
import { readYaml } from "./yaml.ts";

/** @throws RefscopeError `icechunk-config-unreadable` */
export function readConfigurationFile(bytes: Uint8Array): Configuration {
  const fault = (expected: string, found: string) =>
    icechunkFault(
      { what: "configuration", path: CONFIG_PATH },
      {
        code: "icechunk-config-unreadable",
        expected,
        found,
        advice: "Virtual chunk containers are unknown; inline and native chunks can be read all the same.",
      },
    );
  return configurationOf(readYaml(decoded(bytes, fault), fault));
}

function decoded(bytes: Uint8Array, fault: (expected: string, found: string) => Error): string {
  if (bytes.length > 16_777_216) throw fault("at most 16 MB of YAML", `${bytes.length} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fault("UTF-8 text", "other bytes");
  }
}
