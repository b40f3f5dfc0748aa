import type { Page } from "@playwright/test";
interface Look {
    /** All that axe knows of the levels above, or only the rules that hang on colours. */
    readonly rules: "all" | "colours";
    /** Selector of what is looked at; absent = the page. */
    readonly part: string | undefined;
}
/** Each violation as a line: the rule, how grave it is, where, and what would mend it. */
export declare function violations(page: Page, { rules, part }: Look): Promise<readonly string[]>;
export {};
