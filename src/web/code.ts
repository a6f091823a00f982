import { recoveries } from "./recoveries.js";

/** Value of `recoveries` when loading some code failed. */
const failed = new Map<() => Promise<unknown>, number>();

/**
 * Loads code that is not part of the initial page. If it fails again after the server is back, the page reloads, since
 * Firefox never requests a failed module again.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const recovered = recoveries.peek();
    if (recovered > (failed.get(load) ?? recovered) && (await isServerThere())) location.reload();
    failed.set(load, recovered);
    throw error;
  }
}

/** Whether the page can be loaded; otherwise a reload would replace it with a browser error. */
async function isServerThere(): Promise<boolean> {
  const { ok } = await fetch("", { cache: "no-store" }).catch(() => Response.error());
  return ok;
}
