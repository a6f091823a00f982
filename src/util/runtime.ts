/** Properties of the global object that distinguish runtimes. */
interface Globals {
  readonly process?: { readonly versions?: { readonly [name: string]: string | undefined } };
  readonly navigator?: { readonly userAgent?: string };
}

/** Runtimes that imitate Node, then Node itself. */
const VERSIONED = ["bun", "deno", "node"];

/**
 * The name of the runtime, in one word: `node`, `bun`, `deno` or `workerd`, else `js`.
 *
 * @param globals of the runtime
 */
export function runtimeName({ process, navigator }: Globals = globalThis as Globals): string {
  const versioned = VERSIONED.find((name) => process?.versions?.[name] !== undefined);
  if (versioned !== undefined) return versioned;
  return navigator?.userAgent === "Cloudflare-Workers" ? "workerd" : "js";
}

/** Outside Node there is no such name; use the option. */
export function machineName(): string {
  return globalThis.process?.getBuiltinModule?.("os")?.hostname() ?? "unknown";
}
