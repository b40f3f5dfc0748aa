import type { Subject } from "#core/findings/catalogue/entry.ts";
import type { Reading } from "#core/reading.ts";
import { useExplain } from "#widgets/notes/Notices.tsx";
import { SeverityMark } from "#widgets/notes/marks.tsx";
import shared from "./ChunkPanel.module.css";

interface FindingsPartProps {
  readonly reading: Reading;
  /** Which of them, by what they are about. */
  readonly of: (about: Subject) => boolean;
}

/** Findings made while reading. The failure itself is shown where it happened. */
export function FindingsPart({ reading, of }: FindingsPartProps) {
  const explain = useExplain();
  if (explain === undefined) return null;
  const others = reading.findings.filter(({ code }) => code !== reading.error?.code);
  const all = others.map((finding) => ({ code: finding.code, ...explain(finding) })).filter(({ about }) => of(about));
  if (all.length === 0) return null;
  return (
    <section className={shared.section} aria-label="Findings">
      <h3>Findings</h3>
      <ul className={`grid gap-8 ${shared.list}`}>
        {all.map(({ code, severity, message, remedy }, index) => (
          // Two findings may have the same code.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} data-code={code} data-severity={severity}>
            <SeverityMark severity={severity} />
            <div>
              <code>{code}</code>
              <p>{message}</p>
              {remedy === undefined ? null : <p className="quiet">{remedy}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
