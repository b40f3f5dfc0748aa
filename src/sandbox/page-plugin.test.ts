import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { pageText } from "./page-plugin.ts";

let text = "";

beforeAll(async () => {
  text = await pageText(resolve(import.meta.dirname, "../.."));
});

it("holds one script, which its policy names by hash", () => {
  const scripts = [...text.matchAll(/<script>([^]*?)<\/script>/g)];
  expect(scripts).toHaveLength(1);
  const hash = createHash("sha256")
    .update(scripts[0]?.[1] ?? "")
    .digest("base64");
  expect(text).toContain(`script-src 'unsafe-eval' 'sha256-${hash}';`);
});

it("may load and connect to nothing", () => {
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(text)?.[1] ?? "";
  const directives = new Map(policy.split("; ").map((part) => [part.split(" ")[0], part.split(" ").slice(1)]));
  expect(directives.get("default-src")).toEqual(["'none'"]);
  expect(directives.get("connect-src")).toEqual(["'none'"]);
  expect(directives.get("worker-src")).toEqual(["blob:"]);
  expect(new Set(directives.keys())).toEqual(
    new Set(["base-uri", "connect-src", "default-src", "form-action", "script-src", "worker-src"]),
  );
  const rest = text.replace(/<script>[^]*<\/script>/, "");
  expect(rest.length).toBeLessThan(2000);
  expect(rest).not.toMatch(/<(?:link|img|iframe|base)\b|\bsrc=|\bhref=/);
});
