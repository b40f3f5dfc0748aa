/** Puts the parts together. */
import "./widgets/layout.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { createApp } from "./store/app-store.ts";
import { withoutToken } from "./core/words/without-secrets.ts";
import { formatAddress } from "./store/address.ts";
import { applyOwnerFiles } from "./store/owner-files.ts";
import { rememberPreferences } from "./store/browser-storage.ts";
import { rememberRecentSets } from "./store/recent-sets.ts";
import { AppProvider } from "./store/react.tsx";
import { connect, whenEnded } from "./worker/client.ts";

const name = `engine ${Math.random()}`;
const worker = new Worker(new URL("./worker/engine.worker.ts", import.meta.url), { type: "module", name });
const engine = connect(worker);
whenEnded(worker, name, () => engine.fail("it has ended"));
worker.addEventListener("error", (event) =>
  engine.fail(event.message === "" ? "the worker could not be started" : event.message),
);

const app = createApp(engine);
rememberPreferences(app.store);
rememberRecentSets(app.store);
applyOwnerFiles(app.store);

const root = document.querySelector("#root");
if (root === null) throw new Error("index.html has no #root");
const start = () =>
  createRoot(root).render(
    <StrictMode>
      <AppProvider app={app}>
        <App />
      </AppProvider>
    </StrictMode>,
  );
const base = document.baseURI;
// A server on this computer gave the page to one user (`cli/serve/`).
if (withoutToken(base) !== base)
  void engine.call("set.join", { base }).then(({ open }) => {
    if (open && location.hash === "") history.replaceState(null, "", formatAddress({ url: open }));
    start();
  });
else if (location.search === "") start();
else void import("./app/from-query.ts").then(({ fromQuery }) => fromQuery(app)).finally(start);
