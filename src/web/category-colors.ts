import { buildTree, type Category, type CategoryNode, keyOf, UNCATEGORIZED } from "./categories.js";

/** Colors of categories, `#rrggbb`. */
export interface CategoryColors {
  /** Color of a category, even if it is not in the list. */
  of(name: readonly string[]): string;
}

/**
 * Colors with different lightness, to be distinguishable in grayscale and with every kind of color vision;
 * test/web/palette.test.ts verifies this. Found by a search that started from hand-picked colors.
 */
const PALETTE = [
  ...["#2d459c", "#b24b57", "#096f26", "#7952b5", "#c56b07"],
  ...["#2b9991", "#dc6eac", "#8fab34", "#41b7fe", "#e3b729"],
] as const;
/** Replacements of the darkest ones on the dark theme, still different from all others. */
const ON_DARK: ReadonlyMap<string, string> = new Map([
  ["#2d459c", "#326fa8"],
  ["#096f26", "#679351"],
  ["#7952b5", "#c14ce2"],
]);
/** Color of uncategorized time, between the default colors. */
const GREY = "#7e858d";
/** Lightness changes of subcategories without a color, relative to their parent, in order. */
const SHADES = [0.28, -0.2, 0.54, -0.38, 0.1, -0.1, 0.68] as const;
/** Minimum luminance on the dark theme's surfaces, for a contrast of 3. */
const MIN_LUMINANCE = 0.145;

/**
 * Assigns colors: a category's own color, or a shade of its nearest parent's, or one of the palette by name. Top-level
 * categories get different colors while there are any left. In the dark theme, dark colors are lighter.
 */
export function createColors(categories: readonly Category[], isDark = false): CategoryColors {
  const colors = new Map<string, string>();
  const taken = new Set<string>();
  const ownColor = ({ index }: CategoryNode) => (index === undefined ? undefined : ownColorOf(categories[index]));
  const paint = (nodes: readonly CategoryNode[], parent: string | undefined) => {
    let shade = 0;
    for (const node of nodes) {
      const key = keyOf(node.name);
      const own = ownColor(node);
      let color = own ?? colors.get(key);
      if (color === undefined && parent === undefined) color = fromPalette(node.name, taken);
      else if (color === undefined && parent !== undefined)
        color = shaded(parent, SHADES[shade++ % SHADES.length] ?? 0);
      if (color === undefined) continue;
      colors.set(key, color);
      paint(node.children, color);
    }
  };
  const tree = buildTree(categories);
  for (const node of tree) taken.add(ownColor(node) ?? "");
  paint(tree, undefined);
  const colorOf = (name: readonly string[]): string => {
    for (let depth = name.length; depth > 0; depth--) {
      const color = colors.get(keyOf(name.slice(0, depth)));
      if (color !== undefined) return color;
    }
    return fromPalette(name.slice(0, 1), new Set());
  };
  return { of: (name) => (isDark ? visibleOnDark(colorOf(name)) : colorOf(name)) };
}

/** The color, or a lighter one that is visible on the dark theme's surfaces. */
export function visibleOnDark(color: string): string {
  let visible = ON_DARK.get(color) ?? color;
  for (let amount = 0.05; luminanceOf(visible) < MIN_LUMINANCE; amount += 0.05) visible = shaded(color, amount);
  return visible;
}

/** A category's own color, if it has a valid one. */
export function ownColorOf(category: Category | undefined): string | undefined {
  const color = category?.data?.color;
  return readColor(typeof color === "string" ? color : undefined);
}

/** Parses `#rgb`, `#rrggbb` and `#rrggbbaa`, ignoring the alpha. @returns lower-case `#rrggbb`, or `undefined` */
export function readColor(text: string | undefined): string | undefined {
  const given = text?.trim().toLowerCase() ?? "";
  if (/^#[0-9a-f]{3}$/.test(given)) return `#${[...given.slice(1)].map((digit) => digit + digit).join("")}`;
  return /^#[0-9a-f]{6}([0-9a-f]{2})?$/.test(given) ? given.slice(0, 7) : undefined;
}

/** A stable color for any name, such as an app's or a host's. */
export function colorByName(name: string): string {
  return fromPalette([name], new Set());
}

/** Black or white, whichever has the higher contrast on a color; always at least 4.5. */
export function textOn(color: string): "#000000" | "#ffffff" {
  // The luminance at which both have equal contrast.
  return luminanceOf(color) > 0.179 ? "#000000" : "#ffffff";
}

/** Relative luminance, from 0 to 1. */
export function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function fromPalette(name: readonly string[], taken: Set<string>): string {
  if (name.length === 1 && name[0] === UNCATEGORIZED) return GREY;
  const start = hashOf(keyOf(name)) % PALETTE.length;
  const inOrder = [...PALETTE.slice(start), ...PALETTE.slice(0, start)];
  const color = inOrder.find((candidate) => !taken.has(candidate)) ?? inOrder[0] ?? GREY;
  taken.add(color);
  return color;
}

/** FNV-1a hash. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Mixes a color with white, or with black for a negative amount. */
function shaded(color: string, amount: number): string {
  const end = amount > 0 ? 255 : 0;
  const mixed = channelsOf(color).map((value) => Math.round(value + (end - value) * Math.abs(amount)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function channelsOf(color: string): number[] {
  const whole = readColor(color) ?? "#000000";
  return [1, 3, 5].map((at) => Number.parseInt(whole.slice(at, at + 2), 16));
}
