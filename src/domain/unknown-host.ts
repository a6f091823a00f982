/** Whether a hostname means an unknown host, as for stopwatches and older browser extensions. Pure. */
export function isUnknownHost(hostname: string): boolean {
  return hostname === "unknown" || hostname.trim() === "";
}
