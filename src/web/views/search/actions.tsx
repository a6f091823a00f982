import type { JSX } from "preact";
import { Csv } from "../../filter/csv.js";
import { DeleteFound, type DeleteFoundProps } from "../../filter/delete-found.js";
import { titleOf } from "../activity/names.js";

export interface ActionsProps extends DeleteFoundProps {
  readonly loadCsv: () => Promise<string>;
}

/** What can be done with what a search finds. */
export function Actions({ loadCsv, ...deletion }: ActionsProps): JSX.Element {
  return (
    <>
      <Csv name={titleOf(deletion.period)} load={loadCsv} />
      <DeleteFound {...deletion} />
    </>
  );
}
