import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { JsonObject } from "../../domain/json.js";
import { describeFailure } from "../api.js";
import { type CategoryRule, keyOf, labelOf, namesOf } from "../categories.js";
import { createColors } from "../category-colors.js";
import { effectiveCategories } from "../category-state.js";
import { formatRough, shorten } from "../format.js";
import { useLoad } from "../load.js";
import { Dialog } from "../parts/dialog.js";
import { Failure } from "../parts/failure.js";
import { FieldError } from "../parts/field.js";
import { href } from "../router.js";
import { common } from "../texts/common.js";
import { t as words } from "../texts/conditions.js";
import { t } from "../texts/filtered.js";
import { t as shell } from "../texts/shell.js";
import { assign, undoAssignment } from "./assign.js";
import { ConditionRows, Described } from "./condition-rows.js";
import { type Condition, matchingCondition } from "./conditions.js";
import { lastAction } from "./notice.js";
import { findPlacing, type Placing } from "./placing.js";
import { distinct, type Proposal } from "./proposals.js";
import { type Matched, ruleOf } from "./rule.js";

const PAUSE_MILLIS = 200;

/** What is known about the results, besides the filter. */
export interface Found {
  /** The current category of the longest result, and its data. */
  readonly category: readonly string[];
  readonly data: JsonObject;
  /** All proposals, if they are not just those that are known at once. */
  readonly proposals?: readonly Proposal[];
  /** A site whose titles have nothing in common. */
  readonly wordless?: string | undefined;
}

export interface AssignCategoryProps {
  /** Proposed rules; the first one is selected. */
  readonly proposals: readonly Proposal[];
  /** Name of the period. */
  readonly period: string;
  /** Requests the time that a rule matches. */
  readonly match: (rule: CategoryRule, signal: AbortSignal) => Promise<Matched>;
  readonly find: (signal: AbortSignal) => Promise<Found>;
  readonly onClose: () => void;
}

/** Assigns results to a category by a rule in words: a click stores the rule. */
export function AssignCategory(props: AssignCategoryProps): JSX.Element {
  const { period, match, find, onClose } = props;
  const current = useLoad("", find);
  const found = current.state === "ready" ? current.value : undefined;
  const proposals = distinct(found?.proposals ?? props.proposals);
  const [edited, setEdited] = useState<readonly Condition[]>();
  const conditions = edited ?? proposals[0]?.conditions ?? [];
  const [name, setName] = useState("");
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const rule = ruleOf(conditions);
  const categories = effectiveCategories.value;
  const colors = createColors(categories);
  const answer = useLoad(JSON.stringify(rule), async (signal) => {
    if (rule.regex === "") return [];
    await new Promise((resolve) => setTimeout(resolve, edited === undefined ? 0 : PAUSE_MILLIS));
    signal.throwIfAborted();
    return match(rule, signal);
  });
  // Ignores times of the previous rule, and those of a rule that may change.
  const matched = answer.state === "ready" && current.state !== "loading" ? answer.value : undefined;
  const placed = (target: readonly string[]): Placing | undefined =>
    matched && findPlacing(matched, categories, target, t("ownLevel"));
  const targets = namesOf(categories).map((target) => ({ target, placing: placed(target) }));
  const levels = levelsOf(name);
  const placingOfNew = levels.length > 0 ? placed(levels) : undefined;
  const placings = [...targets.map(({ placing }) => placing), placingOfNew];

  async function choose(placing: Placing | undefined): Promise<void> {
    if (isBusy || placing?.kind !== "moves") return;
    const { name: target, seconds } = placing;
    setBusy(true);
    setError(undefined);
    try {
      const assigned = await assign(target, rule);
      lastAction.value = {
        say: () => t("moved", { time: formatRough(seconds), name: labelOf(target) }),
        undo: () => undoAssignment(assigned),
      };
      onClose();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  }
  const canChoose = (placing: Placing | undefined): boolean => placing?.kind === "moves" && !isBusy;
  return (
    <Dialog title={t("belongsTo")} onClose={onClose}>
      {found !== undefined && <Current found={found} onLeave={onClose} />}
      {current.state === "failed" && <Failure error={current.error} retry={current.retry} />}
      <fieldset class="belongs-rule">
        <legend>{t("rule")}</legend>
        <Proposals proposals={proposals} chosen={conditions} onChoose={setEdited} />
        {found?.wordless !== undefined && <p class="hint">{words("noWord", { site: found.wordless })}</p>}
        <ConditionRows conditions={conditions} onChange={setEdited} />
        <FieldError text={answer.state === "failed" ? describeFailure(answer.error) : undefined} />
        {conditions.some(({ kind }) => kind === "like" || kind === "tickets") && <p class="hint">{t("anyNumber")}</p>}
      </fieldset>
      {error !== undefined && <Failure title={common("unsaved")} error={error} />}
      <p class="quiet belongs-within">{t("within", { period })}</p>
      {placings.some((one) => one?.kind === "moves" && one.isOwn) && <p>{t("ownWhy")}</p>}
      <ul
        class="belongs"
        aria-label={shell("categories")}
        aria-busy={answer.state !== "failed" && matched === undefined}
      >
        {targets.map(({ target, placing }) => (
          <li key={keyOf(target)}>
            <button type="button" disabled={!canChoose(placing)} onClick={() => void choose(placing)}>
              <span class="belongs-color" style={{ background: colors.of(target) }} aria-hidden="true" />
              <span class="belongs-name">
                {labelOf(target)} <Own target={target} placing={placing} />
              </span>
              <span class="quiet">{describePlacing(placing)}</span>
            </button>
          </li>
        ))}
      </ul>
      {placings.some((one) => one?.kind === "beaten") && <p class="hint">{t("beatenWhy")}</p>}
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void choose(placingOfNew);
        }}
      >
        <input
          aria-label={common("newCategory")}
          placeholder={common("newCategory")}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" disabled={!canChoose(placingOfNew)}>
          {t("make")}
        </button>
        <button type="button" onClick={onClose}>
          {common("cancel")}
        </button>
        {levels.length > 0 && (
          <span role="status">
            {labelOf(levels)} <Own target={levels} placing={placingOfNew} />{" "}
            <span class="quiet">{describePlacing(placingOfNew)}</span>
          </span>
        )}
      </form>
    </Dialog>
  );
}

/** The rule that applies now, with a link to edit it. */
function Current({ found, onLeave }: { readonly found: Found; readonly onLeave: () => void }): JSX.Element {
  const { category, data } = found;
  const label = <strong>{labelOf(category)}</strong>;
  const applying = effectiveCategories.value.flatMap(({ name, rule }) =>
    keyOf(name) === keyOf(category) ? (matchingCondition(rule, data) ?? []) : [],
  )[0];
  if (applying === undefined) return <p>{words.rich("nowNone", { category: label })}</p>;
  return (
    <p>
      {words.rich("nowIs", { category: label, condition: <Described condition={applying} /> })}{" "}
      <a href={href(["categories"], { category: keyOf(category) })} onClick={onLeave}>
        {words("editRule")}
      </a>
    </p>
  );
}

interface ProposalsProps {
  readonly proposals: readonly Proposal[];
  readonly chosen: readonly Condition[];
  readonly onChoose: (conditions: readonly Condition[]) => void;
}

function Proposals({ proposals, chosen, onChoose }: ProposalsProps): JSX.Element {
  return (
    <div class="row belongs-proposals">
      {proposals.map(({ about, conditions }) => (
        <button
          key={JSON.stringify(conditions)}
          type="button"
          aria-pressed={sameConditions(conditions, chosen)}
          onClick={() => onChoose(conditions)}
        >
          {words(`${about}Rule`, { text: shorten(conditions[0]?.text ?? "", 40) })}
        </button>
      ))}
    </div>
  );
}

function sameConditions(one: readonly Condition[], other: readonly Condition[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

interface OwnProps {
  readonly target: readonly string[];
  readonly placing: Placing | undefined;
}

/** The additional level for a rule below the selected category. */
function Own({ target, placing }: OwnProps): JSX.Element | null {
  if (placing?.kind !== "moves" || !placing.isOwn) return null;
  return <span class="quiet">{`> ${labelOf(placing.name.slice(target.length))}`}</span>;
}

function describePlacing(placing: Placing | undefined): string {
  if (placing === undefined) return "…";
  switch (placing.kind) {
    case "moves":
      return t("moves", { time: formatRough(placing.seconds) });
    case "beaten":
      return t("beaten", { name: labelOf(placing.by) });
    default:
      return t(placing.kind);
  }
}

/** Splits `Work > Thesis` into levels. */
function levelsOf(name: string): readonly string[] {
  return name
    .split(">")
    .map((level) => level.trim())
    .filter((level) => level !== "");
}
