/** Six bits each. */
const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Characters of a secret: 258 bits in all. */
export const SECRET_LENGTH = 43;

/** An unguessable string of letters, digits, `-` and `_`. */
export function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_LENGTH));
  return Array.from(bytes, (byte) => SIGNS[byte & 63]).join("");
}
