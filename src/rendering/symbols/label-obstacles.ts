/** Reserves the area of symbols that labels must not cover, if a style requires it. */
import type { Symbolizer } from '../../styling/model/model.ts';
import type { LabelLayer } from '../labels/label-layer.ts';
import { findOptionText } from '../rules/style-plan.ts';
import type { PixelShape } from '../shapes/pixel-shape.ts';
import { forEachMiddle } from '../shapes/shape-middles.ts';
import type { PaintShape } from './symbolizer-painters.ts';

export function isObstacle({ kind, vendorOptions }: Symbolizer): boolean {
  return kind !== 'textSymbolizer' && findOptionText(vendorOptions, 'labelObstacle')?.toLowerCase() === 'true';
}

/** Paints a shape and reserves its area: a box for each point graphic, each line segment, or the whole polygon. */
export function createObstaclePainter(
  kind: Symbolizer['kind'],
  paint: PaintShape,
  widthPixels: number,
  labels: LabelLayer,
): PaintShape {
  const half = widthPixels / 2;
  return (shape, feature) => {
    paint(shape, feature);
    const owner = feature.identity;
    const addObstacleBox = (minX: number, minY: number, maxX: number, maxY: number): void =>
      labels.addObstacle({ minX: minX - half, minY: minY - half, maxX: maxX + half, maxY: maxY + half, owner });
    if (kind === 'pointSymbolizer') forEachMiddle(shape, (x, y) => addObstacleBox(x, y, x, y));
    else if (kind === 'lineSymbolizer') forEachSegment(shape, addObstacleBox);
    else addObstacleBox(shape.minX, shape.minY, shape.maxX, shape.maxY);
  };
}

function forEachSegment(
  { places, ends, rings }: PixelShape,
  visit: (minX: number, minY: number, maxX: number, maxY: number) => void,
): void {
  let start = 0;
  for (let ring = 0; ring < rings; ring += 1) {
    const end = ends[ring] ?? start;
    for (let at = start * 2; at + 3 < end * 2; at += 2) {
      const [x, y, toX, toY] = [places[at] ?? 0, places[at + 1] ?? 0, places[at + 2] ?? 0, places[at + 3] ?? 0];
      visit(Math.min(x, toX), Math.min(y, toY), Math.max(x, toX), Math.max(y, toY));
    }
    start = end;
  }
}
