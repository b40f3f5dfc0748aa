import { Component, type ReactNode } from "react";
import { toErrorFields } from "../core/errors.ts";
import { ErrorNotice } from "../widgets/ErrorNotice.tsx";
import styles from "./CrashBoundary.module.css";

interface CrashBoundaryProps {
  /** What is drawn inside: "the view Grid". */
  readonly what: string;
  readonly children: ReactNode;
}

interface CrashState {
  readonly crash: { readonly error: unknown } | undefined;
}

/** Keeps a fault of one part from taking the rest of the screen with it. React asks for a class here. */
export class CrashBoundary extends Component<CrashBoundaryProps, CrashState> {
  override state: CrashState = { crash: undefined };

  static getDerivedStateFromError(error: unknown): CrashState {
    return { crash: { error } };
  }

  override render(): ReactNode {
    const { what, children } = this.props;
    const { crash } = this.state;
    if (crash === undefined) return children;
    const fields = { ...toErrorFields(crash.error, `Drawing ${what}`), advice: ADVICE };
    return (
      <div className={styles.crash}>
        <ErrorNotice
          error={fields}
          onRetry={() => {
            this.setState({ crash: undefined });
          }}
        >
          <button
            type="button"
            onClick={() => {
              location.reload();
            }}
          >
            Reload the page
          </button>
        </ErrorNotice>
      </div>
    );
  }
}

const ADVICE =
  "This is a fault of Refscope, not of your data. Reloading opens the same set at the same place if it has a URL; files have to be given again.";
