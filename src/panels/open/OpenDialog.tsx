import { Fragment, type ReactNode, useId, useState } from "react";
import { groupedBy } from "#core/basics.ts";
import { type Finding, findingOfError } from "#core/findings/finding.ts";
import type { Credential, Locations, RewriteRule } from "#core/byte-source.ts";
import { useActions, useAppState } from "#store/react.tsx";
import { Dialog } from "#widgets/controls/Dialog.tsx";
import { ErrorNotice } from "#widgets/notes/Notices.tsx";
import { TabPanel, Tabs } from "#widgets/controls/Tabs.tsx";
import { Button, Form, QuietButton, TextField } from "#widgets/controls/Button.tsx";
import styles from "./OpenDialog.module.css";
import { OpenForm } from "./OpenForm.tsx";

export type OpenPage = "open" | "locations";

export interface OpenDialogProps {
  readonly page: OpenPage;
  /** Prefix of targets that the Locations page begins with rows for. */
  readonly prefix: string | undefined;
  readonly onPage: (page: OpenPage) => void;
  readonly onClose: () => void;
  /** The samples, below the form. */
  readonly children?: ReactNode;
}

const PAGES = [
  { id: "open", label: "Open" },
  { id: "locations", label: "Locations" },
] as const;

/** Opening another set while one is open, and saying where targets are. */
export function OpenDialog({ page, prefix, onPage, onClose, children }: OpenDialogProps) {
  return (
    <Dialog title={page === "open" ? "Open a dataset" : "Locations of source files"} onClose={onClose} size="wide">
      <div className={styles.tabs}>
        <Tabs label="Open and locations" tabs={PAGES} selected={page} onSelect={onPage} idBase="open" size="small" />
      </div>
      <TabPanel idBase="open" id={page}>
        {page === "open" ? (
          <div className={styles.open}>
            <OpenForm onOpening={onClose} />
            {children}
          </div>
        ) : (
          <LocationsForm prefix={prefix} onClose={onClose} />
        )}
      </TabPanel>
    </Dialog>
  );
}

/** Places to read targets from: rewrite rules, the meaning of null URLs, region, credentials, private addresses. */
function LocationsForm({ prefix, onClose }: Pick<OpenDialogProps, "prefix" | "onClose">) {
  const actions = useActions();
  const locations = useAppState((state) => state.locations);
  const [draft, setDraft] = useState(() =>
    prefix === undefined ? draftOf(locations) : offeredDraft(draftOf(locations), prefix),
  );
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
      onClose();
    } catch (error) {
      setFailure(findingOfError(error, "Applying the locations"));
    }
  };
  return (
    <Form className={styles.form} onSubmit={() => void apply()}>
      <RowsTable {...RULES} rows={draft.rules} onChange={(rules) => change({ rules })} />
      <Places draft={draft} onChange={change} />
      <RowsTable {...CREDENTIALS} rows={draft.credentials} onChange={(credentials) => change({ credentials })} />
      <PrivateAddresses draft={draft} onChange={change} />
      <ul className={`if-any grid gap-4 bad ${styles.problems}`} role="alert">
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
      {failure === undefined ? null : <ErrorNotice error={failure} />}
      <div className="flex gap-8">
        <button type="submit" data-kind="primary">
          Apply
        </button>
        <Button onClick={onClose}>Discard changes</Button>
      </div>
    </Form>
  );
}

interface PartProps {
  readonly draft: LocationsDraft;
  readonly onChange: (part: Partial<LocationsDraft>) => void;
}

const PLACES = [
  { member: "target", label: "Source file for null URLs", placeholder: "https://… (what fsspec calls target)" },
  { member: "region", label: "AWS region of s3:// sources", placeholder: "unknown: the global endpoint is used" },
] as const;

function Places({ draft, onChange }: PartProps) {
  const id = useId();
  return (
    <div className={styles.places}>
      {PLACES.map(({ member, label, placeholder }) => (
        <Fragment key={member}>
          <label htmlFor={`${id}-${member}`}>{label}</label>
          <TextField
            id={`${id}-${member}`}
            value={draft[member]}
            placeholder={placeholder}
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
        onChange={(event) => onChange({ allowPrivate: event.target.checked })}
      />
      <label htmlFor={id}>Allow private addresses</label>
      <p id={`${id}-meaning`} className="quiet">
        Lets a dataset from elsewhere read from this computer and its local network (localhost, 10.x, 192.168.x …). A
        malicious dataset could use this to reach services on your network. Turn it on only for datasets you trust. It
        lasts until the tab is closed.
      </p>
    </div>
  );
}

interface RowsTable<Member extends string> {
  readonly title: string;
  readonly hint: string;
  readonly empty: string;
  readonly add: string;
  readonly columns: readonly Column<Member>[];
  /** Initial values of a new row. */
  readonly begun: Readonly<Record<Member, string>>;
}

interface Column<Member extends string> {
  readonly member: Member;
  readonly head: string;
  /** Name of its fields. */
  readonly label: string;
  readonly placeholder: string;
  readonly secret?: true;
  /** True for the field that takes the focus in a row that was begun for the user. */
  readonly first?: true;
}

/** "Read this prefix from there." */
const RULES: RowsTable<"from" | "to"> = {
  title: "Rewrite rules",
  hint: "Sources whose URL begins with the left side are read from the right side instead; the longest match wins. Remembered on this computer.",
  empty: "No rules: sources are read from where the dataset says.",
  add: "Add a rule",
  columns: [
    { member: "from", head: "Sources that begin with", label: "From prefix", placeholder: "s3://bucket/" },
    { member: "to", head: "are read from", label: "To prefix", placeholder: "https://…/", first: true },
  ],
  begun: { from: "", to: "" },
};

/** A request header for one URL prefix. */
const CREDENTIALS: RowsTable<"prefix" | "name" | "value"> = {
  title: "Credentials",
  hint: "A request header for one URL prefix. Kept in memory until you close the tab, sent only to this prefix, never part of a link.",
  empty: "None. Requests carry no credentials and no cookies.",
  add: "Add a credential",
  columns: [
    { member: "prefix", head: "URL prefix", label: "URL prefix", placeholder: "https://data.example/" },
    { member: "name", head: "Header", label: "Header name", placeholder: "Authorization" },
    { member: "value", head: "Value", label: "Header value", placeholder: "Bearer …", secret: true },
  ],
  begun: { prefix: "", name: "Authorization", value: "" },
};

interface RowsTableProps<Member extends string> extends RowsTable<Member> {
  readonly rows: readonly RowOf<Member>[];
  readonly onChange: (rows: readonly RowOf<Member>[]) => void;
}

function RowsTable<Member extends string>(props: RowsTableProps<Member>) {
  const { title, columns, rows, onChange } = props;
  return (
    <section className="grid leading gap-6" aria-label={title}>
      <h3 className="heading">{title}</h3>
      <p className="quiet">{props.hint}</p>
      {rows.length === 0 ? (
        <p className="faint">{props.empty}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map(({ head }) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              <th scope="col">
                <span className="unseen">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                {columns.map(({ member, label, placeholder, secret, first }) => (
                  <td key={member}>
                    <input
                      className="full"
                      type={secret === true ? "password" : "text"}
                      aria-label={label}
                      value={row[member]}
                      placeholder={placeholder}
                      spellCheck={false}
                      data-autofocus={first === true && row.offered === true ? "" : undefined}
                      autoComplete={secret === true ? "new-password" : "off"}
                      onChange={({ target: { value } }) =>
                        onChange(rows.map((one) => (one.id === row.id ? { ...row, [member]: value } : one)))
                      }
                    />
                  </td>
                ))}
                <td>
                  <QuietButton onClick={() => onChange(rows.filter((one) => one !== row))}>Remove</QuietButton>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Button onClick={() => onChange([...rows, { id: freshId(rows), ...props.begun }])}>{props.add}</Button>
    </section>
  );
}

// Locations while they are edited: rows of text, and what they mean once they are complete.

type RowOf<Member extends string> = Readonly<Record<Member, string>> & {
  readonly id: number;
  /** Begun for the user: it means nothing until the rest is filled in. */
  readonly offered?: true;
};
type RuleRow = RowOf<"from" | "to">;
type CredentialRow = RowOf<"prefix" | "name" | "value">;

interface LocationsDraft {
  readonly rules: readonly RuleRow[];
  readonly credentials: readonly CredentialRow[];
  readonly target: string;
  readonly region: string;
  readonly allowPrivate: boolean;
}

export function draftOf(locations: Locations): LocationsDraft {
  const credentials = locations.credentials.flatMap(({ prefix, headers }) =>
    headers.map(([name, value]) => ({ prefix, name, value })),
  );
  return {
    rules: locations.rewrites.map(({ from, to }, id) => ({ id, from, to })),
    credentials: credentials.map((row, id) => ({ id, ...row })),
    target: locations.target ?? "",
    region: locations.region ?? "",
    allowPrivate: locations.allowPrivate,
  };
}

/** The draft with a rule begun for a prefix that targets have, and a credential where it is one of HTTP. */
export function offeredDraft(draft: LocationsDraft, prefix: string): LocationsDraft {
  const { rules, credentials } = draft;
  const rule = { id: freshId(rules), from: prefix, to: "", offered: true } as const;
  const credential = { id: freshId(credentials), prefix, name: "Authorization", value: "", offered: true } as const;
  const isKnown = credentials.some((row) => row.prefix === prefix);
  return {
    ...draft,
    rules: rules.some(({ from }) => from === prefix) ? rules : [...rules, rule],
    credentials: isKnown || !/^https?:\/\//i.test(prefix) ? credentials : [...credentials, credential],
  };
}

/** Without rows prepared for the user and left as they were. */
function withoutOffers({ rules, credentials, ...rest }: LocationsDraft): LocationsDraft {
  return {
    ...rest,
    rules: rules.filter(({ offered, to }) => offered === undefined || to.trim() !== ""),
    credentials: credentials.filter(({ offered, value }) => offered === undefined || value.trim() !== ""),
  };
}

/** An id that no row has. */
export function freshId(rows: readonly { readonly id: number }[]): number {
  return rows.reduce((highest, row) => Math.max(highest, row.id), -1) + 1;
}

/** Locations of the draft; wholly empty rows are ignored. */
export function locationsOf(written: LocationsDraft): Locations {
  const draft = withoutOffers(written);
  return {
    rewrites: draft.rules.map(trimmedRule).filter((rule) => rule.from !== "" || rule.to !== ""),
    credentials: byPrefix(draft.credentials),
    target: draft.target.trim() === "" ? undefined : draft.target.trim(),
    region: draft.region.trim() === "" ? undefined : draft.region.trim(),
    allowPrivate: draft.allowPrivate,
  };
}

/** Problems of the draft, a sentence each; it may be applied only if there are none. */
export function draftProblems(written: LocationsDraft): readonly string[] {
  const draft = withoutOffers(written);
  const froms = draft.rules.map((rule) => rule.from.trim()).filter((from) => from !== "");
  return [
    ...draft.rules.map(ruleProblem),
    ...froms.filter((from, at) => froms.indexOf(from) < at).map((from) => `Two rules begin with “${from}”: keep one.`),
    ...draft.credentials.map(credentialProblem),
    regionProblem(draft.region.trim()),
  ].filter((problem) => problem !== undefined);
}

const trimmedRule = ({ from, to }: RuleRow): RewriteRule => ({ from: from.trim(), to: to.trim() });

function ruleProblem(row: RuleRow): string | undefined {
  const { from, to } = trimmedRule(row);
  if (from === "" && to !== "") return `The rule that reads from “${to}” lacks the prefix to replace.`;
  if (from !== "" && to === "") return `The rule for “${from}” lacks the prefix to read from.`;
  return undefined;
}

/** RFC 9110 §5.1: a field name is a token. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

function credentialProblem({ prefix, name, value }: CredentialRow): string | undefined {
  if (prefix.trim() === "" && name.trim() === "" && value === "") return undefined;
  if (!/^https?:\/\/[^/]/.test(prefix.trim()))
    return `The credential's prefix “${prefix}” must be a URL prefix that begins with https:// and names a host.`;
  if (!HEADER_NAME.test(name.trim())) return `“${name}” is not a header name, such as Authorization.`;
  if (value.trim() === "") return `The header ${name.trim()} for ${prefix.trim()} has no value.`;
  // oxlint-disable-next-line no-control-regex -- these are what a header value must not hold
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)) return `The value of ${name.trim()} holds a control character.`;
  return undefined;
}

function regionProblem(region: string): string | undefined {
  if (region === "" || /^[a-z0-9-]+$/.test(region)) return undefined;
  return `“${region}” is not an AWS region, such as eu-central-1.`;
}

function byPrefix(rows: readonly CredentialRow[]): readonly Credential[] {
  const named = groupedBy(rows, ({ prefix }) => prefix.trim());
  named.delete("");
  return [...named].map(([prefix, list]) => ({
    prefix,
    headers: list.map(({ name, value }) => [name.trim(), value.trim()] as const),
  }));
}
