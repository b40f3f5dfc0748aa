/** A reader in full: every effect with what it concerns and its evidence, and what can be run. */
import type { SetSummary } from "../../core/open-set.ts";
import { effectTitle, runWords } from "../../core/readers/outcome-words.ts";
import { adviceOf, effectWords } from "../../core/readers/reader-words.ts";
import { evidenceLink, evidenceWords } from "../../core/readers/rule-words.ts";
import { ruleOf, type Evidence } from "../../core/readers/rules.ts";
import type { ReaderEffect, ReaderVerdict } from "../../core/readers/verdict.ts";
import type { NunjucksRun } from "../../store/use-nunjucks.ts";
import type { ReaderChosen } from "../../store/use-reader.ts";
import { NunjucksPart } from "./NunjucksPart.tsx";
import { ZarritaSamplePart } from "./ZarritaSamplePart.tsx";
import styles from "./Readers.module.css";

interface ReaderDetailsProps {
  readonly set: SetSummary;
  readonly verdict: ReaderVerdict;
  readonly chosen: ReaderChosen;
  readonly nunjucks: NunjucksRun;
}

export function ReaderDetails({ set, verdict, chosen, nunjucks }: ReaderDetailsProps) {
  const { reader, effects, run } = verdict;
  const isZarrita = reader.id === "zarrita";
  return (
    <div className={styles.details}>
      <ul className={styles.effects} aria-label={`What ${reader.name} does`}>
        {effects.map((effect) => (
          <EffectItem key={`${effect.rule} ${effect.use.first ?? ""}`} reader={reader.id} effect={effect} />
        ))}
        {effects.length === 0 ? <li>No rule is known of {reader.name} and sets of this format.</li> : null}
        {run === undefined ? null : <li data-run="true">{runWords(reader.name, run).trim()}</li>}
      </ul>
      {isZarrita ? <ZarritaSamplePart set={set.id} chosen={chosen} /> : null}
      {isZarrita && set.rendered === true ? <NunjucksPart references={set.references} nunjucks={nunjucks} /> : null}
      {reader.id === chosen.reader ? null : (
        <button type="button" onClick={() => chosen.choose(reader.id)}>
          This is my reader
        </button>
      )}
    </div>
  );
}

function EffectItem({ reader, effect }: { readonly reader: string; readonly effect: ReaderEffect }) {
  const advice = effect.effect === "reads" ? undefined : adviceOf(effect);
  return (
    <li data-rule={effect.rule}>
      <p>
        {effect.effect === "reads" ? null : <b>{effectTitle(effect)}. </b>}
        {effectWords(reader, effect)}
      </p>
      {advice === undefined ? null : <p className={styles.quiet}>What to do: {advice}</p>}
      <p className={styles.quiet}>
        By a rule. Evidence:{" "}
        {(ruleOf(effect.rule)?.evidence ?? []).map((evidence, at) => (
          <span key={evidenceWords(evidence)}>
            {at === 0 ? "" : "; "}
            <EvidenceLink evidence={evidence} />
          </span>
        ))}
      </p>
    </li>
  );
}

function EvidenceLink({ evidence }: { readonly evidence: Evidence }) {
  const link = evidenceLink(evidence);
  const words = evidenceWords(evidence);
  if (link === undefined) return words;
  return (
    <a href={link} target="_blank" rel="noreferrer">
      {words}
    </a>
  );
}
