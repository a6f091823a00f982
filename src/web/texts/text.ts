// Texts of the catalog, and their placeholders. Pure.

/** A text that depends on `count`, in the plural forms of its language. */
export interface Plural {
  readonly zero?: string;
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

/** A text with placeholders, such as `{name}`. Line breaks in long texts are shown as spaces. */
export type Text = string | Plural;

/** A text that is resolved later, in the language of that time. */
export type LazyText = () => string;

/** The same texts in another language. A test compares placeholders and plural forms. */
export type Translation<English> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : Plural;
};

type GapsOf<Sentence> = Sentence extends `${string}{${infer Gap}}${infer Rest}` ? Gap | GapsOf<Rest> : never;

/** Names of a text's placeholders. */
export type Placeholders<Given> = Given extends string ? GapsOf<Given> : "count" | GapsOf<Given[keyof Given]>;

/** Values of a text's placeholders. Numbers are formatted for the language. */
export type PlaceholderValues<Given, Value> = {
  readonly [Gap in Placeholders<Given>]: Gap extends "count" ? number : Value;
};

/**
 * Splits a text into literal parts and placeholder values, in order.
 *
 * @param written formats a value
 */
export function pieces<Value, Shown>(
  sentence: string,
  filling: Readonly<Record<string, Value>>,
  written: (value: Value | undefined) => Shown,
): (string | Shown)[] {
  return sentence
    .replace(/\s*\n\s*/g, " ")
    .split(/\{(\w+)\}/)
    .map((piece, index) => (index % 2 === 0 ? piece : written(filling[piece])))
    .filter((piece) => piece !== "");
}
