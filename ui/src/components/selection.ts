// A chosen row in a list that changes: the choice follows the row, not its position.

/** Names a row over every change of the list. */
export type RowKey = string | number;

/** Where the row `key`, which was at `at` is now; -1 if it's gone. A row that is
 *  still loading counts as unchanged. */
export function placeOf<Row>(
  key: RowKey,
  at: number,
  total: number,
  row: (index: number) => Row | undefined,
  keyOf: (row: Row) => RowKey,
): number {
  const is = (index: number): boolean => {
    const one = row(index);
    return one !== undefined && keyOf(one) === key;
  };
  if (at < total && is(at)) return at;
  // Most often it moved a little, because something was put before it or taken away.
  for (let step = 1; step < total + at; step += 1) {
    if (at + step < total && is(at + step)) return at + step;
    if (at - step >= 0 && at - step < total && is(at - step)) return at - step;
  }
  return at < total && row(at) === undefined ? at : -1;
}
