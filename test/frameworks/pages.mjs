// Pages in Chromium: everything that they load must come, and nothing may be said on the console.
import assert from "node:assert/strict";
import fs from "node:fs";
import { chromium } from "playwright-core";

const PROGRAMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"];
const PAGE_MILLIS = 20_000;

let launched;

function browser() {
  const executablePath = PROGRAMS.find((name) => fs.existsSync(name));
  assert.ok(executablePath, "Chromium is missing: install chromium-headless-shell or chromium");
  launched ??= chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  return launched;
}

/**
 * Opens a page and waits for an element of it. If its address has no slash at the end, browsers may look ahead and ask
 * for its files next to it, before its script completes the address. These are no faults: they are loaded again.
 *
 * @throws Error naming what did not load
 */
export async function visitPage(url, selector) {
  const context = await (await browser()).newContext();
  try {
    const page = await context.newPage();
    const faults = [];
    const early = new URL("assets/", url).href;
    const isEarly = (address) => !url.endsWith("/") && address.startsWith(early);
    page.on("console", (message) => {
      if (message.type() === "error" && !isEarly(message.location().url)) faults.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.on("requestfailed", (request) => {
      // What the page itself has called off is no fault.
      if (request.failure()?.errorText !== "net::ERR_ABORTED")
        faults.push(`${request.url()}: ${request.failure()?.errorText}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400 && !isEarly(response.url())) faults.push(`${response.url()}: ${response.status()}`);
    });
    await page.goto(url, { timeout: PAGE_MILLIS });
    try {
      await page.locator(selector).first().waitFor({ timeout: PAGE_MILLIS });
    } catch {
      faults.push(`nothing fits ${selector}: ${(await page.content()).slice(0, 300)}`);
    }
    assert.deepEqual(faults, [], url);
  } finally {
    await context.close();
  }
}

export async function closeBrowser() {
  await (await launched)?.close();
}
