import { type Category, type CategoryNode, keyOf, treeOf, UNCATEGORIZED } from "./categories.js";

/** Colours of categories, `#rrggbb`. */
export interface CategoryColors {
  /** Of a category, in the list or not. */
  of(name: readonly string[]): string;
}

/**
 * They differ in lightness, so in greyscale too, and with every kind of colour vision: test/web/palette.test.ts counts.
 * Found by a search from colours that were chosen by eye.
 */
const PALETTE = [
  ...["#2d459c", "#b24b57", "#096f26", "#7952b5", "#c56b07"],
  ...["#2b9991", "#dc6eac", "#8fab34", "#41b7fe", "#e3b729"],
] as const;
/** Of what has no category: between the colours of the default ones. */
const GREY = "#7e858d";
/** How much lighter or darker than its parent a category without a colour of its own is; one after the other. */
const SHADES = [0.28, -0.2, 0.54, -0.38, 0.1, -0.1, 0.68] as const;

/**
 * Decides about colours: a category's own, else its nearest parent's in a shade of its own, else one of the palette by
 * its name. Top categories get different ones as long as there are any.
 */
export function createColors(categories: readonly Category[]): CategoryColors {
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
  const tree = treeOf(categories);
  for (const node of tree) taken.add(ownColor(node) ?? "");
  paint(tree, undefined);
  return {
    of(name) {
      for (let depth = name.length; depth > 0; depth--) {
        const color = colors.get(keyOf(name.slice(0, depth)));
        if (color !== undefined) return color;
      }
      return fromPalette(name.slice(0, 1), new Set());
    },
  };
}

/** A category's own colour, when it has one that can be read. */
export function ownColorOf(category: Category | undefined): string | undefined {
  const color = category?.data?.color;
  return readColor(typeof color === "string" ? color : undefined);
}

/** Reads `#rgb`, `#rrggbb` and `#rrggbbaa`, without the last. @returns `#rrggbb` in small letters, or `undefined` */
export function readColor(text: string | undefined): string | undefined {
  const given = text?.trim().toLowerCase() ?? "";
  if (/^#[0-9a-f]{3}$/.test(given)) return `#${[...given.slice(1)].map((digit) => digit + digit).join("")}`;
  return /^#[0-9a-f]{6}([0-9a-f]{2})?$/.test(given) ? given.slice(0, 7) : undefined;
}

/** A colour for anything that has a name, as apps and hosts have; the same for the same name. */
export function colorByName(name: string): string {
  return fromPalette([name], new Set());
}

/** Black or white, whichever is read more easily on a colour; the contrast is 4.5 or more. */
export function textOn(color: string): "#000000" | "#ffffff" {
  // Where both have the same contrast.
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

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Mixed with white, or with black below 0. */
function shaded(color: string, amount: number): string {
  const end = amount > 0 ? 255 : 0;
  const mixed = channelsOf(color).map((value) => Math.round(value + (end - value) * Math.abs(amount)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function channelsOf(color: string): number[] {
  const whole = readColor(color) ?? "#000000";
  return [1, 3, 5].map((at) => Number.parseInt(whole.slice(at, at + 2), 16));
}
