/** A sentence whose gaps, such as `{name}`, are filled. */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, gap: string) => String(values[gap]));
}
