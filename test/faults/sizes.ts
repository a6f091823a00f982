/** Whether there is time for the long tests: `npm run test:long`. */
const IS_LONG: boolean = process.env["TEST_LONG"] === "1";

/** A number that a variable of the environment may set, for one who looks for more. */
export function sizeOf(variable: string, sizes: { readonly short: number; readonly long: number }): number {
  return Number(process.env[variable] ?? (IS_LONG ? sizes.long : sizes.short));
}
