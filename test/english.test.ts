// Holds the pages of the docs to plain English: short sentences, few of them passive, and the words of CONTRIBUTING.md.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { everyPage, readPage } from "./readme/markdown.js";

const test = suite("English");

/** Pages of less prose say too little about their sentences. */
const LEAST_WORDS = 200;

interface Gate {
  readonly name: string;
  readonly most: number;
  measure(sentences: readonly string[]): number;
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[a-z]/i.test(word)).length;
}

function percentOf(sentences: readonly string[], isMeant: (sentence: string) => boolean): number {
  return (100 * sentences.filter(isMeant).length) / sentences.length;
}

const PASSIVE =
  /\b(?:is|are|was|were|be|been|being|gets?|got)(?: (?:not|never|also|only|always|then|still|again|\w+ly))? (?:\w+ed|made|kept|sent|told|said|given|taken|written|read|left|held|found|done|known|shown|seen|built|put|set|cut|lost)\b/i;

const GATES: readonly Gate[] = [
  {
    name: "words in a sentence",
    most: 16,
    measure: (sentences) => sentences.reduce((sum, text) => sum + wordsIn(text), 0) / sentences.length,
  },
  {
    name: "percent of sentences with more than 30 words",
    most: 3,
    measure: (sentences) => percentOf(sentences, (text) => wordsIn(text) > 30),
  },
  {
    name: "percent of passive sentences",
    most: 20,
    measure: (sentences) => percentOf(sentences, (text) => PASSIVE.test(text)),
  },
  {
    name: "percent of sentences with a semicolon",
    most: 2,
    measure: (sentences) => percentOf(sentences, (text) => text.includes(";")),
  },
];

/** Turns of phrase with a plain form that always fits. */
const RETIRED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:somebody|nobody|everybody|anybody|whoever)\b/i, "the server, client, caller or your app"],
  [/\banew\b/i, "again"],
  [/\b(?:go|goes|going|went|gone) on\b/i, "continue"],
  [/\btak(?:e|es|en|ing)(?: \w+)? back\b|\btook(?: \w+)? back\b/i, "undo"],
  [/\bof (?:ours|yours|theirs)\b/i, "our, your, their"],
  [/\b(?:heeds?|heeded|hence|besides|seldom|whence|lest)\b/i, "a plain word"],
  [/\b(?:is|are) expected\b/i, "must be"],
  [/\bunder way\b/i, "in progress"],
];

/** The sentences of a page, without code, tables and headings. */
function sentencesOf(markdown: string): string[] {
  const prose = markdown
    .replace(/^```[\s\S]*?^```/gm, "")
    .replace(/^(?: {4}\S|\s*\||#|<|!).*$/gm, "")
    .replace(/^\s*(?:[-*+]|\d+\.) /gm, "\n\n");
  return prose
    .split(/\n\s*\n/)
    .map((text) =>
      text
        .replace(/\s+/g, " ")
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replace(/`[^`]*`/g, "code"),
    )
    .flatMap((text) => text.split(/(?<=[.!?:])\s+(?=["'(A-Z])/))
    .filter((text) => wordsIn(text) >= 3);
}

const pages = everyPage().filter((name) => !name.startsWith("test/"));

for (const name of pages) {
  test(`${name} is in plain English`, () => {
    const sentences = sentencesOf(readPage(name));
    const isLong = sentences.reduce((sum, text) => sum + wordsIn(text), 0) >= LEAST_WORDS;
    const missed = GATES.filter(({ most, measure }) => isLong && measure(sentences) > most);
    assert.equal(
      missed.map((gate) => `${gate.name}: ${gate.measure(sentences).toFixed(1)}, at most ${gate.most}`),
      [],
    );
    const hits = RETIRED.flatMap(([pattern, plain]) =>
      sentences.filter((text) => pattern.test(text)).map((text) => `use ${plain}: ${text}`),
    );
    assert.equal(hits, []);
  });
}

test("long sentences and retired words are found", () => {
  const [sentence = ""] = sentencesOf("# Title\n\n| a table | nobody |\n\nNobody goes on; `code` is told.\n");
  assert.is(RETIRED.filter(([pattern]) => pattern.test(sentence)).length, 2);
  assert.ok(GATES.slice(2).every(({ measure }) => measure([sentence]) === 100));
});

test.run();
