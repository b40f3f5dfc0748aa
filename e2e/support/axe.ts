/** What hinders people, as axe-core finds it in the page as it stands. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type Axe from "axe-core";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Monaco's own DOM, which we cannot mend: lines drawn as absolutely placed fragments, a hidden list of announcements,
 * colours of tokens that it mixes itself. Around it, the editor is a region with a name, and its text box has one.
 */
const NOT_OURS = [".monaco-editor"];

interface Look {
  /** All that axe knows of the levels above, or only the rules that hang on colours. */
  readonly rules: "all" | "colours";
  /** Selector of what is looked at; absent = the page. */
  readonly part: string | undefined;
}

/** Each violation as a line: the rule, how grave it is, where, and what would mend it. */
export async function violations(page: Page, { rules, part }: Look): Promise<readonly string[]> {
  // By the debugger, which the page's policy of content does not concern; the page keeps it until it is loaded anew.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(SOURCE);
  const found = await page.evaluate(runAxe, { tags: RULES, exclude: NOT_OURS, rules, part });
  return found.flatMap(({ id, impact, nodes }) =>
    nodes.map(
      ({ target, failureSummary = "" }) =>
        `${id} (${impact ?? "minor"}) ${target.join(" ")}: ${failureSummary.replaceAll(/\s*\n\s*/g, " ")}`,
    ),
  );
}

interface Run extends Look {
  readonly tags: string[];
  readonly exclude: string[];
}

/** Runs in the page. */
async function runAxe({ tags, exclude, rules, part = ":root" }: Run): Promise<Axe.Result[]> {
  const { axe } = window as unknown as { axe: typeof Axe };
  const only: Axe.RunOnly =
    rules === "all"
      ? { type: "tag", values: tags }
      : { type: "rule", values: ["color-contrast", "link-in-text-block"] };
  // The sandbox's frame is hidden, and has neither text nor controls.
  const options: Axe.RunOptions = { runOnly: only, resultTypes: ["violations"], iframes: false };
  return (await axe.run({ include: part, exclude }, options)).violations;
}
