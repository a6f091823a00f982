import type { JSX } from "preact";
import { navigate, type Params } from "../../router.js";
import { t } from "../../texts/period.js";
import type { Hosts } from "./hosts.js";
import { hostText } from "./names.js";

/** Prefix of hostnames, to distinguish them from the value for all hosts. */
const NAMED = "host ";

export interface HostPickerProps {
  readonly names: readonly string[];
  readonly chosen: Hosts | undefined;
  readonly path: readonly string[];
  /** Other parameters of the address. */
  readonly params?: Params;
}

/** Selects the host. */
export function HostPicker({ names, chosen, path, params = {} }: HostPickerProps): JSX.Element {
  const value = chosen === undefined ? "" : chosen.kind === "all" ? "all" : NAMED + chosen.host;
  const isStrange = chosen?.kind === "one" && !names.includes(chosen.host);
  return (
    <label class="activity-host">
      <span>{t("host")}</span>
      <select
        value={value}
        onChange={({ currentTarget }) => navigate(path, { ...params, ...paramsOf(currentTarget.value) })}
      >
        {isStrange && (
          <option value={value} disabled>
            {chosen.host}
          </option>
        )}
        {(names.length > 1 || chosen?.kind === "all") && <option value="all">{t("allHosts")}</option>}
        {names.map((name) => (
          <option key={name} value={NAMED + name}>
            {hostText(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

function paramsOf(value: string): Params {
  return value === "all"
    ? { host: undefined, hosts: undefined }
    : { host: value.slice(NAMED.length), hosts: undefined };
}
