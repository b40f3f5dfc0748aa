/**
 * Changes of many references at once, and of templates: edits of the text where it is whole, of the table where not.
 */
import { attempt, byKind } from "#core/basics.ts";
import { type ReactNode, useId, useState } from "react";
import { type Finding, findingOfError } from "#core/findings/finding.ts";
import type { JsonMember, JsonNode } from "#core/json/json.ts";
import type { NodeSummary } from "#core/open-set.ts";
import { parseJson, parseJsonTree } from "#core/json/parse-json.ts";
import type { TableEdit, TextEdit } from "#core/studio.ts";
import type { EditState } from "#store/state.ts";
import { useActions, useApp, useAppState, useEngine } from "#store/react.tsx";
import { Dialog } from "#widgets/controls/Dialog.tsx";
import { ErrorNotice } from "#widgets/notes/Notices.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { Button, Form, TextField } from "#widgets/controls/Button.tsx";
import styles from "./TableEditsDialog.module.css";

// Text typed into the dialog, before it is a change.

type Change = TableEdit | { readonly kind: "template"; readonly name: string; readonly value: string };

/** Repairs set and remove many references at once; nobody types them. */
type Typed = Exclude<Change["kind"], "set-references" | "remove-references">;

interface Draft {
  readonly kind: Typed;
  /** Prefix, template name, key or path. */
  readonly what: string;
  /** New prefix, template text or reference; bytes later, and bytes longer where a second number follows. */
  readonly value: string;
}

interface TypedChange {
  readonly name: string;
  readonly meaning: string;
  /** Labels of its fields; some have no second one. */
  readonly what: string;
  readonly value?: string;
  readonly example?: string;
  readonly change: (what: string, value: string) => Change;
}

/** Changes that can be typed, in the order of the list. */
const CHANGES: Readonly<Record<Typed, TypedChange>> = {
  template: {
    name: "Override a template",
    meaning: "Every URL that uses the template changes with it. A new name is added.",
    what: "Template",
    value: "New text",
    change: (name, value) => ({ kind: "template", name, value }),
  },
  "replace-prefix": {
    name: "Replace a URL prefix",
    meaning: "In every URL that begins with it as written, {{…}} included, in refs, templates and gen.",
    what: "Prefix",
    value: "New prefix",
    change: (from, to) => ({ kind: "replace-prefix", from, to }),
  },
  "set-reference": {
    name: "Set a reference",
    meaning: "Sets the reference with this key in refs, or adds it.",
    what: "Key",
    value: "Reference",
    example: '["s3://bucket/file.nc", 4000, 1000]',
    change: (key, value) => ({ kind: "set-reference", key, value }),
  },
  "remove-reference": {
    name: "Remove a reference",
    meaning: "Takes the key out of refs. Keys that a gen makes are changed in the gen.",
    what: "Key",
    change: (key) => ({ kind: "remove-reference", key }),
  },
  "drop-array": {
    name: "Drop an array",
    meaning: "Takes the array's metadata and all its references out of refs.",
    what: "Array",
    change: (path) => ({ kind: "drop-array", path }),
  },
  "shift-ranges": {
    name: "Shift the ranges of an array",
    meaning:
      "Adds these bytes to the offset of every [url, offset, length] of the array's chunks, and after a comma to its length.",
    what: "Array",
    value: "Add to offset, length",
    example: "12, 0",
    change: (path, value) => ({ kind: "shift-ranges", path, ...(movesOf(value) ?? { shift: 0, lengthen: 0 }) }),
  },
};

const KINDS = Object.keys(CHANGES) as readonly Typed[];

export const changeOf = ({ kind, what, value }: Draft): Change => CHANGES[kind].change(what, value);

/** `12` or `12, 4`: whole numbers, either may be negative; `undefined` for anything else, and where nothing moves. */
function movesOf(text: string): { readonly shift: number; readonly lengthen: number } | undefined {
  const [, first, second = "0"] = /^\s*([+-]?\d+)\s*(?:[,\s]\s*([+-]?\d+)\s*)?$/.exec(text.replaceAll("−", "-")) ?? [];
  const [shift, lengthen] = [Number(first), Number(second)];
  const isUsable = Number.isSafeInteger(shift) && Number.isSafeInteger(lengthen) && (shift !== 0 || lengthen !== 0);
  return first !== undefined && isUsable ? { shift, lengthen } : undefined;
}

/** Why it cannot be applied yet: one sentence. An array at the root has no name. */
export function problemOf({ kind, what, value }: Draft, hasRootArray: boolean): string | undefined {
  const namesArray = kind === "drop-array" || kind === "shift-ranges";
  if (what === "" && !(namesArray && hasRootArray)) return "Fill in the first field.";
  if (kind === "shift-ranges" && movesOf(value) === undefined)
    return "Enter the bytes to add to each offset, then optionally a comma and the bytes to add to each length (12, or -4, 4).";
  if (kind !== "set-reference") return undefined;
  try {
    const reference = parseJson(value).value;
    if (typeof reference === "string" || reference instanceof Map) return undefined;
    if (Array.isArray(reference) && (reference.length === 1 || reference.length === 3)) return undefined;
    return 'A reference is ["url"], ["url", offset, length], a text, or an object.';
  } catch {
    return 'The reference must be JSON, such as ["s3://bucket/file.nc", 4000, 1000].';
  }
}

export interface TableEditsDialogProps {
  readonly onClose: () => void;
  /** One step to undo in the editor. */
  readonly applyToText: (edits: readonly TextEdit[], label: string) => void;
  /** The text as the editor has it now. */
  readonly text: () => string;
}

const isRootArray = ({ kind, path }: NodeSummary) => kind === "array" && path === "";

export function TableEditsDialog({ onClose, applyToText, text }: TableEditsDialogProps) {
  const edit = useAppState((state) => state.edit);
  const [templates] = useState(() => templatesIn(text()));
  const [draft, setDraft] = useState(() =>
    firstDraft(templates.length === 0 ? "replace-prefix" : "template", templates),
  );
  const { said, error, apply } = useApply(edit, applyToText, text);
  const formId = useId();
  const hasRootArray = useAppState(({ set }) => set?.nodes.some(isRootArray) === true);
  if (edit === undefined) return null;
  const problem = problemOf(draft, hasRootArray);
  const submit = () => {
    if (problem === undefined) void apply(changeOf(draft));
  };
  return (
    <Dialog
      title="Change references"
      onClose={onClose}
      footer={
        <button type="submit" form={formId} data-kind="primary" disabled={problem !== undefined} title={problem}>
          Apply
        </button>
      }
    >
      <Form id={formId} className={styles.form} onSubmit={submit}>
        <ChangeFields draft={draft} onDraft={setDraft} templates={templates} />
        <p role="status" className={styles.said}>
          {said}
        </p>
        {error === undefined ? null : <ErrorNotice error={error} />}
        <EditsSoFar edit={edit} />
      </Form>
    </Dialog>
  );
}

/** Nothing is applied silently: says what was done, or why not. */
function useApply(
  edit: EditState | undefined,
  applyToText: TableEditsDialogProps["applyToText"],
  text: TableEditsDialogProps["text"],
) {
  const { engine, actions } = useApp();
  const [said, setSaid] = useState("");
  const [error, setError] = useState<Finding>();
  const textEdits = async (change: TableEdit) => engine.call("edit.textEdits", { text: text(), edit: change });
  const apply = async (change: Change) => {
    setError(undefined);
    try {
      if (change.kind !== "template" && edit?.source.kind === "reduced") {
        // URLs of templates and gens are in the text, all others in the table.
        const inText = change.kind === "replace-prefix" ? await textEdits(change) : [];
        actions.editTable(change);
        if (inText.length > 0) applyToText(inText, editWords(change));
        setSaid(inTableWords(change, inText.length));
        return;
      }
      const edits =
        change.kind === "template" ? templateOverride(text(), change.name, change.value) : await textEdits(change);
      if (edits !== undefined && edits.length > 0) applyToText(edits, editWords(change));
      setSaid(saidOf(change, edits));
    } catch (thrown) {
      setError(findingOfError(thrown, editWords(change)));
    }
  };
  return { said, error, apply };
}

function saidOf(change: Change, edits: readonly TextEdit[] | undefined): string {
  if (edits === undefined) return "The text is not a valid JSON object. Fix it first.";
  if (edits.length === 0) return "Nothing in the text matches, so nothing changed.";
  return `${editWords(change)}: ${countOf(edits.length, "place")} in the text changed. Undo takes it back.`;
}

function effectOf({ answer, rendering }: EditState): string {
  if (rendering || answer === undefined) return "The result is being rendered…";
  const { added, changed, removed } = answer.changes;
  const [isNew, other, gone] = [added, changed, removed].map((count) => formatCount(count));
  return `All edits together, against the document as opened: ${isNew} new, ${other} changed, ${gone} removed.`;
}

function inTableWords(change: Change, places: number): string {
  const text = places === 0 ? "" : `, and ${countOf(places, "place")} in the text changed`;
  return `${editWords(change)}: applied to the table${text}. The result is shown below.`;
}

/** Edits of references that are in no text, with a way back. */
function EditsSoFar({ edit }: { readonly edit: EditState }): ReactNode {
  const actions = useActions();
  if (edit.source.kind === "whole") return null;
  return (
    <section aria-label="Edits so far" className={`grid gap-6 ${styles.section}`}>
      <h3>Edits so far</h3>
      {edit.edits.length === 0 ? <p className="quiet">None yet.</p> : null}
      <ol className={styles.edits}>
        {edit.edits.map((one, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- they are only ever added and taken away at the end
          <li key={place}>{editWords(one)}</li>
        ))}
      </ol>
      <p className="quiet">{effectOf(edit)}</p>
      <div className="flex gap-6">
        <Button disabled={edit.edits.length === 0} onClick={actions.undoTableEdit}>
          Undo the last
        </Button>
        <Button disabled={edit.undone.length === 0} onClick={actions.redoTableEdit}>
          Redo
        </Button>
      </div>
    </section>
  );
}

// A change in words: for lists and for the names of undo steps.

export function editWords(change: Change): string {
  return byKind(change, {
    template: ({ name }) => `Override the template ${name}`,
    "replace-prefix": ({ from, to }) => `Replace the prefix ${from} with ${to === "" ? "nothing" : to}`,
    "set-reference": ({ key }) => `Set ${key}`,
    "set-references": ({ values }) => `Set ${countOf(values.length, "reference")}${firstWords(values[0]?.[0])}`,
    "remove-references": ({ keys }) => `Remove ${countOf(keys.length, "reference")}${firstWords(keys[0])}`,
    "remove-reference": ({ key }) => `Remove ${key}`,
    "drop-array": ({ path }) => `Drop the array ${arrayName(path)}`,
    "shift-ranges": (shift) => `Ranges of ${arrayName(shift.path)}: ${movedWords(shift)}`,
  });
}

const firstWords = (key: string | undefined): string => (key === undefined ? "" : `, first ${key}`);

const arrayName = (path: string): string => (path === "" ? "/" : path);

/** `12 bytes later, 4 bytes longer` */
function movedWords({ shift, lengthen }: { readonly shift: number; readonly lengthen: number }): string {
  const words = [
    ...(shift === 0 ? [] : [`${bytesOf(shift)} ${shift > 0 ? "later" : "earlier"}`]),
    ...(lengthen === 0 ? [] : [`${bytesOf(lengthen)} ${lengthen > 0 ? "longer" : "shorter"}`]),
  ];
  return words.length === 0 ? "as they are" : words.join(", ");
}

const bytesOf = (count: number): string => countOf(Math.abs(count), "byte");

// The fields of one change.

interface ChangeFieldsProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly templates: readonly TemplateText[];
}

function ChangeFields({ draft, onDraft, templates }: ChangeFieldsProps) {
  const id = useId();
  return (
    <div className={styles.fields}>
      <label htmlFor={`${id}-kind`}>Change</label>
      <select
        id={`${id}-kind`}
        value={draft.kind}
        onChange={(event) => {
          const kind = KINDS.find((one) => one === event.target.value) ?? "template";
          onDraft(firstDraft(kind, templates));
        }}
      >
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {CHANGES[kind].name}
          </option>
        ))}
      </select>
      <p className={styles.hint}>{CHANGES[draft.kind].meaning}</p>
      <WhatField id={id} draft={draft} onDraft={onDraft} templates={templates} />
      <ValueField id={id} draft={draft} onDraft={onDraft} />
    </div>
  );
}

function firstDraft(kind: Typed, [first]: readonly TemplateText[]): Draft {
  const { name, value } = (kind === "template" ? first : undefined) ?? { name: "", value: "" };
  return { kind, what: name, value };
}

function WhatField({ id, draft, onDraft, templates }: ChangeFieldsProps & { readonly id: string }) {
  const options = useOptions(draft.kind, templates);
  return (
    <>
      <label htmlFor={`${id}-what`}>{CHANGES[draft.kind].what}</label>
      <TextField
        id={`${id}-what`}
        data-autofocus
        list={`${id}-options`}
        value={draft.what}
        onChange={({ target }) => {
          const template = templates.find(({ name }) => name === target.value);
          const value = draft.kind === "template" && template !== undefined ? template.value : draft.value;
          onDraft({ ...draft, what: target.value, value });
        }}
      />
      <datalist id={`${id}-options`}>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </datalist>
    </>
  );
}

/** Texts that may be typed: template names, arrays, beginnings of URLs, the folders of the most used targets. */
function useOptions(kind: Draft["kind"], templates: readonly TemplateText[]): readonly string[] {
  const set = useAppState((state) => state.set);
  const wanted = kind === "replace-prefix" && set !== undefined;
  const { data } = useEngine("set.overview", wanted ? { set: set.id, path: "" } : undefined);
  if (kind === "template") return templates.map(({ name }) => name);
  if (kind === "drop-array" || kind === "shift-ranges")
    return (set?.nodes ?? []).filter((node) => node.kind === "array").map(({ path }) => path);
  if (kind !== "replace-prefix") return [];
  // Targets are rendered: where there are templates they are not what is written.
  if (templates.length > 0) return templates.flatMap(({ name, value }) => [`{{${name}}}`, value]);
  return [...new Set((data?.targets ?? []).map(({ url }) => url.slice(0, url.lastIndexOf("/") + 1)))].slice(0, 20);
}

function ValueField({ id, draft, onDraft }: Omit<ChangeFieldsProps, "templates"> & { readonly id: string }) {
  const { value: label, example } = CHANGES[draft.kind];
  if (label === undefined) return null;
  const problem = draft.value === "" ? undefined : problemOf(draft, true);
  return (
    <>
      <label htmlFor={`${id}-value`}>{label}</label>
      <div className={styles.value}>
        <TextField
          id={`${id}-value`}
          value={draft.value}
          placeholder={example}
          aria-describedby={`${id}-problem`}
          onChange={({ target }) => onDraft({ ...draft, value: target.value })}
        />
        <p id={`${id}-problem`} className={`bad size-12 ${styles.problem}`}>
          {problem}
        </p>
      </div>
    </>
  );
}

// Giving a template another text, as an edit of the document.

interface TemplateText {
  readonly name: string;
  readonly value: string;
}

const membersOf = (node: JsonNode | undefined): readonly JsonMember[] => (node?.kind === "object" ? node.members : []);

function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return membersOf(node).findLast((member) => member.key === key)?.node;
}

/** The templates of a document; none where it cannot be read. */
export function templatesIn(text: string): readonly TemplateText[] {
  return membersOf(memberOf(rootOf(text), "templates")).flatMap(({ key, node }) =>
    node.kind === "scalar" && typeof node.value === "string" ? [{ name: key, value: node.value }] : [],
  );
}

/** `undefined` where the document cannot be read, or is not an object. */
export function templateOverride(text: string, name: string, value: string): readonly TextEdit[] | undefined {
  const root = rootOf(text);
  if (root?.kind !== "object") return undefined;
  const written = JSON.stringify(value);
  const templates = memberOf(root, "templates");
  const there = memberOf(templates, name);
  if (there !== undefined) return [{ start: there.start, end: there.end, text: written }];
  const member = `${JSON.stringify(name)}: ${written}`;
  if (templates?.kind === "object") return [firstMember(templates, member)];
  return [firstMember(root, `"templates": {${member}}`)];
}

function firstMember(object: JsonNode, member: string): TextEdit {
  const at = object.start + 1;
  return { start: at, end: at, text: membersOf(object).length === 0 ? member : `${member}, ` };
}

function rootOf(text: string): JsonNode | undefined {
  return attempt(() => parseJsonTree(text).root);
}
