/** Compares in a time that does not depend on where two strings differ. */
export function equalsInConstantTime(given: string, wanted: string): boolean {
  let difference = given.length ^ wanted.length;
  for (let index = 0; index < wanted.length; index++) difference |= given.charCodeAt(index) ^ wanted.charCodeAt(index);
  return difference === 0;
}
