/** The repair of a cause: its button in the line, and in the details what speaks for it, before and after. */
import {
  alikeWords,
  certaintyWords,
  evidenceLines,
  REFUSED_WORDS,
  repairTitle,
} from "../../core/repair-offer-words.ts";
import { SEARCH_COST, type RepairOffer, type RepairSearch } from "../../core/repairs.ts";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { countOf, formatBytes } from "../../widgets/number-format.ts";
import { areMany, offerTitle, only, type CauseOffer } from "./cause-offers.ts";
import type { CauseRepairs } from "./use-cause-repairs.ts";
import styles from "./CauseRepair.module.css";

interface RepairButtonProps {
  readonly repairs: CauseRepairs;
  readonly opened: boolean;
  /** Opens the details, where what must be decided is told. */
  readonly onOpen: () => void;
}

export function RepairButton({ repairs, opened, onOpen }: RepairButtonProps) {
  const { state, offer, applying, apply, find } = repairs;
  if (state === "unasked")
    return (
      <button type="button" data-kind="quiet" className={styles.button} onClick={find} title={costWords(repairs)}>
        Find a repair
      </button>
    );
  if (state === "searching") return <span className={styles.searching}>Looking for a repair…</span>;
  if (offer === undefined) return null;
  const isAtOnce =
    !isPartial(repairs, offer) &&
    offer.edits.length > 0 &&
    offer.offers.every(({ certainty }) => certainty !== "needs-you");
  const title = offerTitle(offer);
  const all = offer.offers.length === 1 ? offer.offers.map((one) => repairTitle(one)).join() : title;
  return (
    <button
      type="button"
      className={styles.button}
      data-kind={opened && isAtOnce ? "primary" : undefined}
      disabled={applying}
      title={isAtOnce ? `${all}. It is applied as an edit of the document, and can be undone.` : all}
      onClick={() => (isAtOnce ? apply(offer) : onOpen())}
    >
      {title}
    </button>
  );
}

/** What looking for it may cost. */
function costWords({ cause }: CauseRepairs): string {
  if (cause.subjects.every(({ kind }) => kind === "key")) return "Looks at keys; nothing is read.";
  // Where none is found for all, the first is looked at alone.
  const { bytes, requests } = areMany(cause) ? SEARCH_COST.all : SEARCH_COST.one;
  const places = areMany(cause) ? 1 : cause.subjects.length;
  const most = `at most ${countOf(requests * places, "request")} and ${formatBytes(bytes * places)}`;
  return `Reads chunks to try repairs: ${most}, or as much as a few chunks have where these are larger.`;
}

/** A repair of one chunk, where many have the cause. */
const isPartial = ({ cause }: CauseRepairs, { offers }: CauseOffer): boolean =>
  areMany(cause) && offers.every(({ alike, change }) => alike === undefined && !OF_ALL.has(change.kind));

/** What changes all of an array at once. */
const OF_ALL: ReadonlySet<RepairOffer["change"]["kind"]> = new Set(["separator", "metadata"]);

interface RepairDetailsProps {
  readonly repairs: CauseRepairs;
  readonly onTry: (offer: RepairOffer) => void;
}

export function RepairDetails({ repairs, onTry }: RepairDetailsProps) {
  const { offer, error, searches } = repairs;
  if (error !== undefined) return <ErrorNotice error={error} />;
  if (offer === undefined)
    return repairs.state === "found" ? <p className={styles.none}>{noneWords(searches)}</p> : null;
  const shown = [...offer.offers.slice(0, MAX_SHOWN), ...offer.others];
  const more = offer.offers.length - MAX_SHOWN;
  return (
    <section className={styles.repair} aria-label="Repair">
      {isPartial(repairs, offer) ? <p>{partialWords(repairs, offer)}</p> : null}
      {shown.map((one) => (
        <OfferPart key={`${one.key} ${one.after}`} offer={one} joined={offer} repairs={repairs} onTry={onTry} />
      ))}
      {more > 0 ? <p className={styles.none}>and {countOf(more, "more repair")} of the same cause.</p> : null}
      <p className={styles.none}>{spentWords(searches)}</p>
    </section>
  );
}

function partialWords({ cause }: CauseRepairs, { offers }: CauseOffer): string {
  const repaired = offers.length === 1 ? (offers[0]?.key ?? "") : countOf(offers.length, "chunk");
  return `No change was found that holds for all ${countOf(cause.chunks, "chunk")}: this repairs ${repaired} alone.`;
}

/** What of the cause stays as it is. */
function leftWords({ cause }: CauseRepairs, { alike }: RepairOffer): string | undefined {
  const left = alike === undefined ? 0 : cause.chunks - alike.references;
  return left <= 0
    ? undefined
    : `${countOf(left, "other chunk")} of this cause ${left === 1 ? "stays" : "stay"} as before.`;
}

/** Repairs of one cause that are told one by one. */
const MAX_SHOWN = 3;

interface OfferPartProps extends RepairDetailsProps {
  readonly offer: RepairOffer;
  readonly joined: CauseOffer;
}

function OfferPart({ offer, joined, repairs, onTry }: OfferPartProps) {
  const { certainty, before, after, refused, chunks } = offer;
  const isChoice = certainty === "needs-you" || joined.others.length > 0 || isPartial(repairs, joined);
  const alike = [alikeWords(offer), leftWords(repairs, offer)].filter((one) => one !== undefined).join(" ");
  return (
    <div className={styles.offer} data-certainty={certainty}>
      <h3>{repairTitle(offer)}</h3>
      <p>{certaintyWords(offer)}</p>
      {alike === "" ? null : <p>{alike}</p>}
      <ul aria-label="What speaks for it">
        {evidenceLines(offer).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <dl>
        <dt>Now</dt>
        <dd>
          <code>{before === "" ? "no reference" : before}</code>
        </dd>
        <dt>Then</dt>
        <dd>
          <code>{after === "" ? "no reference" : after}</code>
        </dd>
      </dl>
      {refused === undefined ? null : <p>{REFUSED_WORDS[refused]}</p>}
      <div className={styles.actions}>
        {isChoice && refused === undefined ? (
          <button type="button" disabled={repairs.applying} onClick={() => repairs.apply(only(offer))}>
            Apply
          </button>
        ) : null}
        {chunks.length === 0 || offer.array === undefined ? null : (
          <button type="button" data-kind="link" onClick={() => onTry(offer)}>
            {offer.trial === undefined ? "Show the chunk" : "Try it first"}
          </button>
        )}
      </div>
    </div>
  );
}

function noneWords(searches: readonly RepairSearch[]): string {
  const ended = searches.find((one) => one.ended !== undefined)?.ended;
  const until = ended === undefined ? "" : `, until the limit of ${ENDED[ended]} was reached`;
  return `No repair was found${until}. ${spentWords(searches)}`;
}

const ENDED: Readonly<Record<NonNullable<RepairSearch["ended"]>, string>> = {
  bytes: "bytes",
  requests: "requests",
  time: "time",
};

function spentWords(searches: readonly RepairSearch[]): string {
  const requests = searches.reduce((sum, { spent }) => sum + spent.requests, 0);
  const bytes = searches.reduce((sum, { spent }) => sum + spent.bytes, 0);
  if (requests === 0) return "Nothing had to be read for it.";
  return `${formatBytes(bytes)} were read for it in ${countOf(requests, "request")}.`;
}
