// Checks that the pages of the docs are in plain English: short sentences, few of them passive or in tables, and the words
// of CONTRIBUTING.md.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { everyPage, readPage } from "./readme/markdown.js";

const test = suite("English");

/** Pages with less prose say too little about their sentences. */
const LEAST_WORDS = 200;

interface Page {
  readonly name: string;
  readonly markdown: string;
  readonly sentences: readonly string[];
}

interface Gate {
  readonly name: string;
  readonly applies?: (page: Page) => boolean;
  readonly least?: number;
  readonly most?: number;
  readonly measure: (page: Page) => number;
}

const PASSIVE =
  /\b(?:is|are|was|were|be|been|being|gets?|got)(?: (?:not|never|also|only|always|then|still|again|\w+ly))? (?:\w+ed|made|kept|sent|told|said|given|taken|written|read|left|held|found|done|known|shown|seen|built|put|set|cut|lost)\b/i;

/** Pages outside docs/reference whose purpose is a table. */
const REFERENCE: Readonly<Record<string, string>> = {
  "docs/README.md": "the index of the docs",
  "docs/contribute/dependencies.md": "a row for each package, which readme.test.ts compares with package.json",
  "bench/ROWS.md": "a row for each measurement",
  "bench/RESULTS.md": "a row for each result",
};

/** The most lines of a page, and of a release in the changelog. */
const LINES: Readonly<Record<string, number>> = {
  "README.md": 100,
  "CONTRIBUTING.md": 100,
  "docs/architecture.md": 200,
};
const LINES_OF_A_RELEASE = 60;

const GATES: readonly Gate[] = [
  {
    name: "words in a sentence",
    most: 15,
    measure: ({ sentences }) => countAllWords(sentences) / sentences.length,
  },
  {
    name: "percent of sentences with more than 30 words",
    most: 3,
    measure: ({ sentences }) => percent(sentences, (text) => wordsIn(text) > 30),
  },
  {
    name: "percent of passive sentences",
    most: 20,
    measure: ({ sentences }) => percent(sentences, (text) => PASSIVE.test(text)),
  },
  {
    name: "semicolons in 1,000 words",
    most: 1,
    measure: ({ sentences }) => inThousand(sentences, /;/g),
  },
  {
    name: "times that it addresses the reader in 1,000 words",
    applies: ({ name }) => name.startsWith("docs/guides/"),
    least: 8,
    measure: ({ sentences }) => inThousand(sentences, /\byou(?:r|rs)?\b/gi),
  },
  {
    name: "percent of words in tables",
    applies: ({ name }) => !name.startsWith("docs/reference/") && !(name in REFERENCE),
    most: 15,
    measure: ({ markdown, sentences }) => {
      const rows = (outsideCode(markdown).match(/^ *\|.*$/gm) ?? []).join(" ");
      return (100 * wordsIn(rows)) / (wordsIn(rows) + countAllWords(sentences));
    },
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

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[a-z]/i.test(word)).length;
}

function countAllWords(sentences: readonly string[]): number {
  return sentences.reduce((sum, text) => sum + wordsIn(text), 0);
}

function percent(sentences: readonly string[], isMeant: (sentence: string) => boolean): number {
  return (100 * sentences.filter(isMeant).length) / sentences.length;
}

function inThousand(sentences: readonly string[], pattern: RegExp): number {
  return (1000 * (sentences.join(" ").match(pattern) ?? []).length) / countAllWords(sentences);
}

function outsideCode(markdown: string): string {
  return markdown.replace(/^ *```[\s\S]*?^ *```/gm, "");
}

/** The sentences of a page, without code, tables and headings. */
function sentencesOf(markdown: string): string[] {
  const prose = outsideCode(markdown)
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

const pages = [...everyPage(), "SECURITY.md"].filter((name) => !name.startsWith("test/"));

for (const name of pages) {
  test(`${name} is in plain English`, () => {
    const markdown = readPage(name);
    const page: Page = { name, markdown, sentences: sentencesOf(markdown) };
    const isLong = countAllWords(page.sentences) >= LEAST_WORDS;
    const missed = GATES.flatMap(({ name, applies = () => isLong, least = 0, most = Infinity, measure }) => {
      const measured = applies(page) ? measure(page) : least;
      return measured < least || measured > most ? [`${measured.toFixed(1)} ${name}, not ${least} to ${most}`] : [];
    });
    assert.equal(missed, []);
    const hits = RETIRED.flatMap(([pattern, plain]) =>
      page.sentences.filter((text) => pattern.test(text)).map((text) => `use ${plain}: ${text}`),
    );
    assert.equal(hits, []);
  });
}

test("pages that a reader finishes at once stay short", () => {
  for (const [name, most] of Object.entries(LINES)) assert.ok(countLines(readPage(name)) <= most, name);
  const [, ...releases] = readPage("CHANGELOG.md").split(/^(?=## )/m);
  assert.ok(releases.length > 2);
  for (const text of releases) assert.ok(countLines(text) <= LINES_OF_A_RELEASE, text.slice(0, 20));
  for (const name of Object.keys(REFERENCE)) assert.ok(pages.includes(name), name);
});

function countLines(text: string): number {
  return text.trimEnd().split("\n").length;
}

test("long sentences, tables and retired words are found", () => {
  const markdown = "# Title\n\n| a table | nobody |\n\nNobody goes on; `code` is told.\n";
  const sentences = sentencesOf(markdown);
  assert.is(RETIRED.filter(([pattern]) => pattern.test(sentences[0] ?? "")).length, 2);
  const measured = GATES.map(({ measure }) => Math.round(measure({ name: "", markdown, sentences })));
  assert.equal(measured, [6, 0, 100, 167, 0, 33]);
});

test.run();
