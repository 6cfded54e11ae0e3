/** The boxes of geometries that are known from statistics and from coverings. */
import type { Bounds } from '../../crs/bounds.ts';
import type { Leaf, RowGroup } from './parquet-footer.ts';
import type { GeometryColumn } from './table.ts';

/** Returns the box of all geometries of a row group, if statistics contain it. */
export function findGroupBox(group: RowGroup, { covering, encoding, leaves }: GeometryColumn): Bounds | undefined {
  const [x, y] = encoding === 'WKB' ? [] : leaves;
  const minX = readStatistic(group, covering?.minX ?? x, 'min_value');
  const minY = readStatistic(group, covering?.minY ?? y, 'min_value');
  const maxX = readStatistic(group, covering?.maxX ?? x, 'max_value');
  const maxY = readStatistic(group, covering?.maxY ?? y, 'max_value');
  return minX === undefined || minY === undefined || maxX === undefined || maxY === undefined
    ? undefined
    : { minX, minY, maxX, maxY };
}

function readStatistic(
  { chunks }: RowGroup,
  leaf: Leaf | undefined,
  side: 'min_value' | 'max_value',
): number | undefined {
  const statistics = leaf && chunks[leaf.index]?.statistics;
  const value = statistics?.[side] ?? statistics?.[side === 'min_value' ? 'min' : 'max'];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Whether a row group can contain geometries in one of the boxes. */
export function canMeet(group: RowGroup, column: GeometryColumn, boxes: readonly Bounds[]): boolean {
  const known = findGroupBox(group, column);
  return known === undefined || boxes.some((box) => isMeetingBox(known, box));
}

function isMeetingBox(one: Bounds, other: Bounds): boolean {
  return one.minX <= other.maxX && one.maxX >= other.minX && one.minY <= other.maxY && one.maxY >= other.minY;
}
