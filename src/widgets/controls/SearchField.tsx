import type { KeyboardEvent, Ref } from "react";

export interface SearchFieldProps {
  /** Its name; also the placeholder unless another is given. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  /** Keys beyond typing: arrows into the list below. Escape clears the field first. */
  readonly onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  readonly inputRef?: Ref<HTMLInputElement>;
  /** Class in place of the width of its container. */
  readonly className?: string | undefined;
}

/** A field that filters what is beside it. */
export function SearchField(props: SearchFieldProps) {
  const { label, value, onChange, placeholder = `${label}…`, onKeyDown, inputRef, className = "narrow full" } = props;
  return (
    <input
      ref={inputRef}
      className={className}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape" && value !== "") {
          event.preventDefault();
          event.stopPropagation();
          onChange("");
        } else onKeyDown?.(event);
      }}
    />
  );
}
