import { Fragment, useId, useState } from "react";
import { findingOfError } from "../../core/findings/failure.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { CredentialTable, RuleTable } from "./LocationTables.tsx";
import { draftOf, draftProblems, locationsOf, offeredDraft, type LocationsDraft } from "./locations-draft.ts";
import styles from "./LocationsForm.module.css";

interface LocationsFormProps {
  /** Prefix of targets to begin with rows for. */
  readonly prefix: string | undefined;
  readonly onDone: () => void;
}

/** Where targets are read from: rewrite rules, the meaning of null URLs, region, credentials, private addresses. */
export function LocationsForm({ prefix, onDone }: LocationsFormProps) {
  const actions = useActions();
  const [draft, setDraft] = useDraft(prefix);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<Finding>();
  const change = (part: Partial<LocationsDraft>) => {
    setDraft({ ...draft, ...part });
    setProblems([]);
  };
  const apply = async () => {
    const found = draftProblems(draft);
    setProblems(found);
    if (found.length > 0) return;
    try {
      await actions.setLocations(locationsOf(draft));
      onDone();
    } catch (error) {
      setFailure(findingOfError(error, "Applying the locations"));
    }
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void apply();
      }}
    >
      <RuleTable
        rows={draft.rules}
        onChange={(rules) => {
          change({ rules });
        }}
      />
      <Places draft={draft} onChange={change} />
      <CredentialTable
        rows={draft.credentials}
        onChange={(credentials) => {
          change({ credentials });
        }}
      />
      <PrivateAddresses draft={draft} onChange={change} />
      <ul className={styles.problems} role="alert">
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
      {failure === undefined ? null : <ErrorNotice error={failure} />}
      <div className={styles.actions}>
        <button type="submit" data-kind="primary">
          Apply
        </button>
        <button type="button" onClick={onDone}>
          Discard changes
        </button>
      </div>
    </form>
  );
}

function useDraft(prefix: string | undefined) {
  const locations = useAppState((state) => state.locations);
  return useState(() => (prefix === undefined ? draftOf(locations) : offeredDraft(draftOf(locations), prefix)));
}

interface PartProps {
  readonly draft: LocationsDraft;
  readonly onChange: (part: Partial<LocationsDraft>) => void;
}

const PLACES = [
  { member: "target", label: "Target for null URLs", placeholder: "https://… (what fsspec calls target)" },
  { member: "region", label: "AWS region of s3:// targets", placeholder: "unknown: the global endpoint is used" },
] as const;

function Places({ draft, onChange }: PartProps) {
  const id = useId();
  return (
    <div className={styles.places}>
      {PLACES.map(({ member, label, placeholder }) => (
        <Fragment key={member}>
          <label htmlFor={`${id}-${member}`}>{label}</label>
          <input
            id={`${id}-${member}`}
            value={draft[member]}
            placeholder={placeholder}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => onChange({ [member]: event.target.value })}
          />
        </Fragment>
      ))}
    </div>
  );
}

function PrivateAddresses({ draft, onChange }: PartProps) {
  const id = useId();
  return (
    <div className={styles.private}>
      <input
        id={id}
        type="checkbox"
        checked={draft.allowPrivate}
        aria-describedby={`${id}-meaning`}
        onChange={(event) => {
          onChange({ allowPrivate: event.target.checked });
        }}
      />
      <label htmlFor={id}>Allow private addresses</label>
      <p id={`${id}-meaning`} className={styles.hint}>
        Lets a set that comes from elsewhere read from this computer and its local network (localhost, 10.x, 192.168.x
        …). A hostile set could use that to knock at your own services, so switch it on only for sets you trust. It
        lasts until the tab is closed.
      </p>
    </div>
  );
}
