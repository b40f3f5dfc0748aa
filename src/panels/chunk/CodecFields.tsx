import { useId, useState } from "react";
import type { CodecField } from "../../core/lab.ts";
import { memberText, withMember } from "./codec-fields.ts";
import styles from "./TrialPanel.module.css";

interface CodecFieldsProps {
  /** The codec's. */
  readonly id: string;
  readonly fields: readonly CodecField[];
  /** JSON text. */
  readonly configuration: string;
  readonly onConfiguration: (configuration: string) => void;
}

/** The parameters that decoding depends on, where the codec is known; they are members of the text below. */
export function CodecFields({ id, fields, configuration, onConfiguration }: CodecFieldsProps) {
  return (
    <>
      {fields.map((field) => (
        <Field key={field.name} codec={id} {...{ field, configuration, onConfiguration }} />
      ))}
    </>
  );
}

interface FieldProps extends Omit<CodecFieldsProps, "id" | "fields"> {
  readonly codec: string;
  readonly field: CodecField;
}

function Field({ codec, field, configuration, onConfiguration }: FieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const value = memberText(configuration, field.name);
  const wrong = typed !== undefined && withMember(configuration, field, typed) === undefined;
  const set = (text: string) => {
    setTyped(text);
    const next = withMember(configuration, field, text);
    if (next !== undefined) onConfiguration(next);
  };
  const common = { id, "aria-label": `${field.name} of ${codec}` };
  return (
    <span className={styles.field}>
      <label htmlFor={id}>{field.name}</label>
      {field.only === true ? (
        <select {...common} value={value} onChange={({ target }) => set(target.value)}>
          {[...new Set(["", ...field.often, value])].map((option) => (
            <option key={option} value={option}>
              {option === "" ? "not set" : option}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          type="text"
          list={`${id}-often`}
          size={Math.max(4, Math.min(12, value.length + 2))}
          aria-invalid={wrong}
          title={wrong ? "Type a number here, or JSON in the text below" : undefined}
          value={typed ?? value}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => set(target.value)}
          onBlur={() => setTyped(undefined)}
        />
      )}
      <datalist id={`${id}-often`}>
        {field.often.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </datalist>
    </span>
  );
}
