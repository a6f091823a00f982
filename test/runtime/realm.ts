// A place with the globals of the web and none of Node's.
import vm from "node:vm";
import { type Bundle, GLOBAL_NAME } from "./bundle.js";

/** What browsers and workers have in common. Some are of Node's realm, so that objects can pass between the two. */
const WEB_GLOBALS: Readonly<Record<string, unknown>> = {
  ...{ URL, URLSearchParams, Request, Response, Headers, FormData, Blob, File },
  ...{ ReadableStream, WritableStream, TransformStream, TextEncoder, TextDecoder },
  ...{ CompressionStream, DecompressionStream, atob },
  ...{ AbortController, AbortSignal, Event, EventTarget },
  ...{ setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask, structuredClone },
  ...{ crypto: globalThis.crypto, performance: { now: () => performance.now() } },
  ...{ Uint8Array, ArrayBuffer, Error, TypeError, Promise, Date },
};

/** Node's own globals, as far as a program could stumble over them. */
export const NODE_GLOBALS: readonly string[] = ["process", "Buffer", "global", "require", "module", "setImmediate"];

/** Runs a bundle without Node and gives what its entries export. */
export function runWithoutNode({ text }: Bundle): Readonly<Record<string, unknown>> {
  const context = vm.createContext({ ...WEB_GLOBALS });
  const leaks: unknown = vm.runInContext(
    `${JSON.stringify(NODE_GLOBALS)}.filter((name) => name in globalThis)`,
    context,
  );
  if (Array.isArray(leaks) && leaks.length > 0) throw new Error(`the realm has ${leaks.join(", ")}`);
  // A dynamic import finds nothing here, as in a browser.
  vm.runInContext(`${text};globalThis.${GLOBAL_NAME} = ${GLOBAL_NAME};`, context, { filename: "bundle.js" });
  return (context as Record<string, Readonly<Record<string, unknown>>>)[GLOBAL_NAME] ?? {};
}
