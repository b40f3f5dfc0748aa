/**
 * The stock Firefox over WebDriver BiDi (https://w3c.github.io/webdriver-bidi/): JSON over one WebSocket, of which six
 * commands are needed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// Node 20 has a WebSocket of its own, an experimental one: after some minutes it no longer passed on what had come.
import { WebSocket } from "ws";
import { scriptOf, WINDOW, type Engine, type EnginePage } from "./page.ts";
import { installed, start } from "./processes.ts";
import { clicks, heldTogether, typed, type Actions } from "./webdriver.ts";

const PLACES = ["firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"];

export const firefox = {
  name: "Firefox",
  async launch(): Promise<Engine | undefined> {
    const program = installed(...PLACES);
    if (program === undefined) return undefined;
    const profile = mkdtempSync(join(tmpdir(), "refscope-firefox-"));
    const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"];
    // Its home is elsewhere too: what belongs to the user is left alone.
    const env = { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: "1" };
    const browser = await start(program, args, { output: 2, line: /WebDriver BiDi listening on (ws:\S+)/ }, { env });
    const stop = async (): Promise<void> => {
      await browser.stop();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    };
    try {
      return await connected(browser.said, stop);
    } catch (error) {
      await stop();
      throw error;
    }
  },
};

type Send = (method: string, params: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>;

async function connected(address: string, stop: () => Promise<void>): Promise<Engine> {
  const socket = new WebSocket(`${address}/session`);
  const send = sender(socket);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve(), { once: true });
    socket.addEventListener("error", () => reject(new Error(`no connection to ${address}`)), { once: true });
  });
  const { capabilities } = (await send("session.new", { capabilities: {} })) as {
    capabilities: { browserVersion: string };
  };
  const { contexts } = (await send("browsingContext.getTree", {})) as { contexts: { context: string }[] };
  const context = contexts[0]!.context;
  await send("browsingContext.setViewport", { context, viewport: WINDOW });
  return {
    version: capabilities.browserVersion,
    page: drivenBy(send, context),
    async stop() {
      socket.close();
      await stop();
    },
  };
}

/** Milliseconds. */
const MAX_ANSWER = 30_000;

function sender(socket: WebSocket): Send {
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  socket.addEventListener("message", ({ data }) => {
    if (typeof data !== "string") return;
    const answer = JSON.parse(data) as Answer;
    waiting.get(answer.id ?? 0)?.(answer);
  });
  return (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      const id = last;
      // A browser that does not answer must not hold up all that comes after it.
      const late = setTimeout(() => reject(new Error(`${method}: no answer in ${MAX_ANSWER / 1000} s`)), MAX_ANSWER);
      waiting.set(id, (answer) => {
        clearTimeout(late);
        waiting.delete(id);
        if (answer.type === "success") resolve(answer.result ?? {});
        else reject(new Error(`${method}: ${answer.error ?? ""}: ${answer.message ?? ""}`));
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
}

interface Answer {
  readonly id?: number | null;
  readonly type: "success" | "error" | "event";
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly message?: string;
}

interface Evaluated {
  readonly type: "success" | "exception";
  readonly result?: { readonly value?: string };
  readonly exceptionDetails?: { readonly text: string };
}

function drivenBy(send: Send, context: string): EnginePage {
  const perform = async (actions: Actions): Promise<void> => {
    await send("input.performActions", { context, actions });
  };
  return {
    async goto(url) {
      await send("browsingContext.navigate", { context, url: "about:blank", wait: "complete" });
      await send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    // As JSON text: the protocol has a notation of its own for values.
    async run(task, ...args) {
      const answer = (await send("script.evaluate", {
        expression: `(async () => JSON.stringify(await ${scriptOf(task)}(...${JSON.stringify(args)})))()`,
        target: { context },
        awaitPromise: true,
      })) as unknown as Evaluated;
      if (answer.type === "exception") throw new Error(answer.exceptionDetails?.text ?? "an exception in the page");
      return (answer.result?.value === undefined ? undefined : JSON.parse(answer.result.value)) as never;
    },
    click: (x, y, times = 1) => perform(clicks(x, y, times)),
    press: (...keys) => perform(heldTogether(keys)),
    type: (text) => perform(typed(text)),
  };
}
