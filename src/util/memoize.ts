/** Texts that are remembered at a time, and the longest of them in characters. */
const MOST = 1000;
const LONGEST = 200;

/**
 * A function that remembers its answers: watchers ask for the same few things all the time. When it knows too many it
 * forgets them all, which costs less than telling which was used last.
 *
 * @param make called for a text that is not remembered; what it throws is not remembered
 */
export function memoize<Value extends object | string>(make: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      value = make(text);
      if (known.size >= MOST) known.clear();
      if (text.length <= LONGEST) known.set(text, value);
    }
    return value;
  };
}
