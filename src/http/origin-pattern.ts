import { messageOf } from "../errors.js";
import { compileRegex, RegexLimitError } from "../regex/regex.js";

/** Tells whether an origin matches. */
export type OriginPattern = (origin: string) => boolean;

/** Longest origin that is looked at, in characters: a name has at most 253. */
const LONGEST = 512;
/** Steps for one origin: some milliseconds. People's patterns take a few hundred. */
const MOST_STEPS = 200_000;

/** An origin takes more than that. */
class TooManySteps extends Error {}

/**
 * Compiles a pattern for whole origins, in the dialect of rules (docs/compatibility.md#regular-expressions). The time
 * that it takes is bounded, since anybody may send an origin: one that takes longer does not match.
 *
 * @throws SyntaxError for a pattern that cannot be read
 */
export function originPattern(source: string): OriginPattern {
  const compile = (pattern: string) => {
    try {
      return compileRegex(pattern);
    } catch (cause) {
      throw new SyntaxError(messageOf(cause), { cause });
    }
  };
  // Read alone first: a stray bracket could otherwise close the group and with it the anchors.
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
            if (steps > MOST_STEPS) throw new TooManySteps();
          },
        }) === true
      );
    } catch (thrown) {
      if (thrown instanceof TooManySteps || thrown instanceof RegexLimitError) return false;
      throw thrown;
    }
  };
}
