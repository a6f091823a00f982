// long: 120 s
// Several devices: all of them are shown first, and a page has the state of their watchers and a code for phones.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bucket, event, type Filling } from "../../src/testing/index.js";
import { readAddress } from "../../src/web/views/devices/address.js";
import { totalOf } from "./activity-page.js";
import { accessibleToo, DAY, withWeb } from "./web-page.js";

const test = suite("devices in Chromium");

const at = (time: string, duration: string, data: object) =>
  event({ timestamp: `${DAY}T${time}:00Z`, duration: duration as "1s", data: data as { app: string } });

const FILL: Filling = [
  {
    bucket: bucket({ id: "aw-watcher-window_desk", hostname: "desk" }),
    events: [at("10:00", "600s", { app: "google-chrome" })],
  },
  {
    bucket: bucket({ id: "aw-watcher-window_laptop", hostname: "laptop" }),
    events: [at("10:05", "600s", { app: "Google Chrome" })],
  },
  {
    bucket: bucket({ id: "aw-watcher-window_demo", hostname: "demo", data: { demo: true } }),
    events: [at("12:00", "600s", { app: "Demo" })],
  },
  {
    bucket: bucket({ id: "aw-watcher-web-chrome", type: "web.tab.current", hostname: "unknown" }),
    events: [at("10:00", "600s", { url: "https://one.example/", title: "One" })],
  },
];

test("all devices are shown first, without the demo, and a browser without a device is asked about once", () =>
  withWeb({ fill: FILL }, async ({ page, server, goto }) => {
    assert.is(await page.getByRole("combobox", { name: "Device" }).inputValue(), "all");
    assert.is(await totalOf(page), 900);
    const chrome = page.getByRole("link", { name: "Google Chrome" });
    assert.is(await chrome.count(), 1);
    await chrome.click();
    await page.waitForFunction(() => location.hash.includes("f="));
    await page.locator('.activity-numbers[aria-busy="false"]').waitFor();
    assert.is(await totalOf(page), 900);
    await goto("#/");
    const question = page.getByText("Which device does the browser in aw-watcher-web-chrome belong to?");
    await question.getByRole("button", { name: "laptop" }).click();
    await question.waitFor({ state: "detached" });
    assert.equal(await server.settings.get("browser_hosts"), { "aw-watcher-web-chrome": "laptop" });
    await accessibleToo(page);
  }));

test("watchers have their state, and an address that others can reach has a code", () =>
  withWeb({ fill: FILL, hash: "#/devices", now: `${DAY}T10:15:20Z` }, async ({ page, picture }) => {
    const row = (id: string) => page.getByRole("row").filter({ hasText: id }).getByRole("cell").first();
    assert.is(await row("aw-watcher-window_laptop").textContent(), "reports now");
    assert.is(await row("aw-watcher-window_desk").textContent(), "silent now");
    const address = page.getByLabel("Address of this server");
    await page.getByText("Other devices cannot reach this address").waitFor();
    await address.fill("http://192.168.1.20:5600/");
    await page.getByRole("img", { name: "QR code of http://192.168.1.20:5600" }).waitFor();
    await accessibleToo(page);
    await picture("devices");
    await address.fill("nowhere");
    await page.getByText("Enter an address such as").waitFor();
  }));

test("an address is local or one that others reach", () => {
  for (const local of ["http://localhost:5600", "https://127.0.0.1/", "http://[::1]:5600", "http://a.localhost"]) {
    assert.is(readAddress(local)?.isLocal, true, local);
  }
  assert.equal(readAddress(" http://desk.local:5600/tracker/ "), {
    text: "http://desk.local:5600/tracker",
    isLocal: false,
  });
  for (const odd of ["", "desk", "ftp://desk", "http://"]) assert.is(readAddress(odd), undefined, odd);
});

test.run();
