import { choiceOf, contains, EMPTY, type Node, sequenceOf } from "./ast.js";

/** Whether a match depends on which of several ways is tried first, or on what a group took. */
export function isOrderDependent(root: Node): boolean {
  return contains(root, ({ kind }) => kind === "atomic" || kind === "backreference" || kind === "condition");
}

/**
 * The smallest pattern that is found in the same texts. Only whether there is a match is ever asked, so groups need
 * not be remembered, and what may be missing at either end may as well be: `.*foo.*` is `foo`, `a+b` is `ab`.
 * For patterns that do not depend on the order of trying.
 */
export function simplify(root: Node): Node {
  return trim(trim(withoutGroups(root), "start"), "end");
}

function withoutGroups(node: Node): Node {
  switch (node.kind) {
    case "group":
      return withoutGroups(node.body);
    case "sequence":
      return { kind: "sequence", items: node.items.map(withoutGroups) };
    case "choice":
      return { kind: "choice", options: node.options.map(withoutGroups) };
    case "repeat":
    case "lookaround":
      return { ...node, body: withoutGroups(node.body) };
    default:
      return node;
  }
}

type End = "start" | "end";

function trim(node: Node, end: End): Node {
  if (node.kind === "choice") {
    const options = node.options.map((option) => trim(option, end));
    return options.some(({ kind }) => kind === "empty") ? EMPTY : choiceOf(options);
  }
  if (node.kind === "repeat") {
    if (node.min === 0) return EMPTY;
    return node.min === 1 ? trim(node.body, end) : { ...node, max: node.min };
  }
  return node.kind === "sequence" ? trimSequence(node.items, end) : node;
}

function trimSequence(items: readonly Node[], end: End): Node {
  const left = [...items];
  for (;;) {
    const outer = end === "start" ? left.shift() : left.pop();
    if (outer === undefined) return EMPTY;
    const trimmed = trim(outer, end);
    if (trimmed.kind === "empty") continue;
    return sequenceOf(end === "start" ? [trimmed, ...left] : [...left, trimmed]);
  }
}

/** Whether every match begins at the start of the text. */
export function isAnchored(node: Node): boolean {
  switch (node.kind) {
    case "assertion":
      return node.what === "text-start";
    case "sequence":
      return beginsAnchored(node.items);
    case "choice":
      return node.options.every(isAnchored);
    case "group":
    case "atomic":
      return isAnchored(node.body);
    case "repeat":
      return node.min > 0 && isAnchored(node.body);
    default:
      return false;
  }
}

function beginsAnchored(items: readonly Node[]): boolean {
  for (const item of items) {
    if (isAnchored(item)) return true;
    if (!takesNothing(item)) return false;
  }
  return false;
}

function takesNothing(node: Node): boolean {
  return node.kind === "empty" || node.kind === "assertion" || node.kind === "lookaround";
}
