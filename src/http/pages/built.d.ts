// What scripts/page-files.mjs writes into dist/pages. The names are those of `imports` in package.json: bundlers and
// tracers find the files by them, and for browsers they lead to a module without any.
declare module "#pages/dashboard" {
  export const files: readonly import("./files.js").BuiltFile[] | undefined;
}
declare module "#pages/api-browser" {
  export const files: readonly import("./files.js").BuiltFile[] | undefined;
}
