/**
 * The linter's own rules. `house/floors`: rooms of the engine import values only from rooms below them. `house/apart`:
 * formats do not import each other, nor do panels.
 */
import { goesUp, isTest, resolveImport } from "./import-graph.mjs";

/** A rule that reports imports for which `isWrong` is true, given both files and the node. */
function ruleOf(isWrong, message) {
  return {
    create(context) {
      const check = (node) => {
        const path = node.source?.value;
        if (typeof path !== "string" || !/^[.#]/.test(path)) return;
        if (isWrong(context.filename, resolveImport(context.filename, path), node)) context.report({ node, message });
      };
      return {
        ImportDeclaration: check,
        ImportExpression: check,
        ExportNamedDeclaration: check,
        ExportAllDeclaration: check,
      };
    },
  };
}

const isType = ({ importKind, exportKind }) => importKind === "type" || exportKind === "type";
const folderIn = (path) => /[/\\]src[/\\](formats|panels)[/\\]([^/\\]+)[/\\]/.exec(path);

function isNeighbour(from, to) {
  const [own, other] = [folderIn(from), folderIn(to)];
  return own !== null && other !== null && own[1] === other[1] && own[2] !== other[2];
}

const floors = ruleOf(
  (from, to, node) => !isTest(from) && !isType(node) && goesUp(from, to),
  "The engine's rooms import values only from rooms below (FLOORS in tools/import-graph.mjs).",
);
const apart = ruleOf(
  (from, to) => !isTest(from) && isNeighbour(from, to),
  "Formats do not import each other, nor do panels: share through core/, widgets/ or store/.",
);

export default { meta: { name: "house" }, rules: { floors, apart } };
