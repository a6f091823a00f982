/** Rows of a search, and their summary. */
export interface SummarizedRows<Row, Summary> extends AsyncIterable<Row> {
  summary(): Promise<Summary>;
}

/**
 * Creates rows that are read again for each iteration.
 *
 * @param read yields the rows, and calls its argument with the summary at the end
 * @param refuse creates the error if the last iteration ended before the summary
 */
export function summarizedRows<Row, Summary>(
  read: (setSummary: (summary: Summary) => void) => AsyncGenerator<Row>,
  refuse: (message: string) => Error,
): SummarizedRows<Row, Summary> {
  let summary: Summary | undefined;
  let rows: AsyncGenerator<Row> | undefined;
  function start(): AsyncGenerator<Row> {
    summary = undefined;
    rows = read((found) => {
      summary = found;
    });
    return rows;
  }
  return {
    [Symbol.asyncIterator]: start,
    async summary() {
      for await (const _row of rows ?? start()) {
        // The summary does not need the rows.
      }
      if (summary === undefined) throw refuse("the search has no summary, because it was stopped early");
      return summary;
    },
  };
}
