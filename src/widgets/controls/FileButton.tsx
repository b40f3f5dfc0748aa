import { useRef, type ChangeEvent } from "react";
import { Button } from "./Button.tsx";

export interface FileButtonProps {
  readonly text: string;
  readonly title?: string;
  readonly primary?: boolean;
  readonly multiple?: boolean;
  /** Whole folders are picked, with all that is in them. */
  readonly folder?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Not in React's types. */
const FOLDER = { webkitdirectory: "" };

/** A button that opens the system's file picker. */
export function FileButton(props: FileButtonProps) {
  const { text, title, primary = false, multiple = false, folder = false, onFiles } = props;
  const input = useRef<HTMLInputElement>(null);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])];
    // The same file may be chosen again.
    target.value = "";
    if (files.length > 0) onFiles(files);
  };
  return (
    <>
      <Button title={title} {...(primary ? { "data-kind": "primary" } : {})} onClick={() => input.current?.click()}>
        {text}
      </Button>
      <input ref={input} type="file" hidden multiple={multiple} {...(folder ? FOLDER : {})} onChange={onChange} />
    </>
  );
}
