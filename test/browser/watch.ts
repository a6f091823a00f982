// A page under watch: what it asks for, what it was sent, and what goes wrong in it.
import type { BrowserContext, Page, Request } from "playwright-core";

/** What comes at all comes within this time, even on a machine that has much else to do. */
export const WAIT_MILLIS = 120_000;

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** A visit of a page. */
export interface Visit {
  readonly page: Page;
  /** URLs outside this machine that the page asked for, and did not get. */
  readonly outside: readonly string[];
  /**
   * What went wrong in the page: exceptions, warnings and errors in its console, breaches of its security policy. A
   * test that expects something takes it out.
   */
  readonly faults: string[];
  /** Resolves once no request of the page is under way. */
  calm(): Promise<void>;
  /** How many requests have begun and ended so far. */
  traffic(): number;
  /** What the page was sent, once nothing of it is under way. */
  received(): Promise<readonly Received[]>;
}

/** Takes out the faults that a test expects. */
export function dropFaults({ faults }: Pick<Visit, "faults">, expected: RegExp): void {
  faults.splice(0, faults.length, ...faults.filter((fault) => !expected.test(fault)));
}

/** The same, and there must be some. */
export function takeFaults({ faults }: Pick<Visit, "faults">, expected: RegExp): void {
  const before = faults.length;
  dropFaults({ faults }, expected);
  if (faults.length === before) throw new Error(`no fault is like ${expected}: ${faults.join()}`);
}

/** One answer to a page. */
export interface Received {
  readonly url: string;
  readonly status: number;
  /** Of the body as it travelled, in bytes. */
  readonly bodyBytes: number;
}

/** A page that is visited again and again. */
export interface Watch {
  readonly page: Page;
  /** Notes from now on for a visit, and no longer for the one before. */
  begin(): Visit;
}

interface Notes {
  readonly outside: string[];
  readonly faults: string[];
  readonly ended: Request[];
}

function emptyNotes(): Notes {
  return { outside: [], faults: [], ended: [] };
}

/** Opens a page in a profile, and watches it. */
export async function watch(context: BrowserContext): Promise<Watch> {
  let notes = emptyNotes();
  const requests = new RequestsUnderWay();
  // Only watched: to intercept requests would slow all of them down, and the browser finds no other machine anyway.
  context.on("request", (request) => {
    if (isOutside(new URL(request.url()))) notes.outside.push(request.url());
    if (!isFeed(request)) requests.begin(request);
  });
  const noteEnd = (request: Request): void => {
    if (isFeed(request)) return;
    notes.ended.push(request);
    requests.end(request);
  };
  context.on("requestfailed", noteEnd);
  context.on("requestfinished", noteEnd);
  await context.exposeFunction("noteBreach", (breach: string) => void notes.faults.push(breach));
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) => {
      const { noteBreach } = window as unknown as { noteBreach(breach: string): void };
      noteBreach(`policy: ${violatedDirective} ${blockedURI} in ${sourceFile}`);
    });
  });
  // The browser does not always tell the end of what it drops when a document takes the place of another one, and never
  // when a tab is closed.
  context.on("page", (page) => {
    page.on("close", () => requests.drop(page));
    page.on("request", (request) => {
      if (request.isNavigationRequest()) page.once("framenavigated", () => requests.drop(page, request));
    });
  });
  const page = await context.newPage();
  page.on("websocket", (socket) => {
    if (isOutside(new URL(socket.url()))) notes.outside.push(socket.url());
  });
  page.on("pageerror", (error) => notes.faults.push(String(error)));
  page.on("console", (line) => {
    if (["error", "warning"].includes(line.type())) notes.faults.push(`${line.type()}: ${line.text()}`);
  });
  const calm = () => requests.allEnded();
  return {
    page,
    begin() {
      notes = emptyNotes();
      const { outside, faults, ended } = notes;
      const received = async (): Promise<readonly Received[]> => {
        await calm();
        return (await Promise.all(ended.map(receivedFor))).flat();
      };
      return { page, outside, faults, calm, traffic: () => requests.traffic, received };
    },
  };
}

/** What a request was answered, or nothing. */
async function receivedFor(request: Request): Promise<readonly Received[]> {
  const response = request.existingResponse();
  if (response === null) return [];
  // The browser also calls a request aborted whose response a script has read to its end before the browser has.
  const bodyBytes = request.failure()
    ? Number(response.headers()["content-length"] ?? 0)
    : (await request.sizes()).responseBodySize;
  return [{ url: request.url(), status: response.status(), bodyBytes }];
}

class RequestsUnderWay {
  /** Beginnings and ends. */
  traffic = 0;
  readonly #all = new Map<Request, { readonly ended: Promise<void>; readonly end: () => void }>();

  begin(request: Request): void {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    }).then(() => void this.#all.delete(request));
    this.#all.set(request, { ended, end });
    this.traffic++;
  }

  end(request: Request): void {
    this.traffic++;
    this.#all.get(request)?.end();
  }

  /** Ends those of a page, but the one that has brought what it shows now. */
  drop(page: Page, navigation?: Request): void {
    for (const [request, { end }] of this.#all) if (request !== navigation && request.frame().page() === page) end();
  }

  async allEnded(): Promise<void> {
    while (this.#all.size > 0) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((_, reject) => {
        const tell = () =>
          reject(new Error(`no end: ${[...this.#all.keys()].map((request) => request.url()).join(", ")}`));
        timer = setTimeout(tell, WAIT_MILLIS);
      });
      await Promise.race([Promise.all(Array.from(this.#all.values(), ({ ended }) => ended)), late]).finally(() =>
        clearTimeout(timer),
      );
    }
  }
}

/** Whether it is the live feed, which does not end by itself. */
function isFeed(request: Request): boolean {
  return new URL(request.url()).pathname.endsWith("/api/0/feed");
}

function isOutside({ hostname }: URL): boolean {
  // Without a host: data, blobs and the like, which never leave the page.
  return hostname !== "" && !LOOPBACK.has(hostname);
}
