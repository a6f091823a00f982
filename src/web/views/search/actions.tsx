import type { JSX } from "preact";
import { Csv } from "../../filter/csv.js";
import { DeleteFound, type DeleteFoundProps } from "../../filter/delete-found.js";
import { titleOf } from "../activity/names.js";

export interface ActionsProps extends DeleteFoundProps {
  readonly loadCsv: () => Promise<string>;
}

/** Actions for the results of a search. */
export function Actions({ loadCsv, ...deletion }: ActionsProps): JSX.Element {
  return (
    <>
      <Csv name={titleOf(deletion.period)} load={loadCsv} />
      <DeleteFound {...deletion} />
    </>
  );
}
