/** The CPU time of rendering transformations, without reading and painting. */

import type { TransformedData, TransformedMap } from '../../src/rendering/transformations/model/transformed-data.ts';
import { createDescription, createFloatBand } from '../../src/rendering/transformations/model/transformed-data.ts';
import { transformData } from '../../src/rendering/transformations/transformation-task.ts';
import type { RawParameters } from '../../src/styling/transformations/parameters.ts';
import type { Feature } from '../../src/vector/port/port.ts';
import { packFeatures } from '../../src/vector/support/pack-features.ts';
import { type Bench, thousands } from './section.ts';

const POINTS = 100_000;
const SIDE = 1_000;
const ROUNDS = 7;
const MOST_MS = 300;

const crs = { code: 'EPSG:4326' };
const box = { minX: 0, minY: 0, maxX: 80, maxY: 40 };
const map: TransformedMap = {
  box,
  width: 800,
  height: 400,
  crs,
  dataCrs: crs,
  shifts: [0],
  isTiled: false,
  mapUnitsPerDataUnit: 1,
};

export async function benchTransformations({ report }: Bench): Promise<void> {
  const points = createPoints();
  const surface = createSurface();
  const cases: readonly (readonly [what: string, process: string, data: TransformedData, raw: RawParameters])[] = [
    [`a heatmap of ${thousands(POINTS)} points`, 'Heatmap', points, new Map([['radiuspixels', [20]]])],
    [`clusters of ${thousands(POINTS)} points`, 'PointStacker', points, new Map([['cellsize', [40]]])],
    [
      `20 contours of ${thousands(SIDE)} by ${thousands(SIDE)} cells`,
      'Contour',
      surface,
      new Map([['interval', [10]]]),
    ],
    [
      `a script of ${thousands(SIDE)} by ${thousands(SIDE)} cells`,
      'Jiffle',
      surface,
      new Map([['script', ['dest = src > 100 ? (src - 100) / (src + 100) : 0;']]]),
    ],
  ];
  for (const [what, process, data, raw] of cases) {
    const measured = await measureCpu(process, data, raw);
    report.add({
      what: `${what}, CPU time, p50`,
      measured: `${measured.toFixed(0)} ms`,
      baseline: `${MOST_MS} ms`,
      ratio: (measured / MOST_MS).toFixed(2),
      aim: `at most ${MOST_MS} ms`,
      met: measured <= MOST_MS,
    });
  }
}

async function measureCpu(process: string, data: TransformedData, raw: RawParameters): Promise<number> {
  const target = { width: map.width, height: map.height, bounds: box };
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = globalThis.process.cpuUsage();
    await transformData({ step: { process, raw, inputs: [] }, data, map, target, interpolation: 'nearest' });
    const { user, system } = globalThis.process.cpuUsage(start);
    times.push((user + system) / 1_000);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

function createPoints(): TransformedData {
  const description = createDescription({ name: 'geom', type: 'Point', crs }, []);
  const features = Array.from({ length: POINTS }, (_, index): Feature => {
    const radius = ((index * 37) % 1_000) / 50;
    const ordinates = Float64Array.of(40 + radius * Math.cos(index), 20 + radius * Math.sin(index));
    return { id: String(index), values: [{ type: 'Point', dimension: 'XY', ordinates, ends: [], parts: [] }] };
  });
  const batch = packFeatures(features, { geometries: [0], values: [], hasIds: false });
  return { kind: 'features', description, columns: [], batches: [batch] };
}

/** Hills and valleys from 0 to 200. */
function createSurface(): TransformedData {
  const samples = Float32Array.from({ length: SIDE * SIDE }, (_, index) => {
    const [x, y] = [(index % SIDE) / 60, Math.floor(index / SIDE) / 60];
    return 100 + 100 * Math.sin(x) * Math.cos(y);
  });
  return {
    kind: 'coverage',
    width: SIDE,
    height: SIDE,
    bounds: box,
    crs,
    bands: [{ band: createFloatBand('height'), samples }],
  };
}
