// What the activity view shows, read off the page; and the same numbers by the recorded programs of the clients.
import type { Page } from "playwright-core";
import type { JsonValue } from "../../src/domain/json.js";
import type { TestServer } from "../../src/testing/index.js";
import { loadQueryFiles } from "../query/vectors.js";

/** Seconds by label, in the order of the page. */
export type Shown = readonly (readonly [label: string, seconds: number])[];

/** Waits until the view shows a period with its own numbers, or that there are none. */
export async function reaches(page: Page, title: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await page.locator('.activity-numbers[aria-busy="false"], .activity-empty').waitFor();
}

/** The lines of a panel, with the labels that a screen reader hears. */
export async function linesOf(page: Page, title: string): Promise<Shown> {
  const more = page.getByRole("button", { name: "Show all" }).and(page.getByRole("button", { name: `: ${title}` }));
  if ((await more.count()) > 0) {
    await more.click();
    await page
      .locator(`button[aria-expanded="true"]:enabled`)
      .filter({ hasText: `: ${title}` })
      .waitFor();
    const next = page.getByRole("button", { name: /^Show \d+ more/ }).filter({ hasText: `: ${title}` });
    while ((await next.count()) > 0) await next.click();
  }
  return rowsIn(page, title);
}

/** The chart as a table: seconds of each part, by the columns of the table. */
export async function partsOf(page: Page): Promise<readonly Readonly<Record<string, number>>[]> {
  const table = page.locator(".activity-table table");
  if (!(await table.isVisible())) await page.locator(".activity-table summary").click();
  return table.evaluate((element) => {
    const heads = [...element.querySelectorAll("thead th")].map((head) => head.textContent ?? "");
    return [...element.querySelectorAll("tbody tr")].map((row) =>
      Object.fromEntries(
        [...row.children].slice(1).map((cell, index) => {
          return [heads[index + 1] ?? "", Number(cell.querySelector("time")?.dateTime.slice(2, -1) ?? "NaN")];
        }),
      ),
    );
  });
}

/** The names of the parts of the chart. */
export function partNamesOf(page: Page): Promise<string[]> {
  return page.locator(".activity-table tbody th").allTextContents();
}

/** Active time of the period, in seconds. */
export async function totalOf(page: Page): Promise<number> {
  const text = await page.locator(".activity-total strong time").getAttribute("datetime");
  return Number(text?.slice(2, -1));
}

function rowsIn(page: Page, title: string): Promise<Shown> {
  const table = page.locator("table").filter({ has: page.locator("caption", { hasText: title }) });
  return table.evaluate((element) =>
    [...element.querySelectorAll("tbody tr")].map((row) => {
      const name = row.querySelector("th > span")?.textContent ?? "";
      return [name, Number(row.querySelector("time")?.dateTime.slice(2, -1))] as const;
    }),
  );
}

/** An event of a result, as far as it is compared. */
export interface Group {
  readonly duration: number;
  readonly data: Readonly<Record<string, JsonValue>>;
}

/** What the program of a desktop answers. */
export interface Desktop {
  readonly window: {
    readonly app_events: readonly Group[];
    readonly title_events: readonly Group[];
    readonly cat_events: readonly Group[];
    readonly duration: number;
  };
  readonly browser: { readonly domains: readonly Group[] };
}

/** A recorded program, with other ids of buckets in it. */
export function recorded(file: string, name: string, ids: Readonly<Record<string, string>> = {}): string {
  const found = loadQueryFiles()
    .find((one) => one.name === file)
    ?.cases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no case ${name} in ${file}`);
  const text = found.query.join("\n");
  return Object.entries(ids).reduce((program, [from, to]) => program.replaceAll(`"${from}"`, JSON.stringify(to)), text);
}

/** Carries a program out over a period, `start/end`. */
export async function ask<Result>(server: TestServer, query: string, ...timeperiods: string[]): Promise<Result[]> {
  return (await server.query({ timeperiods, query })) as unknown as Result[];
}

/** Makes the rules of a recorded program those of the server. */
export async function storeRules(server: TestServer, program: string): Promise<void> {
  const [, printed = "[]"] = /categorize\(events, (\[.*\])\);/.exec(program) ?? [];
  const pairs = JSON.parse(printed.replace(/\\(?!")/g, "\\\\")) as [string[], { [key: string]: string | boolean }][];
  await server.settings.put(
    "classes",
    pairs.map(([name, rule], id) => ({ id, name, rule })),
  );
}

/** Groups as lines of a panel. */
export function grouped(groups: readonly Group[], labelOf: (data: Group["data"]) => string): Shown {
  return groups.map(({ duration, data }) => [labelOf(data), duration] as const);
}

/** Times of categories with all below them, by their whole name. */
export function categorySums(groups: readonly Group[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { duration, data } of groups) {
    const name = data["$category"] as readonly string[];
    for (const depth of name.keys()) {
      const key = name.slice(0, depth + 1).join(" > ");
      sums.set(key, (sums.get(key) ?? 0) + duration);
    }
  }
  return sums;
}
