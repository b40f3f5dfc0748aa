/** The page with nothing open, as text: `first-paint-plugin.ts` writes it into `index.html`. */
import { renderToStaticMarkup } from "react-dom/server";
import { createApp } from "../src/store/app-store.ts";
import { AppProvider } from "../src/store/react.tsx";
import { connect } from "../src/worker/client.ts";
import { App } from "../src/app/App.tsx";

export function firstPaint(): string {
  // Drawn where there is no browser: no engine answers, nothing is stored, and the document is empty.
  Object.assign(globalThis, { document: { documentElement: { dataset: {} }, querySelector: () => null } });
  const app = createApp(connect({ postMessage: () => undefined, onmessage: null }));
  return renderToStaticMarkup(
    <AppProvider app={app}>
      <App />
    </AppProvider>,
  );
}
