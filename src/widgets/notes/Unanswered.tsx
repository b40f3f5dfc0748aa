import { EmptyState } from "./EmptyState.tsx";
import { ErrorNotice, type ErrorNoticeProps } from "./ErrorNotice.tsx";
import { Loading, type LoadingProps } from "./Loading.tsx";
import { Button } from "../controls/Button.tsx";

interface UnansweredProps {
  readonly answer: Pick<LoadingProps, "progress"> & {
    readonly error: ErrorNoticeProps["error"] | undefined;
    readonly cancelled: boolean;
    readonly retry: () => void;
    readonly cancel: () => void;
  };
  /** What is under way: "Counting references". */
  readonly label: string;
  /** Where it may be cancelled: the words for that, and for the button that asks again. */
  readonly cancelled?: readonly [title: string, again: string];
}

/** In place of an answer that is not here: it is under way, was cancelled, or failed. */
export function Unanswered({ answer, label, cancelled }: UnansweredProps) {
  const { error, progress, retry, cancel } = answer;
  if (answer.cancelled && cancelled !== undefined)
    return (
      <EmptyState title={cancelled[0]}>
        <Button onClick={retry}>{cancelled[1]}</Button>
      </EmptyState>
    );
  if (error !== undefined) return <ErrorNotice error={error} onRetry={retry} />;
  return <Loading label={label} progress={progress} onCancel={cancelled && cancel} />;
}
