/** A cause: where it lies, what it is, its evidence, how much it costs, and its repair. */
import { useEffect, useMemo, useState } from "react";
import type { Acceptance } from "#core/check/acceptance.ts";
import { areMany, isCheap, isLastWord, joinedOffers, offerTitle, only, subjectsOf } from "#core/check/cause-offers.ts";
import type { CauseOffer, CauseSubjects } from "#core/check/cause-offers.ts";
import { type CauseReach, reachOf } from "#core/check/cause-reach.ts";
import type { ChunkPlace, Place } from "#core/findings/fact.ts";
import { outOfReach } from "#core/findings/out-of-reach.ts";
import type { NodesByPath } from "#core/metadata/chunk-of-key.ts";
import type { NodeSummary } from "#core/open-set.ts";
import {
  alikeWords,
  certaintyWords,
  nothingFoundWords,
  REFUSED_WORDS,
  repairTitle,
  SEARCH_COST,
} from "#core/repair.ts";
import type { RepairOffer, RepairSearch } from "#core/repair-offer.ts";
import { boxSpans } from "#core/words/box-spans.ts";
import { useApplyEdits } from "#store/hooks/use-apply-edits.ts";
import { type Axes, useCheapAxes } from "#store/hooks/use-axes.ts";
import { useActions, useEngine, useSend } from "#store/react.tsx";
import { Button, LinkButton, QuietButton } from "#widgets/controls/Button.tsx";
import { Sign } from "#widgets/Icon.tsx";
import { ErrorNotice } from "#widgets/notes/Notices.tsx";
import { SeverityMark } from "#widgets/notes/marks.tsx";
import { countOf, formatBytes, formatCount, formatShare } from "#widgets/number-format.ts";
import { RepairCard } from "#widgets/RepairCard.tsx";
import styles from "./CauseItem.module.css";
import { CausePicture, EvidencePicture } from "./CausePicture.tsx";
import { FindingDetails, firstChunk } from "./FindingDetails.tsx";
import { type ListedFinding, whereOf } from "./findings.ts";
import type { SearchedFix } from "./FixAll.tsx";
import { SetAsideButton } from "./SetAside.tsx";
import { SinceWhen } from "./SinceWhen.tsx";
import { CauseEvidence } from "./values/CauseEvidence.tsx";
import { StatementsEvidence, StatementsSpark } from "./values/StatementsEvidence.tsx";

export interface ListedItemProps {
  readonly set: number;
  readonly listed: ListedFinding;
  readonly nodes: NodesByPath;
  readonly opened: boolean;
  /** How often the first commit with it was asked for from elsewhere. */
  readonly since: number;
  /** It was accepted, and reaches further now. */
  readonly outgrown: Acceptance | undefined;
  readonly onGo: (place: Place) => void;
  readonly onToggle: () => void;
}

/** `isEarly`: one of the first, of which a fix is looked for unasked. */
interface CauseItemProps extends ListedItemProps {
  readonly isEarly: boolean;
  /** Names it for `onFix`. */
  readonly name: string;
  readonly onFix: (name: string, fix: SearchedFix) => void;
}

/** Finds where a cause lies, and its repairs: those of the first causes unasked where that costs little. */
function useCause({ set, isEarly, listed, nodes, name, onFix }: CauseItemProps) {
  const { found: finding, said } = listed;
  const reach = useMemo(() => reachOf(listed, nodes), [listed, nodes]);
  const axes = useCheapAxes(set, { path: reach?.array ?? "" }, reach !== undefined);
  const subjects = useMemo(() => subjectsOf(finding, nodes), [finding, nodes]);
  const repairs = useCauseRepairs(set, subjects, isEarly && isCheap(subjects, said.severity, nodes));
  const { state, offer } = repairs;
  useEffect(() => {
    onFix(name, { state, offer });
    // A row that goes takes its search with it.
    return () => (state === "searching" ? onFix(name, { state: "unasked", offer: undefined }) : undefined);
  }, [onFix, name, state, offer]);
  return { reach, node: reach && nodes.get(reach.array), axes, repairs };
}

export function CauseItem(props: CauseItemProps) {
  const { set, isEarly, listed, nodes, opened, since, outgrown, onGo, onToggle } = props;
  const { found: finding, said } = listed;
  const { severity, title, message } = said;
  const { reach, node, axes, repairs } = useCause(props);
  const where = reach === undefined ? whereOf(listed) || "the set" : reachWords(reach, node, axes);
  const size = sizeWords(reach, severity === "error" && outOfReach(finding) === undefined);
  const chunk = opened ? firstChunk(listed, nodes) : undefined;
  const picture = <CausePicture {...{ set, node, reach, severity, axes }} />;
  const spark = <StatementsSpark finding={finding} otherwise={picture} />;
  return (
    <li className={styles.item} data-code={finding.code} data-severity={severity} data-opened={opened}>
      <div className={styles.line}>
        <span className={`relative ${styles.picture}`}>
          {isEarly ? <EvidencePicture {...{ set, finding, severity, nodes }} otherwise={spark} /> : spark}
          <SeverityMark severity={severity} />
        </span>
        <Button className={styles.go} onClick={() => onGo(listed.place)}>
          <span className={`break heading ${styles.title}`}>{title}</span>
          <span className={styles.where} title={where}>
            {where}
          </span>
          <Key listed={listed} shown={where} />
          {outgrown === undefined ? null : (
            <span className={styles.where}>Has spread further since it was accepted on {outgrown.date}.</span>
          )}
        </Button>
        <p className={styles.message} title={message}>
          {inShort(message)}
        </p>
        <p className={`quiet fine ${styles.size}`}>
          {size === undefined ? null : (
            <>
              <b>{size[0]}</b> {size[1]}
            </>
          )}
        </p>
        <span className={styles.repair}>
          <RepairButton repairs={repairs} opened={opened} onOpen={onToggle} />
        </span>
        <MoreButton opened={opened} onToggle={onToggle} />
      </div>
      {opened ? (
        <div className={styles.details}>
          <StatementsEvidence finding={finding} />
          <CauseEvidence set={set} finding={finding} severity={severity} nodes={nodes} />
          <div className="grid topmost gap-12 narrow">
            {chunk === undefined ? null : <WhereBytes set={set} chunk={chunk} offer={repairs.offer?.offers[0]} />}
            <FindingDetails listed={listed} nodes={nodes} onGo={onGo}>
              <SinceWhen key={since} set={set} listed={listed} nodes={nodes} asked={since > 0} />
              <SetAsideButton listed={listed} nodes={nodes} outgrown={outgrown} />
            </FindingDetails>
          </div>
          <RepairDetails repairs={repairs} />
        </div>
      ) : null}
    </li>
  );
}

/** Whole sentences of a message, as many as a row has room for. */
function inShort(message: string): string {
  const sentences = message.match(/.+?[.!?](?=\s+[A-Z“\d]|$)\s*/gs) ?? [message];
  let text = "";
  for (const sentence of sentences) {
    if (text !== "" && text.length + sentence.length > ROW_ROOM) break;
    text += sentence;
  }
  return text.trim();
}

const ROW_ROOM = 110;

/** Opens what is folded below a row. */
export function MoreButton({ opened, onToggle }: Pick<ListedItemProps, "opened" | "onToggle">) {
  return (
    <QuietButton
      className={styles.more}
      aria-expanded={opened}
      aria-label={opened ? "Less" : "More"}
      onClick={onToggle}
    >
      <Sign path={opened ? "m4 10 4-4 4 4" : "m4 6 4 4 4-4"} />
    </QuietButton>
  );
}

/** The key or address, where the place in words does not say it. */
function Key({ listed, shown }: { readonly listed: ListedFinding; readonly shown: string }) {
  const key = whereOf(listed);
  if (key === "" || key === shown || shown.replaceAll(" ", "/").includes(key)) return null;
  return <code className="cut faint">{key}</code>;
}

/** "ice 0.0.0 · 2026-01-01 – 01-06, 89°S – 1°S": the array, its chunks, the box that holds them in coordinates. */
export function reachWords(reach: CauseReach, node: NodeSummary | undefined, axes: Axes): string {
  const { array, chunks, moreArrays, from } = reach;
  const name = array === "" ? "/" : array;
  const others = moreArrays === 0 ? [] : [`and ${countOf(moreArrays, "more array")}`];
  const what = chunks === 1 && from.length > 0 ? [`${name} ${from.join(".")}`] : [name, countOf(chunks, "chunk")];
  return [...what, ...spanWords(reach, node, axes), ...others].join(" · ");
}

/** Extent in coordinates if they are known, else in positions; empty if all of the array is meant. */
function spanWords(reach: CauseReach, node: NodeSummary | undefined, axes: Axes): readonly string[] {
  const { shape, chunks, dimensionNames } = node ?? {};
  if (shape === undefined || chunks === undefined || shape.length === 0 || reach.share === 1) return [];
  const spans = boxSpans(reach, { shape, chunks, dimensionNames }, axes, reach.chunks === 1);
  return spans.length === 0 ? [] : [spans.join(", ")];
}

/** "2.6%", "all", "none"; and of what. */
export function sizeWords(
  reach: CauseReach | undefined,
  isLost: boolean,
): readonly [share: string, of: string] | undefined {
  if (reach === undefined) return undefined;
  const name = reach.array === "" ? "/" : reach.array;
  if (reach.share === undefined) return [formatCount(reach.chunks), reach.chunks === 1 ? "chunk" : "chunks"];
  if (reach.share === 1 && reach.chunks > 1) return ["all", `of ${name}`];
  return [formatShare(reach.share, 1), isLost ? `of ${name} lost` : `of ${name}`];
}

interface WhereBytesProps {
  readonly set: number;
  readonly chunk: ChunkPlace;
  /** The best, where one is known. */
  readonly offer: RepairOffer | undefined;
}

/** Neighbours on each side. */
const NEAR = 2;
/** Share of the strip below which a name has no room. */
const LEAST_NAMED = 0.07;

/** Shows a chunk's bytes among those of its neighbours in the source, and the range that a fix reads instead. */
function WhereBytes({ set, chunk: { array, coordinates }, offer }: WhereBytesProps) {
  const own = useEngine("sources.ofChunk", { set, array, coordinates }).data;
  const target = own?.target ?? null;
  const place = own?.place ?? -1;
  const { change } = offer ?? {};
  const fix = change?.kind === "range" ? { from: change.offset, to: change.offset + change.length } : undefined;
  const of = place < 0 ? undefined : { set, target };
  // Around where the fix reads: what is written may be far away.
  const around = useEngine("sources.byte", of && fix && { ...of, byte: fix.from }).data?.place ?? place;
  const ranges = useEngine("sources.ranges", of && { ...of, from: Math.max(0, around - NEAR), to: around + NEAR + 2 });
  const shown = ranges.last?.data.ranges ?? [];
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined) return null;
  const from = Math.min(first.from, fix?.from ?? Infinity);
  const to = Math.max(...shown.map((one) => one.to), fix?.to ?? 0);
  const at = (one: { readonly from: number; readonly to: number }) => ({
    left: `${(100 * (one.from - from)) / (to - from)}%`,
    width: `${(100 * (one.to - one.from)) / (to - from)}%`,
  });
  const written = shown.find((one) => one.array === array && one.coordinates?.join() === coordinates.join());
  return (
    <figure className={`quiet fine ${styles.bytes}`} aria-label="Where its bytes are">
      <figcaption>
        <b>Where its bytes are</b> {target?.split("/").at(-1) ?? "null URLs"}, {formatCount(from)}–{formatCount(to)}
      </figcaption>
      <div className={styles.strip}>
        {shown
          .filter((one) => one !== written)
          .map((one) => (
            <span key={one.place} style={at(one)} title={`${one.key}: ${formatCount(one.from)}–${formatCount(one.to)}`}>
              {(one.to - one.from) / (to - from) < LEAST_NAMED ? null : one.key}
            </span>
          ))}
        {written === undefined ? null : <span data-what="written" style={at(written)} title="as written" />}
        {fix === undefined ? null : <span data-what="fix" style={at(fix)} title="with the fix" />}
      </div>
      <p>
        {written === undefined ? null : (
          <span data-what="written">
            as written {formatCount(written.from)}–{formatCount(written.to)}
          </span>
        )}
        {fix === undefined ? null : (
          <span data-what="fix">
            with the fix {formatCount(fix.from)}–{formatCount(fix.to)}
          </span>
        )}
      </p>
    </figure>
  );
}

type CauseRepairs = ReturnType<typeof useCauseRepairs>;

const NO_SEARCHES: readonly RepairSearch[] = [];

/** Repairs of a cause, applied as one edit of the document. `isAsked`: search for them even if the user did not. */
function useCauseRepairs(set: number, cause: CauseSubjects, isAsked: boolean) {
  const [isWanted, setWanted] = useState(false);
  const { applying, error, apply } = useApplyEdits();
  const { subjects, chunks } = cause;
  const asks = subjects.length > 0 && (isAsked || isWanted);
  const request = { set, subjects, chunks, isUnasked: !isWanted };
  const answer = useEngine("repair.ofCause", asks ? request : undefined, JSON.stringify([subjects, chunks]));
  const searches = answer.data ?? NO_SEARCHES;
  const mayFindMore = !isWanted && (answer.error !== undefined || !isLastWord(searches));
  const offer = useMemo(() => joinedOffers(searches), [searches]);
  const isOpen = (answer.data === undefined || answer.stale) && answer.error === undefined;
  const known: SearchedFix["state"] = isOpen ? "searching" : mayFindMore ? "unasked" : "found";
  return {
    state: subjects.length === 0 ? ("none" as const) : asks ? known : ("unasked" as const),
    offer,
    cause,
    /** Costs of the searches, once they are done. */
    searches,
    find: () => setWanted(true),
    applying,
    error: error ?? answer.error,
    apply: ({ offers, array, edits, chunks }: CauseOffer) => apply(edits, { label: labelOf(offers), array, chunks }),
  };
}

function labelOf(offers: readonly RepairOffer[]): string {
  const [first] = offers;
  if (first === undefined) return "";
  if (offers.length === 1 && first.change.kind === "remove" && first.alike === undefined) return `Remove ${first.key}`;
  return offers.length === 1
    ? `${repairTitle(first).replace(/\?$/, "")}, for ${first.key}`
    : countOf(offers.length, "repair");
}

interface RepairButtonProps {
  readonly repairs: CauseRepairs;
  readonly opened: boolean;
  /** Opens the details, which show the choice to make. */
  readonly onOpen: () => void;
}

function RepairButton({ repairs, opened, onOpen }: RepairButtonProps) {
  const { state, offer, searches, applying, apply, find } = repairs;
  const plain = (text: string, title: string, onClick: () => void) => (
    <Button className={styles.button} title={title} onClick={onClick}>
      {text}
    </Button>
  );
  if (state === "unasked" && searches.length > 0)
    return plain(
      "Search more",
      `${offer === undefined ? noneWords(searches) : spentWords(searches)} ${costWords(repairs)}`,
      find,
    );
  if (state === "unasked") return plain("Find a fix", costWords(repairs), find);
  if (state === "searching") return <span className="faint fine">Searching for a fix…</span>;
  if (offer === undefined && state === "found" && searches.length > 0)
    return (
      <span className="faint fine" title={noneWords(searches)}>
        No fix found
      </span>
    );
  if (offer === undefined) return null;
  const isAtOnce =
    !isPartial(repairs, offer) &&
    offer.edits.length > 0 &&
    offer.offers.every(({ certainty }) => certainty !== "needs-you");
  const title = offerTitle(offer);
  const all = offer.offers.length === 1 ? offer.offers.map((one) => repairTitle(one)).join() : title;
  return (
    <Button
      className={styles.button}
      data-kind={opened && isAtOnce ? "primary" : undefined}
      disabled={applying}
      title={isAtOnce ? `${all}. It is applied as an edit of the document, and can be undone.` : all}
      onClick={() => (isAtOnce ? apply(offer) : onOpen())}
    >
      {title}
    </Button>
  );
}

/** Cost of a search, in words. */
function costWords({ cause }: CauseRepairs): string {
  if (cause.subjects.every(({ kind }) => kind === "key")) return "Compares keys; reads nothing.";
  // If no fix for all is found, the first place is examined alone.
  const { bytes, requests } = areMany(cause) ? SEARCH_COST.all : SEARCH_COST.one;
  const places = areMany(cause) ? 1 : cause.subjects.length;
  const most = `at most ${countOf(requests * places, "request")} and ${formatBytes(bytes * places)}`;
  return `Reads chunks to test fixes: ${most}, or more if the chunks are large.`;
}

/** A repair of one chunk, where many have the cause. */
const isPartial = ({ cause }: CauseRepairs, { offers }: CauseOffer): boolean =>
  areMany(cause) && offers.every(({ alike, change }) => alike === undefined && !OF_ALL.has(change.kind));

/** Kinds of changes that change all of an array at once. */
const OF_ALL: ReadonlySet<RepairOffer["change"]["kind"]> = new Set(["separator", "metadata"]);

function RepairDetails({ repairs }: { readonly repairs: CauseRepairs }) {
  const { offer, error, searches } = repairs;
  if (error !== undefined) return <ErrorNotice error={error} />;
  if (offer === undefined)
    return repairs.state !== "searching" && searches.length > 0 ? (
      <p className="faint fine">{noneWords(searches)}</p>
    ) : null;
  const shown = [...offer.offers.slice(0, MAX_SHOWN), ...offer.others];
  const more = offer.offers.length - MAX_SHOWN;
  return (
    <section className="grid topmost gap-10" aria-label="Repair">
      {isPartial(repairs, offer) ? <p>{partialWords(repairs, offer)}</p> : null}
      {shown.map((one) => (
        <OfferPart key={`${one.key} ${one.after}`} offer={one} joined={offer} repairs={repairs} />
      ))}
      {more > 0 ? <p className="faint fine">and {countOf(more, "more fix", "more fixes")} of the same cause.</p> : null}
      <p className="faint fine">{spentWords(searches)}</p>
    </section>
  );
}

function partialWords({ cause }: CauseRepairs, { offers }: CauseOffer): string {
  const repaired = offers.length === 1 ? (offers[0]?.key ?? "") : countOf(offers.length, "chunk");
  return `No single change fixes all ${countOf(cause.chunks, "chunk")}. This one fixes only ${repaired}.`;
}

/** Words for the part of the cause that stays. */
function leftWords({ cause }: CauseRepairs, { alike }: RepairOffer): string | undefined {
  const left = alike === undefined ? 0 : cause.chunks - alike.references;
  return left <= 0
    ? undefined
    : `${countOf(left, "other chunk")} with this problem ${left === 1 ? "stays" : "stay"} as before.`;
}

/** Repairs of one cause that are told one by one. */
const MAX_SHOWN = 3;

interface OfferPartProps {
  readonly repairs: CauseRepairs;
  readonly offer: RepairOffer;
  readonly joined: CauseOffer;
}

function OfferPart({ offer, joined, repairs }: OfferPartProps) {
  const page = useActions();
  const send = useSend();
  const { array, certainty, before, after, refused, trial } = offer;
  const [chunk] = offer.chunks;
  const isChoice = certainty === "needs-you" || joined.others.length > 0 || isPartial(repairs, joined);
  const notes = [certaintyWords(offer), alikeWords(offer), leftWords(repairs, offer)].filter(
    (one) => one !== undefined,
  );
  const actions = (
    <>
      {isChoice && refused === undefined ? (
        <Button disabled={repairs.applying} onClick={() => repairs.apply(only(offer))}>
          Apply
        </Button>
      ) : null}
      {chunk === undefined || array === undefined ? null : (
        <LinkButton
          onClick={() => {
            page.selectChunk(array, chunk.coordinates);
            // The microscope reads it so.
            if (trial !== undefined) send({ kind: "try-reading", trial });
          }}
        >
          {trial === undefined ? "Show the chunk" : "Try it first"}
        </LinkButton>
      )}
    </>
  );
  return (
    <RepairCard repair={offer} notes={notes} actions={actions}>
      <dl className={styles.change}>
        <dt className="faint">Now</dt>
        <dd>
          <code>{before === "" ? "no reference" : before}</code>
        </dd>
        <dt className="faint">Then</dt>
        <dd>
          <code>{after === "" ? "no reference" : after}</code>
        </dd>
      </dl>
      {refused === undefined ? null : <p>{REFUSED_WORDS[refused]}</p>}
    </RepairCard>
  );
}

export const noneWords = (searches: readonly RepairSearch[]): string =>
  `${nothingFoundWords(searches)} ${spentWords(searches)}`;

function spentWords(searches: readonly RepairSearch[]): string {
  const requests = searches.reduce((sum, { spent }) => sum + spent.requests, 0);
  const bytes = searches.reduce((sum, { spent }) => sum + spent.bytes, 0);
  if (requests === 0) return "Nothing had to be read.";
  return `The search read ${formatBytes(bytes)} in ${countOf(requests, "request")}.`;
}
