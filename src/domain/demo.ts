import type { JsonObject } from "./json.js";

/** Hostname of the dashboard's example data. */
export const DEMO_HOST = "demo";

/** Whether a bucket contains example data: a real computer may have the same hostname. Pure. */
export function isDemoBucket(bucket: { readonly hostname: string; readonly data: JsonObject }): boolean {
  return bucket.hostname === DEMO_HOST && bucket.data["demo"] === true;
}
