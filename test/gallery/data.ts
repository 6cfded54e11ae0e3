/** The small world that the gallery draws: 40 by 20 degrees. */

import { readFile } from 'node:fs/promises';
import { createGrid } from '../../src/raster/port/grid.ts';
import type { Band } from '../../src/raster/port/port.ts';
import { readWarped } from '../../src/raster/warp/read-warped.ts';
import type { CoverageLayer, MapLayer } from '../../src/rendering/request/map-request.ts';
import { isDataAddress, readDataAddress } from '../../src/styling/graphics/data-address.ts';
import { createSpriteLoader } from '../../src/styling/graphics/sprite-sheet.ts';
import type { UserStyle } from '../../src/styling/model/model.ts';
import { createDrawnLayer, type DrawnRow } from '../support/drawn-layers.ts';
import { createSampledSource, type Sample } from '../support/sampled-source.ts';

const areas: readonly DrawnRow[] = [
  {
    wkt: 'POLYGON ((2 2, 16 3, 18 12, 10 17, 3 13, 2 2), (7 6, 11 6, 11 10, 7 10, 7 6))',
    name: 'Nordmark',
    kind: 'wood',
    people: 120,
  },
  { wkt: 'POLYGON ((16 3, 28 2, 30 10, 18 12, 16 3))', name: 'Ostheim', kind: 'field', people: 2300 },
  {
    wkt: 'MULTIPOLYGON (((10 17, 18 12, 30 10, 28 18, 10 17)), ((32 3, 37 3, 34.5 8, 32 3)))',
    name: 'Südau',
    kind: 'lake',
    people: 0,
  },
];

const ways: readonly DrawnRow[] = [
  { wkt: 'LINESTRING (1 3, 9 14, 16 15, 22 6, 30 5, 39 12)', name: 'Quay', kind: 'main', number: 7 },
  { wkt: 'LINESTRING (4 18, 12 9, 20 10, 26 17, 37 16)', name: 'Mill Lane', kind: 'side', number: 12 },
  { wkt: 'LINESTRING (2 10, 38 2)', name: 'Border', kind: 'border', number: 3 },
];

const places: readonly DrawnRow[] = ['circle', 'square', 'triangle', 'star', 'cross', 'x'].map((kind, index) => ({
  wkt: `POINT (${5 + index * 6} ${7 + (index % 2) * 6})`,
  name: kind,
  kind,
  number: index + 1,
  angle: index * 30,
}));

/** Three hundred points in two clusters, in an order without pattern. */
const crowd: readonly DrawnRow[] = Array.from({ length: 300 }, (_, index) => {
  const radius = ((index * 37) % 100) / 12;
  const angle = index * 2.399963;
  const middle = index % 3 === 0 ? { x: 29, y: 8 } : { x: 12, y: 11 };
  return {
    wkt: `POINT (${(middle.x + radius * Math.cos(angle)).toFixed(4)} ${(middle.y + 0.7 * radius * Math.sin(angle)).toFixed(4)})`,
    name: `p${index}`,
    weight: (index % 10) + 1,
  };
});

/** Winds of growing speed from all directions. */
const winds: readonly DrawnRow[] = Array.from({ length: 18 }, (_, index) => ({
  wkt: `POINT (${3.5 + (index % 6) * 6.6} ${15 - Math.floor(index / 6) * 5.8})`,
  speed: [0, 5, 10, 15, 20, 35, 50, 55, 65, 100, 115, 150, 12, 27, 48, 80, 2, 245][index] ?? 0,
  from: index < 12 ? 0 : index * 60,
  part: index % 4,
}));

/** Shapes across the antimeridian and around the poles. */
const dateline: readonly DrawnRow[] = [
  {
    wkt: 'POLYGON ((170 -20, -170 -20, -170 5, 170 5, 170 -20), (-176 -12, -176 -3, 176 -3, 176 -12, -176 -12))',
    kind: 'ring',
  },
  { wkt: 'POLYGON ((160 60, 180 62, -175 65, -172 68, 180 70, 165 68, 160 60))', kind: 'ring' },
  { wkt: 'POLYGON ((-40 10, -20 10, -20 30, -40 30, -40 10))', kind: 'inner' },
  {
    wkt: 'POLYGON ((-180 -70, -120 -74, -60 -68, 0 -70, 60 -66, 120 -67, 180 -70, 180 -90, -180 -90, -180 -70))',
    kind: 'edge',
  },
  { wkt: 'POLYGON ((0 78, 60 76, 120 78, 179 77, -120 79, -60 76, 0 78))', kind: 'polar' },
  { wkt: 'LINESTRING (150 30, 175 40, -170 35, -150 50)', kind: 'line' },
];

/** Points at both sides of the antimeridian. */
const islands: readonly DrawnRow[] = [
  { wkt: 'POINT (177 10)', name: 'Wallis' },
  { wkt: 'POINT (-178 -12)', name: 'Tonga' },
  { wkt: 'POINT (172 62)', name: 'Anadyr' },
  { wkt: 'POINT (-171 66)', name: 'Dezhnev' },
];

const rows: Readonly<Record<string, readonly DrawnRow[]>> = { areas, ways, places, crowd, winds, dateline, islands };

const rasters: Readonly<Record<string, readonly Sample[]>> = {
  hill: [(column, row) => 200 * Math.exp(-((column - 16) ** 2 / 160 + (row - 10) ** 2 / 48))],
  globe: [(column, row) => (column % 4 < 2 === row % 4 < 2 ? 60 : 180) + column],
  photo: [(column) => column * 6, (_, row) => row * 12, (column, row) => 255 - (column + row) * 4],
};

export const dataNames: readonly string[] = [...Object.keys(rows), ...Object.keys(rasters)];

/** The named data as a layer with a style. */
export function createGalleryLayer(name: string, style: UserStyle): MapLayer {
  const samples = rasters[name];
  if (samples !== undefined) return createRaster(name, samples, style);
  const features = rows[name];
  if (features === undefined) throw new Error(`There is no data ${name}; there is ${dataNames.join(', ')}.`);
  return { ...createDrawnLayer(features, style), loadGraphic: createSpriteLoader(loadGraphic) };
}

const loadGraphic = async (href: string): Promise<Uint8Array | undefined> => {
  if (isDataAddress(href)) return readDataAddress(href);
  const [file = ''] = href.split('?', 1);
  return /^[\w.-]+$/.test(file)
    ? readFile(new URL(`pictures/${file}`, import.meta.url)).catch(() => undefined)
    : undefined;
};

/** A pixel for each degree, of the globe for each ten degrees; one grey band, or red, green and blue. */
function createRaster(name: string, samples: readonly Sample[], style: UserStyle): CoverageLayer {
  const isWorld = name === 'globe';
  const [width, height] = isWorld ? [36, 18] : [40, 20];
  const colors = samples.length === 1 ? (['gray'] as const) : (['red', 'green', 'blue'] as const);
  const bands = colors.map((color): Band => ({ name: color, type: 'uint8', colorInterpretation: color }));
  const transform = isWorld
    ? { originX: -180, columnX: 10, rowX: 0, originY: 90, columnY: 0, rowY: -10 }
    : { originX: 0, columnX: 1, rowX: 0, originY: 20, columnY: 0, rowY: -1 };
  const grid = createGrid({ width, height }, transform, { code: 'EPSG:4326' });
  const description = { name, grid, bands, overviews: [], dimensions: [], hasMask: false };
  const source = createSampledSource({ width, height }, samples);
  return {
    kind: 'coverage',
    title: name,
    interpolation: 'bilinear',
    style,
    source: {
      name,
      bands,
      description,
      read: async (request, signal) => ({
        ...(await readWarped(source, description, request, signal)),
        described: bands,
      }),
    },
  };
}
