// Keeps the keyboard focus in place. If the focused element disappears, or becomes hidden or disabled, a nearby element
// gets the focus, so that keyboard and screen reader users continue from there.

type Focusable = HTMLElement | SVGElement;

/** Elements that are replaced by the next or previous one when removed. */
const ROWS = "li, tr";
/** Landmarks with a heading or a label. */
const PLACES = "dialog, section, form, details, [role=status], main";
/** First elements to focus in a landmark: controls that handle keys, or headings. */
const HEADS = ["[role=application]", "h1, h2, h3, summary"];
/** Time in which the page may move the focus itself, in milliseconds. */
const PATIENCE = 100;

/** An element that has or had the focus. */
interface Trail {
  readonly element: Focusable;
  /** Its former position, after it was removed. */
  gone?: { readonly removed: Node; readonly parent: Node; readonly beside: readonly (Node | null)[] } | undefined;
  /** Whether it was moved in the document, which drops the focus. */
  isMoved?: boolean;
}

/** The last focused element; then the one before a dialog was opened. */
let trails: readonly Trail[] = [];
/** The element that lost the focus, and its substitute. The focus returns as soon as possible. */
let waiting: { readonly element: Focusable; readonly place: Focusable } | undefined;
let isToCheck = false;

/** Starts to watch the focus. */
export function keepFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    if (!isFocusable(target)) return;
    const before = isInDialog(target) ? trails.filter(({ element }) => !isInDialog(element)) : [];
    trails = [{ element: target }, ...before];
    if (waiting?.place !== target) waiting = undefined;
  });
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    if (relatedTarget !== null || !isFocusable(target) || !canFocus(target)) return;
    // Some browsers dispatch this just before they remove or move the element.
    setTimeout(() => forgetLeft(target));
  });
  // A click outside of all controls, or leaving the page, drops the focus intentionally.
  document.addEventListener("mouseup", () => document.activeElement === document.body && forget());
  addEventListener("blur", forget);
  const observer = new MutationObserver((records) => {
    for (const trail of trails) recordPosition(trail, records);
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

/** Forgets an element that the user left, unless it was removed or moved. */
function forgetLeft(left: Focusable): void {
  if (left === document.activeElement || !left.isConnected) return;
  trails = trails.filter(({ element, isMoved }) => element !== left || isMoved);
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

/** Records the former position of a removed element and of its ancestors. */
function recordPosition(trail: Trail, records: readonly MutationRecord[]): void {
  for (const { removedNodes, target, nextSibling, previousSibling } of records) {
    for (const removed of removedNodes) {
      if (!removed.contains(trail.gone?.parent ?? trail.element)) continue;
      trail.gone = { removed, parent: target, beside: [nextSibling, previousSibling] };
    }
  }
  if (trail.gone === undefined || !trail.element.isConnected) return;
  trail.gone = undefined;
  trail.isMoved = true;
}

function check(): void {
  isToCheck = false;
  if (waiting !== undefined && document.activeElement === waiting.place && canFocus(waiting.element)) {
    focusElement(waiting.element);
  }
  const { activeElement } = document;
  if (!isNowhere() && activeElement !== null && isSeen(activeElement)) return;
  const [last] = trails;
  const place = trails.map(placeOf).find((one) => one !== undefined);
  if (last === undefined || place === undefined) return;
  focusElement(place);
  waiting = { element: last.element, place };
}

function placeOf({ element, gone }: Trail): Focusable | undefined {
  if (canFocus(element)) return element;
  if (gone !== undefined && isInDialog(element) && trails.length > 1) return undefined;
  const isRow = gone?.removed instanceof Element && gone.removed.matches(ROWS);
  const next = isRow ? gone.beside.find((one) => isFocusable(one) && one.parentNode === gone.parent) : undefined;
  if (isFocusable(next) && isSeen(next)) return next;
  // A disabled element keeps its position in the tab order.
  if (gone === undefined && element.parentElement !== null && isSeen(element.parentElement)) {
    return element.parentElement;
  }
  const from = gone?.parent ?? element;
  for (let at = from instanceof Element ? from : null; at !== null; at = at.parentElement) {
    if (!isSeen(at)) continue;
    if (isFocusable(at) && at.matches(ROWS)) return at;
    if (at.matches(PLACES)) return findHeading(at);
  }
  return findHeading(document.body);
}

function findHeading(place: Element): Focusable | undefined {
  const found = [...HEADS.flatMap((head) => [...place.querySelectorAll(head)]), place].find(isSeen);
  return isFocusable(found) ? found : undefined;
}

/** Whether an element can have the focus. */
function canFocus(element: Focusable): boolean {
  return element.isConnected && !element.matches(":disabled") && isSeen(element);
}

function isSeen(element: Element): boolean {
  // Safari 16 lacks `checkVisibility`.
  return element.getBoundingClientRect().height > 0 && element.checkVisibility?.() !== false;
}

/** Focuses an element. Makes a non-control focusable only once, so that clicks next to it do not focus it again. */
function focusElement(place: Focusable): void {
  if (place.tabIndex < 0 && !place.hasAttribute("tabindex")) {
    place.setAttribute("tabindex", "-1");
    place.addEventListener("blur", () => place.removeAttribute("tabindex"), { once: true });
  }
  place.focus({ preventScroll: true });
  // After a click, the view decides what to show. Only the keyboard continues from the focus.
  if (place.matches(":focus-visible")) place.scrollIntoView({ block: "nearest" });
}
