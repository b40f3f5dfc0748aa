/** The programs that an engine needs: started, waited for until they say that they are ready, and ended. */
import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Readable } from "node:stream";

/** Path of an installed program, by its name or one of several full paths. */
export function installed(...names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const places = names.flatMap((name) => (name.includes("/") ? [name] : folders.map((folder) => join(folder, name))));
  return places.find((place) => existsSync(place));
}

export interface Started {
  /** What the pattern's brackets hold, in the first line that fits. */
  readonly said: string;
  stop(): Promise<void>;
}

/** What says that a program is ready, and on which of its outputs. */
interface Ready {
  readonly output: 1 | 2 | 3;
  readonly line: RegExp;
}

/** Starts a program and reads one of its outputs until a line fits, where it says anything at all. */
export async function start(
  command: string,
  args: readonly string[],
  ready: Ready | undefined,
  options: SpawnOptions = {},
): Promise<Started> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe", "pipe"], ...options });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill();
    const impatient = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await ended;
    clearTimeout(impatient);
  };
  try {
    return { said: ready === undefined ? "" : await sayingOf(child, command, ready), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function sayingOf(child: ChildProcess, command: string, ready: Ready): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => reject(new Error(`${command} did not get ready in 30 seconds: ${text}`)), 30_000);
    const settle = (end: () => void) => {
      clearTimeout(timer);
      end();
    };
    for (const output of [1, 2, 3] as const) {
      const stream = child.stdio[output] as Readable | null;
      stream?.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
        const said = output === ready.output ? ready.line.exec(text)?.[1] : undefined;
        if (said !== undefined) settle(() => resolve(said));
      });
    }
    child.once("error", (error) => settle(() => reject(error)));
    child.once("exit", (code) => settle(() => reject(new Error(`${command} ended with ${code}: ${text}`))));
  });
}
