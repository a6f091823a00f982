import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { keyOf, labelOf } from "../../categories.js";
import { lastAction } from "../../filter/notice.js";
import { Dialog } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { SaveActions } from "../../parts/save-actions.js";
import { href, type Params } from "../../router.js";
import { saveSetting } from "../../settings.js";
import { common } from "../../texts/common.js";
import { t as stopwatch } from "../../texts/stopwatch.js";
import { t } from "../../texts/timesheet.js";
import { type ColumnName, printChoice, type SheetChoice } from "./choice.js";
import { RoundingFields } from "./choices.js";
import {
  CLIENTS,
  clientChoice,
  clientName,
  LONGEST_CLIENT,
  presetOf,
  type SheetClient,
  withClient,
} from "./clients.js";
import { currencyCodes, isCurrency, parseTypedRate } from "./money.js";

export interface ClientBarProps {
  readonly clients: readonly SheetClient[];
  readonly choice: SheetChoice;
  /** The open preset. */
  readonly preset: string | undefined;
  /** Categories that can be clients. */
  readonly names: readonly ColumnName[];
  /** The path of clients' sheets, and the devices in them. */
  readonly path: readonly string[];
  readonly hostParams: Params;
  /** Opens the sheet of a saved client, or the default one. */
  readonly onSaved: (client: SheetClient | undefined) => void;
}

/** Links to the sheets of clients, and a dialog to add or edit one. */
export function ClientBar({ clients, choice, preset, names, path, hostParams, onSaved }: ClientBarProps): JSX.Element {
  const [edited, setEdited] = useState<{ readonly client: SheetClient | undefined } | undefined>();
  const open = clients.find((client) => presetOf(client) === preset);
  return (
    <nav class="card row sheet-clients" aria-label={t("clients")}>
      <strong>{t("clients")}</strong>
      {clients.map((client) => (
        <a
          key={presetOf(client)}
          class="button"
          aria-current={client === open ? "page" : undefined}
          href={href(path, clientParams(choice, client, hostParams))}
        >
          <bdi>{clientName(client)}</bdi>
        </a>
      ))}
      <button type="button" onClick={() => setEdited({ client: undefined })}>
        {t("addClient")}
      </button>
      {open !== undefined && (
        <button type="button" onClick={() => setEdited({ client: open })}>
          {t("editClient")}
        </button>
      )}
      {edited !== undefined && (
        <ClientDialog
          {...{ ...edited, clients, choice, names }}
          onSaved={(client) => {
            setEdited(undefined);
            onSaved(client);
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </nav>
  );
}

/** Address parameters of a client's sheet. */
export function clientParams(choice: SheetChoice, client: SheetClient, hostParams: Params): Params {
  return { ...hostParams, ...printChoice(clientChoice(choice, client)), preset: presetOf(client) };
}

interface DialogProps extends Pick<ClientBarProps, "clients" | "choice" | "names" | "onSaved"> {
  /** The client to edit; `undefined` adds one. */
  readonly client: SheetClient | undefined;
  readonly onClose: () => void;
}

function ClientDialog({ client, clients, choice, names, onSaved, onClose }: DialogProps): JSX.Element {
  const taken = [...clients, ...(client ? [client] : [])].map(presetOf);
  const free = names.filter((name) => !taken.includes(keyOf(name)));
  const choosable = client === undefined ? free : [client.category, ...free];
  const [key, setKey] = useState(() => choosable[0] && keyOf(choosable[0]));
  const [name, setName] = useState(client?.name ?? "");
  const [rate, setRate] = useState(client?.rate ?? "");
  const [currency, setCurrency] = useState(client?.currency ?? clients.at(-1)?.currency ?? "");
  const [step, setStep] = useState(client?.step ?? choice.step);
  const [sum, setSum] = useState(client?.sum ?? choice.sum);
  const [isChecked, setIsChecked] = useState(false);
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const category = choosable.find((one) => keyOf(one) === key);
  const exactRate = rate === client?.rate ? rate : parseTypedRate(rate);
  const code = currency.trim().toUpperCase();

  /** @returns whether it was stored */
  async function store(next: SheetClient | undefined): Promise<boolean> {
    setIsBusy(true);
    try {
      await saveSetting(CLIENTS, (stored) => withClient(stored, client?.category, next));
      onSaved(next);
      return true;
    } catch (thrown) {
      setError(thrown);
      setIsBusy(false);
      return false;
    }
  }

  async function remove(old: SheetClient): Promise<void> {
    if (!(await store(undefined))) return;
    lastAction.value = {
      say: () => stopwatch("deleted", { label: clientName(old) }),
      undo: () => saveSetting(CLIENTS, (stored) => withClient(stored, undefined, old)),
    };
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    setIsChecked(true);
    if (exactRate === undefined || !isCurrency(code) || category === undefined) return;
    await store({ category, name: name.trim(), rate: exactRate, currency: code, step, sum });
  }

  return (
    <Dialog title={client === undefined ? t("addClient") : t("editClient")} onClose={onClose}>
      <form class="sheet-client" onSubmit={save}>
        <Field label={t("byCategory")} error={category === undefined ? t("badCategory") : undefined}>
          <select value={key} onChange={({ currentTarget }) => setKey(currentTarget.value)}>
            {choosable.map((one) => (
              <option key={keyOf(one)} value={keyOf(one)}>
                {labelOf(one)}
              </option>
            ))}
          </select>
        </Field>
        <Field label={t("clientName")}>
          <input
            maxLength={LONGEST_CLIENT}
            placeholder={category?.at(-1)}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </Field>
        <Field
          label={t("rate")}
          error={isChecked && exactRate === undefined ? t("badRate", { rate: "1250.50" }) : undefined}
        >
          <input
            inputMode="decimal"
            dir="ltr"
            required
            value={rate}
            onInput={({ currentTarget }) => setRate(currentTarget.value)}
          />
        </Field>
        <Field label={t("currency")} error={isChecked && !isCurrency(code) ? t("badCurrency") : undefined}>
          <input
            list="sheet-currencies"
            maxLength={3}
            dir="ltr"
            required
            value={currency}
            onInput={({ currentTarget }) => setCurrency(currentTarget.value)}
          />
        </Field>
        <datalist id="sheet-currencies">
          {currencyCodes().map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <RoundingFields {...{ step, sum }} form="hours" onStep={setStep} onSum={setSum} />
        <SaveActions {...{ error, isBusy, onClose }}>
          {client !== undefined && (
            <button type="button" disabled={isBusy} onClick={() => void remove(client)}>
              {common("delete")}
            </button>
          )}
        </SaveActions>
      </form>
    </Dialog>
  );
}
