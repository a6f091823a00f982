/** The years 1990 to 2099 in milliseconds. As microseconds they are days of early 1970. */
const MILLIS_START = 631_152_000_000;
const MILLIS_END = 4_102_444_800_000;

/** Whether a number of microseconds is most likely a number of milliseconds, such as `Date.now()`. */
export function looksLikeMillis(micros: unknown): micros is number {
  return typeof micros === "number" && micros >= MILLIS_START && micros < MILLIS_END;
}

/** The remedy in messages about an invalid timestamp; empty for another value than a number of milliseconds. */
export function millisRemedy(value: unknown): string {
  return looksLikeMillis(value) ? `these are milliseconds, pass new Date(${value})` : "";
}

/** Like `millisRemedy`, for callers over HTTP; in a query string, the number is a string. */
export function wireMillisRemedy(value: unknown): string {
  const millis = typeof value === "string" && /^\d{12,13}$/.test(value) ? Number(value) : value;
  return looksLikeMillis(millis) ? `these are milliseconds, send ${new Date(millis).toISOString()}` : "";
}
