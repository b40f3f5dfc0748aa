/** One measurement in a process of its own: `scan-node.ts SUBJECT FILE` prints an outcome and the net peak as JSON. */
import { openAsBlob } from "node:fs";
import { memoryOf, resetPeak } from "./memory.ts";
import { kept, measure, type Subject } from "./subjects.ts";

const [subject = "read", path = ""] = process.argv.slice(2);
const document = await openAsBlob(path);
const before = memoryOf(process.pid).resident;
resetPeak(process.pid);
const outcome = await measure(subject as Subject, document);
const netPeak = memoryOf(process.pid).peak - before;
console.log(JSON.stringify({ ...outcome, netPeak, kept: kept.length }));
