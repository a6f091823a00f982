// Views, each in a separate chunk. All are loaded ahead, so that they work if the server becomes unreachable.
import { type Signal, signal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { loadCode } from "./code.js";
import { PageError } from "./page-error.js";
import { Failure } from "./parts/failure.js";
import { loadLazy } from "./parts/lazy.js";
import { Skeleton } from "./parts/skeleton.js";
import { recoveries } from "./recoveries.js";
import { common } from "./texts/common.js";
import { styled } from "./views-style.js";

type Loader = () => Promise<{ readonly default: ComponentType }>;

/** In the order in which they are loaded ahead. */
const LOADERS: ReadonlyMap<string, Loader> = new Map<string, Loader>([
  ["activity", () => import("./views/activity.js")],
  ["timeline", () => import("./views/timeline.js")],
  ["buckets", () => import("./views/buckets.js")],
  ["bucket", () => import("./views/bucket.js")],
  ["categories", () => import("./views/categories.js")],
  ["search", () => import("./views/search.js")],
  ["timesheet", () => import("./views/timesheet.js")],
  ["overview", () => import("./views/overview.js")],
  ["query", () => import("./views/query.js")],
  ["settings", () => import("./views/settings.js")],
  ["access", () => import("./views/access.js")],
  ["stopwatch", () => import("./views/stopwatch.js")],
  ["privacy", () => import("./views/privacy.js")],
  ["retention", () => import("./views/retention.js")],
  ["trash", () => import("./views/trash.js")],
  ["storage", () => import("./views/storage.js")],
  ["devices", () => import("./views/devices.js")],
  ["welcome", () => import("./views/welcome.js")],
]);

/** Results of loading views. */
const known: Signal<ReadonlyMap<string, { readonly component: ComponentType } | { readonly error: unknown }>> = signal(
  new Map(),
);

/** Whether a view with this name exists. */
export function isView(name: string): boolean {
  return LOADERS.has(name);
}

/** Loads a view with its style, if it is not loaded yet. Never rejects. */
export async function loadView(name: string): Promise<void> {
  const load = LOADERS.get(name);
  if (load === undefined) return;
  const loading = loadCode(load).then(
    (loaded) => ({ component: loaded.default }),
    (error: unknown) => ({ error }),
  );
  // The initial page includes this view's style.
  const found = await (name === "activity" ? loading : styled(loading));
  const before = known.peek().get(name);
  if (before === undefined || "error" in before) known.value = new Map([...known.peek(), [name, found]]);
}

/** Time after which the other views are loaded if nobody has used the page, in milliseconds. */
const UNUSED = 30_000;
const USES = ["pointermove", "pointerdown", "keydown", "scroll"] as const;

/** Loads all other views once somebody uses the page, so that they do not delay the first one. */
export function loadViewsAhead(): void {
  const start = (): void => {
    clearTimeout(timer);
    for (const use of USES) removeEventListener(use, start, true);
    loadNext([...LOADERS.keys()]);
  };
  const timer = setTimeout(start, UNUSED);
  for (const use of USES) addEventListener(use, start, { capture: true, passive: true });
}

/** Loads views one at a time, when the browser is idle. */
function loadNext(names: readonly string[]): void {
  const [next, ...others] = names;
  if (next === undefined) {
    loadLazy();
    return;
  }
  const load = (): void => void loadView(next).then(() => loadNext(others));
  // Safari lacks this function.
  if ("requestIdleCallback" in window) requestIdleCallback(load, { timeout: 500 });
  else setTimeout(load, 1000);
}

/** Renders a view when it is loaded. */
export function View({ name }: { readonly name: string }): JSX.Element {
  const found = known.value.get(name);
  const recovered = recoveries.value;
  useEffect(() => void loadView(name), [name, recovered]);
  if (found === undefined) return <Skeleton lines={6} />;
  if ("error" in found) {
    return (
      <Failure
        error={new PageError(() => common("viewNotLoadedHint"))}
        title={common("notLoaded")}
        retry={() => recoveries.value++}
      />
    );
  }
  const Component = found.component;
  return <Component />;
}
