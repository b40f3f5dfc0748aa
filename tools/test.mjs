/** `npm test`: installs what is missing (a Chromium too) and runs all that CI runs. Arguments choose steps: `npm test unit e2e`. */
import { ensureChromium, ensureDependencies, ensureOtherEngines, must } from "./ensure.mjs";

const STEPS = {
  format: () => must("npm", ["run", "-s", "format:check"]),
  lint: () => must("npm", ["run", "-s", "lint"]),
  types: () => must("npm", ["run", "-s", "types"]),
  measure: () => must("npm", ["run", "-s", "measure"]),
  unit: () => must("npx", ["vitest", "run"]),
  build: () => must("npx", ["vite", "build", "--logLevel", "warn"]),
  e2e: () => must("npx", ["playwright", "test"]),
  engines: () => {
    ensureOtherEngines();
    must("npm", ["run", "-s", "engines"]);
  },
};

ensureDependencies();
process.env.REFSCOPE_CHROMIUM = await ensureChromium();
const asked = process.argv.slice(2);
for (const [name, step] of Object.entries(STEPS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n── ${name}`);
  step();
}
