/** Of six bits each. */
const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Signs of a secret: 258 bits in all. */
export const SECRET_LENGTH = 43;

/** A text that nobody can guess, of letters, digits and signs of `- _`. */
export function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_LENGTH));
  return Array.from(bytes, (byte) => SIGNS[byte & 63]).join("");
}
