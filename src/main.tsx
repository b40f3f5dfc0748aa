/** Puts the parts together. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { createApp } from "./store/app-store.ts";
import { applyOwnerFiles } from "./store/owner-files.ts";
import { rememberPreferences } from "./store/preferences.ts";
import { rememberRecentSets } from "./store/recent-sets.ts";
import { AppProvider } from "./store/react.tsx";
import { connect } from "./worker/client.ts";

const worker = new Worker(new URL("./worker/engine.worker.ts", import.meta.url), { type: "module" });
const engine = connect(worker);
worker.addEventListener("error", (event) =>
  engine.fail(event.message === "" ? "the worker could not be started" : event.message),
);

const app = createApp(engine);
rememberPreferences(app.store);
rememberRecentSets(app.store);
applyOwnerFiles(app.store);

const root = document.querySelector("#root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <AppProvider app={app}>
      <App />
    </AppProvider>
  </StrictMode>,
);
