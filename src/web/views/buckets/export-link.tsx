import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { apiBase, describeFailure, hasCredentials } from "../../api.js";
import { t } from "../../texts/buckets.js";
import { downloadExport, exportPath } from "./transfer.js";

export interface ExportLinkProps {
  /** Bucket to export; `undefined` = all. */
  readonly bucketId?: string;
  /** Another downloadable path, such as a table. */
  readonly path?: string;
  /** Accessible name of the link. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A download link that also works if the server requires a key. */
export function ExportLink({ bucketId, path = exportPath(bucketId), label, children }: ExportLinkProps): JSX.Element {
  const [state, setState] = useState<"downloading" | { readonly error: unknown }>();
  async function download(event: Event): Promise<void> {
    // Without a key, the browser downloads it without buffering it in memory.
    if (!hasCredentials()) return;
    event.preventDefault();
    setState("downloading");
    try {
      await downloadExport(path);
      setState(undefined);
    } catch (error) {
      setState({ error });
    }
  }
  return (
    <>
      <a class="button" href={`${apiBase}/${path}`} download="" aria-label={label} onClick={download}>
        {children}
      </a>
      {state !== undefined && (
        <span role="status">{state === "downloading" ? t(state) : describeFailure(state.error)}</span>
      )}
    </>
  );
}
