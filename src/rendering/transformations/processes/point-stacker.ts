/** PointStacker: one point for all features of a cell, with their number. */
import { pointStacker as process } from '../../../styling/transformations/processes.ts';
import { POINTS } from '../../../vector/port/packed-features.ts';
import type { FeatureTypeDescription } from '../../../vector/port/port.ts';
import { FeatureWriter, projectCentroids } from '../model/feature-data.ts';
import { transformFeatures } from '../model/transformation.ts';
import { createDescription, createNumberAttribute, type TransformedMap } from '../model/transformed-data.ts';

export const pointStacker = transformFeatures(process, {
  describe: (_, { normalize }, map) => ({ kind: 'features', description: describeClusters(normalize, map) }),
  reach: ({ cellSize }) => ({ pixels: cellSize }),
  listAttributes: () => [],
  async run([data], { cellSize, outputBBOX, outputWidth, outputHeight, ...options }, map) {
    const { minX, minY, maxX, maxY } = outputBBOX ?? map.box;
    const width = (cellSize * (maxX - minX)) / (outputWidth ?? map.width);
    // Cells are square unless the style has a height.
    const cell = { width, height: outputHeight === undefined ? width : (cellSize * (maxY - minY)) / outputHeight };
    const places = data === undefined ? new Float64Array() : await projectCentroids(data, map);
    const clusters = [...collectClusters(places, cell).values()];
    const [most, mostUnique] = clusters.reduce(
      ([count, unique], each) => [Math.max(count, each.count), Math.max(unique, each.unique.size)],
      [1, 1],
    );
    const writer = new FeatureWriter(describeClusters(options.normalize, map), false);
    for (const cluster of clusters) {
      const { count, unique } = cluster;
      const shares = options.normalize ? [count / most, unique.size / mostUnique] : [];
      writer.addPositions(POINTS, [count, unique.size, ...shares], placeCluster(cluster, cell, options));
    }
    return writer.finish();
  },
});

function describeClusters(isNormalized: boolean, { crs }: TransformedMap): FeatureTypeDescription {
  const counts = [createNumberAttribute('count', 'integer'), createNumberAttribute('countunique', 'integer')];
  const shares = isNormalized ? [createNumberAttribute('normCount'), createNumberAttribute('normCountUnique')] : [];
  return createDescription({ name: 'geom', type: 'Point', crs }, [...counts, ...shares]);
}

/** In units of the map. */
interface CellSize {
  readonly width: number;
  readonly height: number;
}

interface Cluster {
  readonly column: number;
  readonly row: number;
  count: number;
  sumX: number;
  sumY: number;
  readonly firstX: number;
  readonly firstY: number;
  /** The different positions. */
  readonly unique: Set<string>;
}

/** Cells start at the origin of the CRS, so that clusters do not change when the map is moved. */
function collectClusters(places: Float64Array, cell: CellSize): ReadonlyMap<string, Cluster> {
  const clusters = new Map<string, Cluster>();
  for (let at = 0; at < places.length; at += 2) {
    const [x = Number.NaN, y = Number.NaN] = [places[at], places[at + 1]];
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    const [column, row] = [Math.floor(x / cell.width), Math.floor(y / cell.height)];
    const key = `${column} ${row}`;
    let cluster = clusters.get(key);
    if (cluster === undefined) {
      cluster = { column, row, count: 0, sumX: 0, sumY: 0, firstX: x, firstY: y, unique: new Set() };
      clusters.set(key, cluster);
    }
    cluster.count += 1;
    cluster.sumX += x;
    cluster.sumY += y;
    cluster.unique.add(`${x} ${y}`);
  }
  return clusters;
}

interface Placement {
  readonly weightClusterPosition: boolean;
  readonly preserveLocation: 'Never' | 'Single' | 'Superimposed';
}

/** Without weights, the point is between the members and the centre of the cell, which keeps neighbours apart. */
function placeCluster(
  { column, row, count, sumX, sumY, firstX, firstY, unique }: Cluster,
  cell: CellSize,
  { weightClusterPosition, preserveLocation }: Placement,
): readonly [number, number] {
  const isPreserved =
    (preserveLocation === 'Single' && count === 1) || (preserveLocation === 'Superimposed' && unique.size === 1);
  if (isPreserved) return [firstX, firstY];
  const mean = [sumX / count, sumY / count] as const;
  if (weightClusterPosition) return mean;
  return [(mean[0] + (column + 0.5) * cell.width) / 2, (mean[1] + (row + 0.5) * cell.height) / 2];
}
