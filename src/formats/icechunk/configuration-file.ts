/** `config.yaml`, where repositories of format 1 have their configuration. */
import { configurationOf, type Configuration } from "./configuration.ts";
import { failure } from "../../core/findings/failure.ts";
import { targetAt } from "../../core/findings/place.ts";
import { CONFIG_PATH } from "./paths.ts";
import { readYaml } from "./yaml.ts";

/** @throws RefscopeError `icechunk-config-unreadable` */
export function readConfigurationFile(bytes: Uint8Array): Configuration {
  const fault = (expected: string, found: string) =>
    failure("icechunk-config-unreadable", targetAt(CONFIG_PATH), { expected, found });
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
