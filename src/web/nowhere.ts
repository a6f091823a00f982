/** Whether a hostname is that of buckets that do not know theirs, as stopwatches and older browser extensions. Pure. */
export function isNowhere(hostname: string): boolean {
  return hostname === "unknown" || hostname.trim() === "";
}
