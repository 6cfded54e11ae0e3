/** Returns the known name with the smallest edit distance, if it is close enough to be a likely typo. */
export function findNearestName(written: string, names: Iterable<string>): string | undefined {
  // A long name is unlikely to be a typo, and computing its distance takes long.
  if (written.length > 50) return undefined;
  const limit = Math.min(3, Math.ceil(written.length / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    // The difference of the lengths is a lower bound of the distance.
    if (Math.abs(name.length - written.length) > limit) continue;
    const distance = computeDistance(written.toLowerCase(), name.toLowerCase());
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** The number of changed, added, removed or transposed characters (optimal string alignment). */
function computeDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
