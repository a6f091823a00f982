import type { CharSet } from "./char-set.js";

/** Zero-width conditions that depend only on the adjacent characters. */
export type Assertion =
  | "text-start"
  | "text-end"
  | "line-start"
  | "line-end"
  | "word-boundary"
  | "no-word-boundary"
  | "word-start"
  | "word-end"
  | "no-word-before"
  | "no-word-after";

/** A repetition. `max` may be infinite. */
export interface Repeat {
  readonly kind: "repeat";
  readonly body: Node;
  readonly min: number;
  readonly max: number;
  readonly lazy: boolean;
  /** Position of the quantifier in the pattern. */
  readonly at: number;
}

/** A zero-width match of the text after or before a position. */
export interface Lookaround {
  readonly kind: "lookaround";
  readonly body: Node;
  readonly behind: boolean;
  readonly negative: boolean;
}

/**
 * A parsed pattern. Flags are resolved: every node is complete, and a case-insensitive letter is a set of several
 * characters.
 */
export type Node =
  | { readonly kind: "empty" }
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "assertion"; readonly what: Assertion }
  | { readonly kind: "sequence"; readonly items: readonly Node[] }
  | { readonly kind: "choice"; readonly options: readonly Node[] }
  | { readonly kind: "group"; readonly body: Node; readonly index: number }
  | { readonly kind: "atomic"; readonly body: Node }
  | { readonly kind: "backreference"; readonly group: number; readonly ignoreCase: boolean }
  | { readonly kind: "condition"; readonly group: number; readonly yes: Node; readonly no: Node }
  | Repeat
  | Lookaround;

export const EMPTY: Node = { kind: "empty" };

export function sequenceOf(items: readonly Node[]): Node {
  const [first = EMPTY, ...rest] = items;
  return rest.length === 0 ? first : { kind: "sequence", items };
}

export function choiceOf(options: readonly Node[]): Node {
  const [first = EMPTY, ...rest] = options;
  return rest.length === 0 ? first : { kind: "choice", options };
}

/** Direct children of a node. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "sequence":
      return node.items;
    case "choice":
      return node.options;
    case "group":
    case "atomic":
    case "repeat":
    case "lookaround":
      return [node.body];
    case "condition":
      return [node.yes, node.no];
    default:
      return [];
  }
}

/** Whether the node or any descendant meets the condition. */
export function contains(node: Node, condition: (node: Node) => boolean): boolean {
  return condition(node) || childrenOf(node).some((child) => contains(child, condition));
}
