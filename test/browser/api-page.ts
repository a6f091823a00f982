// The API browser as somebody uses it who looks at the page: by what is written there.
import type { Locator, Page } from "playwright-core";

/** An operation in the page, unfolded or not. */
export interface OperationBox {
  readonly box: Locator;
  /** Unfolds it and makes its fields ready to be filled. */
  tryItOut(): Promise<void>;
  /** Writes into the field of a parameter. */
  fill(parameter: string, value: string): Promise<void>;
  /** Writes the JSON body. */
  fillBody(value: unknown): Promise<void>;
  /** Sends it. @returns the status that the page shows */
  execute(): Promise<number>;
}

/** Opens the page and waits until it shows operations. */
export async function openApiPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator(".opblock").first().waitFor();
}

/** Leaves the rest of the document out, and what is answered in each case: to draw all of it takes seconds. */
export async function showOnly(page: Page, ...wanted: readonly string[]): Promise<void> {
  await page.route("**/openapi.json", async (route) => {
    const response = await route.fetch();
    const document = (await response.json()) as Described;
    const paths = wanted.map((path) => {
      const operations = Object.entries(document.paths[path] ?? {});
      return [path, Object.fromEntries(operations.map(([method, found]) => [method, { ...found, responses: ANSWER }]))];
    });
    await route.fulfill({ response, json: { ...document, paths: Object.fromEntries(paths) } });
  });
}

const ANSWER = { default: { description: "" } };

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** Operations of the page, by method and path: `POST /api/0/query`. */
export async function shownOperations(page: Page): Promise<string[]> {
  return page.locator(".opblock .opblock-summary").evaluateAll((boxes) =>
    boxes.map((box) => {
      const method = box.querySelector(".opblock-summary-method")?.textContent;
      const path = box.querySelector(".opblock-summary-path")?.getAttribute("data-path");
      return `${method} ${path}`;
    }),
  );
}

/** Operations of the document that stands beside the page, likewise. */
export async function describedOperations(page: Page): Promise<string[]> {
  const answer = await page.request.get(new URL("openapi.json", page.url()).href);
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

export function operation(page: Page, tag: string, id: string): OperationBox {
  const box = page.locator(`#operations-${tag}-${id}`);
  return {
    box,
    async tryItOut() {
      await box.locator(".opblock-summary-control").click();
      await box.getByRole("button", { name: "Try it out" }).click();
    },
    fill: (parameter, value) => box.locator(`tr[data-param-name="${parameter}"] input`).fill(value),
    fillBody: (value) => box.locator("textarea.body-param__text").fill(JSON.stringify(value)),
    async execute() {
      const shown = box.locator(".live-responses-table td.response-col_status:not(.col_header)");
      const clear = box.getByRole("button", { name: "Clear" });
      // What an earlier call was answered must not be taken for the answer to this one.
      if (await clear.isVisible()) await clear.click();
      await shown.waitFor({ state: "detached" });
      await box.getByRole("button", { name: "Execute" }).click();
      await shown.waitFor();
      return Number.parseInt((await shown.textContent()) ?? "", 10);
    },
  };
}

/** Gives the page an API key, as its dialog asks for it. */
export async function authorize(page: Page, key: string): Promise<void> {
  await page.locator(".auth-wrapper .authorize").click();
  const dialog = page.locator(".dialog-ux");
  // The other form is for the secret of a session, which the page takes from the dashboard by itself.
  const field = page.getByLabel("auth-bearer-value");
  await field.fill(key);
  await dialog.locator("form", { has: field }).getByRole("button", { name: "Apply credentials" }).click();
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await dialog.waitFor({ state: "detached" });
}
