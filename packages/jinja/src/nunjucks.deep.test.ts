/** Results of nunjucks for the recorded expressions: the figure in README.md. */
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { RECORDED, type Recorded } from "./testing/recorded.ts";

interface Environment {
  renderString(template: string, variables: unknown): string;
}

const { Environment } = createRequire(import.meta.url)("nunjucks") as { Environment: new () => Environment };

function agrees({ template, vars, out, big, err }: Recorded, environment: Environment): boolean {
  let text: string;
  try {
    text = environment.renderString(template, structuredClone(vars));
  } catch {
    return err !== undefined;
  }
  return big === undefined ? text === out : createHash("sha256").update(text).digest("hex") === big.sha256;
}

it("nunjucks agrees with Jinja2 in 43 of a hundred", () => {
  const cases = RECORDED.filter(({ flags = [] }) => !flags.includes("resource"));
  const environment = new Environment();
  const share = cases.filter((one) => agrees(one, environment)).length / cases.length;
  expect(cases).toHaveLength(2162);
  expect(Math.round(100 * share)).toBe(43);
});
