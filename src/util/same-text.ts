/** Compares in a time that tells nothing about where two texts differ. */
export function sameText(given: string, wanted: string): boolean {
  let difference = given.length ^ wanted.length;
  for (let index = 0; index < wanted.length; index++) difference |= given.charCodeAt(index) ^ wanted.charCodeAt(index);
  return difference === 0;
}
