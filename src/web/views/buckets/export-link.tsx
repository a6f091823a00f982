import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { apiBase, hasCredentials, messageOfFailure } from "../../api.js";
import { t } from "../../texts/buckets.js";
import { downloadExport, exportPath } from "./transfer.js";

export interface ExportLinkProps {
  /** Of the bucket to export; `undefined` = all of them. */
  readonly bucketId?: string;
  /** Something else that the server gives as a file, such as a table. */
  readonly path?: string;
  /** What is exported, for those who hear the link alone. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A link that downloads a document, also from a server that wants a key. */
export function ExportLink({ bucketId, path = exportPath(bucketId), label, children }: ExportLinkProps): JSX.Element {
  const [state, setState] = useState<"downloading" | { readonly error: unknown }>();
  async function download(event: Event): Promise<void> {
    // Without a key the browser does it alone, and nothing has to fit into memory.
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
        <span role="status">{state === "downloading" ? t(state) : messageOfFailure(state.error)}</span>
      )}
    </>
  );
}
