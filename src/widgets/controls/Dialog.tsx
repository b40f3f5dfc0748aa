import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { QuietButton } from "./Button.tsx";
import styles from "./Dialog.module.css";

/** The view behind a dialog, or the field of the start page. */
const mainPart = () =>
  [...document.querySelectorAll<HTMLElement>("main [data-autofocus], main [role=tabpanel]")].find((one) =>
    one.checkVisibility(),
  );

export interface DialogProps {
  /** Heading and name of the dialog. */
  readonly title: string;
  /** Asked for by Escape, the Close button or a click beside the dialog: unmount it then. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the lower edge. */
  readonly footer?: ReactNode;
  readonly size?: "small" | "normal" | "wide";
  /** Only spoken, for dialogs whose content is its own heading. */
  readonly hideTitle?: boolean;
  /** Nothing in it can be focused: it is itself, so that the keys scroll it. */
  readonly isText?: boolean;
}

/**
 * A modal dialog while it is mounted; focus goes in (to what has `data-autofocus`, if anything), is kept, and returns.
 */
export function Dialog({ title, onClose, children, footer, size = "normal", ...is }: DialogProps) {
  const { hideTitle = false, isText = false } = is;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The browser focuses the first control, which is Close; often another one is meant.
    element?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => {
      element?.close();
      // Focus returns to where it was. If that was nowhere, it goes into the view, whose keys work then.
      const { activeElement } = document;
      if (activeElement === document.body || element?.contains(activeElement) === true) mainPart()?.focus();
    };
  }, []);

  return (
    // A click on the backdrop reaches the dialog itself, one inside it reaches its content.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/no-noninteractive-element-interactions -- Escape does the same
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-size={size}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className={styles.frame}>
        <header className={styles.head} data-hidden={hideTitle}>
          <h2 id={titleId} className="heading">
            {title}
          </h2>
          {hideTitle ? null : <QuietButton onClick={onClose}>Close</QuietButton>}
        </header>
        {isText ? (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- or the keyboard could not scroll it
          <div className={styles.body} role="region" aria-labelledby={titleId} tabIndex={0} data-autofocus>
            {children}
          </div>
        ) : (
          <div className={styles.body}>{children}</div>
        )}
        {footer === undefined ? null : <footer className={styles.foot}>{footer}</footer>}
      </div>
    </dialog>
  );
}
