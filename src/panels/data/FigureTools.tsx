/** What belongs to the figure, among the tools of the view. */
import type { ReactNode } from "react";
import { createPortal } from "react-dom";

interface FigureToolsProps {
  /** `null` until it is on the screen. */
  readonly place: HTMLElement | null;
  readonly children: ReactNode;
}

export const FigureTools = ({ place, children }: FigureToolsProps) =>
  place === null ? null : createPortal(children, place);
