/** Memory of a process as Linux counts it, in bytes, and its processor time. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

export function memoryOf(pid: number): { readonly resident: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (name: string): number => 1024 * Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  return { resident: field("VmRSS"), peak: field("VmHWM") };
}

/** Milliseconds of processor that the threads of a process took so far, by the beginning of their names. */
export function processorOf(pid: number, name: string): number {
  const threads = listOrNothing(`/proc/${pid}/task`).filter((thread) =>
    readOrNothing(`/proc/${pid}/task/${thread}/comm`).startsWith(name),
  );
  return threads.reduce((sum, thread) => {
    const [nanoseconds = "0"] = readOrNothing(`/proc/${pid}/task/${thread}/schedstat`).split(" ");
    return sum + Number(nanoseconds) / 1e6;
  }, 0);
}

function listOrNothing(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** From now on the peak is counted afresh. Where the kernel refuses, it stays that since the start. */
export function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // Then the net peak is too large rather than too small.
  }
}

/** Ids of the renderer processes below a browser. */
export function renderersOf(browser: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readOrNothing(`/proc/${name}/stat`);
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0));
  }
  const isBelow = (pid: number): boolean => pid === browser || (pid > 1 && isBelow(parents.get(pid) ?? 0));
  return [...parents.keys()].filter(
    (pid) => readOrNothing(`/proc/${pid}/cmdline`).includes("--type=renderer") && isBelow(pid),
  );
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
