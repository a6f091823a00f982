/** Maximum number of remembered strings, and maximum length of each. */
const MOST = 1000;
const LONGEST = 200;

/**
 * Creates a function that remembers its results: watchers repeat the same few requests. When it is full, it forgets all
 * results, which is cheaper than tracking their use.
 *
 * @param make called for a string without a remembered result; errors and `undefined` are not remembered
 */
export function memoize<Value extends object | string | undefined>(
  make: (text: string) => Value,
): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      value = make(text);
      if (known.size >= MOST) known.clear();
      if (value !== undefined && text.length <= LONGEST) known.set(text, value);
    }
    return value;
  };
}
