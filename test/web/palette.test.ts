// Whether colours of categories can be told apart, on light and dark grounds, with every kind of colour vision.
import fs from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Category, UNCATEGORIZED } from "../../src/web/categories.js";
import { createColors, luminanceOf } from "../../src/web/category-colors.js";
import { createLooks } from "../../src/web/views/timeline/looks.js";

const test = suite("palette");

type Vector = readonly [number, number, number];

/** Machado, Oliveira and Fernandes (2009), severity 1, over linear light. */
const VISION: Readonly<Record<string, readonly Vector[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function linear(color: string): Vector {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return [red, green, blue];
}

function times(matrix: readonly Vector[], [x, y, z]: Vector): Vector {
  const [a = 0, b = 0, c = 0] = matrix.map(([r, g, s]) => Math.min(1, Math.max(0, r * x + g * y + s * z)));
  return [a, b, c];
}

/** OKLab of linear light: distances in it are about as large as they look. */
function oklab([red, green, blue]: Vector): Vector {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function distance(one: string, other: string, vision: string): number {
  const [a, b] = [one, other].map((color) => oklab(times(VISION[vision] ?? [], linear(color)))) as [Vector, Vector];
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function contrast(one: number, other: number): number {
  const [dark = 0, light = 0] = [one, other].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function named(...names: readonly string[]): Category[] {
  return names.map((name) => ({ name: name.split("/"), rule: { type: "none" } }));
}

/** The ten colours that top categories get before any of them is given twice. */
const TOPS = Array.from({ length: 10 }, (_, at) => `Top ${at}`);
const colors = createColors(named(...TOPS));
const palette = TOPS.map((name) => colors.of([name]));
const dark = createColors(named(...TOPS), true);
const darkPalette = TOPS.map((name) => dark.of([name]));

for (const vision of Object.keys(VISION)) {
  test(`top categories differ with ${vision}`, () => {
    const close: string[] = [];
    for (const all of [palette, darkPalette]) {
      for (const [at, one] of all.entries()) {
        for (const other of all.slice(at + 1)) {
          const found = distance(one, other, vision);
          if (found < 6) close.push(`${one} ${other} ${found.toFixed(1)}`);
        }
      }
    }
    assert.equal(close, []);
  });

  test(`a category differs from those below it, and these from each other, with ${vision}`, () => {
    const close: string[] = [];
    for (const top of TOPS) {
      const children = ["a", "b", "c", "d"].map((name) => `${top}/${name}`);
      const family = createColors(named(...TOPS, ...children));
      const shades = [top, ...children].map((name) => family.of(name.split("/")));
      for (const [at, one] of shades.entries()) {
        for (const other of shades.slice(at + 1)) {
          const found = distance(one, other, vision);
          if (found < 4) close.push(`${one} ${other} ${found.toFixed(1)}`);
        }
      }
    }
    assert.equal(close, []);
  });
}

test("who was away looks different from what has no category", () => {
  const away = createLooks("kind", [], { of: () => undefined })("afkstatus", { status: "afk" }).color;
  assert.ok(distance(away, createColors([]).of([UNCATEGORIZED]), "normal") >= 8);
});

const STYLE = fs.readFileSync("src/web/style.css", "utf8");

/** The variables of a theme. */
function theme(selector: string): ReadonlyMap<string, string> {
  const [, block = ""] = STYLE.split(`${selector} {`);
  const [own = ""] = block.split("}", 1);
  return new Map([...own.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = "", value = ""]) => [name, value]));
}

const THEMES = { light: theme("\n:root"), dark: theme(':root[data-theme="dark"]') };
/** How much of a bar's colour is behind a text. */
const [, TINT = ""] =
  /\.activity-bar \{[^}]*color-mix\(in srgb, var\(--bar\) (\d+)%/.exec(
    fs.readFileSync("src/web/views/activity.css", "utf8"),
  ) ?? [];

for (const [name, variables] of Object.entries(THEMES)) {
  test(`texts are read on bars of every colour, ${name}`, () => {
    assert.ok(Number(TINT) > 0);
    const ground = variables.get("surface") ?? "";
    for (const color of [...palette, "#000000", "#ffffff", "#ff0000", "#ffff00", "#0000ff"]) {
      const mixed = [1, 3, 5].map((at) => {
        const [own = 0, below = 0] = [color, ground].map((one) => Number.parseInt(one.slice(at, at + 2), 16));
        return Math.round((own * Number(TINT) + below * (100 - Number(TINT))) / 100);
      });
      const behind = `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
      for (const ink of ["ink", "ink-2", "accent"]) {
        const found = contrast(luminanceOf(behind), luminanceOf(variables.get(ink) ?? ""));
        assert.ok(found >= 4.5, `${ink} on ${behind} (${color}): ${found.toFixed(2)}`);
      }
    }
  });

  test(`texts are read on every ground, ${name}`, () => {
    for (const ink of ["ink", "ink-2", "accent", "good", "bad", "warn"]) {
      for (const ground of ["ground", "surface", "sunken"]) {
        const [own, below] = [ink, ground].map((one) => luminanceOf(variables.get(one) ?? "")) as [number, number];
        assert.ok(contrast(own, below) >= 4.5, `${ink} on ${ground}: ${contrast(own, below).toFixed(2)}`);
      }
    }
  });

  test(`bars stand out from the ground, ${name}`, () => {
    const isDark = name === "dark";
    const own = named("Black", "Blue").map((category, at) => ({
      ...category,
      data: { color: at === 0 ? "#000" : "#00f" },
    }));
    const shown = createColors(own, isDark);
    const names = isDark ? [...TOPS, "Black", "Blue", UNCATEGORIZED] : TOPS;
    for (const ground of ["surface", "sunken"].map((one) => luminanceOf(variables.get(one) ?? ""))) {
      for (const color of names.map((one) => shown.of([one]))) {
        const found = contrast(luminanceOf(color), ground);
        assert.ok(found >= (isDark ? 3 : 1.6), `${color}: ${found.toFixed(2)}`);
      }
    }
  });
}

test.run();
