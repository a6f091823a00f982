// long: 300 s
// Signing in to the dashboard and out, sessions, and the answers to who asks for access.
import { once } from "node:events";
import fs from "node:fs/promises";
import { createServer } from "node:http";
import type { Page, Request, Route } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { createClient } from "../../src/client/index.js";
import { createActivityServer } from "../../src/index.js";
import { fakeClock, type TestServer } from "../../src/testing/index.js";
import { until } from "../adapters/until.js";
import { checkedFetch } from "../api/answer-check.js";
import { detailsOf, IS_LONG } from "../faults/sizes.js";
import { otherWords } from "../reworded.js";
import { startChromium } from "./chromium.js";
import { dropFaults, takeFaults } from "./watch.js";
import { accessibleToo, inOneVisit, settled, type Web, withWeb } from "./web-page.js";

const test = suite("signing in to the dashboard in Chromium");
const details = detailsOf(test);

const REQUIRED = { auth: "required" } as const;
const EXTENSION = "chrome-extension://abcdefghijklmnopabcdefghijklmnop";
const FILTERED = "#/buckets?q=afk";

async function linkOf({ server, url }: Pick<Web, "server" | "url">): Promise<string> {
  return `${url}#/sign-in/${(await server.sessions.createLink()).token}`;
}

/** Signs in as `activity-server open` does, in the same tab, unless it is. */
async function signIn(web: Pick<Web, "page" | "server" | "url">): Promise<void> {
  if ((await button(web.page, "Sign out").count()) > 0) return;
  await web.page.goto(await linkOf(web));
  await button(web.page, "Sign out").waitFor();
  await settled(web.page);
}

function button(page: Page, name: string) {
  return page.getByRole("button", { name, exact: true });
}

function heading(page: Page, name: string) {
  return page.getByRole("heading", { name, exact: true });
}

function entry(page: Page, name: string | RegExp) {
  return page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });
}

/** A tab may have asked for something between the end of its session and its hearing of that. */
function dropRefusals(web: Pick<Web, "faults">): void {
  dropFaults(web, /status of 401/);
}

/** What the page keeps of its session. */
async function keptSecret(page: Page): Promise<string> {
  const kept = await page.evaluate(() => localStorage.getItem("activity-server.session /"));
  const [secret = ""] = (kept ?? "").split(".");
  assert.match(secret, /^[\w-]{43}$/);
  return secret;
}

/** Lets the page ask who waits, rather than in ten seconds. */
async function lookAgain(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}

/** Holds a request back until it is released. */
function held() {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { release: () => release(), hold: (route: Route) => released.then(() => route.continue()) };
}

async function sessionIds(server: TestServer): Promise<string[]> {
  return (await server.sessions.list()).map(({ id }) => id);
}

details("a clock that is put forward or back ends no session", async () => {
  const clock = fakeClock(new Date());
  await withWeb({ server: { ...REQUIRED, clock }, hash: FILTERED }, async (web) => {
    const { page } = web;
    await signIn(web);
    const secret = await keptSecret(page);
    for (const hours of [1, -1]) {
      clock.set(new Date(Date.now() + hours * 3_600_000));
      await page.reload();
      await page.getByText("1 of 4 buckets on 1 device").waitFor();
      await button(page, "Sign out").waitFor();
      assert.is(await keptSecret(page), secret);
    }
    takeFaults(web, /status of 401/);
  });
});

// The server's part is tested in test/access/sessions.test.ts, as is that of links.
details("a program that takes the port of a stopped server gets nothing that opens it when it is back", async () => {
  const stored = memory();
  const server = createActivityServer({ storage: stored, auth: "required" });
  const { port } = await server.listen({ port: 0 });
  const url = `http://127.0.0.1:${port}/`;
  const chromium = await startChromium();
  await chromium?.visit({}, async (web) => {
    const { page } = web;
    await page.goto(`${url}#/sign-in/${(await server.sessions.createLink()).token}`);
    await button(page, "Sign out").waitFor();
    const secret = await keptSecret(page);
    const sessions = await stored.records("sessions").list();
    await server.close();
    const collected: { method: string; target: string; headers: Record<string, string> }[] = [];
    const impostor = createServer(({ method = "", url: target = "", headers }, response) => {
      collected.push({ method, target, headers: headers as Record<string, string> });
      response.end("{}");
    });
    impostor.listen(port, "127.0.0.1");
    await once(impostor, "listening");
    await page.goto(`${url}#/timeline`);
    await until(
      () => collected.some(({ headers }) => headers["x-activity-session"] !== undefined),
      () => "a proof",
    );
    const isClosed = once(impostor, "close");
    impostor.close();
    impostor.closeAllConnections();
    await isClosed;
    assert.ok(collected.some(({ headers }) => headers["cookie"] !== undefined));
    assert.not(JSON.stringify(collected).includes(secret));

    const storage = memory();
    for (const [id, record] of sessions) await storage.records("sessions").compareAndSet(id, undefined, record);
    const back = createActivityServer({ storage, auth: "required" });
    await back.listen({ port });
    for (const { method, target, headers } of collected) {
      const { "x-activity-session": proof = "", cookie = "" } = headers;
      const shown = { "x-activity-session": proof, cookie, origin: url.replace(/\/$/, "") };
      for (const asked of new Set([target, "/api/0/buckets", "/api/0/keys"])) {
        if (!/\/api\/0\/(?!info|health|session)/.test(asked)) continue;
        const answer = await fetch(`http://127.0.0.1:${port}${asked}`, { method, headers: shown });
        assert.is(answer.status, 401, `${method} ${asked}`);
      }
    }
    // The tab goes on: it makes proofs of its own.
    await page.reload();
    await button(page, "Sign out").waitFor();
    await page.goto("about:blank");
    await back.close();
    dropFaults(web, /Failed to load resource|status of|ERR_/);
  });
  await server.close();
});

details("a link that opens a tab of its own signs in the other tabs as well", () =>
  withWeb({ server: REQUIRED, hash: FILTERED }, async (web) => {
    const { page, url } = web;
    await heading(page, "Sign in").waitFor();
    const other = await page.context().newPage();
    await other.goto(await linkOf(web));
    for (const tab of [other, page]) {
      await tab.getByText("1 of 4 buckets on 1 device").waitFor();
      assert.is(tab.url(), `${url}${FILTERED}`);
      assert.is(await heading(tab, "Sign in").count(), 0);
    }
    await settled(other);
    await other.close();
  }),
);

details("a session is that of its server alone where several share an address", () =>
  withWeb({ server: { ...REQUIRED, basePath: "/tracker" }, path: "/tracker/" }, async (web) => {
    const { page } = web;
    await signIn(web);
    await page.reload();
    await button(page, "Sign out").waitFor();
    assert.equal(await page.evaluate(() => Object.keys(localStorage)), ["activity-server.session /tracker"]);
    assert.equal(
      (await page.context().cookies()).map(({ path }) => path),
      ["/tracker"],
    );
  }),
);

details("with a session documents are downloaded and taken", () =>
  withWeb({ server: REQUIRED, hash: "#/buckets" }, async (web) => {
    const { page, server } = web;
    await signIn(web);
    const began = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export all buckets" }).click();
    const text = await fs.readFile(await (await began).path(), "utf8");
    assert.is(Object.keys(JSON.parse(text).buckets).length, 4);
    await server.buckets.delete("aw-watcher-afk_desk");
    const file = { name: "all.json", mimeType: "application/json", buffer: Buffer.from(text) };
    await page.getByLabel("Files to import").setInputFiles(file);
    await page.locator(".import-done").waitFor();
    assert.is((await server.buckets.list()).length, 4);
  }),
);

details("when the session is over the page says so, and keeps what was typed", () =>
  withWeb({ server: REQUIRED, hash: "#/query" }, async (web) => {
    const { page, server, url } = web;
    await signIn(web);
    const program = 'RETURN = "typed and not run";';
    await page.getByRole("textbox", { name: "Query" }).fill(program);
    const place = page.url();
    const [id = ""] = await sessionIds(server);
    await server.sessions.end(id);
    const late = held();
    await page.route("**/api/0/buckets", late.hold, { times: 1 });
    await lookAgain(page);
    const said = page.getByText("Your session has ended.");
    await said.waitFor();
    late.release();
    await settled(page);
    assert.ok(await said.isVisible(), "what is refused later says less");
    assert.is(await page.evaluate(() => localStorage.getItem("activity-server.session /")), null);
    takeFaults(web, /status of 401/);
    const other = await page.context().newPage();
    await other.goto(await linkOf({ server, url }));
    await heading(page, "Sign in").waitFor({ state: "detached" });
    assert.is(await page.getByRole("textbox", { name: "Query" }).inputValue(), program);
    assert.is(page.url(), place);
    await settled(other);
    await other.close();
    dropRefusals(web);
  }),
);

details("who signs out in the list of sessions is asked first", () =>
  withWeb({ server: REQUIRED, hash: "#/access" }, async (web) => {
    const { page, server } = web;
    await signIn(web);
    await button(page, "Sign out here").click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
    await heading(page, "Sign in").waitFor();
    assert.equal(await sessionIds(server), []);
  }),
);

details("where all but keys is open, signing in opens these as well", () =>
  withWeb({ hash: "#/access" }, async (web) => {
    const { page, server } = web;
    await server.keys.add({ name: "reader", scopes: ["read:*"] });
    const paths: string[] = [];
    page.on("request", (request) => void paths.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByRole("region", { name: "Keys" }).getByText("activity-server open").waitFor();
    await settled(page);
    assert.ok(paths.includes("/api/0/keys") && !paths.includes("/api/0/pairing"), "only the owner asks who waits");
    takeFaults(web, /status of 401/);
    // The first look was before there were keys.
    web.faults.splice(0, web.faults.length, ...web.faults.filter((fault) => !fault.includes("status of 404")));
    await signIn(web);
    const asks = page.waitForRequest((request) => request.url().endsWith("/api/0/pairing"));
    await lookAgain(page);
    await asks;
    await entry(page, "reader").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("owner");
    await button(page, "Create").click();
    await entry(page, "owner").waitFor();
    assert.is((await server.keys.list()).length, 2);
    const [id = ""] = await sessionIds(server);
    await server.sessions.end(id);
    await lookAgain(page);
    await button(page, "Sign out").waitFor({ state: "detached" });
    assert.is(await heading(page, "Sign in").count(), 0, "all else goes on");
    takeFaults(web, /status of 401/);
  }),
);

inOneVisit(test, { server: REQUIRED, smokes: 2 }, [
  [
    "who is not signed in is told how, asks for nothing else, and the link leads back to where he was",
    FILTERED,
    async (web) => {
      const { page, url, received, picture } = web;
      await page.getByText("activity-server open").waitFor();
      await accessibleToo(page);
      await picture("sign-in");
      const asked = (await received())
        .map((answer) => new URL(answer.url).pathname)
        .filter((at) => at.includes("/api/"));
      assert.equal(asked, ["/api/0/session"]);
      const requests: Request[] = [];
      page.on("request", (request) => void requests.push(request));
      await signIn(web);
      await page.getByText("1 of 4 buckets on 1 device").waitFor();
      assert.is(page.url(), `${url}${FILTERED}`);
      const secret = await keptSecret(page);
      const calls = requests.filter((request) => /\/api\/0\/(?!session$)|server\.json/.test(request.url()));
      assert.ok(calls.length > 3);
      const proofs = calls.map((request) => request.headers()["x-activity-session"] ?? "");
      assert.is(new Set(proofs).size, calls.length);
      assert.ok(proofs.every((proof) => /^\d+\.[\w-]{43}\.[0-9a-f]{64}$/.test(proof)));
      const all = await Promise.all(requests.map(async (request) => JSON.stringify(await request.allHeaders())));
      assert.not(all.join().includes(secret));
      const [cookie] = await page.context().cookies();
      assert.equal([cookie?.httpOnly, cookie?.sameSite], [true, "Strict"]);
      assert.not.match(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage })), "sign-in/");
      await page.reload();
      await page.getByText("1 of 4 buckets on 1 device").waitFor();
      await page.goBack();
      assert.not.match(page.url(), "sign-in");
    },
  ],
  [
    "who asks for a key is shown with the code, and gets no more than the owner allows",
    "#/access",
    async (web) => {
      const { page, url, picture } = web;
      await signIn(web);
      const asker = createClient({ url, fetch: checkedFetch });
      const { code, secret } = await asker.pairing.request({ name: "phone", scopes: ["append:phone_*", "read:*"] });
      await lookAgain(page);
      const notice = page.getByRole("region", { name: "Access requests" });
      await notice.getByText(code).waitFor();
      assert.match(
        await notice.innerText(),
        /phone requests a key for append:phone_\* read:\*, code .* From 127\.0\.0\.1/s,
      );
      await accessibleToo(page);
      await picture("pairing-notice");
      await button(page, "Allow phone").click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText(code).waitFor();
      await dialog.getByLabel("Scope 1", { exact: true }).selectOption("write");
      await dialog.getByRole("button", { name: "Allow" }).click();
      await dialog
        .getByRole("alert")
        .filter({ hasText: otherWords("scopes must be within") })
        .waitFor();
      takeFaults(web, /status of 400/);
      assert.is((await asker.pairing.collect(secret)).status, "pending");
      await dialog.getByLabel("Scope 1", { exact: true }).selectOption("append");
      await dialog.getByLabel("Buckets for scope 2").fill("phone_*");
      await accessibleToo(page);
      await picture("pairing-dialog");
      await dialog.getByRole("button", { name: "Allow" }).click();
      await notice.waitFor({ state: "detached" });
      const outcome = await asker.pairing.collect(secret);
      assert.equal(outcome.scopes, ["append:phone_*", "read:phone_*"]);
      await lookAgain(page);
      await entry(page, "phone").getByText("read:phone_*").waitFor();
    },
  ],
  [
    "sessions are listed, and that of another browser is ended; who signs out is out, in every tab",
    "#/access",
    async (web) => {
      const { page, server, picture } = web;
      await signIn(web);
      const [own = ""] = await sessionIds(server);
      const userAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Safari/604.1";
      const elsewhere = await page.context().browser()?.newContext({ userAgent });
      if (elsewhere === undefined) throw new Error("no browser");
      const phone = await elsewhere.newPage();
      await phone.goto(await linkOf(web));
      await button(phone, "Sign out").waitFor();
      await page.reload();
      await entry(page, "Chrome, Linux (here)").waitFor();
      const there = entry(page, "Safari, iPhone");
      assert.match((await there.innerText()).replace(/\s+/g, " "), /Last used Mar 1, 2024, .* from 127\.0\.0\.1 Ends/);
      await accessibleToo(page);
      await picture("sign-in-sessions");
      await button(page, "End session of Safari, iPhone").click();
      await button(page, "End").click();
      await there.waitFor({ state: "detached" });
      assert.equal(await sessionIds(server), [own]);
      await phone.reload();
      await heading(phone, "Sign in").waitFor();
      await elsewhere.close();
      const other = await page.context().newPage();
      await other.goto(`${web.url}#/stopwatch`);
      await button(other, "Sign out").click();
      await heading(other, "Sign in").waitFor();
      await heading(page, "Sign in").waitFor();
      assert.is(await page.getByRole("heading", { name: "Access" }).isVisible(), false);
      assert.equal(await sessionIds(server), []);
      assert.equal(await page.context().cookies(), []);
      await settled(other);
      await other.close();
      dropRefusals(web);
    },
  ],
]);

if (IS_LONG) {
  inOneVisit(test, { server: REQUIRED }, [
    [
      "a link works once and for a minute, and a session that is there goes on without it",
      "#/stopwatch",
      async (web) => {
        const { page, server } = web;
        const [first, late] = [await linkOf(web), await linkOf(web)];
        server.clock.advance("61s");
        const failure = page.getByRole("alert").filter({ hasText: "The sign-in link failed." });
        await page.goto(late);
        await failure.getByText(otherWords("was used before or is older than a minute")).waitFor();
        await heading(page, "Sign in").waitFor();
        assert.not.match(page.url(), "sign-in");
        takeFaults(web, /status of 401/);
        await signIn(web);
        assert.is(await failure.count(), 0);
        await page.goto(first);
        await failure.waitFor();
        await button(page, "Sign out").waitFor();
        assert.is((await sessionIds(server)).length, 1);
        takeFaults(web, /status of 401/);
      },
    ],
  ]);
}

/** The status that a browser extension is answered with when it reports. */
async function reportOf(url: string, origin: string): Promise<number> {
  const answer = await fetch(`${url}api/0/buckets/aw-watcher-afk_desk/heartbeat?pulsetime=60`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ timestamp: "2024-03-01T20:00:00Z", duration: 0, data: { status: "afk" } }),
  });
  await answer.body?.cancel();
  return answer.status;
}

details("where keys are required the page says that an allowed extension needs one", () =>
  withWeb({ server: REQUIRED, hash: "#/access" }, async (web) => {
    const { page, url, server } = web;
    const { token } = await server.sessions.createLink();
    await page.goto(`${url}#/sign-in/${token}`);
    await page.locator("main h1").waitFor();
    assert.is(await reportOf(url, EXTENSION), 403);
    await lookAgain(page);
    await button(page, `Allow ${EXTENSION}`).click();
    await page.getByRole("dialog").getByText("This server requires keys").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Allow" }).click();
    await page.getByRole("region", { name: "Access requests" }).waitFor({ state: "detached" });
    assert.is(await reportOf(url, EXTENSION), 401);
    await page.goto(`${url}#/access`);
    await entry(page, EXTENSION).getByText("Allowed, with a key").waitFor();
  }),
);

details("an extension that reports for the first time is asked about, allowed, and forgotten again", () =>
  withWeb({ hash: "#/access" }, async (web) => {
    const { page, url } = web;
    assert.is(await reportOf(url, EXTENSION), 403);
    await lookAgain(page);
    const notice = page.getByRole("region", { name: "Access requests" });
    await notice.getByText(EXTENSION).waitFor();
    await button(page, `Allow ${EXTENSION}`).click();
    await page.getByRole("dialog").getByRole("button", { name: "Allow" }).click();
    await notice.waitFor({ state: "detached" });
    assert.is(await reportOf(url, EXTENSION), 200);
    await entry(page, EXTENSION).getByText("Allowed").waitFor();
    await accessibleToo(page);
    await button(page, `Forget ${EXTENSION}`).click();
    await page.getByRole("dialog").getByRole("button", { name: "Forget" }).click();
    await page.getByText("No decisions yet.").waitFor();
    assert.is(await reportOf(url, EXTENSION), 403);
    await lookAgain(page);
    await button(page, `Reject ${EXTENSION}`).click();
    await entry(page, EXTENSION).getByText("Rejected").waitFor();
    // There are no keys.
    takeFaults(web, /status of 404/);
  }),
);

test.run();
