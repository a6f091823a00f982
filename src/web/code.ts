import { recoveries } from "./api.js";

/** What `recoveries` was when code did not come. */
const failed = new Map<() => Promise<unknown>, number>();

/**
 * Loads code that the page does not begin with. What fails again with the server back makes the page begin anew, where
 * it was: Firefox never asks twice for code that did not come.
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

/** Whether the page can be had: otherwise the browser would put an error in its place. */
async function isServerThere(): Promise<boolean> {
  const { ok } = await fetch("", { cache: "no-store" }).catch(() => Response.error());
  return ok;
}
