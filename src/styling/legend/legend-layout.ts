/** Lays out the samples of a legend: in columns or in rows. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface CellOffset {
  readonly left: number;
  readonly top: number;
}

/** A line is a column of samples, or a row if the layout is horizontal. */
export interface Arrangement {
  readonly isHorizontal: boolean;
  /** The maximum number of lines; undefined for no limit. */
  readonly lines: number | undefined;
  /** The maximum length of a line, in pixels. */
  readonly lineLength: number | undefined;
}

const VERTICAL_GAP = 4;
const HORIZONTAL_GAP = 6;

export function arrangeCells(
  sizes: readonly Size[],
  { isHorizontal, lines, lineLength = Number.POSITIVE_INFINITY }: Arrangement,
): Size & { readonly places: readonly CellOffset[] } {
  const getLength = ({ width, height }: Size): number => (isHorizontal ? width : height);
  const getBreadth = ({ width, height }: Size): number => (isHorizontal ? height : width);
  const [gapAlong, gapAcross] = isHorizontal ? [HORIZONTAL_GAP, VERTICAL_GAP] : [VERTICAL_GAP, HORIZONTAL_GAP];
  // With a number of lines only, distribute the samples evenly.
  const perLine = lines !== undefined && !Number.isFinite(lineLength) ? Math.ceil(sizes.length / lines) : sizes.length;
  const places: CellOffset[] = [];
  let [line, count, along, across, breadth, longest] = [0, 0, 0, 0, 0, 0];
  for (const size of sizes) {
    const isFull = count >= perLine || along + getLength(size) > lineLength;
    if (count > 0 && isFull && line + 1 < (lines ?? Number.POSITIVE_INFINITY)) {
      across += breadth + gapAcross;
      [line, count, along, breadth] = [line + 1, 0, 0, 0];
    }
    places.push(isHorizontal ? { left: along, top: across } : { left: across, top: along });
    longest = Math.max(longest, along + getLength(size));
    breadth = Math.max(breadth, getBreadth(size));
    along += getLength(size) + gapAlong;
    count += 1;
  }
  const [length, broad] = [longest, across + breadth];
  return isHorizontal ? { places, width: length, height: broad } : { places, width: broad, height: length };
}
