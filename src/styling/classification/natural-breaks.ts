/** Natural breaks: the classes with the least sum of squared deviations from their means. */

/**
 * Returns the highest value of each class. Fills one row of the optimal partition for each class by divide and conquer,
 * because the optimal start of a class never decreases: O(classes · n · log n).
 */
export function computeNaturalBreaks(sorted: Float64Array, classes: number): readonly number[] {
  const count = sorted.length;
  const { sums, squares } = accumulate(sorted);
  /** The sum of squared deviations of the values from one position to another, both included. */
  const computeCost = (from: number, to: number): number => {
    const sum = (sums[to + 1] ?? 0) - (sums[from] ?? 0);
    const square = (squares[to + 1] ?? 0) - (squares[from] ?? 0);
    return Math.max(0, square - (sum * sum) / (to - from + 1));
  };

  let previous = new Float64Array(count);
  for (let end = 0; end < count; end += 1) previous[end] = computeCost(0, end);
  const starts: Int32Array[] = [new Int32Array(count)];
  for (let row = 1; row < Math.min(classes, count); row += 1) {
    const current = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    const rowStarts = new Int32Array(count);
    fillRow({ computeCost, previous, current, starts: rowStarts, row });
    starts.push(rowStarts);
    previous = current;
  }
  return collectBreaks(sorted, starts);
}

interface Row {
  readonly computeCost: (from: number, to: number) => number;
  readonly previous: Float64Array;
  readonly current: Float64Array;
  readonly starts: Int32Array;
  /** The number of the last class, from 0. */
  readonly row: number;
}

function fillRow({ computeCost, previous, current, starts, row }: Row): void {
  const waiting = [{ low: row, high: current.length - 1, first: row, last: current.length - 1 }];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { low, high, first, last } = part;
    if (low > high) continue;
    const middle = (low + high) >> 1;
    let best = first;
    for (let start = Math.max(first, row); start <= Math.min(last, middle); start += 1) {
      const cost = (previous[start - 1] ?? 0) + computeCost(start, middle);
      if (cost < (current[middle] ?? 0)) {
        current[middle] = cost;
        best = start;
      }
    }
    starts[middle] = best;
    waiting.push({ low, high: middle - 1, first, last: best }, { low: middle + 1, high, first: best, last });
  }
}

/** The sums start at the mean, because differences of large squares lose digits. */
function accumulate(sorted: Float64Array): { readonly sums: Float64Array; readonly squares: Float64Array } {
  const shift = sorted[sorted.length >> 1] ?? 0;
  const sums = new Float64Array(sorted.length + 1);
  const squares = new Float64Array(sorted.length + 1);
  sorted.forEach((value, index) => {
    const moved = value - shift;
    sums[index + 1] = (sums[index] ?? 0) + moved;
    squares[index + 1] = (squares[index] ?? 0) + moved * moved;
  });
  return { sums, squares };
}

function collectBreaks(sorted: Float64Array, starts: readonly Int32Array[]): readonly number[] {
  const breaks: number[] = [];
  let end = sorted.length - 1;
  for (let row = starts.length - 1; row >= 0 && end >= 0; row -= 1) {
    breaks.unshift(sorted[end] ?? 0);
    end = (starts[row]?.[end] ?? 0) - 1;
  }
  return breaks;
}
