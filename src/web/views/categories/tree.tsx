import type { JSX, TargetedKeyboardEvent } from "preact";
import { useRef } from "preact/hooks";
import { type CategoryNode, flattened, keyOf } from "../../categories.js";
import type { CategoryColors } from "../../category-colors.js";
import { formatRough } from "../../format.js";
import { common } from "../../texts/common.js";
import { direction } from "../../texts/language.js";
import { t as shell } from "../../texts/shell.js";

export interface TreeProps {
  readonly nodes: readonly CategoryNode[];
  /** `idOf` of the selected node. */
  readonly selected: string | undefined;
  /** `keyOf` of the names of collapsed nodes. */
  readonly folded: ReadonlySet<string>;
  readonly colors: CategoryColors;
  /** Seconds by `keyOf` of the name, without subcategories. */
  readonly totals: ReadonlyMap<string, number>;
  readonly onSelect: (node: CategoryNode) => void;
  readonly onFold: (name: readonly string[], isFolded: boolean) => void;
  readonly onDelete: () => void;
}

/** A unique key per node, even for equal names. */
export function idOf({ index, name }: CategoryNode): string {
  return index === undefined ? keyOf(name) : String(index);
}

/** Categories as a tree for mouse and keyboard: arrows, Home and End move, Delete asks for confirmation. */
export function Tree(props: TreeProps): JSX.Element {
  const { nodes, selected, folded, onSelect, onFold } = props;
  const root = useRef<HTMLDivElement>(null);
  const shown = visible(nodes, folded);
  const current = shown.find((node) => idOf(node) === selected) ?? shown[0];

  function move(node: CategoryNode | undefined): void {
    if (node === undefined) return;
    onSelect(node);
    // The item already exists; only its tab order changes.
    root.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(idOf(node))}"]`)?.focus();
  }
  function press(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    if (current === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const at = shown.indexOf(current);
    const isFolded = folded.has(keyOf(current.name));
    const isOpen = current.children.length > 0 && !isFolded;
    const open = (): unknown => (isFolded ? onFold(current.name, false) : isOpen && move(current.children[0]));
    const close = (): void => (isOpen ? onFold(current.name, true) : move(parentOf(current, shown)));
    const [right, left] = direction.value === "rtl" ? [close, open] : [open, close];
    const actions: Readonly<Record<string, () => unknown>> = {
      ArrowDown: () => move(shown[at + 1]),
      ArrowUp: () => move(shown[at - 1]),
      Home: () => move(shown[0]),
      End: () => move(shown.at(-1)),
      ArrowRight: right,
      ArrowLeft: left,
      Delete: props.onDelete,
      Enter: () => onSelect(current),
      " ": () => onSelect(current),
    };
    const act = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (act === undefined) return;
    event.preventDefault();
    act();
  }
  return (
    <div class="tree" role="tree" aria-label={shell("categories")} tabIndex={-1} ref={root} onKeyDown={press}>
      {shown.map((node) => (
        <Item key={idOf(node)} node={node} focusable={current && idOf(current)} {...props} />
      ))}
    </div>
  );
}

/** Items are siblings at all levels, so that each is named by its own text only. */
function Item(props: TreeProps & { readonly node: CategoryNode; readonly focusable: string | undefined }): JSX.Element {
  const { node, focusable, selected, folded, colors, totals, onSelect, onFold } = props;
  const id = idOf(node);
  const isParent = node.children.length > 0;
  const isFolded = isParent && folded.has(keyOf(node.name));
  const seconds = totalOf(node, totals);
  const fold = (event: Event): void => {
    if (!isParent) return;
    event.stopPropagation();
    onFold(node.name, !isFolded);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
    <div
      class="tree-row"
      role="treeitem"
      data-id={id}
      tabIndex={id === focusable ? 0 : -1}
      aria-level={node.name.length}
      aria-selected={id === selected}
      aria-expanded={isParent ? !isFolded : undefined}
      style={{ paddingInlineStart: `${24 * Math.min(DEEPEST, node.name.length - 1)}px` }}
      onClick={() => onSelect(node)}
    >
      <span class="tree-fold" aria-hidden="true" onClick={fold}>
        {isParent ? (isFolded ? (direction.value === "rtl" ? "◂" : "▸") : "▾") : ""}
      </span>
      <span class="swatch" style={{ background: colors.of(node.name) }} />
      <span class="tree-name">
        <bdi>{node.name.at(-1) || common("empty")}</bdi>
      </span>{" "}
      <span class="tree-time">{seconds > 0 ? formatRough(seconds) : ""}</span>
    </div>
  );
}

/** Maximum indentation; more would leave no space for names on phones. */
const DEEPEST = 6;

function visible(nodes: readonly CategoryNode[], folded: ReadonlySet<string>): CategoryNode[] {
  return nodes.flatMap((node) => [node, ...(folded.has(keyOf(node.name)) ? [] : visible(node.children, folded))]);
}

function parentOf(node: CategoryNode, nodes: readonly CategoryNode[]): CategoryNode | undefined {
  return nodes.find(({ children }) => children.includes(node));
}

/** Total of a category and its subcategories. The first of equal names has all time. */
function totalOf(node: CategoryNode, totals: ReadonlyMap<string, number>): number {
  const keys = new Set(flattened([node]).map(({ name }) => keyOf(name)));
  return [...keys].reduce((sum, key) => sum + (totals.get(key) ?? 0), 0);
}
