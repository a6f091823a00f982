import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type JsonObject, sameJson } from "../../domain/json.js";
import { categoriesWithSet, listSetIds, storedList } from "../../filter/category-sets.js";
import { buildTree, type Category, type CategoryNode, flattened, keyOf, labelOf, namesOf } from "../categories.js";
import { createColors } from "../category-colors.js";
import { shownValue } from "../load.js";
import { Busy } from "../parts/busy.js";
import { Failure } from "../parts/failure.js";
import { recoveries } from "../recoveries.js";
import { route } from "../router.js";
import { loadSettings, settings, stored } from "../settings.js";
import { t } from "../texts/categories.js";
import { common } from "../texts/common.js";
import { t as shell } from "../texts/shell.js";
import { changeDraft, type Draft, draft, isDirty, openDraft } from "./categories/draft.js";
import { added, freeName } from "./categories/edits.js";
import { CategoryForm } from "./categories/form.js";
import { GoalsCard } from "./categories/goals-card.js";
import { PreviewView } from "./categories/preview-view.js";
import { ruleError } from "./categories/rule-error.js";
import { Toolbar } from "./categories/toolbar.js";
import { idOf, Tree } from "./categories/tree.js";
import { Uncategorized } from "./categories/uncategorized.js";
import { PREVIEW_DAYS, usePreview } from "./categories/use-preview.js";

export default function CategoriesView(): JSX.Element {
  const loadable = stored.value;
  const given = draft.value;
  // Unsaved changes stay; everything else may have changed elsewhere, e.g. while the server was down.
  useEffect(() => {
    if (draft.value === undefined || !isDirty(draft.value)) draft.value = undefined;
    void loadSettings();
  }, [recoveries.value]);
  useEffect(() => {
    const last = loadable.state === "loading" ? undefined : shownValue(loadable);
    if (last === undefined || (given !== undefined && !isOvertaken(given, last))) return;
    openDraft(
      last,
      listSetIds(last).find((id) => id === given?.setId),
    );
  }, [loadable, given]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (draft.value !== undefined && isDirty(draft.value)) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  return (
    <div class="categories">
      <h1>{shell("categories")}</h1>
      {loadable.state === "failed" && <Failure error={loadable.error} retry={() => void loadSettings()} />}
      {given !== undefined && <Editing given={given} />}
      {given === undefined && loadable.state !== "failed" && <Busy />}
    </div>
  );
}

/** Whether another tab or program has changed the list, and there are no unsaved changes. */
function isOvertaken(given: Draft, settings: JsonObject): boolean {
  return !isDirty(given) && !sameJson(storedList(settings, given.setId) ?? null, given.base);
}

function Editing({ given }: { readonly given: Draft }): JSX.Element {
  const { categories } = given.list;
  // A link to a rule selects its category.
  const linked = route.value.params.get("category") ?? undefined;
  const [selected, setSelected] = useState<Selection | undefined>();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [isDeleting, setDeleting] = useState(false);
  const tree = useMemo(() => buildTree(categories), [categories]);
  const colors = useMemo(() => createColors(categories), [categories]);
  const nodes = flattened(tree);
  const node = selected && selectedNode(nodes, selected);
  const rule = node?.index === undefined ? undefined : categories[node.index]?.rule;
  const inForce = categoriesWithSet(settings.value, given.setId, categories);
  const { preview, isWithoutSources } = usePreview(inForce, rule, node === undefined ? "" : idOf(node));
  const shown = shownValue(preview);
  const fault = preview.state === "failed" ? ruleError(preview.error, inForce) : undefined;
  const isOwnError = fault?.isOfEdited === true;

  function select(next: Selection | undefined): void {
    setSelected(next);
    setDeleting(false);
  }
  function change(next: readonly Category[], mark?: string, name?: readonly string[]): void {
    changeDraft(next, mark);
    if (name !== undefined) select({ id: node && idOf(node), name });
  }
  const form = useRef<HTMLDivElement>(null);
  /** On phones, scrolls to the form, which is below the tree. */
  function bringUp(): void {
    const top = form.current?.getBoundingClientRect().top ?? 0;
    if (top < 0 || top > innerHeight * 0.7) form.current?.scrollIntoView();
  }
  useEffect(() => {
    const target = linked && namesOf(categories).find((name) => keyOf(name) === linked);
    if (!target) return;
    select({ id: undefined, name: target });
    bringUp();
  }, [linked]);
  return (
    <>
      <Toolbar
        given={given}
        onSelect={(name) => {
          select(name && { id: undefined, name });
          bringUp();
        }}
      />
      <div class="categories-columns">
        <section class="card" aria-label={t("tree")}>
          {tree.length === 0 ? (
            <p class="quiet">{t("none")}</p>
          ) : (
            <p class="quiet tree-times">{t("lastDays", { days: PREVIEW_DAYS })}</p>
          )}
          <Tree
            nodes={tree}
            selected={node && idOf(node)}
            folded={folded}
            colors={colors}
            totals={shown?.totals ?? new Map()}
            onSelect={(chosen) => select({ id: idOf(chosen), name: chosen.name })}
            onFold={(name, isFolded) => {
              const next = new Set(folded);
              if (isFolded) next.add(keyOf(name));
              else next.delete(keyOf(name));
              setFolded(next);
            }}
            onDelete={() => setDeleting(node !== undefined)}
          />
        </section>
        <div class="card" ref={form}>
          {node === undefined ? (
            <p class="quiet">{t("choose")}</p>
          ) : (
            <CategoryForm
              key={idOf(node)}
              categories={categories}
              node={node}
              colors={colors}
              regexError={isOwnError ? fault.say() : undefined}
              isDeleting={isDeleting}
              onDeleting={setDeleting}
              onAddBelow={() => {
                const name = freeName(categories, node.name, common("newCategory"));
                change(added(categories, name, { type: "none" }), undefined, name);
              }}
              onChange={change}
            />
          )}
          {preview.state === "failed" && !isOwnError && (
            <PreviewFailure error={preview.error} categories={inForce} retry={preview.retry} />
          )}
          {node !== undefined && shown !== undefined && (
            <PreviewView
              preview={shown.of === idOf(node) ? shown : undefined}
              name={node.name}
              rule={rule}
              colors={colors}
              state={isOwnError ? "wrong" : preview.state === "ready" ? "new" : "old"}
            />
          )}
          {isWithoutSources && <p class="quiet">{t("noWindows")}</p>}
        </div>
      </div>
      <GoalsCard />
      {shown !== undefined && (
        <Uncategorized
          preview={shown}
          categories={categories}
          selected={node?.name}
          onChange={(next, name) => change(next, undefined, name)}
        />
      )}
    </>
  );
}

function PreviewFailure(props: {
  readonly error: unknown;
  readonly categories: readonly Category[];
  readonly retry: () => void;
}): JSX.Element {
  const fault = ruleError(props.error, props.categories);
  const title = fault?.category === undefined ? common("noPreview") : t("wrongRule", { name: labelOf(fault.category) });
  return <Failure error={fault ?? props.error} title={title} retry={props.retry} />;
}

/** The edited category. IDs distinguish equal names; names stay valid when others are deleted. */
interface Selection {
  readonly id: string | undefined;
  readonly name: readonly string[];
}

function selectedNode(nodes: readonly CategoryNode[], { id, name }: Selection): CategoryNode | undefined {
  const same = nodes.filter((candidate) => keyOf(candidate.name) === keyOf(name));
  return same.find((candidate) => idOf(candidate) === id) ?? same[0];
}
