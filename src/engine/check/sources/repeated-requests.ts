/** Requests that had to be repeated before they were answered: since the set was opened, whatever asked. */
import { finding, type Finding, targetAt } from "#core/findings/finding.ts";
import type { EngineSet } from "#engine/engine-set.ts";

export const repeatedRequests = ({ targets }: EngineSet): readonly Finding[] =>
  targets.log.repeated().map(({ url, ...counts }) => finding("requests-repeated", targetAt(url), counts));
