/** `config.yaml`, where repositories of format 1 have their configuration. */
import { configurationOf, type Configuration } from "./configuration.ts";
import { failure } from "../../core/findings/failure.ts";
import { targetAt } from "../../core/findings/place.ts";
import { CONFIG_PATH } from "./paths.ts";

/** YAML is read by a package, fetched when there is some. @throws RefscopeError `icechunk-config-unreadable` */
export async function readConfigurationFile(bytes: Uint8Array): Promise<Configuration> {
  const fault = (expected: string, found: string) =>
    failure("icechunk-config-unreadable", targetAt(CONFIG_PATH), { expected, found });
  const text = decoded(bytes, fault);
  const { readYaml } = await import("./yaml.ts");
  return configurationOf(readYaml(text, fault));
}

function decoded(bytes: Uint8Array, fault: (expected: string, found: string) => Error): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fault("UTF-8 text", "other bytes");
  }
}
