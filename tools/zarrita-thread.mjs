/** A thread of the terminal: reads TypeScript as the command itself does, which `--import` does for the main thread only. */
import { register } from "tsx/esm/api";

register();
await import("../src/cli/zarrita-thread.ts");
