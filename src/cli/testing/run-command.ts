/** For tests: the command line within this process, which is much cheaper, and as a process of its own. */
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { Readable, Writable } from "node:stream";
import { format } from "node:util";
import { vi } from "vitest";
import { ended, main } from "../start.ts";

export const ROOT = resolve(import.meta.dirname, "../../..");

export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Paths are relative to the project, where the tests run. One at a time: it takes the process's streams. */
export async function runCommand(args: readonly string[], input = ""): Promise<Ran> {
  await ended;
  const [stdout, stderr] = [new Collected(), new Collected()];
  const spies = [
    vi.spyOn(process, "stdout", "get").mockReturnValue(stdout as never),
    vi.spyOn(process, "stderr", "get").mockReturnValue(stderr as never),
    vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([Buffer.from(input)]) as never),
    vi.spyOn(console, "log").mockImplementation((...values) => void stdout.write(`${format(...values)}\n`)),
    vi.spyOn(console, "error").mockImplementation((...values) => void stderr.write(`${format(...values)}\n`)),
  ];
  try {
    const status = await main(args);
    return { status, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

class Collected extends Writable {
  readonly #pieces: Buffer[] = [];

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#pieces.push(piece);
    done();
  }

  text(): string {
    return Buffer.concat(this.#pieces).toString();
  }
}

/**
 * The built program, as `npm run -s refscope` starts it; asynchronous, since servers of the test answer from this
 * process.
 */
export function startCommand(args: readonly string[], input = "", env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return new Promise((done) => {
    const script = [resolve(ROOT, "tools/refscope.mjs"), ...args];
    const options = { cwd: ROOT, env: { ...process.env, INIT_CWD: ROOT, ...env } };
    const child = execFile(process.execPath, script, options, (error, stdout, stderr) =>
      done({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}
