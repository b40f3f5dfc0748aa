/** The filters of Jinja2 3.1, by name: what the files here export is called as the filter is. */
import type { Filter } from "../run.ts";
import * as html from "./html.ts";
import * as json from "./json.ts";
import * as number from "./number.ts";
import * as order from "./order.ts";

import * as sequence from "./sequence.ts";
import * as select from "./select.ts";
import * as text from "./text.ts";
import * as wrap from "./wrap.ts";

const { fallback, ...applying } = select;

/** Second names, and one that is a word of this language. */
const ALIASES = { d: fallback, default: fallback, e: html.escape, length: sequence.count };

export const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>(
  Object.entries({
    ...html,
    ...json,
    ...number,
    ...order,
    ...applying,
    ...sequence,
    ...text,
    ...wrap,
    ...ALIASES,
  }),
);
