/** Fills the gaps of a sentence, such as `{name}`. */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, gap: string) => String(values[gap]));
}
