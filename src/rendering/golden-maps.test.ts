/**
 * Compares whole maps with reviewed pictures. `UPDATE_GOLDEN=1 npx vitest run` on this file rewrites the pictures;
 * review each one before the commit.
 */
import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { styleOf as sldOf } from '../../test/styles/legend/drawn.ts';
import {
  createDrawnLayer,
  createUserStyle,
  type DrawnRow,
  never,
  wideBudget,
} from '../../test/support/drawn-layers.ts';
import { createSampledSource } from '../../test/support/sampled-source.ts';
import { createGrid } from '../raster/port/grid.ts';
import type { Band } from '../raster/port/port.ts';
import { readWarped } from '../raster/warp/read-warped.ts';
import { drawLegend } from '../styling/legend/legend.ts';
import { readSld } from '../styling/sld/reader.ts';
import { drawMap } from './draw-map.ts';
import { encodePicture } from './output/encode-picture.ts';
import type { CoverageLayer, MapLayer, Pixels } from './request/map-request.ts';

/**
 * The tolerated difference of a colour channel, and the share of pixels that may exceed it: processors round
 * differently.
 */
const TOLERANCE = 8;
const MOST_BEYOND = 0.002;

const css = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `<CssParameter name="${name}">${value}</CssParameter>`)
    .join('');
const fill = (values: Readonly<Record<string, string | number>>): string => `<Fill>${css(values)}</Fill>`;
const stroke = (values: Readonly<Record<string, string | number>>): string => `<Stroke>${css(values)}</Stroke>`;
const equals = (name: string, value: string): string =>
  `<ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>${name}</ogc:PropertyName><ogc:Literal>${value}</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>`;
const halo = `<Halo><Radius>2</Radius>${fill({ fill: '#ffffff' })}</Halo>`;
const label = (more: string): string =>
  `<TextSymbolizer><Label><ogc:PropertyName>name</ogc:PropertyName></Label><Font>${css({ 'font-family': 'DejaVu Sans', 'font-size': 11 })}</Font>${more}</TextSymbolizer>`;

const areas: readonly DrawnRow[] = [
  {
    wkt: 'POLYGON ((2 2, 16 3, 18 12, 10 17, 3 13, 2 2), (7 6, 11 6, 11 10, 7 10, 7 6))',
    name: 'Nordmark',
    kind: 'wood',
  },
  { wkt: 'POLYGON ((16 3, 28 2, 30 10, 18 12, 16 3))', name: 'Ostheim', kind: 'field' },
  {
    wkt: 'MULTIPOLYGON (((10 17, 18 12, 30 10, 28 18, 10 17)), ((32 3, 37 3, 34.5 8, 32 3)))',
    name: 'Südau',
    kind: 'lake',
  },
];

const ways: readonly DrawnRow[] = [
  { wkt: 'LINESTRING (1 3, 9 14, 16 15, 22 6, 30 5, 39 12)', name: 'Quay', kind: 'main' },
  { wkt: 'LINESTRING (4 18, 12 9, 20 10, 26 17, 37 16)', name: 'Mill Lane', kind: 'side' },
  { wkt: 'LINESTRING (2 10, 38 2)', name: 'Border', kind: 'border' },
];

const places: readonly DrawnRow[] = ['circle', 'square', 'triangle', 'star', 'cross', 'x'].map((kind, index) => ({
  wkt: `POINT (${5 + index * 6} ${7 + (index % 2) * 6})`,
  name: kind,
  kind,
}));

const classes = [
  ['wood', '#7fb069'],
  ['field', '#f2d479'],
  ['lake', '#8ab6d6'],
] as const;

const polygonRules = classes
  .map(
    ([kind, colour]) =>
      `<Rule><Title>A ${kind}</Title>${equals('kind', kind)}<PolygonSymbolizer>${fill({ fill: colour })}${stroke({ stroke: '#444444', 'stroke-width': 1.5 })}</PolygonSymbolizer>${label(`${halo}${fill({ fill: '#222222' })}`)}</Rule>`,
  )
  .join('');

const lines = createUserStyle(
  `<Rule>${equals('kind', 'main')}<LineSymbolizer>${stroke({ stroke: '#5b3a1e', 'stroke-width': 9, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' })}</LineSymbolizer></Rule>
   <Rule>${equals('kind', 'side')}<LineSymbolizer>${stroke({ stroke: '#5b3a1e', 'stroke-width': 6 })}</LineSymbolizer></Rule>`,
  `<Rule>${equals('kind', 'main')}<LineSymbolizer>${stroke({ stroke: '#ffd35c', 'stroke-width': 6, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' })}</LineSymbolizer>${label(`<LabelPlacement><LinePlacement/></LabelPlacement>${halo}<VendorOption name="followLine">true</VendorOption>`)}</Rule>
   <Rule>${equals('kind', 'side')}<LineSymbolizer>${stroke({ stroke: '#ffffff', 'stroke-width': 4 })}</LineSymbolizer></Rule>
   <Rule>${equals('kind', 'border')}<LineSymbolizer>${stroke({ stroke: '#c0392b', 'stroke-width': 2, 'stroke-dasharray': '12 4 2 4' })}</LineSymbolizer><LineSymbolizer>${stroke({ stroke: '#c0392b' })}<PerpendicularOffset>6</PerpendicularOffset></LineSymbolizer></Rule>`,
);

const marks = createUserStyle(
  `<Rule><PointSymbolizer><Graphic><Mark><WellKnownName><ogc:PropertyName>kind</ogc:PropertyName></WellKnownName>${fill({ fill: '#d1495b' })}${stroke({ stroke: '#003d5b', 'stroke-width': 2 })}</Mark><Size>22</Size><Rotation>15</Rotation></Graphic></PointSymbolizer>
   ${label(`<LabelPlacement><PointPlacement><AnchorPoint><AnchorPointX>0.5</AnchorPointX><AnchorPointY>1</AnchorPointY></AnchorPoint><Displacement><DisplacementX>0</DisplacementX><DisplacementY>-18</DisplacementY></Displacement></PointPlacement></LabelPlacement>${fill({ fill: '#003d5b' })}`)}</Rule>`,
);

const hatches = createUserStyle(
  `<Rule><PolygonSymbolizer><Fill><GraphicFill><Graphic><Mark><WellKnownName>shape://slash</WellKnownName>${stroke({ stroke: '#2a6f97', 'stroke-width': 2 })}</Mark><Size>10</Size></Graphic></GraphicFill></Fill>${stroke({ stroke: '#2a6f97' })}</PolygonSymbolizer></Rule>`,
  `<Rule><LineSymbolizer>${stroke({ stroke: '#ee6c4d', 'stroke-width': 10, 'stroke-opacity': 0.5 })}</LineSymbolizer></Rule><VendorOption name="composite">multiply</VendorOption>`,
  `<Rule>${equals('kind', 'lake')}<PolygonSymbolizer>${fill({ fill: '#ffb703', 'fill-opacity': 0.4 })}</PolygonSymbolizer></Rule>`,
);

/** A hill on 40 by 20 degrees, sampled every two degrees. */
function hill(): CoverageLayer {
  const [width, height] = [20, 10];
  const bands: readonly Band[] = [{ name: 'height', type: 'uint8', colorInterpretation: 'gray' }];
  const transform = { originX: 0, columnX: 2, rowX: 0, originY: 20, columnY: 0, rowY: -2 };
  const grid = createGrid({ width, height }, transform, { code: 'EPSG:4326' });
  const sample = (column: number, row: number): number =>
    200 * Math.exp(-((column - 8) ** 2 / 40 + (row - 5) ** 2 / 12));
  const description = { name: 'hill', grid, bands, overviews: [], dimensions: [], hasMask: false };
  const source = createSampledSource({ width, height }, [sample]);
  const entries = [
    ['#2b83ba', 0, 0],
    ['#2b83ba', 20, 1],
    ['#abdda4', 60, 1],
    ['#ffffbf', 120, 1],
    ['#d7191c', 200, 1],
  ].map(([colour, height, opacity]) => `<ColorMapEntry color="${colour}" quantity="${height}" opacity="${opacity}"/>`);
  return {
    kind: 'coverage',
    title: 'hill',
    interpolation: 'bilinear',
    style: createUserStyle(
      `<Rule><RasterSymbolizer><ColorMap>${entries.join('')}</ColorMap></RasterSymbolizer></Rule>`,
    ),
    source: {
      name: 'hill',
      bands,
      read: async (request, signal) => ({
        ...(await readWarped(source, description, request, signal)),
        described: bands,
      }),
    },
  };
}

const pictures: Readonly<Record<string, readonly MapLayer[]>> = {
  'polygons with outlines and labels': [createDrawnLayer(areas, createUserStyle(polygonRules))],
  'lines with casings, dashes, offsets and labels along them': [createDrawnLayer(ways, lines)],
  'marks of a size that are turned': [createDrawnLayer(places, marks)],
  'a coverage in colours': [hill()],
  'hatches, a blend and an opacity': [createDrawnLayer(areas, hatches)],
};

async function drawn(layers: readonly MapLayer[]): Promise<Pixels> {
  const box = { minX: 0, minY: 0, maxX: 40, maxY: 20 };
  return drawMap({ width: 240, height: 120, box, system: { code: 'EPSG:4326' }, layers }, wideBudget, never);
}

async function legend(): Promise<Pixels> {
  const look = { width: 40, height: 24 };
  const png = await drawLegend(readSld(sldOf(polygonRules)).model, look, async () => undefined);
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes: data };
}

test.each([
  ...Object.entries(pictures).map(([title, layers]) => [title, () => drawn(layers)] as const),
  ['a legend of polygons', legend] as const,
])('matches the reviewed picture: %s', async (title, draw) => {
  const file = new URL(`../../test/fixtures/maps/${title.replaceAll(/[ ,]+/g, '-')}.png`, import.meta.url);

  const pixels = await draw();

  if (process.env['UPDATE_GOLDEN'] === '1') await writeFile(file, await encodePicture(pixels, 'png'));
  const expected = await sharp(await readFile(file))
    .ensureAlpha()
    .raw()
    .toBuffer();
  const beyond = pixels.bytes.filter((part, at) => Math.abs(part - (expected[at] ?? -255)) > TOLERANCE).length;
  expect(expected.length).toBe(pixels.bytes.length);
  expect(beyond / pixels.bytes.length).toBeLessThanOrEqual(MOST_BEYOND);
});
