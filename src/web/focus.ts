// The focus never goes nowhere: where what has it goes away, is hidden or cannot be pressed any more, something near
// it has it then, so that the keyboard and screen readers go on from there.

type Focusable = HTMLElement | SVGElement;

/** What takes the place of one that goes: the next one, or the one before. */
const ROWS = "li, tr";
/** What somebody knows by its heading, or by what it says. */
const PLACES = "dialog, section, form, details, [role=status], main";
/** By which somebody begins there: what keys move, or what tells where they are. */
const HEADS = ["[role=application]", "h1, h2, h3, summary"];
/** So long the page has time to give the focus away itself, in milliseconds. */
const PATIENCE = 100;

/** Something that has or had the focus. */
interface Trail {
  readonly element: Focusable;
  /** Where it was, once it is gone. */
  gone?: { readonly removed: Node; readonly parent: Node; readonly beside: readonly (Node | null)[] } | undefined;
}

/** What has or had the focus last; behind that, what had it before a dialog was opened. */
let trails: readonly Trail[] = [];
/** What could not have the focus any more, and what has it since: it goes back as soon as that is possible. */
let waiting: { readonly element: Focusable; readonly place: Focusable } | undefined;
let isToCheck = false;

/** Begins to watch over it. */
export function keepFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    if (!isFocusable(target)) return;
    const before = isInDialog(target) ? trails.filter(({ element }) => !isInDialog(element)) : [];
    trails = [{ element: target }, ...before];
    if (waiting?.place !== target) waiting = undefined;
  });
  // Whoever presses beside everything wants it nowhere, and whoever leaves the page somewhere else.
  document.addEventListener("mouseup", () => document.activeElement === document.body && forget());
  addEventListener("blur", forget);
  const observer = new MutationObserver((records) => {
    for (const trail of trails) follow(trail, records);
    const isLost = isNowhere() || records.some(({ type }) => type === "attributes");
    if (!isLost || trails.length === 0 || isToCheck) return;
    isToCheck = true;
    setTimeout(check, PATIENCE);
  });
  const attributeFilter = ["disabled", "hidden", "open"];
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter });
}

function forget(): void {
  trails = [];
}

function isFocusable(target: unknown): target is Focusable {
  return target instanceof HTMLElement || target instanceof SVGElement;
}

function isInDialog(element: Element): boolean {
  return element.closest("dialog") !== null;
}

function isNowhere(): boolean {
  const { activeElement: active, body } = document;
  return active === null || active === body || active.matches(":disabled");
}

/** Notes where something was, and where all of that was. */
function follow(trail: Trail, records: readonly MutationRecord[]): void {
  for (const { removedNodes, target, nextSibling, previousSibling } of records) {
    for (const removed of removedNodes) {
      if (!removed.contains(trail.gone?.parent ?? trail.element)) continue;
      trail.gone = { removed, parent: target, beside: [nextSibling, previousSibling] };
    }
  }
  // It was only moved.
  if (trail.element.isConnected) trail.gone = undefined;
}

function check(): void {
  isToCheck = false;
  if (waiting !== undefined && document.activeElement === waiting.place && isThere(waiting.element)) {
    give(waiting.element);
  }
  const { activeElement } = document;
  if (!isNowhere() && activeElement !== null && isSeen(activeElement)) return;
  const [last] = trails;
  const place = trails.map(placeOf).find((one) => one !== undefined);
  if (last === undefined || place === undefined) return;
  give(place);
  waiting = { element: last.element, place };
}

function placeOf({ element, gone }: Trail): Focusable | undefined {
  if (isThere(element)) return element;
  if (gone !== undefined && isInDialog(element) && trails.length > 1) return undefined;
  const isRow = gone?.removed instanceof Element && gone.removed.matches(ROWS);
  const next = isRow ? gone.beside.find((one) => isFocusable(one) && one.parentNode === gone.parent) : undefined;
  if (isFocusable(next) && isSeen(next)) return next;
  // What only cannot be pressed keeps its place, also among others.
  if (gone === undefined && element.parentElement !== null && isSeen(element.parentElement)) {
    return element.parentElement;
  }
  const from = gone?.parent ?? element;
  for (let at = from instanceof Element ? from : null; at !== null; at = at.parentElement) {
    if (!isSeen(at)) continue;
    if (isFocusable(at) && at.matches(ROWS)) return at;
    if (at.matches(PLACES)) return headOf(at);
  }
  return headOf(document.body);
}

function headOf(place: Element): Focusable | undefined {
  const found = [...HEADS.flatMap((head) => [...place.querySelectorAll(head)]), place].find(isSeen);
  return isFocusable(found) ? found : undefined;
}

/** Whether something can have the focus. */
function isThere(element: Focusable): boolean {
  return element.isConnected && !element.matches(":disabled") && isSeen(element);
}

function isSeen(element: Element): boolean {
  // Safari 16 cannot tell more.
  return element.getBoundingClientRect().height > 0 && element.checkVisibility?.() !== false;
}

/** What is no control has the focus this once: presses beside it do not give it back. */
function give(place: Focusable): void {
  if (place.tabIndex < 0 && !place.hasAttribute("tabindex")) {
    place.setAttribute("tabindex", "-1");
    place.addEventListener("blur", () => place.removeAttribute("tabindex"), { once: true });
  }
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: "nearest" });
}
