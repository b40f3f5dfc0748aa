/** What somebody does with the page and sees of it, by role and name; every step waits until the page is ready for it. */
import type { EnginePage } from "./page.ts";

/** An element in sight. */
export interface Target {
  readonly role: string;
  /** Its accessible name, whole. */
  readonly name?: string;
  /** Part of its text. */
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly in?: Target;
  /** A text in it, where it is clicked; else its middle. */
  readonly at?: string;
}

/** What is known of an element: its text, its place in the window, its attributes. */
interface Seen {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its terms (`dt`) with their descriptions. */
  readonly terms: Readonly<Record<string, string>>;
}

/** Milliseconds without a change in the page, and in all: a page that goes on is waited for on a slow machine. */
const MAX_STANDSTILL = 30_000;
const MAX_WAIT = 180_000;

export interface User {
  readonly page: EnginePage;
  /** Reloads the page at an address and waits until nothing is under way. */
  open(hash?: string): Promise<void>;
  idle(): Promise<void>;
  /** Waits until such an element is in sight, and for `fits` where it is given. */
  see(target: Target, fits?: (seen: Seen) => boolean): Promise<Seen>;
  gone(target: Target): Promise<void>;
  click(target: Target): Promise<void>;
  /** Keys, and then everything they start. */
  press(...keys: readonly string[]): Promise<void>;
  /** Presses Tab until an element that matches has the focus. */
  tabTo(selector: string): Promise<void>;
}

export function userOf(page: EnginePage, origin: string): User {
  const until = async (what: string, look: () => Promise<boolean>): Promise<void> => {
    const start = performance.now();
    let [changed, before] = [start, ""];
    while (!(await look())) {
      const [now, state] = [performance.now(), await page.run(progress)];
      if (state !== before) [changed, before] = [now, state];
      if (now - changed > MAX_STANDSTILL || now - start > MAX_WAIT)
        throw new Error(`waited ${((now - start) / 1000).toFixed(0)} s for ${what}; ${await page.run(shown)}`);
      await page.run(nextFrame);
    }
  };
  const idle = () =>
    until("nothing to be under way", () => page.run(() => document.documentElement.dataset.pending === "0"));
  const see: User["see"] = async (target, fits = () => true) => {
    let seen: Seen | null = null;
    await until(JSON.stringify(target), async () => {
      seen = await page.run(look, target);
      return seen !== null && fits(seen);
    });
    return seen!;
  };
  return {
    page,
    idle,
    see,
    async open(hash = "") {
      await page.goto(`${origin}/${hash}`);
      await idle();
    },
    gone: (target) => until(`no ${JSON.stringify(target)}`, async () => (await page.run(look, target)) === null),
    async click(target) {
      let { x, y } = await see(target);
      await until(`${JSON.stringify(target)} to stand still`, async () => {
        const before = { x, y };
        ({ x, y } = await see(target));
        return before.x === x && before.y === y;
      });
      await page.click(x, y);
      await idle();
    },
    async press(...keys) {
      await page.press(...keys);
      await idle();
    },
    async tabTo(selector) {
      for (let pressed = 0; pressed < 80; pressed += 1) {
        if (await page.run((selector) => document.activeElement?.matches(selector) === true, selector)) return;
        await page.press("Tab");
      }
      throw new Error(`${selector} was not reached with 80 Tabs; ${await page.run(shown)}`);
    },
  };
}

/** Runs in the page: a frame is what may change what is seen. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
    // Where nothing changes at all, Firefox draws no frame.
    setTimeout(resolve, 100);
  });
}

/** Runs in the page: what differs while it works. */
function progress(): string {
  return `${document.documentElement.dataset.pending} ${document.body.textContent}`;
}

/** Runs in the page. */
function shown(): string {
  const { dataset } = document.documentElement;
  return `pending ${dataset.pending}; shown: ${document.body.innerText.replace(/\s+/g, " ").slice(0, 1500)}`;
}

/** Runs in the page: the first element in sight with that role, name and text, scrolled to. */
function look(target: Target): Seen | null {
  const tags: Record<string, string> = {
    button: "button",
    textbox: "textarea, input:not([type]), input[type=text]",
    region: "section[aria-label]",
    table: "table",
    row: "tr",
    list: "ul, ol",
    listitem: "li",
    heading: "h1, h2, h3, h4",
    dialog: "dialog",
  };
  const textOf = (element: Element) =>
    (element.textContent ?? "").replaceAll("\u00a0", " ").replace(/\s+/g, " ").trim();
  const nameOf = (element: Element): string => {
    const by = element.getAttribute("aria-labelledby");
    if (by !== null)
      return by
        .split(" ")
        .map((id) => textOf(document.getElementById(id) ?? element))
        .join(" ");
    const label = element.getAttribute("aria-label");
    if (label !== null) return label;
    const [own] = (element as HTMLInputElement).labels ?? [];
    const read = (own ?? element).cloneNode(true) as Element;
    for (const hidden of read.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
    return textOf(read);
  };
  const find = ({ role, name, text, attributes = {}, in: outer }: Target): Element | undefined => {
    const root = outer === undefined ? document : find(outer);
    if (root === undefined) return undefined;
    const implied = tags[role] === undefined ? "" : `, :is(${tags[role]}):not([role])`;
    return [...root.querySelectorAll(`[role="${role}"]${implied}`)].find(
      (one) =>
        (one as HTMLElement).checkVisibility() &&
        (name === undefined || nameOf(one) === name) &&
        (text === undefined || textOf(one).includes(text)) &&
        Object.entries(attributes).every(([attribute, value]) => one.getAttribute(attribute) === value),
    );
  };
  const found = find(target);
  if (found === undefined) return null;
  found.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const placeOf = (text: string): DOMRect | undefined => {
    const range = document.createRange();
    const walker = document.createTreeWalker(found, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = (node.textContent ?? "").replaceAll("\u00a0", " ").indexOf(text);
      if (at < 0) continue;
      range.setStart(node, at);
      range.setEnd(node, at + text.length);
      return range.getBoundingClientRect();
    }
    return undefined;
  };
  const place = target.at === undefined ? found.getBoundingClientRect() : placeOf(target.at);
  if (place === undefined) return null;
  const { left, top, width, height } = place;
  const terms = [...found.querySelectorAll("dt")].map((term) => [
    textOf(term),
    textOf(term.nextElementSibling ?? term),
  ]);
  const attributes = [...found.attributes].map(({ name, value }) => [name, value]);
  return {
    text: textOf(found),
    x: Math.round(left + width / 2),
    y: Math.round(top + height / 2),
    attributes: Object.fromEntries(attributes) as Record<string, string>,
    terms: Object.fromEntries(terms) as Record<string, string>,
  };
}
