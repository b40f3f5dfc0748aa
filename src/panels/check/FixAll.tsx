/** Fixes of all problems that are proven: one preview, applied as one edit of the document, with one Undo. */
import { useCallback, useState } from "react";
import type { CauseOffer } from "#core/check/cause-offers.ts";
import { allFixes, testedWords } from "#core/check/fix-all.ts";
import { evidenceLines, repairLine, repairTitle } from "#core/repair.ts";
import type { RepairOffer } from "#core/repair-offer.ts";
import { counted } from "#core/words.ts";
import { useApplyEdits } from "#store/hooks/use-apply-edits.ts";
import { useAppState, useSend } from "#store/react.tsx";
import { Button } from "#widgets/controls/Button.tsx";
import { Dialog } from "#widgets/controls/Dialog.tsx";
import { ErrorNotice } from "#widgets/notes/Notices.tsx";
import styles from "./FixAll.module.css";
import { type ListedFinding, whereOf } from "./findings.ts";

/** State of the search for the fix of a problem, as its row knows it. */
export interface SearchedFix {
  readonly state: "none" | "searching" | "unasked" | "found";
  readonly offer: CauseOffer | undefined;
}

/** Reports of the rows, by the key of their problems; of the set as it is, since a fix is tested on that alone. */
export function useSearchedFixes() {
  const revision = useAppState((state) => state.revision);
  const [of, setOf] = useState(revision);
  const [fixes, setFixes] = useState<ReadonlyMap<string, SearchedFix>>(new Map());
  if (of !== revision) {
    setOf(revision);
    setFixes(new Map());
  }
  const note = useCallback((key: string, fix: SearchedFix) => setFixes((known) => new Map(known).set(key, fix)), []);
  return { fixes, note };
}

interface FixAllProps {
  /** Problems, the worst first, with what is known of their fixes. */
  readonly causes: readonly (readonly [listed: ListedFinding, fix: SearchedFix | undefined])[];
}

/** Fewer are applied from their rows. */
const LEAST = 2;

/** Nothing while fixes are searched for, or where there are too few. */
export function FixAll({ causes }: FixAllProps) {
  const [isOpen, setOpen] = useState(false);
  const all = allFixes(causes.flatMap(([, fix]) => fix?.offer?.offers ?? []));
  const isSearching = causes.some(([, fix]) => fix?.state === "searching");
  if (!isOpen && (isSearching || all.taken.length < LEAST)) return null;
  return (
    <>
      <Button data-kind="primary" title="Shows all changes before they are made" onClick={() => setOpen(true)}>
        Fix all · tested
      </Button>
      {isOpen ? <Preview {...all} causes={causes} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

type PreviewProps = FixAllProps & ReturnType<typeof allFixes> & { readonly onClose: () => void };

function Preview({ taken, left, edits, causes, onClose }: PreviewProps) {
  const { applying, error, apply } = useApplyEdits();
  const send = useSend();
  const [first] = taken;
  const fixes = counted(taken.length, "fix", "fixes");
  const chunks = taken.flatMap(({ array = "", chunks }) => chunks.map((chunk) => ({ array, ...chunk })));
  const unfixed = causes.filter(([, fix]) => fix?.offer === undefined);
  const common = { disabled: applying || taken.length === 0 };
  const applyAll = (next?: () => void) =>
    apply(edits, { label: fixes, array: first?.array ?? "", chunks }, () => {
      onClose();
      next?.();
    });
  return (
    <Dialog
      title="Fix all · tested"
      size="wide"
      isText
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button {...common} onClick={() => applyAll(() => send({ kind: "show-export" }))}>
            Apply and export…
          </Button>
          <Button {...common} data-kind="primary" onClick={() => applyAll()}>
            Apply {fixes}
          </Button>
        </>
      }
    >
      {error === undefined ? null : <ErrorNotice error={error} />}
      <p className="quiet">One edit of the document, with one Undo. Afterwards the fixed chunks are read again.</p>
      <ol className={styles.fixes} aria-label="Changes">
        {taken.map((offer) => (
          <Change key={offer.key + offer.after} offer={offer} />
        ))}
      </ol>
      {left.length + unfixed.length === 0 ? null : (
        <>
          <h3 className="heading">Left out</h3>
          <ul className={styles.left} aria-label="Left out">
            {left.map(([offer, why]) => (
              <li key={offer.key + offer.after}>
                {repairLine(offer)}: {why}
              </li>
            ))}
            {unfixed.map(([listed, fix]) => (
              <li key={listed.said.title + whereOf(listed)}>
                {listed.said.title} ({whereOf(listed)}):{" "}
                {fix?.state === "found" ? "no fix found." : "no fix was tested."}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

/** A change of the document, and what it rests on. */
function Change({ offer }: { readonly offer: RepairOffer }) {
  const { key, before, after } = offer;
  const line = (reference: string) => (reference.startsWith("[") ? `"${key}": ${reference}` : reference);
  return (
    <li>
      <h3 className="heading">
        {repairTitle(offer)} <code className="quiet fine">{key}</code>
      </h3>
      <pre className={styles.diff}>
        {before === "" ? null : <del>{line(before)}</del>}
        {after === "" ? null : <ins>{line(after)}</ins>}
      </pre>
      <p className="quiet fine">
        {testedWords(offer)} {evidenceLines(offer).join(". ")}.
      </p>
    </li>
  );
}
