import { ActivityError } from "../errors.js";

/** Headers of a request. Node reads a thousand by default and would drop an Origin after them. */
export const MAX_HEADERS = 500;

/** The error of a request with too many headers. */
export function tooManyHeaders(most: number): ActivityError {
  return new ActivityError("HEAD_TOO_LARGE", `the request has more than ${most} headers`);
}

/** Repeated headers are joined with these characters, cookies with the second one. */
const JOINTS = /[,;]/;

/**
 * Counts headers of the web standard, created from those of a socket. Repeated headers are already joined, so a value
 * that may be joined counts several times.
 *
 * @throws ActivityError `HEAD_TOO_LARGE`
 */
export function checkHeaderCount(headers: Headers): void {
  let count = 0;
  for (const value of headers.values()) count += value.split(JOINTS).length;
  if (count > MAX_HEADERS) throw tooManyHeaders(MAX_HEADERS);
}
