/** Symbols that no label may be written over, where a style says so. */
import type { Symbolizer } from '../styling/model.ts';
import type { LabelLayer } from './label-layer.ts';
import type { PixelShape } from './pixel-shape.ts';
import { eachMiddle } from './shape-middles.ts';
import { optionOf } from './style-plan.ts';
import type { PaintShape } from './symbolizer-painters.ts';

export function isObstacle({ kind, vendorOptions }: Symbolizer): boolean {
  return kind !== 'textSymbolizer' && optionOf(vendorOptions, 'labelObstacle')?.toLowerCase() === 'true';
}

/** Paints, and keeps labels off: a box around each graphic of points, around each stretch of a line, around all of a polygon. */
export function keepingLabelsOff(
  kind: Symbolizer['kind'],
  paint: PaintShape,
  widthPixels: number,
  labels: LabelLayer,
): PaintShape {
  const half = widthPixels / 2;
  const keepOff = (minX: number, minY: number, maxX: number, maxY: number): void =>
    labels.addObstacle({ minX: minX - half, minY: minY - half, maxX: maxX + half, maxY: maxY + half });
  return (shape, feature) => {
    paint(shape, feature);
    if (kind === 'pointSymbolizer') eachMiddle(shape, (x, y) => keepOff(x, y, x, y));
    else if (kind === 'lineSymbolizer') eachStretch(shape, keepOff);
    else keepOff(shape.minX, shape.minY, shape.maxX, shape.maxY);
  };
}

function eachStretch(
  { places, ends, rings }: PixelShape,
  tell: (minX: number, minY: number, maxX: number, maxY: number) => void,
): void {
  let start = 0;
  for (let ring = 0; ring < rings; ring += 1) {
    const end = ends[ring] ?? start;
    for (let at = start * 2; at + 3 < end * 2; at += 2) {
      const [x, y, toX, toY] = [places[at] ?? 0, places[at + 1] ?? 0, places[at + 2] ?? 0, places[at + 3] ?? 0];
      tell(Math.min(x, toX), Math.min(y, toY), Math.max(x, toX), Math.max(y, toY));
    }
    start = end;
  }
}
