import { ActivityError } from "../errors.js";

/** Headers of a request. Node looks at a thousand by default: an Origin behind them would go unseen. */
export const MOST_HEADERS = 500;

/** The error of a request with more headers than are looked at. */
export function tooManyHeaders(most: number): ActivityError {
  return new ActivityError("HEAD_TOO_LARGE", `the request has more than ${most} headers`);
}

/** Headers that came several times are joined by these signs, cookies by the second one. */
const JOINTS = /[,;]/;

/**
 * Looks at headers of the web standard, which somebody else has made of those of a socket. Repeats have become one by
 * then, so what may have been joined counts as several.
 *
 * @throws ActivityError `HEAD_TOO_LARGE`
 */
export function checkHeaderCount(headers: Headers): void {
  let count = 0;
  for (const value of headers.values()) count += value.split(JOINTS).length;
  if (count > MOST_HEADERS) throw tooManyHeaders(MOST_HEADERS);
}
