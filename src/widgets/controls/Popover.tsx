/** A button that opens a small panel below it. Escape and a press elsewhere close it; focus goes back to the button. */
import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { Button } from "./Button.tsx";
import styles from "./Popover.module.css";

export interface PopoverProps {
  readonly label: ReactNode;
  /** Name of the panel. */
  readonly title: string;
  /** The button stands out, because something is chosen in the panel. */
  readonly marked?: boolean;
  readonly align?: "start" | "end";
  /** An arrow after the label: not where the label is a sign itself. */
  readonly arrow?: boolean;
  readonly children: ReactNode;
}

export function Popover({ label, title, marked = false, align = "start", arrow = true, children }: PopoverProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open) return undefined;
    root.current?.querySelector<HTMLElement>("input, [tabindex='0'], button:not([aria-expanded])")?.focus();
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      // A field in the panel may take Escape for itself.
      if (event.key !== "Escape" || event.defaultPrevented) return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("pointerdown", onPress);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("pointerdown", onPress);
      document.removeEventListener("keydown", onKey);
    };
  }, [open]);
  return (
    <div className={styles.root} ref={root}>
      <Button
        ref={button}

        className={styles.button}
        aria-expanded={open}
        aria-haspopup="dialog"
        aria-controls={open ? id : undefined}
        data-marked={marked}
        onClick={() => setOpen(!open)}
      >
        {label}
        {arrow ? <span aria-hidden="true"> ▾</span> : null}
      </Button>
      {open ? (
        <div id={id} role="dialog" aria-label={title} className={styles.panel} data-align={align}>
          {children}
        </div>
      ) : null}
    </div>
  );
}
