/** Returns the smallest power of two such that a square with this side has at most `count` cells of that size. */
export function selectGridCell(side: number, count: number): number {
  let cell = 1;
  while (cell < side && (side / cell) ** 2 > count) cell *= 2;
  return cell;
}
