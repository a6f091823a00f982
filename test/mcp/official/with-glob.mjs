// The conformance package needs Node 22 only for `globSync`, which its server checks do not call.
import { register } from "node:module";

const fs = 'export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => [];';
const hooks = `
const url = "data:text/javascript," + ${JSON.stringify(encodeURIComponent(fs))};
export async function resolve(specifier, context, next) {
  const isAsked = specifier === "fs" && context.parentURL?.includes("conformance/dist");
  return isAsked ? { url, format: "module", shortCircuit: true } : next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
