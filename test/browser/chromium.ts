// A real Chromium for the tests of pages, shut off from everything that is not this machine.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
} from "playwright-core";
import { IS_LONG } from "../faults/sizes.js";

/** The shell without windows first: a page costs a third of the processor time in it. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** What comes at all comes within this time, even on a machine that has much else to do. */
const WAIT_MILLIS = 120_000;

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Pictures for people, beside this file; git does not keep them. */
const SCREENSHOTS = fileURLToPath(new URL("screenshots/", import.meta.url));
/** They take a fifth of the time of a page, and no test looks at them. */
const TAKES_PICTURES = IS_LONG || process.env["PICTURES"] === "1";

/** A browser that runs. */
export interface Chromium {
  /** Opens a page in a profile of its own for the time of the body. */
  visit(options: BrowserContextOptions, body: (visit: Visit) => Promise<void>): Promise<void>;
  /** Ends the browser. A process does not end before. */
  close(): Promise<void>;
}

/** A page under watch. */
export interface Visit {
  readonly page: Page;
  /** URLs outside this machine that the page asked for, and did not get. */
  readonly outside: readonly string[];
  /**
   * What went wrong in the page: exceptions, warnings and errors in its console, breaches of its security policy. A
   * test that expects something takes it out.
   */
  readonly faults: string[];
  /** What the page was sent, once nothing of it is under way. */
  received(): Promise<readonly Received[]>;
}

/** One answer to a page. */
export interface Received {
  readonly url: string;
  readonly status: number;
  /** Of the body as it travelled, in bytes. */
  readonly bodyBytes: number;
}

/**
 * Starts the browser that `CHROMIUM` names, or the one on the PATH. Where there is none, one line says that its tests
 * are left out, but in a continuous integration, which has to install it.
 *
 * @throws Error when `CI` is set and there is none
 */
export async function startChromium(): Promise<Chromium | undefined> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    if (process.env["CI"] !== undefined) throw new Error("chromium is not installed");
    console.log("chromium is not installed: its tests are left out");
    return undefined;
  }
  // Whatever a page or the browser itself looks up, it finds nothing but this machine.
  const noNames = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1";
  // Pages live for seconds: to optimize their code takes more time than that saves.
  const args = ["--no-sandbox", "--disable-background-networking", "--js-flags=--no-opt", noNames];
  const browser = await chromium.launch({ executablePath, args });
  return {
    async visit(options, body) {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(WAIT_MILLIS);
      try {
        await body(await watched(context));
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}

function findChromium(): string | undefined {
  const { CHROMIUM, PATH = "" } = process.env;
  if (CHROMIUM) return CHROMIUM;
  const folders = PATH.split(path.delimiter);
  const places = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return places.find((file) => fs.existsSync(file));
}

async function watched(context: BrowserContext): Promise<Visit> {
  const outside: string[] = [];
  const faults: string[] = [];
  const received: Received[] = [];
  const underWay = new Map<Request, { readonly ended: Promise<void>; readonly end: () => void }>();
  // Only watched: to intercept requests would slow all of them down, and the browser finds no other machine anyway.
  context.on("request", (request) => {
    if (isOutside(new URL(request.url()))) outside.push(request.url());
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    }).then(() => void underWay.delete(request));
    underWay.set(request, { ended, end });
  });
  const noteEnd = async (request: Request): Promise<void> => {
    // Both reject when the page is closed meanwhile, and then nobody wants to know.
    const response = await request.response().catch(() => null);
    // The browser also calls a request aborted whose response a script has read to its end before the browser has.
    const length = Number(response?.headers()["content-length"] ?? 0);
    const bodyBytes = request.failure()
      ? length
      : await request.sizes().then(
          (each) => each.responseBodySize,
          () => 0,
        );
    if (response !== null) received.push({ url: request.url(), status: response.status(), bodyBytes });
    underWay.get(request)?.end();
  };
  context.on("requestfailed", noteEnd);
  context.on("requestfinished", noteEnd);
  await context.exposeFunction("noteBreach", (breach: string) => void faults.push(breach));
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) => {
      const { noteBreach } = window as unknown as { noteBreach(breach: string): void };
      noteBreach(`policy: ${violatedDirective} ${blockedURI} in ${sourceFile}`);
    });
  });
  // The browser does not always tell the end of what it drops when a document takes the place of another one, and never
  // when a tab is closed.
  const drop = (page: Page, navigation?: Request): void => {
    for (const [request, { end }] of underWay) if (request !== navigation && request.frame().page() === page) end();
  };
  context.on("page", (page) => {
    page.on("close", () => drop(page));
    page.on("request", (request) => {
      if (request.isNavigationRequest()) page.once("framenavigated", () => drop(page, request));
    });
  });
  const page = await context.newPage();
  page.on("websocket", (socket) => {
    if (isOutside(new URL(socket.url()))) outside.push(socket.url());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (line) => {
    if (["error", "warning"].includes(line.type())) faults.push(`${line.type()}: ${line.text()}`);
  });
  const all = async (): Promise<readonly Received[]> => {
    while (underWay.size > 0) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((_, reject) => {
        const tell = () =>
          reject(new Error(`no end: ${[...underWay.keys()].map((request) => request.url()).join(", ")}`));
        timer = setTimeout(tell, WAIT_MILLIS);
      });
      await Promise.race([Promise.all(Array.from(underWay.values(), ({ ended }) => ended)), late]).finally(() =>
        clearTimeout(timer),
      );
    }
    return received;
  };
  return { page, outside, faults, received: all };
}

function isOutside({ hostname }: URL): boolean {
  // Without a host: data, blobs and the like, which never leave the page.
  return hostname !== "" && !LOOPBACK.has(hostname);
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
