/**
 * Nothing is wrong with data that are healthy but odd, however they are written: no error, and hardly a warning.
 * REFSCOPE_SEED makes others; REFSCOPE_SAID=1 prints what was said.
 */
import { expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { explained } from "#core/findings/explain.ts";
import { isDeep } from "#core/testing/runs.ts";
import { hostLimit } from "#io/http/host-limit.ts";
import { inThread } from "../chunk/chunk-decoder.ts";
import { openAny } from "../open/open-any.ts";
import { context } from "../repair/suggest/testing/damaged-set.ts";
import { checkSet } from "./check-set.ts";
import { FIELDS } from "./testing/healthy/fields.ts";
import { randomOf } from "./testing/healthy/random.ts";
import { TABLES } from "./testing/healthy/tables.ts";
import { writeHealthy } from "./testing/healthy/write-healthy.ts";

const SEED = Number(process.env["REFSCOPE_SEED"] ?? 34);
const ROUNDS = isDeep ? 20 : 1;
/** Warnings of so many sets are enough to say that the rules accuse. */
const MOST_WARNED = 0.00125;

const kinds = Object.entries({ ...FIELDS, ...TABLES });

it("is said of all of them", async () => {
  const [errors, warnings]: [string[], Set<string>] = [[], new Set()];
  let sets = 0;
  for (const [at, [name, kind]] of kinds.entries()) {
    for (let round = 0; round < ROUNDS; round += 1) {
      const random = randomOf(SEED + 1000 * at + round);
      const { accept = [], ...made } = kind(random);
      const { files, open, how } = writeHealthy({ ...made, accept }, random);
      const opened = await openAny(
        { kind: "files", files },
        {
          locations: NO_LOCATIONS,
          network: { http: { limit: hostLimit() } },
          options: { choice: open },
          context: context(),
        },
      );
      if (opened.kind !== "set") throw new Error(`${name} was not recognised`);
      const sources = { limit: 100, origin: undefined, isHere: true } as const;
      const { findings, checked } = await checkSet(
        opened.set,
        { decoder: inThread, deep: { chunks: "all" }, sources },
        context(),
      );
      expect(checked.chunks).toMatchObject({ failed: 0 });
      expect(checked.chunks.decoded).toBeGreaterThan(0);
      sets += 1;
      for (const { code, severity, message } of findings.map((one) => ({ ...explained(one), code: one.code }))) {
        const said = `${name} (${round}; ${how}): ${code}: ${message}`;
        if (severity === "error") errors.push(said);
        if (severity === "warning" && !accept.includes(code)) warnings.add(said);
      }
    }
  }
  console.log(`${sets} healthy sets: ${errors.length} errors, ${warnings.size} warnings`);
  if (process.env["REFSCOPE_SAID"] !== undefined) console.log([...errors, ...warnings].join("\n"));
  expect(errors).toEqual([]);
  expect([...warnings].slice(Math.floor(sets * MOST_WARNED))).toEqual([]);
}, 1_200_000);
