/**
 * Keeps V8's compiled code of the terminal's files beside them, which takes a third off a small command. Node does this
 * itself from 22.1 on (`module.enableCompileCache`); here Node 20 does it, too. With REFSCOPE_KEEP_CODE the code that ran is
 * written when the process ends; code of another V8 is not taken.
 */
const { readFileSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const vm = require("node:vm");

const isKeeping = process.env.REFSCOPE_KEEP_CODE !== undefined;
const compiled = new Map();
const cacheOf = (file) => {
  try {
    return readFileSync(`${file}.cache`);
  } catch {
    return undefined;
  }
};
const load = Module.prototype["_compile"];

Module.prototype["_compile"] = function compile(content, filename) {
  const cachedData = filename.startsWith(__dirname) && !isKeeping ? cacheOf(filename) : undefined;
  if (cachedData === undefined && !isKeeping) return load.call(this, content, filename);
  const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const script = new vm.Script(Module.wrap(content), { filename, cachedData, importModuleDynamically });
  compiled.set(filename, script);
  const requireHere = Module.createRequire(filename);
  return script.runInThisContext().call(this.exports, this.exports, requireHere, this, filename, __dirname);
};

if (isKeeping)
  process.on("exit", () => {
    for (const [file, script] of compiled) writeFileSync(`${file}.cache`, script.createCachedData());
  });
