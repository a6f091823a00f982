import { messageOf } from "../errors.js";
import { compileRegex, RegexLimitError } from "../regex/regex.js";

/** Tests whether an origin matches. */
export type OriginPattern = (origin: string) => boolean;

/** Longest origin to test, in characters: a name has at most 253. */
const LONGEST = 512;
/** Steps for one origin, a few milliseconds. Ordinary patterns take a few hundred. */
const MAX_STEPS = 200_000;

/** An origin exceeds the limit of steps. */
class TooManySteps extends Error {}

/**
 * Compiles a pattern for whole origins, in the dialect of rules (docs/reference/compatibility.md#regular-expressions).
 * Its time is bounded, because any client may send an origin; beyond the bound, it does not match.
 *
 * @throws SyntaxError for an invalid pattern
 */
export function originPattern(source: string): OriginPattern {
  const compile = (pattern: string) => {
    try {
      return compileRegex(pattern);
    } catch (cause) {
      throw new SyntaxError(messageOf(cause), { cause });
    }
  };
  // Compile it without the group first: a stray bracket could otherwise close the group and remove the anchors.
  compile(source);
  const whole = compile(`\\A(?:${source})\\z`);
  return (origin) => {
    if (origin.length > LONGEST) return false;
    let steps = 0;
    try {
      return (
        whole.test(origin, {
          spend(spent) {
            steps += spent;
            if (steps > MAX_STEPS) throw new TooManySteps();
          },
        }) === true
      );
    } catch (thrown) {
      if (thrown instanceof TooManySteps || thrown instanceof RegexLimitError) return false;
      throw thrown;
    }
  };
}
