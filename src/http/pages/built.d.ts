// Modules that scripts/page-files.mjs writes into dist/pages. The names are those of `imports` in package.json:
// bundlers and tracers find the files by them, and browsers get an empty module.
declare module "#pages/dashboard" {
  export const files: readonly import("./files.js").BuiltFile[] | undefined;
}
declare module "#pages/api-browser" {
  export const files: readonly import("./files.js").BuiltFile[] | undefined;
}
