// long: 900 s
// Every view in every other language: nothing in English is left, nothing sticks out, odd data are text, and axe-core
// finds nothing. The same in English in every width, light and dark, with pictures of all of them for people.

import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connect } from "../../src/client/index.js";
import type { JsonValue } from "../../src/domain/json.js";
import { DEFAULT_CLASSES } from "../../src/filter/default-classes.js";
import { micros } from "../../src/index.js";
import { bucket, event, type TestServer } from "../../src/testing/index.js";
import { texts as de } from "../../src/web/texts/de.js";
import { english } from "../../src/web/texts/en.js";
import { texts as he } from "../../src/web/texts/he.js";
import type { Text } from "../../src/web/texts/text.js";
import { IS_LONG, partOfDay, sampleOf } from "../faults/sizes.js";
import { accessible, DAY, HOST, NOW, type Web, withWeb } from "./web-page.js";

type AnyCatalogue = Readonly<Record<string, Readonly<Record<string, Text>>>>;

const test = suite("all views in all languages in Chromium");

const WINDOW = `aw-watcher-window_${HOST}`;

const VIEWS: readonly (readonly [name: string, hash: string])[] = [
  ["activity", "#/"],
  ["activity-week", `#/week/${DAY}`],
  ["activity-empty", "#/day/2020-01-01"],
  ["activity-filtered", `#/week/${DAY}?f=app%3DCode`],
  ["activity-nothing", "#/?f=app%3DNobody"],
  ["timeline", `#/timeline?start=${DAY}T08:00:00Z&end=${DAY}T12:00:00Z`],
  ["timesheet", `#/timesheet/week/${DAY}`],
  ["overview", "#/overview"],
  ["stopwatch", "#/stopwatch"],
  ["categories", "#/categories"],
  ["buckets", "#/buckets"],
  ["bucket", `#/buckets/${WINDOW}`],
  ["devices", "#/devices"],
  ["privacy", "#/privacy"],
  ["retention", "#/retention"],
  ["trash", "#/trash"],
  ["storage", "#/storage"],
  ["query", `#/query?q=${encodeURIComponent(`RETURN = query_bucket("${WINDOW}");`)}`],
  ["query-wrong", "#/query?q=RETURN%20%3D%20nothing%3B"],
  ["search", "#/search"],
  ["search-events", "#/search/year/2024?by=events&f=app%3DCode"],
  ["search-titles", "#/search/year/2024?f=app%3DCode"],
  ["settings", "#/settings"],
  ["access", "#/access"],
  ["welcome", "#/welcome"],
  ["nowhere", "#/nowhere"],
];

/** Views of which the server refuses something: a wrong program, keys where there are none. */
const REFUSED: ReadonlySet<string> = new Set(["query-wrong", "access"]);

/** Markup of which nothing may become an element. */
const EVIL = '<img src=x onerror="document.title=1"><i class="evil">i</i>';

/** What nobody expects in each place; each is so long that no list leaves it out. */
const ODD: readonly object[] = [
  { app: EVIL, title: EVIL, url: EVIL, label: EVIL, project: EVIL, status: EVIL },
  { app: "__proto__", title: "t".repeat(10_000), url: "u".repeat(10_000) },
  { app: 5, title: { a: [1, null, { b: EVIL }] } },
  { app: "", title: "" },
  {},
];

/** Gives every view something to show. */
async function prepare(server: TestServer): Promise<void> {
  const { buckets, identity } = connect(server);
  const early = Date.parse(`${DAY}T04:00:00Z`) * 1000;
  const long = { timestamp: micros(early), duration: "4h" } as const;
  await server.events.insert(`aw-watcher-afk_${HOST}`, event({ ...long, data: { status: "not-afk" } }));
  const odd = ODD.map((data, at) =>
    event({ timestamp: micros(early + at * 2_400_000_000), duration: { seconds: at === 4 ? -600 : 2400 }, data }),
  );
  for (const [type, id] of [
    ["currentwindow", WINDOW],
    ["web.tab.current", `aw-watcher-web-firefox_${HOST}`],
    ["app.editor.activity", `aw-watcher-vscode_${HOST}`],
  ] as const) {
    await server.events.insert(id, odd);
    await server.load({ bucket: bucket({ id: `${id} ${EVIL}`, type, hostname: EVIL }), events: odd });
  }
  await server.settings.put("classes", [
    ...DEFAULT_CLASSES,
    { name: [EVIL], rule: { type: "regex", regex: "<i" }, data: { color: "red;background:url(//example.org)" } },
    { name: ["__proto__", "constructor"], rule: { type: "regex", regex: "proto" } },
    { name: ["x".repeat(500)], rule: null },
    5,
  ] as unknown as JsonValue);
  const stopwatch = "aw-stopwatch";
  const timed = { timestamp: micros(Date.parse(`${DAY}T09:00:00Z`) * 1000), duration: "30m" } as const;
  await server.load([
    {
      bucket: bucket({ id: "old", hostname: HOST }),
      events: [event({ timestamp: micros(timed.timestamp), data: { app: "x" } })],
    },
    {
      bucket: bucket({ id: "gone", hostname: "other" }),
      events: [event({ timestamp: micros(timed.timestamp), data: {} })],
    },
    {
      bucket: bucket({ id: stopwatch, hostname: HOST, type: "general.stopwatch" }),
      events: [
        event({ ...timed, data: { label: "Invoices", running: false } }),
        event({ timestamp: micros(Date.parse(NOW) * 1000 - 60_000_000), data: { label: "Mail", running: true } }),
      ],
    },
  ]);
  await identity.rename("old", { to: "renamed", redirect: true });
  await buckets.delete("gone");
  await server.settings.put("privacy_rules", [{ when: { key: "app", matches: "Secret" }, then: "drop" }]);
  await server.settings.put("retention_rules", [{ buckets: "*", keepDays: 900 }]);
}

function formsOf(text: Text | undefined): readonly string[] {
  if (text === undefined) return [];
  return (typeof text === "string" ? [text] : Object.values(text)).map((one) => one.replace(/\s*\n\s*/g, " "));
}

/** A pattern for a text whose gaps are filled; `undefined` where it says hardly anything by itself. */
function patternOf(text: string): RegExp | undefined {
  const words = text.replace(/\{\w+\}/g, "").match(/\p{L}{2,}/gu) ?? [];
  if (words.length === 0 || (text.includes("{") && words.join("").length < 6)) return undefined;
  const parts = text.split(/\{\w+\}/).map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return new RegExp(`^${parts.join("\\S.*")}$`, "u");
}

/** What English says, and this language says otherwise. Names of categories are data once they are stored. */
function englishOnly(catalogue: AnyCatalogue): readonly RegExp[] {
  const { categoryNames: _, ...master }: AnyCatalogue = english;
  const translated = new Set(Object.values(catalogue).flatMap((texts) => Object.values(texts).flatMap(formsOf)));
  return Object.values(master).flatMap((texts) =>
    Object.values(texts)
      .flatMap(formsOf)
      .filter((text) => !translated.has(text))
      .flatMap((text) => patternOf(text) ?? []),
  );
}

/** What the page says, and what it says to those who hear it; without what is data. */
function saidBy(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const said = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      // Words of titles, which may be those of a view.
      if (element === null || element.closest(".uncategorized .group-text") !== null) continue;
      if (node instanceof Element) {
        for (const name of ["aria-label", "title", "placeholder", "alt", "data-label"]) {
          said.push(node.getAttribute(name) ?? "");
        }
      } else if (element.closest("code, pre, script, style") === null) said.push(node.textContent ?? "");
    }
    return [...new Set(said.map((text) => text.replace(/[\u2066-\u2069]/g, "").trim()))].filter((text) => text !== "");
  });
}

const LANGUAGES = [
  ["de-DE", de],
  ["he-IL", he],
] as const satisfies readonly (readonly [locale: string, catalogue: AnyCatalogue])[];
const WIDTHS = sampleOf([390, 1280], 2);

/** Shows views and takes its picture. @returns what is wrong with any, also by a look of the test's own */
async function problemsOf(
  { page, goto, picture, faults }: Web,
  views: typeof VIEWS,
  pictures: string,
  look: () => Promise<readonly string[]> = async () => [],
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [index, [name, hash]] of views.entries()) {
    await goto(hash);
    problems.push(...(await look()).map((text) => `${name}: ${text}`));
    if ((await page.locator(".evil, img[src=x]").count()) > 0) problems.push(`${name}: data became elements`);
    await picture(`${pictures}-${name}`);
    // Most views are looked at by their own tests, too.
    if (IS_LONG || index === 0) {
      await accessible(page).catch((error: unknown) => problems.push(`${name}: ${error}`));
    }
    const refusals = faults.splice(0);
    if (!REFUSED.has(name)) problems.push(...refusals.map((fault) => `${name}: ${fault}`));
  }
  return problems;
}

for (const [turn, [locale, catalogue]] of LANGUAGES.entries()) {
  // In the short tests the languages share a sixth of the views.
  const views = IS_LONG ? VIEWS : VIEWS.filter((_, index) => index % (6 * LANGUAGES.length) === 3 * turn);
  for (const width of WIDTHS) {
    test(`${views.length} views are in ${locale} and fit into ${width} pixels`, () =>
      withWeb({ prepare, width, context: { locale }, hash: views[0]?.[1] ?? "#/" }, async (web) => {
        const patterns = englishOnly(catalogue);
        const leftInEnglish = async () =>
          (await saidBy(web.page)).filter((text) => patterns.some((pattern) => pattern.test(text)));
        const problems = await problemsOf(web, views, `languages-${locale}-${width}`, leftInEnglish);
        assert.equal(problems, [], "what is still English, or wrong otherwise");
      }));
  }
}

const LOOKS = [390, 1280, 2560].flatMap((width) => [false, true].map((dark) => ({ width, dark })));

for (const { width, dark } of IS_LONG ? partOfDay(LOOKS, 3) : []) {
  test(`all views fit into ${width} pixels${dark ? " in the dark" : ""}`, () =>
    withWeb({ prepare, width, dark }, async (web) => {
      const problems = await problemsOf(web, VIEWS, `views-${width}${dark ? "-dark" : ""}`);
      assert.equal(problems, [], "what is wrong with views");
    }));
}

test.run();
