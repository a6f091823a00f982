// Converts wheel, pointer and touch gestures to windows.
import { instantAt, panned, type TimeWindow, zoomed } from "./scale.js";

/** The target of gestures. */
export interface GestureTarget {
  readonly element: HTMLElement;
  /** The drawing area, in page pixels. */
  area(): { readonly left: number; readonly width: number };
  window(): TimeWindow;
  move(window: TimeWindow): void;
  /** Called on hover; `undefined` when the pointer leaves. */
  point(at: { readonly x: number; readonly y: number } | undefined): void;
  /** Starts to select time if a drag of a mouse or pen from there does so. `undefined` = it moves the window. */
  select?(at: { readonly x: number; readonly y: number }): TimeSelection | undefined;
  /** Called on a click or tap, in window pixels. */
  pick(at: { readonly x: number; readonly y: number }): void;
}

/** A selection of time in progress. */
export interface TimeSelection {
  /** Called with the pointer's position, in window pixels. */
  extend(x: number): void;
  end(isCanceled: boolean): void;
}

/** Maximum movement of a click, in pixels. */
const STILL = 5;
/** Zoom per wheel pixel. */
const WHEEL_ZOOM = 0.0022;
/** Pixels per line and page of a wheel: a notch is three lines in Firefox, and 100 pixels elsewhere. */
const WHEEL_PIXELS = [1, 100 / 3, 400];

interface Finger {
  x: number;
  y: number;
}

/** Adds listeners. @returns removes them */
export function listen(target: GestureTarget): () => void {
  const { element } = target;
  const ending = new AbortController();
  const { signal } = ending;
  const fingers = new Map<number, Finger>();
  let begun: (Finger & { readonly window: TimeWindow; readonly scrollTop: number }) | undefined;
  let hasMoved = false;
  let selection: TimeSelection | undefined;
  /** Timestamps under both fingers when the second one touched. */
  let held: readonly [number, number] | undefined;

  function instantOf(x: number): number {
    const { left, width } = target.area();
    return instantAt(x - left, target.window(), width);
  }

  function begin({ x, y }: Finger): void {
    begun = { x, y, window: target.window(), scrollTop: element.scrollTop };
  }

  element.addEventListener(
    "wheel",
    (event) => {
      const unit = WHEEL_PIXELS[event.deltaMode] ?? 1;
      const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
      const isSideways = event.shiftKey || Math.abs(dx) > Math.abs(dy);
      const hasKey = event.ctrlKey || event.metaKey;
      // Without a modifier key, the wheel scrolls unless the element has the focus.
      const zooms = hasKey || (!isSideways && document.activeElement === element);
      if (!zooms && !isSideways) return;
      event.preventDefault();
      const window = target.window();
      if (zooms) {
        target.move(zoomed(window, Math.exp(Math.max(-400, Math.min(400, dy)) * WHEEL_ZOOM), instantOf(event.clientX)));
      } else {
        const distance = Math.abs(dx) > Math.abs(dy) ? dx : dy;
        target.move(panned(window, (distance / target.area().width) * (window.end - window.start)));
      }
    },
    { passive: false, signal },
  );

  element.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size === 1) {
        hasMoved = false;
        begin({ x: event.clientX, y: event.clientY });
      } else if (fingers.size === 2) {
        const [one, other] = [...fingers.values()] as [Finger, Finger];
        held = [instantOf(one.x), instantOf(other.x)];
        hasMoved = true;
        target.point(undefined);
      }
    },
    { signal },
  );

  element.addEventListener(
    "pointermove",
    (event) => {
      const finger = fingers.get(event.pointerId);
      const at = { x: event.clientX, y: event.clientY };
      if (finger === undefined) {
        if (event.pointerType !== "touch") target.point(at);
        return;
      }
      Object.assign(finger, at);
      if (fingers.size === 2 && held !== undefined) pinch([...fingers.values()] as [Finger, Finger], held);
      if (fingers.size !== 1 || begun === undefined) return;
      if (!hasMoved && Math.hypot(at.x - begun.x, at.y - begun.y) < STILL) return;
      if (!hasMoved) {
        element.setPointerCapture(event.pointerId);
        // Fingers always move the window: they have no other way.
        if (event.pointerType !== "touch") selection = target.select?.(begun);
      }
      hasMoved = true;
      target.point(undefined);
      if (selection !== undefined) return selection.extend(at.x);
      const { window } = begun;
      target.move(panned(window, ((begun.x - at.x) / target.area().width) * (window.end - window.start)));
      // Touch scrolls natively.
      if (event.pointerType !== "touch") element.scrollTop = begun.scrollTop + begun.y - at.y;
    },
    { signal },
  );

  function pinch([one, other]: readonly [Finger, Finger], [first, second]: readonly [number, number]): void {
    const { left, width } = target.area();
    const distance = other.x - one.x;
    if (Math.abs(distance) < 10 || Math.sign(distance) !== Math.sign(second - first)) return;
    const perPixel = (second - first) / distance;
    const middle = (first + second) / 2;
    const start = middle - ((one.x + other.x) / 2 - left) * perPixel;
    target.move(panned({ start, end: start + width * perPixel }, 0));
  }

  function end(event: PointerEvent): void {
    if (!fingers.delete(event.pointerId)) return;
    held = undefined;
    selection?.end(event.type !== "pointerup");
    selection = undefined;
    const [left] = fingers.values();
    // Continues with the remaining finger.
    if (left !== undefined) begin(left);
    else if (!hasMoved && event.type === "pointerup") target.pick({ x: event.clientX, y: event.clientY });
  }
  element.addEventListener("pointerup", end, { signal });
  element.addEventListener("pointercancel", end, { signal });
  element.addEventListener("pointerleave", () => target.point(undefined), { signal });
  element.addEventListener("dblclick", (event) => target.move(zoomed(target.window(), 0.5, instantOf(event.clientX))), {
    signal,
  });
  return () => ending.abort();
}
