/** The bar above a view: the page puts the name and the tabs there, the view its facts and its tools. */
import { createContext, useContext, type ReactNode } from "react";
import { createPortal } from "react-dom";

export type BarPart = "facts" | "tools";

/** Places of a view's parts on the page. */
export type BarPlaces = Readonly<Record<BarPart, HTMLElement | null>>;

export const ViewBarPlaces = createContext<BarPlaces>({ facts: null, tools: null });

export function InBar({ part, children }: { readonly part: BarPart; readonly children: ReactNode }) {
  const place = useContext(ViewBarPlaces)[part];
  return place === null ? null : createPortal(children, place);
}
