import { Component, type ReactNode } from "react";
import { finding, type Finding, WHOLE_SET } from "../core/findings/finding.ts";
import { ErrorNotice } from "../widgets/notes/Notices.tsx";
import { Button } from "../widgets/controls/Button.tsx";
import styles from "./App.module.css";

interface CrashBoundaryProps {
  /** Name of the contents: "the view Grid". */
  readonly what: string;
  readonly children: ReactNode;
}

interface CrashState {
  readonly crash: { readonly error: unknown } | undefined;
}

/** Keeps an error in one part from taking down the rest of the screen. React asks for a class here. */
export class CrashBoundary extends Component<CrashBoundaryProps, CrashState> {
  override state: CrashState = { crash: undefined };

  static getDerivedStateFromError(error: unknown): CrashState {
    return { crash: { error } };
  }

  override render(): ReactNode {
    const { what, children } = this.props;
    const { crash } = this.state;
    if (crash === undefined) return children;
    return (
      <div className={styles.crash}>
        <ErrorNotice error={drawingFailed(crash.error, what)} onRetry={() => this.setState({ crash: undefined })}>
          <Button onClick={() => location.reload()}>Reload the page</Button>
        </ErrorNotice>
      </div>
    );
  }
}

export function drawingFailed(error: unknown, part: string): Finding {
  return finding("drawing-failed", WHOLE_SET, {
    part,
    message: error instanceof Error ? error.message : String(error),
  });
}
