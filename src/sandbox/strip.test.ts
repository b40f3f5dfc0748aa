import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { stripScope } from "./strip.ts";

it("leaves of a scope and of what it inherits only the language", () => {
  const above = { fetch: () => 1, importScripts: () => 1 };
  const scope = Object.assign(Object.create(above) as object, { postMessage: () => 1, [Symbol("s")]: 1, Map, JSON });
  stripScope(scope);
  expect(Reflect.ownKeys(scope)).toEqual(["Map", "JSON"]);
  expect(Reflect.ownKeys(above)).toEqual([]);
});

it("takes nothing from Object.prototype", () => {
  const names = Reflect.ownKeys(Object.prototype);
  stripScope({ fetch: 1 });
  expect(Reflect.ownKeys(Object.prototype)).toEqual(names);
});

it("keeps every name of the language that no other realm could abuse", () => {
  const language = runInNewContext("Object.getOwnPropertyNames(globalThis)") as string[];
  const scope = Object.fromEntries(language.map((name) => [name, 1]));
  stripScope(scope);
  const gone = language.filter((name) => !Object.hasOwn(scope, name));
  expect(gone.sort()).toEqual(["Atomics", "SharedArrayBuffer", "WebAssembly", "console"]);
});
