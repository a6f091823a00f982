// What a text of the catalogue is, and how its gaps are filled. Pure.

/** A text that depends on `count`, by the plural forms of its language. */
export interface Plural {
  readonly zero?: string;
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

/** A text with gaps, such as `{name}`. Long ones stand in several lines, which are one when they are shown. */
export type Text = string | Plural;

/** A text for later, in the language that the page has by then: what is kept is not the text. */
export type Said = () => string;

/** The same texts in another language. A test compares their gaps and plural forms. */
export type Translation<English> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : Plural;
};

type GapsOf<Sentence> = Sentence extends `${string}{${infer Gap}}${infer Rest}` ? Gap | GapsOf<Rest> : never;

/** Names of what a text has to be given. */
export type Gaps<Given> = Given extends string ? GapsOf<Given> : "count" | GapsOf<Given[keyof Given]>;

/** What fills the gaps of a text; numbers are written as the language does. */
export type Filling<Given, Value> = { readonly [Gap in Gaps<Given>]: Gap extends "count" ? number : Value };

/**
 * Cuts a text into what stands there and what fills its gaps, in their order.
 *
 * @param written how a value is shown
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
