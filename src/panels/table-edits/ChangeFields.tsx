/** The fields of one change. */
import { useId } from "react";
import { useAppState, useEngine } from "../../store/react.tsx";
import { CHANGE_NAMES, problemOf, type Draft } from "./change-draft.ts";
import type { TemplateText } from "./template-override.ts";
import styles from "./TableEditsDialog.module.css";

export interface ChangeFieldsProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly templates: readonly TemplateText[];
}

export function ChangeFields({ draft, onDraft, templates }: ChangeFieldsProps) {
  const id = useId();
  return (
    <div className={styles.fields}>
      <label htmlFor={`${id}-kind`}>Change</label>
      <select
        id={`${id}-kind`}
        value={draft.kind}
        onChange={(event) => {
          const kind = CHANGE_NAMES.find(([one]) => one === event.target.value)?.[0] ?? "template";
          onDraft({ kind, ...firstFields(kind, templates) });
        }}
      >
        {CHANGE_NAMES.map(([kind, name]) => (
          <option key={kind} value={kind}>
            {name}
          </option>
        ))}
      </select>
      <p className={styles.hint}>{MEANING[draft.kind]}</p>
      <WhatField id={id} draft={draft} onDraft={onDraft} templates={templates} />
      <ValueField id={id} draft={draft} onDraft={onDraft} />
    </div>
  );
}

function firstFields(kind: Draft["kind"], [first]: readonly TemplateText[]): Pick<Draft, "what" | "value"> {
  if (kind === "template" && first !== undefined) return { what: first.name, value: first.value };
  return { what: "", value: "" };
}

const MEANING: Readonly<Record<Draft["kind"], string>> = {
  template: "Every URL that uses the template changes with it. A new name is added.",
  "replace-prefix": "In every URL that begins with it as written, {{…}} included, in refs, templates and gen.",
  "set-reference": "Sets the reference with this key in refs, or adds it.",
  "remove-reference": "Takes the key out of refs. Keys that a gen makes are changed in the gen.",
  "drop-array": "Takes the array's metadata and all its references out of refs.",
  "shift-ranges":
    "Adds these bytes to the offset of every [url, offset, length] of the array's chunks, and after a comma to its length.",
};

const WHAT: Readonly<Record<Draft["kind"], string>> = {
  template: "Template",
  "replace-prefix": "Prefix",
  "set-reference": "Key",
  "remove-reference": "Key",
  "drop-array": "Array",
  "shift-ranges": "Array",
};

interface FieldProps extends Pick<ChangeFieldsProps, "draft" | "onDraft"> {
  readonly id: string;
}

function WhatField({ id, draft, onDraft, templates }: FieldProps & Pick<ChangeFieldsProps, "templates">) {
  const options = useOptions(draft.kind, templates);
  return (
    <>
      <label htmlFor={`${id}-what`}>{WHAT[draft.kind]}</label>
      <input
        id={`${id}-what`}
        data-autofocus
        list={`${id}-options`}
        value={draft.what}
        autoComplete="off"
        spellCheck={false}
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

/** What may be typed: template names, arrays, what URLs are written with, the folders of the most used targets. */
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

const VALUE: Readonly<Partial<Record<Draft["kind"], string>>> = {
  template: "New text",
  "replace-prefix": "New prefix",
  "set-reference": "Reference",
  "shift-ranges": "Add to offset, length",
};

const EXAMPLE: Readonly<Partial<Record<Draft["kind"], string>>> = {
  "set-reference": '["s3://bucket/file.nc", 4000, 1000]',
  "shift-ranges": "12, 0",
};

function ValueField({ id, draft, onDraft }: FieldProps) {
  const label = VALUE[draft.kind];
  if (label === undefined) return null;
  const problem = draft.value === "" ? undefined : problemOf(draft, true);
  return (
    <>
      <label htmlFor={`${id}-value`}>{label}</label>
      <div className={styles.value}>
        <input
          id={`${id}-value`}
          value={draft.value}
          placeholder={EXAMPLE[draft.kind]}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${id}-problem`}
          onChange={({ target }) => onDraft({ ...draft, value: target.value })}
        />
        <p id={`${id}-problem`} className={styles.problem}>
          {problem}
        </p>
      </div>
    </>
  );
}
