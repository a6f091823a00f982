import { choiceOf, contains, EMPTY, type Node, sequenceOf } from "./ast.js";

/** Whether the result depends on the order of alternatives or on a group's match. */
export function isOrderDependent(root: Node): boolean {
  return contains(root, ({ kind }) => kind === "atomic" || kind === "backreference" || kind === "condition");
}

/**
 * The smallest pattern that matches the same texts. Callers only ask whether there is a match, so that groups can be
 * dropped, and so can optional parts at both ends: `.*foo.*` becomes `foo`, `a+b` becomes `ab`. Only for patterns that
 * do not depend on the order of alternatives.
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

/** Whether every match starts at the start of the text. */
export function isAnchored(node: Node): boolean {
  switch (node.kind) {
    case "assertion":
      return node.what === "text-start";
    case "sequence":
      return startsAnchored(node.items);
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

function startsAnchored(items: readonly Node[]): boolean {
  for (const item of items) {
    if (isAnchored(item)) return true;
    if (!isZeroWidth(item)) return false;
  }
  return false;
}

function isZeroWidth(node: Node): boolean {
  return node.kind === "empty" || node.kind === "assertion" || node.kind === "lookaround";
}
