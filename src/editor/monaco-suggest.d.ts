/** Monaco types its features, but not the module that brings the list of suggestions. It is imported for its effect. */
declare module "monaco-editor/editor/contrib/suggest/browser/suggestController";
