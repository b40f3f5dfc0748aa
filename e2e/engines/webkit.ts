/**
 * WebKit as WebKitGTK builds it: its MiniBrowser on a display of its own, driven over the W3C's WebDriver by the driver
 * that comes with it. The protocol is JSON over HTTP, of which seven commands are needed.
 */
import { createServer, type AddressInfo } from "node:net";
import { scriptOf, WINDOW, type Engine, type EnginePage } from "./page.ts";
import { installed, start, type Started } from "./processes.ts";
import { clicks, heldTogether, typed, type Actions } from "./webdriver.ts";

const FOLDERS = ["x86_64-linux-gnu/", "aarch64-linux-gnu/", ""].flatMap((machine) =>
  ["4.1", "6.0", "4.0"].flatMap((version) => [
    `/usr/lib/${machine}webkit2gtk-${version}/MiniBrowser`,
    `/usr/lib/${machine}webkitgtk-${version}/MiniBrowser`,
  ]),
);

export const webkit = {
  name: "WebKit",
  async launch(): Promise<Engine | undefined> {
    const driver = installed("WebKitWebDriver");
    const browser = installed(
      "MiniBrowser",
      ...FOLDERS,
      ...FOLDERS.map((place) => place.replace("/lib/", "/libexec/")),
    );
    const display = installed("Xvfb");
    if (driver === undefined || browser === undefined || display === undefined) return undefined;
    const screen = ["-screen", "0", `${WINDOW.width + 60}x${WINDOW.height + 200}x24`, "-nolisten", "tcp"];
    const xvfb = await start(display, ["-displayfd", "3", ...screen], { output: 3, line: /^(\d+)\n/ });
    try {
      return await onDisplay(driver, browser, xvfb);
    } catch (error) {
      await xvfb.stop();
      throw error;
    }
  },
};

async function onDisplay(program: string, binary: string, xvfb: Started): Promise<Engine> {
  const port = await freePort();
  const env = { ...process.env, DISPLAY: `:${xvfb.said}` };
  const driver = await start(program, [`--port=${port}`], undefined, { stdio: "ignore", env });
  const send = sender(`http://127.0.0.1:${port}`);
  try {
    await answering(send);
    const wanted = { "webkitgtk:browserOptions": { binary, args: ["--automation"] } };
    const session = await send<Session>("POST", "/session", { capabilities: { alwaysMatch: wanted } });
    const path = `/session/${session.sessionId}`;
    await send("POST", `${path}/window/rect`, { x: 0, y: 0, width: WINDOW.width, height: WINDOW.height + 100 });
    return {
      version: session.capabilities.browserVersion,
      page: drivenBy((method, end, body) => send(method, path + end, body)),
      async stop() {
        await send("DELETE", path).catch(() => undefined);
        await driver.stop();
        await xvfb.stop();
      },
    };
  } catch (error) {
    await driver.stop();
    throw error;
  }
}

interface Session {
  readonly sessionId: string;
  readonly capabilities: { readonly browserVersion: string };
}

type Send = <T = unknown>(method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<T>;

function sender(origin: string): Send {
  return async (method, path, body) => {
    const init =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
    // A browser that hangs does not end its session either.
    const signal = method === "DELETE" ? AbortSignal.timeout(10_000) : null;
    const response = await fetch(origin + path, { method, signal, ...init });
    const { value } = (await response.json()) as { value: never };
    if (response.ok) return value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${method} ${path}: ${error}: ${message}`);
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** The driver does not say when it listens: it is asked until it answers. */
async function answering(send: Send): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await send("GET", "/status");
      return;
    } catch (error) {
      if (attempt === 500) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function drivenBy(send: Send): EnginePage {
  const perform = async (actions: Actions): Promise<void> => {
    await send("POST", "/actions", { actions });
  };
  return {
    async goto(url) {
      await send("POST", "/url", { url: "about:blank" });
      await send("POST", "/url", { url });
    },
    async run(task, ...args) {
      const script = `const done = arguments[arguments.length - 1];
        (async () => ({ value: await ${scriptOf(task)}(...${JSON.stringify(args)}) }))().then(done, (error) => done({ error: String(error) }));`;
      const answer = await send<{ value?: never; error?: string }>("POST", "/execute/async", { script, args: [] });
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value as never;
    },
    click: (x, y, times = 1) => perform(clicks(x, y, times)),
    press: (...keys) => perform(heldTogether(keys)),
    type: (text) => perform(typed(text)),
  };
}
