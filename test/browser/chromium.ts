// A real Chromium for the tests of pages, shut off from everything that is not this machine.
import type { ChildProcess } from "node:child_process";
import diagnostics from "node:diagnostics_channel";
import fs from "node:fs";
import { Socket } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import { IS_LONG } from "../faults/sizes.js";
import { type Visit, WAIT_MILLIS, watch } from "./watch.js";

/** The shell without windows first: a page costs a third of the processor time in it. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** Pictures for people, beside this file; git does not keep them. */
const SCREENSHOTS = fileURLToPath(new URL("screenshots/", import.meta.url));
/** They take a fifth of the time of a page, and no test looks at them. */
const TAKES_PICTURES = IS_LONG || process.env["PICTURES"] === "1";

/** A browser that runs, until this process ends; it may end between two visits. */
export interface Chromium {
  /** Opens a page in a profile of its own for the time of the body. */
  visit(options: BrowserContextOptions, body: (visit: Visit) => Promise<void>): Promise<void>;
  /**
   * The same in a profile and a page that are kept from visit to visit: a new page costs more than most visits. What the
   * browser has loaded stays there; a page finds no cookies, nothing stored, no other tabs and no routes.
   */
  visitKept(options: KeptOptions, body: (visit: Visit) => Promise<void>): Promise<void>;
}

/** What a kept profile is opened with, which is the same at all visits, and what each visit has of its own. */
export interface KeptOptions {
  readonly profile: BrowserContextOptions;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: "dark" | "light";
}

/** One for all files of a process: the first page of a browser costs as much as three later ones. */
let shared: Promise<Chromium | undefined> | undefined;

/**
 * Starts the browser that `CHROMIUM` names, or the one on the PATH, unless it runs. Where there is none, one line says
 * that its tests are left out, but in a continuous integration, which has to install it.
 *
 * @throws Error when `CI` is set and there is none
 */
export function startChromium(): Promise<Chromium | undefined> {
  shared ??= start();
  return shared;
}

async function start(): Promise<Chromium | undefined> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    if (process.env["CI"] !== undefined) throw new Error("chromium is not installed");
    console.log("chromium is not installed: its tests are left out");
    return undefined;
  }
  // Whatever a page or the browser itself looks up, it finds nothing but this machine.
  const noNames = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1";
  // Pages live for seconds: to optimize their code takes more time than that saves.
  const args = ["--no-sandbox", "--disable-background-networking", "--js-flags=--no-opt,--no-maglev", noNames];
  const { result: browser, waitFor } = await withProcess(() => chromium.launch({ executablePath, args }));
  const open = async (options: BrowserContextOptions) => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(WAIT_MILLIS);
    return { context, watched: await watch(context) };
  };
  let kept: Awaited<ReturnType<typeof open>> | undefined;
  return {
    visit: (options, body) =>
      waitFor(async () => {
        const { context, watched } = await open(options);
        try {
          await body(watched.begin());
        } finally {
          await context.close();
        }
      }),
    visitKept: ({ profile, viewport, colorScheme }, body) =>
      waitFor(async () => {
        const { context, watched } = kept ?? (await open(profile));
        kept = undefined;
        const { page } = watched;
        let isClean = false;
        try {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          await body(watched.begin());
          isClean = await clean(page);
        } finally {
          if (isClean) kept = { context, watched };
          else await context.close();
        }
      }),
  };
}

/**
 * Starts a program.
 *
 * @returns `waitFor`: this process waits for the program while something is done with it, and may end before and after
 */
async function withProcess<T>(
  begin: () => Promise<T>,
): Promise<{ readonly result: T; waitFor(body: () => Promise<void>): Promise<void> }> {
  const programs: ChildProcess[] = [];
  const note = (message: unknown): void => {
    const { process: program } = message as { readonly process: ChildProcess };
    programs.push(program);
  };
  diagnostics.subscribe("child_process", note);
  const result = await begin().finally(() => diagnostics.unsubscribe("child_process", note));
  const sockets = programs.flatMap(({ stdio }) => stdio.filter((stream) => stream instanceof Socket));
  const started = [...programs, ...sockets];
  for (const one of started) one.unref();
  return {
    result,
    async waitFor(body) {
      for (const one of started) one.ref();
      try {
        await body();
      } finally {
        for (const one of started) one.unref();
      }
    },
  };
}

/** Takes away what a visit has left behind. @returns whether all of it was within reach */
async function clean(page: Page): Promise<boolean> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  const isEmptied = await page.evaluate(() => {
    if (!location.protocol.startsWith("http")) return false;
    localStorage.clear();
    sessionStorage.clear();
    return true;
  });
  await page.goto("about:blank");
  await page.mouse.move(0, 0);
  await context.clearCookies();
  return isEmptied;
}

function findChromium(): string | undefined {
  const { CHROMIUM, PATH = "" } = process.env;
  if (CHROMIUM) return CHROMIUM;
  const folders = PATH.split(path.delimiter);
  const places = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return places.find((file) => fs.existsSync(file));
}

/**
 * Takes a picture of a whole page or of something in it, under a name without extension: in the long tests, and where
 * `PICTURES` is 1.
 */
export async function screenshot(target: Page | Locator, name: string): Promise<void> {
  if (!TAKES_PICTURES) return;
  const whole = "goto" in target ? { fullPage: true } : {};
  await target.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), ...whole });
}

/** How far a page can be moved sideways, in CSS pixels. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
