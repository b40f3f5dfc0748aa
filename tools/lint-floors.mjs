/** The linter's rule `house/floors`: rooms of the engine import values only from rooms below them. */
import { dirname, resolve } from "node:path";
import { goesUp, isTest } from "./import-graph.mjs";

const floors = {
  create(context) {
    if (isTest(context.filename)) return {};
    const check = (node) => {
      const { source, importKind, exportKind } = node;
      if (typeof source?.value !== "string" || !source.value.startsWith(".")) return;
      if (importKind === "type" || exportKind === "type") return;
      if (goesUp(context.filename, resolve(dirname(context.filename), source.value)))
        context.report({
          node,
          message: "The engine's rooms import values only from rooms below (FLOORS in tools/import-graph.mjs).",
        });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

export default { meta: { name: "house" }, rules: { floors } };
