import styles from "./FilterBar.module.css";

interface TextFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field that filters while one types; Escape empties it. */
export function TextFilter({ label, value, onChange }: TextFilterProps) {
  return (
    <input
      type="search"
      className={styles.text}
      aria-label={label}
      placeholder={`${label}…`}
      value={value}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      onChange={(event) => {
        onChange(event.target.value);
      }}
    />
  );
}
