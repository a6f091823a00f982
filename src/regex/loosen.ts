import { EMPTY, type Node } from "./ast.js";
import { asciiPart, type CharSet, createSet, union } from "./char-set.js";
import { fitsPlainForm } from "./native.js";
import { ANY } from "./properties.js";
import { simplify } from "./simplify.js";

/** Any text, a superset of every group's match. */
const ANYTHING: Node = {
  kind: "repeat",
  body: { kind: "set", set: ANY },
  min: 0,
  max: Number.POSITIVE_INFINITY,
  lazy: false,
  at: 0,
};

/**
 * A superset of the pattern that the engine can search for in every text: without lookarounds, word boundaries and
 * similar, and with larger sets. Most rules match few texts, and a text without a loose match needs no slower search.
 */
export function loosen(root: Node): Node {
  return simplify(loosenNode(root));
}

function loosenNode(node: Node): Node {
  switch (node.kind) {
    case "set":
      return fitsPlainForm(node.set) ? node : { kind: "set", set: largerSet(node.set) };
    case "assertion":
      return node.what.startsWith("text") || node.what.startsWith("line") ? node : EMPTY;
    case "sequence":
      return { kind: "sequence", items: node.items.map(loosenNode) };
    case "choice":
      return { kind: "choice", options: node.options.map(loosenNode) };
    case "repeat":
    case "group":
      return { ...node, body: loosenNode(node.body) };
    case "atomic":
      return loosenNode(node.body);
    case "backreference":
      return ANYTHING;
    case "condition":
      return { kind: "choice", options: [loosenNode(node.yes), loosenNode(node.no)] };
    default:
      return EMPTY;
  }
}

const NOT_ASCII = createSet([[0x80, 0x10ffff]]);
const LARGER_SETS = new WeakMap<CharSet, CharSet>();

/** The set plus all non-ASCII characters. */
function largerSet(set: CharSet): CharSet {
  let larger = LARGER_SETS.get(set);
  if (larger === undefined) {
    larger = union([{ kind: "ranges", ranges: asciiPart(set) }, NOT_ASCII]);
    LARGER_SETS.set(set, larger);
  }
  return larger;
}
