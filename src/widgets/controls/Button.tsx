import { type ComponentProps, useState } from "react";
import { copyText } from "./hand-out.ts";
import { useDelayed } from "../hooks.ts";
import styles from "./Button.module.css";
import { Icon } from "../Icon.tsx";

/** A button that submits no form. */
export const Button = (props: ComponentProps<"button">) => <button type="button" {...props} />;

/** One that looks like a link. */
export const LinkButton = (props: ComponentProps<"button">) => <Button data-kind="link" {...props} />;

/** One without a border. */
export const QuietButton = (props: ComponentProps<"button">) => <Button data-kind="quiet" {...props} />;

export interface CopyButtonProps {
  /** Text to copy; a function if making it costs something. */
  readonly text: string | (() => string | Promise<string>);
  /** Word for the text, for the name and the title: "key" gives "Copy key". */
  readonly what: string;
  /** Writes "Copy key" instead of showing an icon only. */
  readonly label?: boolean;
  /** Instead of the icon, where several copy buttons stand side by side. */
  readonly sign?: string;
}

type Outcome = "idle" | "copied" | "failed";

const SIGN: Readonly<Record<Outcome, string>> = {
  idle: "M3.5 3.5v-2h7v7h-2M1.5 3.5h7v7h-7z",
  copied: "M1.5 6.5l3 3l6-7",
  failed: "M2.5 2.5l7 7M9.5 2.5l-7 7",
};

/** Copies a value and says for a moment whether that worked. */
export function CopyButton({ text, what, label = false, sign }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>("idle");
  useDelayed(outcome, outcome === "idle" ? undefined : 1600, () => setOutcome("idle"));

  const copy = async () => {
    try {
      const copied = await copyText(typeof text === "string" ? text : await text());
      setOutcome(copied ? "copied" : "failed");
    } catch {
      setOutcome("failed");
    }
  };
  const said = sentence(outcome, what);
  return (
    <Button
      className={`inline-row gap-6 rigid quiet ${styles.copy}`}
      data-kind={label ? "plain" : "quiet"}
      data-outcome={outcome}
      aria-label={label ? undefined : said}
      title={said}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      {sign === undefined || outcome !== "idle" ? <Icon className={styles.icon} path={SIGN[outcome]} /> : sign}
      {label ? said : null}
    </Button>
  );
}

function sentence(outcome: Outcome, what: string): string {
  if (outcome === "copied") return "Copied";
  return outcome === "failed" ? "The browser blocked copying" : `Copy ${what}`;
}

/** A line of text that no browser completes, capitalises or corrects. */
export const TextField = (props: ComponentProps<"input">) => (
  <input type="text" autoComplete="off" autoCapitalize="off" spellCheck={false} {...props} />
);

/** A form that stays on the page. */
export function Form({ onSubmit, ...props }: Omit<ComponentProps<"form">, "onSubmit"> & { onSubmit: () => void }) {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}
