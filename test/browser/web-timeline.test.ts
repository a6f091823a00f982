// long: 900 s
// The timeline in a real browser: lanes, moving, pointing, addresses, odd data, a server that goes away.
import type { Locator, Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connect } from "../../src/client/index.js";
import { bucket, event, type FilledBucket, realisticDay } from "../../src/testing/index.js";
import { detailsOf, IS_LONG } from "../faults/sizes.js";
import { door } from "../http/storages.js";
import { accessibleToo, DAY, HOST, inOneVisit, isInSight, settled, withWeb, ZONE } from "./web-page.js";

const test = suite("timeline in the browser");
const details = detailsOf(test);

const FROM = Date.parse(`${DAY}T07:00:00Z`);
const TO = Date.parse(`${DAY}T17:00:00Z`);
const HASH = hashOf(FROM, TO);
const FILLED = realisticDay({ date: DAY, timezone: ZONE, hostname: HOST });
const MINUTE = 60_000;

interface Window {
  readonly start: number;
  readonly end: number;
}

function hashOf(start: number, end: number): string {
  const times = { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
  return `#/timeline?${new URLSearchParams(times)}`;
}

/** What the address says is in view. */
function windowOf(page: Page): Window {
  const params = new URLSearchParams(new URL(page.url()).hash.split("?")[1]);
  return { start: Date.parse(params.get("start") ?? ""), end: Date.parse(params.get("end") ?? "") };
}

/** Waits until all that is in sight has come, and the address and the list of events say so. */
async function complete(page: Page): Promise<void> {
  await settled(page);
  await page.locator('.timeline[aria-busy="false"]').waitFor();
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Where an instant of a lane is on the screen. */
async function spotOf(page: Page, lane: string, instant: number, window: Window = windowOf(page)): Promise<Spot> {
  const canvas = await boxOf(page, ".tl-lanes");
  const name = await boxOf(page, `.tl-name:text-is("${lane}")`);
  // On narrow screens names stand above their lanes.
  const y = name.height > 24 ? name.y + name.height / 2 : name.y + name.height + 10;
  return { x: canvas.x + ((instant - window.start) / (window.end - window.start)) * canvas.width, y };
}

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not on the page`);
  return box;
}

/** The colour of the picture at a place of the screen. */
function colorAt(page: Page, { x, y }: Spot): Promise<string> {
  return page.evaluate(
    ([left, top]) => {
      const canvas = document.querySelector<HTMLCanvasElement>(".tl-lanes");
      const box = canvas?.getBoundingClientRect();
      if (!canvas || !box) return "";
      const ratio = canvas.width / box.width;
      // Read from a copy: reading from the picture itself would make it slow.
      const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      copy?.drawImage(canvas, (left - box.x) * ratio, (top - box.y) * ratio, 1, 1, 0, 0, 1, 1);
      return [...(copy?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3).join(",");
    },
    [x, y] as const,
  );
}

/** The text of something as people read it, line by line. */
function shown(locator: Locator): Promise<string> {
  return locator.innerText();
}

const PRESENT = "46,139,87";
const AWAY = "166,143,102";

/** A long absence at noon. */
const LUNCH = (() => {
  const afk = FILLED.afk.events.map(({ timestamp, duration, data }) => {
    return { start: timestamp / 1000, end: (timestamp + duration) / 1000, status: data["status"] };
  });
  const long = afk.find(({ start, end, status }) => status === "afk" && start > FROM && end - start > 30 * MINUTE);
  return long ?? { start: 0, end: 0 };
})();

/** An event of the windows lane that is long enough to be pointed at. */
const LONG = FILLED.window.events.find(({ duration }) => duration > 600_000_000) ?? FILLED.window.events[0];
const MIDDLE = ((LONG?.timestamp ?? 0) + (LONG?.duration ?? 0) / 2) / 1000;

inOneVisit(test, { smokes: 3 }, [
  [
    "each bucket is a lane under its host, and shows its events where they are",
    HASH,
    async ({ page }) => {
      await complete(page);
      assert.equal(await page.locator(".tl-host").allTextContents(), [HOST]);
      const names = await page.locator(".tl-name").allTextContents();
      assert.equal(
        names.map((name) => name.split(" ")[0]),
        ["Windows", "Presence", "Web", "Editor"],
      );
      const seen = new Set<string>();
      for (let instant = FROM + 5 * MINUTE; instant < TO; instant += (IS_LONG ? 10 : 30) * MINUTE) {
        const at = FILLED.afk.events.find(
          ({ timestamp, duration }) => timestamp <= instant * 1000 && timestamp + duration > instant * 1000,
        );
        const edge = [at?.timestamp ?? 0, (at?.timestamp ?? 0) + (at?.duration ?? 0)];
        // Labels and gaps are drawn at the edges.
        if (edge.some((micros) => Math.abs(micros / 1000 - instant) < 3 * MINUTE)) continue;
        const spot = await spotOf(page, "Presence", instant);
        const color = await colorAt(page, { x: spot.x, y: spot.y - 9 });
        assert.is(color, at?.data["status"] === "afk" ? AWAY : PRESENT, new Date(instant).toISOString());
        seen.add(color);
      }
      assert.is(seen.size, 2);
    },
  ],
  [
    "the list below has the same events for those who see no picture",
    HASH,
    async ({ page }) => {
      await complete(page);
      const inSight = FILLED.window.events.filter(
        ({ timestamp, duration }) => timestamp <= TO * 1000 && timestamp + duration >= FROM * 1000,
      );
      const list = page.getByRole("region", { name: `Events of Windows on ${HOST}` });
      assert.is(await list.locator("table").count(), 0);
      await list.getByText("Visible events as a table").click();
      await complete(page);
      assert.match(await shown(list), `${inSight.length.toLocaleString("en-US")} visible events, newest 50`);
      const rows = list.locator("tbody tr");
      assert.is(await rows.count(), 50);
      const newest = inSight.at(-1);
      assert.ok((await shown(rows.first())).includes(String(newest?.data["title"])));
      await rows.first().getByRole("button").click();
      assert.ok((await shown(page.locator(".tl-pinned"))).includes(String(newest?.data["title"])));
    },
  ],
  [
    "the pointer shows the event below it as text, a click keeps it, and a link leads into its bucket",
    HASH,
    async ({ page }) => {
      await complete(page);
      const { x, y } = await spotOf(page, "Windows", MIDDLE);
      await page.mouse.move(x, y);
      const tooltip = page.locator(".tl-tooltip");
      await tooltip.waitFor();
      const text = await shown(tooltip);
      for (const part of ["Windows", String(LONG?.data["app"]), String(LONG?.data["title"])]) {
        assert.ok(text.includes(part), `${part} in ${text}`);
      }
      const minutes = Math.floor((LONG?.duration ?? 0) / 60e6);
      assert.match(text, new RegExp(`${minutes}m \\d\\ds`));
      await page.mouse.click(x, y);
      const card = page.locator(".tl-pinned");
      assert.ok((await shown(card)).includes(String(LONG?.data["title"])));
      await page.mouse.move(5, 5);
      assert.is(await tooltip.count(), 0);
      assert.is(await card.count(), 1);
      await card.getByRole("link", { name: "Open in bucket" }).click();
      const { hash } = new URL(page.url());
      const begin = encodeURIComponent(new Date((LONG?.timestamp ?? 0) / 1000).toISOString());
      assert.is(hash, `#/buckets/${FILLED.window.bucket.id}?at=${begin}`);
      await settled(page);
    },
  ],
  [
    "everything can be done with keys: move, zoom from a year to a second, lanes, ends, events",
    HASH,
    async ({ page }) => {
      await complete(page);
      const stage = page.getByRole("application", { name: "Timeline" });
      await stage.focus();
      const press = async (...keys: readonly string[]): Promise<Window> => {
        for (const key of keys) await page.keyboard.press(key);
        await complete(page);
        return windowOf(page);
      };
      assert.is((await press("ArrowRight")).start, FROM + 60 * MINUTE);
      assert.equal(await press("ArrowLeft"), { start: FROM, end: TO });
      assert.is((await press("Shift+ArrowLeft")).end, TO - 300 * MINUTE);
      await press("End");
      const last = FILLED.afk.events.at(-1);
      const end = ((last?.timestamp ?? 0) + (last?.duration ?? 0)) / 1000;
      const atEnd = windowOf(page);
      assert.ok(atEnd.start < end && atEnd.end > end, "the last event is in sight");
      const atStart = await press("Home");
      assert.ok(atStart.start < (FILLED.afk.events[0]?.timestamp ?? 0) / 1000);
      const seconds = await press(...Array.from({ length: 20 }, () => "+"));
      assert.is(seconds.end - seconds.start, 1000);
      const years = await press(...Array.from({ length: 30 }, () => "-"));
      assert.ok(years.end - years.start > 365 * 24 * 60 * MINUTE);
      await page.goto(`${page.url().split("#")[0]}${HASH}`);
      await complete(page);
      await stage.focus();
      await press("ArrowDown");
      assert.is(await shown(page.locator(".tl-list h2")), `Presence ${HOST}`);
      await press("Enter");
      const middle = (FROM + TO) / 2;
      const there = FILLED.afk.events.find(
        ({ timestamp, duration }) => timestamp <= middle * 1000 && timestamp + duration > middle * 1000,
      );
      assert.ok((await shown(page.locator(".tl-pinned"))).includes(String(there?.data["status"])));
      await stage.focus();
      await press("Escape");
      assert.is(await page.locator(".tl-pinned").count(), 0);
    },
  ],
  [
    "dragging moves time with the pointer; what was seen stays in the address, over reload and back",
    "#/settings",
    async ({ page, goto }) => {
      await goto(HASH);
      await complete(page);
      const from = await spotOf(page, "Windows", MIDDLE);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x - 100, from.y, { steps: 5 });
      await page.mouse.move(from.x - 300, from.y, { steps: 5 });
      await page.mouse.up();
      await complete(page);
      assert.is(await page.locator(".tl-pinned").count(), 0, "a drag is no click");
      const moved = windowOf(page);
      const there = await spotOf(page, "Windows", MIDDLE);
      assert.ok(Math.abs(there.x - (from.x - 300)) < 2, `${there.x} ${from.x}`);
      await page.reload();
      await complete(page);
      assert.equal(windowOf(page), moved);
      await page.goBack();
      await page.waitForURL(/#\/settings/);
      await page.goForward();
      await complete(page);
      assert.equal(windowOf(page), moved);
    },
  ],
  [
    "an away block is labeled by a drag and a label, a gap by two clicks; both are entries of the stopwatch, with undo",
    HASH,
    async ({ page, server, picture }) => {
      await complete(page);
      const panel = page.getByRole("region", { name: "Selected time" });
      const entries = async () => (await connect(server).events.list("aw-stopwatch")).reverse();
      const from = await spotOf(page, "Presence", LUNCH.start + 12 * MINUTE);
      const to = await spotOf(page, "Presence", LUNCH.end - MINUTE / 2);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x - 20, to.y, { steps: 3 });
      await page.mouse.move(to.x, to.y, { steps: 3 });
      await page.mouse.up();
      await settled(page);
      assert.equal(windowOf(page), { start: FROM, end: TO }, "it does not move");
      await accessibleToo(page);
      await picture("timeline-label");
      await page.keyboard.type("Lunch");
      await page.keyboard.press("Enter");
      await panel.waitFor({ state: "detached" });
      await complete(page);
      const [first] = await entries();
      assert.equal(first?.data, { label: "Lunch", running: false });
      const start = Date.parse(first?.timestamp ?? "");
      assert.is(start % MINUTE, 0, "a whole minute");
      assert.ok(Math.abs(start - LUNCH.start - 12 * MINUTE) <= MINUTE);
      assert.is(start + (first?.duration ?? 0) * 1000, LUNCH.end, "the end of the block");
      assert.is(await page.locator(".tl-name").first().textContent(), "Stopwatch");

      const gap = await spotOf(page, "Windows", (LUNCH.start + LUNCH.end) / 2);
      await page.mouse.click(gap.x, gap.y);
      await panel.getByRole("button", { name: "Lunch" }).click();
      await page.getByRole("status").filter({ hasText: "Entry added" }).waitFor();
      await complete(page);
      const [whole, ...others] = (await entries()).filter(({ id }) => id !== first?.id);
      const windows = FILLED.window.events.map(({ timestamp, duration }) => [timestamp, timestamp + duration] as const);
      assert.ok(windows.some(([, end]) => Math.floor(end / 1000) === Date.parse(whole?.timestamp ?? "")));
      assert.equal([whole?.data, others.length], [{ label: "Lunch", running: false }, 0]);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("status").filter({ hasText: "Undone" }).waitFor();
      assert.is((await entries()).length, 1);
      await server.buckets.delete("aw-stopwatch");
      await complete(page);
    },
  ],
  [
    "an event is deleted by keys alone: the result is told, and keys go on from where the event was chosen",
    hashOf(MIDDLE - MINUTE / 2, MIDDLE + MINUTE / 2),
    async ({ page, server }) => {
      await complete(page);
      const lanes = page.getByRole("application");
      const card = page.locator(".tl-pinned");
      const hasFocus = (one: Locator) => one.evaluate((element) => element === document.activeElement);
      await lanes.focus();
      await page.keyboard.press("Enter");
      await card.getByText(String(LONG?.data["title"])).waitFor();
      await card.getByRole("button", { name: "Close" }).press("Enter");
      await card.waitFor({ state: "detached" });
      await settled(page);
      assert.ok(await hasFocus(lanes), "after closing");
      const before = await server.events.count(FILLED.window.bucket.id);
      await page.keyboard.press("Enter");
      await card.getByRole("button", { name: "Delete…" }).press("Enter");
      const gate = door();
      await page.route(/\/timeline\?/, (route) => gate.opened.then(() => route.continue()));
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
      await page.getByRole("status").filter({ hasText: "Event deleted" }).waitFor();
      // The tooltip must not ask for the event that is still drawn.
      const spot = await spotOf(page, "Windows", MIDDLE);
      await page.mouse.move(spot.x, spot.y);
      await page
        .locator(".tl-tooltip")
        .filter({ hasText: String(LONG?.data["title"]) })
        .waitFor();
      gate.open();
      await complete(page);
      await settled(page);
      await page.unroute(/\/timeline\?/);
      assert.is(await server.events.count(FILLED.window.bucket.id), before - 1);
      assert.ok(await hasFocus(lanes), "after deleting");
    },
  ],
]);

// How windows follow from the pointer, dates and periods is tested in test/web/timeline.test.ts.
if (IS_LONG) {
  inOneVisit(test, {}, [
    [
      "Ctrl and the wheel zoom at the pointer, Shift and the wheel move, the wheel alone zooms after a click",
      HASH,
      async ({ page }) => {
        await complete(page);
        const { x: near120, y } = await spotOf(page, "Windows", FROM + 120 * MINUTE);
        // Wheel events have whole pixels.
        const x = Math.round(near120);
        const { width: across } = await boxOf(page, ".tl-lanes");
        const at = FROM + 120 * MINUTE + ((x - near120) / across) * (TO - FROM);
        await page.mouse.move(x, y);
        await page.mouse.wheel(0, 60);
        await complete(page);
        assert.equal(windowOf(page), { start: FROM, end: TO });
        await page.keyboard.down("Control");
        for (let turn = 0; turn < 5; turn++) await page.mouse.wheel(0, -200);
        await page.keyboard.up("Control");
        await complete(page);
        const near = windowOf(page);
        assert.ok(near.end - near.start < (TO - FROM) / 6, String(near.end - near.start));
        const kept = await spotOf(page, "Windows", at, near);
        assert.ok(Math.abs(kept.x - x) < 2, `${kept.x} ${x}`);
        await page.keyboard.down("Shift");
        await page.mouse.wheel(0, 300);
        await page.keyboard.up("Shift");
        await complete(page);
        const moved = windowOf(page);
        assert.ok(Math.abs(moved.end - moved.start - (near.end - near.start)) <= 2);
        assert.ok(moved.start > near.start);
        await page.mouse.click(x, y);
        await page.mouse.wheel(0, 200);
        await complete(page);
        const far = windowOf(page);
        assert.ok(far.end - far.start > 1.2 * (moved.end - moved.start), String(far.end - far.start));
        await page.getByRole("button", { name: "Today" }).focus();
        await page.mouse.wheel(0, 200);
        await complete(page);
        assert.equal(windowOf(page), far);
      },
    ],
    [
      "a day is followed by the next one, a date can be chosen, and the menu takes period and host along",
      "#/day/2024-02-27?host=desk&f=app%3DCode",
      async ({ page, goto }) => {
        const menu = page.getByRole("navigation", { name: "Views", exact: true });
        const days = async (from: string, count: number): Promise<void> => {
          await complete(page);
          const start = Date.parse(`${from}T03:00:00Z`);
          assert.equal(windowOf(page), { start, end: start + count * 1440 * MINUTE });
        };
        await menu.getByRole("link", { name: "Timeline" }).click();
        await days("2024-02-27", 1);
        await page.getByRole("button", { name: "Later" }).click();
        await days("2024-02-28", 1);
        await page.getByLabel("Date").fill("2024-02-20");
        await page.getByLabel("Date").press("Tab");
        await days("2024-02-20", 1);
        await menu.getByRole("link", { name: "Reports" }).click();
        await page.waitForFunction(() => location.hash.startsWith("#/timesheet/week/2024-02-19?"));
        await menu.getByRole("link", { name: "Timeline" }).click();
        await days("2024-02-19", 7);
        await page.getByRole("button", { name: "Earlier" }).click();
        await days("2024-02-12", 7);
        assert.is(await page.getByRole("button", { name: "Week", exact: true }).getAttribute("aria-pressed"), "true");
        // A date that was chosen is held in the middle, whatever is shown around it.
        await page.getByLabel("Date").fill("2024-02-14");
        await page.getByLabel("Date").press("Tab");
        await page.getByRole("application").press("+");
        await page.getByRole("application").press("+");
        await complete(page);
        const noon = Date.parse("2024-02-14T15:00:00Z");
        assert.equal(windowOf(page), { start: noon - 21 * 60 * MINUTE, end: noon + 21 * 60 * MINUTE });
        await page.getByRole("button", { name: "Day", exact: true }).click();
        await days("2024-02-14", 1);
        await page.getByRole("button", { name: "Week", exact: true }).click();
        await days("2024-02-11", 7);
        await menu.getByRole("link", { name: "Activity" }).click();
        await page.waitForFunction(() => location.hash === "#/week/2024-02-12?host=desk&f=app%3DCode");
        await goto("#/day/2024-02-27?hosts=all");
        const links = ["Timeline", "Reports"].map((name) => menu.getByRole("link", { name }).getAttribute("href"));
        const [timeline = "", timesheet] = await Promise.all(links);
        assert.not.match(timeline ?? "", "host");
        assert.is(timesheet, "#/timesheet/week/2024-02-26?hosts=all");
      },
    ],
  ]);
}

details("a notch of a wheel zooms as far where the browser tells it in lines", () =>
  withWeb({ hash: HASH }, async ({ page, goto }) => {
    const after = async (notch: { readonly deltaMode: number; readonly deltaY: number }): Promise<Window> => {
      await goto(HASH);
      await complete(page);
      await page.locator(".tl-scroll").evaluate((stage, init) => {
        const clientX = stage.getBoundingClientRect().right - 300;
        stage.dispatchEvent(new WheelEvent("wheel", { ctrlKey: true, clientX, ...init }));
      }, notch);
      await complete(page);
      return windowOf(page);
    };
    const inPixels = await after({ deltaMode: 0, deltaY: -100 });
    assert.ok(inPixels.end - inPixels.start < 0.9 * (TO - FROM));
    assert.equal(await after({ deltaMode: 1, deltaY: -3 }), inPixels);
  }),
);

details("fingers move and zoom on a phone", () =>
  withWeb({ hash: HASH, width: 390, height: 800, context: { hasTouch: true } }, async ({ page, picture }) => {
    await complete(page);
    const touch = await page.context().newCDPSession(page);
    const stage = await boxOf(page, ".tl-scroll");
    const y = stage.y + 60;
    const send = (type: string, ...xs: readonly number[]) =>
      touch.send("Input.dispatchTouchEvent", {
        type: type as "touchStart",
        touchPoints: xs.map((x, id) => ({ x, y, id })),
      });
    await send("touchStart", 300);
    for (let x = 290; x >= 200; x -= 10) await send("touchMove", x);
    await send("touchEnd");
    await complete(page);
    const moved = windowOf(page);
    assert.ok(moved.start > FROM + 60 * MINUTE, new Date(moved.start).toISOString());
    assert.ok(Math.abs(moved.end - moved.start - (TO - FROM)) <= 2);
    await send("touchStart", 180);
    await send("touchStart", 180, 220);
    for (let step = 1; step <= 8; step++) await send("touchMove", 180 - 10 * step, 220 + 10 * step);
    await send("touchEnd");
    await complete(page);
    const near = windowOf(page);
    assert.ok(near.end - near.start < (TO - FROM) / 2, String(near.end - near.start));
    await page.touchscreen.tap(200, y);
    await page.locator(".tl-pinned").waitFor();
    await picture("timeline-phone-390");
  }),
);

details("lanes can be hidden, colours chosen, and the address keeps both", () =>
  withWeb({ hash: HASH }, async ({ page }) => {
    await complete(page);
    await page.locator(".tl-picker summary").click();
    await page.locator(".tl-picker li", { hasText: "Presence" }).getByRole("checkbox").uncheck();
    await page.getByLabel("Color by").selectOption("kind");
    await complete(page);
    assert.match(page.url(), `hide=${FILLED.afk.bucket.id}`);
    await page.reload();
    await complete(page);
    assert.is(await page.getByLabel("Color by").inputValue(), "kind");
    const names = await page.locator(".tl-name").allTextContents();
    assert.is(names.length, 3);
    assert.not(names.includes("Presence"));
    await page.locator(".tl-picker summary").click();
    await page.getByRole("button", { name: "Hide all" }).click();
    await page.getByText("All lanes are hidden.").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await complete(page);
    assert.is(await page.locator(".tl-name").count(), 4);
  }),
);

details("a link to a host shows its lanes, keeps it in the address, and leads back to all of them", () =>
  withWeb({ hash: `${HASH}&host=lap`, fill: [FILLED, ...lap()] }, async ({ page }) => {
    await complete(page);
    assert.equal(await page.locator(".tl-host").allTextContents(), ["lap"]);
    assert.is(await page.locator(".tl-name").count(), 1);
    await page.getByRole("button", { name: "Later" }).click();
    await complete(page);
    assert.match(page.url(), "host=lap");
    await page.getByRole("button", { name: "Show all devices" }).click();
    await complete(page);
    assert.equal((await page.locator(".tl-host").allTextContents()).sort(), [HOST, "lap"]);
    assert.not.match(page.url(), "host=");
  }),
);

function lap(name = "lap", start = FROM): FilledBucket[] {
  return [{ bucket: bucket({ id: name, hostname: name }), events: [event({ timestamp: new Date(start) })] }];
}

details("a device without events that day is folded until it has some, or its lanes are asked for", () => {
  const past = FROM - 2000 * 60 * MINUTE;
  const fill = [FILLED, ...lap(), ...lap("old", past), ...lap("older", past - MINUTE)];
  return withWeb({ hash: HASH, fill }, async ({ page, server }) => {
    await complete(page);
    const names = page.locator(".tl-name");
    const buttons = page.getByRole("button", { name: "no events, show lanes" });
    assert.equal([await page.locator(".tl-host").count(), await names.count(), await buttons.count()], [4, 5, 2]);
    await buttons.last().click();
    await complete(page);
    assert.equal([await names.count(), await buttons.count()], [6, 1]);
    await server.events.insert("old", event({ timestamp: new Date(FROM + MINUTE) }));
    await buttons.waitFor({ state: "detached" });
    assert.is(await names.count(), 7);
  });
});

details("the panel edits an event by its fields, splits it, and suggests a category for it", () =>
  withWeb({ hash: hashOf(MIDDLE - MINUTE / 2, MIDDLE + MINUTE / 2) }, async ({ page, server }) => {
    await complete(page);
    const card = page.getByRole("region", { name: "Selected event" });
    const dialog = page.getByRole("dialog");
    const id = FILLED.window.bucket.id;
    const before = await server.events.count(id);
    const choose = async (): Promise<void> => {
      await page.getByRole("application").press("Enter");
      await card.waitFor();
      await settled(page);
    };
    await choose();
    assert.ok(await isInSight(card));
    await card.getByRole("button", { name: "Edit…" }).click();
    await dialog.getByLabel("title").fill("Corrected");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").filter({ hasText: "Event updated" }).waitFor();
    await complete(page);
    await choose();
    await card.getByText("Corrected").waitFor();
    await card.getByRole("button", { name: "Assign category" }).click();
    assert.is(await dialog.getByLabel("Text of condition 1").inputValue(), "Corrected");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await card.getByRole("button", { name: "Split…" }).click();
    await dialog.getByRole("button", { name: "Split event" }).click();
    await page.getByRole("status").filter({ hasText: "Event split" }).waitFor();
    assert.is(await server.events.count(id), before + 1);
    await complete(page);
  }),
);

details("a wrong category is corrected in three clicks from its event", () =>
  withWeb({ hash: hashOf(MIDDLE - MINUTE / 2, MIDDLE + MINUTE / 2) }, async ({ page, server }) => {
    const categoryNow = async () => (await connect(server).classify({ data: [LONG?.data ?? {}] })).categories[0];
    await complete(page);
    const before = await categoryNow();
    const { x, y } = await spotOf(page, "Windows", MIDDLE);
    await page.mouse.click(x, y);
    await page.getByRole("region", { name: "Selected event" }).getByRole("button", { name: "Assign category" }).click();
    const target = page.getByRole("dialog").getByRole("list", { name: "Categories" }).locator("button:enabled").last();
    const name = (await target.locator(".belongs-name").innerText()).trim();
    await target.click();
    await page
      .getByRole("status")
      .filter({ hasText: `moved to ${name}` })
      .waitFor();
    assert.is((await categoryNow())?.join(" > "), name);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("status").filter({ hasText: "Undone" }).waitFor();
    assert.equal(await categoryNow(), before);
  }),
);

details("at a second the ends are told to the millisecond", () =>
  withWeb({ hash: hashOf(FROM + 250, FROM + 1250) }, async ({ page }) => {
    await complete(page);
    assert.match(await shown(page.locator(".tl-range")), /:00\.250 AM – .*:01\.250 AM/);
  }),
);

details(
  "without an address the last day that has events is shown, and no buckets lead to the first steps",
  async () => {
    await withWeb({ hash: "#/timeline" }, async ({ page }) => {
      await complete(page);
      const begin = Date.parse(`${DAY}T03:00:00Z`);
      assert.equal(windowOf(page), { start: begin, end: begin + 24 * 60 * MINUTE });
    });
    await withWeb({ hash: "#/timeline", fill: [] }, async ({ page }) => {
      await page.getByRole("link", { name: "Start a watcher" }).waitFor();
    });
  },
);

test.run();
