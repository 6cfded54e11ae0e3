/** Compares tiles at the edges between blocks, which are drawn separately. */
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { SLD_TYPE } from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

/** A sequence of numbers from 0 to 1 that is the same in every run. */
function createNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

const next = createNumbers(7);

/** The side of a stitched picture, and the width of a letter, in pixels. */
const SIDE = 1_024;
const LETTER_PIXELS = 9.23;

/** On level 4, block edges are at multiples of 90 degrees of longitude, and at the equator. */
const randomPlace = () => [next() * 360 - 180, next() * 130 - 65] as const;

/** Texts of full blocks, so that a label is a rectangle and every cut is visible. */
const randomText = () => '█'.repeat(2 + Math.floor(next() * 9));

const points = Array.from({ length: 1_500 }, () => {
  const [x, y] = randomPlace();
  return [wkt(`POINT (${x} ${y})`), randomText(), Math.floor(next() * 5)];
});

const lines = Array.from({ length: 500 }, () => {
  const [x, y] = randomPlace();
  return [wkt(`LINESTRING (${x} ${y}, ${x + 18} ${y + next() * 8})`), randomText(), Math.floor(next() * 5)];
});

const polygons = Array.from({ length: 500 }, () => {
  const [x, y] = randomPlace();
  return [
    wkt(`POLYGON ((${x} ${y}, ${x + 14} ${y}, ${x + 9} ${y + 7}, ${x} ${y}))`),
    randomText(),
    Math.floor(next() * 5),
  ];
});

/** A dense crowd in one block, and a few points in all. */
const crowd = Array.from({ length: 2_000 }, (_, index) => {
  const [x, y] = index < 1_700 ? [-150 + next() * 65, 5 + next() * 40] : randomPlace();
  return [wkt(`POINT (${x} ${y})`), '', 1];
});

const attributes = (type: 'Point' | 'LineString' | 'Polygon') => [
  geometryColumn(type),
  column('name', 'string'),
  column('rank', 'integer'),
];

const tables = [
  { name: 'towns', attributes: attributes('Point'), rows: points },
  { name: 'crowd', attributes: attributes('Point'), rows: crowd },
  { name: 'roads', attributes: attributes('LineString'), rows: lines },
  { name: 'fields', attributes: attributes('Polygon'), rows: polygons },
];

const document = (symbolizers: string) =>
  `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>any</Name><UserStyle><FeatureTypeStyle><Rule>${symbolizers}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

const label = (placement: string, options = '') =>
  `<TextSymbolizer><Label><ogc:PropertyName>name</ogc:PropertyName></Label><Font><CssParameter name="font-size">12</CssParameter></Font><LabelPlacement>${placement}</LabelPlacement><Priority><ogc:PropertyName>rank</ogc:PropertyName></Priority>${options}</TextSymbolizer>`;
const option = (name: string, value: string) => `<VendorOption name="${name}">${value}</VendorOption>`;

const center =
  '<PointPlacement><AnchorPoint><AnchorPointX>0.5</AnchorPointX><AnchorPointY>0.5</AnchorPointY></AnchorPoint></PointPlacement>';

const heatmap = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>any</Name><UserStyle><FeatureTypeStyle>
<Transformation><ogc:Function name="vec:Heatmap">
<ogc:Function name="parameter"><ogc:Literal>data</ogc:Literal></ogc:Function>
<ogc:Function name="parameter"><ogc:Literal>radiusPixels</ogc:Literal><ogc:Literal>60</ogc:Literal></ogc:Function>
</ogc:Function></Transformation>
<Rule><RasterSymbolizer><ColorMap type="ramp"><ColorMapEntry color="#000000" quantity="0"/><ColorMapEntry color="#ffffff" quantity="1"/></ColorMap></RasterSymbolizer></Rule>
</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

const styles = {
  heat: heatmap,
  towns: document(label(center, option('spaceAround', '4') + option('maxDisplacement', '20'))),
  roads: document(label('<LinePlacement/>', option('followLine', 'true') + option('repeat', '80'))),
  fields: document(label(center, option('spaceAround', '4') + option('goodnessOfFit', '0'))),
  marks: document(
    '<PointSymbolizer><Graphic><Mark><WellKnownName>square</WellKnownName><Fill><CssParameter name="fill">#880000</CssParameter></Fill></Mark><Size>40</Size></Graphic></PointSymbolizer>',
  ),
  strokes: document(
    '<LineSymbolizer><Stroke><CssParameter name="stroke">#003388</CssParameter><CssParameter name="stroke-width">15</CssParameter></Stroke></LineSymbolizer>',
  ),
};

describe('tiles of adjacent blocks', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await publishTables(server, 'acme', tables);
    for (const [name, body] of Object.entries(styles)) {
      await server.request('POST', `/workspaces/acme/styles?name=${name}`, { type: SLD_TYPE, body });
    }
  });

  /** Stitches 16 tiles around the corner of four blocks. */
  async function stitchCorner(layer: string, style: string): Promise<Uint8Array> {
    const tiles = Array.from({ length: 16 }, async (_, index) => {
      const [left, top] = [index % 4, Math.floor(index / 4)];
      const path = `acme:${layer}@EPSG:900913@png/4/${left + 2}/${top + 6}.png?styles=acme:${style}`;
      const { bytes } = await server.get(`//geoserver/gwc/service/xyz/${path}`, { as: null });
      return { input: bytes, left: left * 256, top: top * 256 };
    });
    const background = { r: 255, g: 255, b: 255, alpha: 0 };
    const { data } = await sharp({ create: { width: SIDE, height: SIDE, channels: 4, background } })
      .composite(await Promise.all(tiles))
      .raw()
      .toBuffer({ resolveWithObject: true });
    return data;
  }

  /** Returns whether a pixel has ink. */
  async function drawCorner(layer: string, style: string): Promise<Ink> {
    const data = await stitchCorner(layer, style);
    return (x, y) => (data[(y * SIDE + x) * 4 + 3] ?? 0) > 127;
  }

  it('have the same colours of a heatmap at their edges', async () => {
    const data = await stitchCorner('crowd', 'heat');
    const shade = (x: number, y: number) => data[(y * SIDE + x) * 4] ?? 0;
    const side = Array.from({ length: SIDE }, (_, at) => at);
    const jumps = side.flatMap((at) => [
      Math.abs(shade(511, at) - shade(512, at)),
      Math.abs(shade(at, 511) - shade(at, 512)),
    ]);

    expect(Math.max(...side.flatMap((at) => [shade(512, at), shade(at, 512)]))).toBeGreaterThan(100);
    expect(Math.max(...jumps)).toBeLessThan(8);
  });

  it.each([
    ['points', 'towns'],
    ['polygons', 'fields'],
  ])('show complete labels of %s across their edges, once each', async (_, layer) => {
    const labels = listBlobs(await drawCorner(layer, layer));
    const crossing = labels.filter(({ minX, minY, maxX, maxY }) =>
      [minX < 512 && maxX > 512, minY < 512 && maxY > 512].includes(true),
    );

    expect(labels.length).toBeGreaterThan(40);
    expect(crossing.length).toBeGreaterThan(3);
    // All letters have the same size, so every cut label has another height or width.
    const wrong = crossing.filter(({ minX, minY, maxX, maxY }) => {
      const letters = (maxX - minX + 1) / LETTER_PIXELS;
      return maxY - minY + 1 < 13 || Math.abs(letters - Math.round(letters)) > 0.25;
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ['curved labels', 'roads', 'roads'],
    ['marks', 'towns', 'marks'],
    ['lines', 'roads', 'strokes'],
  ])('show complete %s across their edges', async (_, layer, style) => {
    const isInk = await drawCorner(layer, style);
    let [both, single] = [0, 0];
    for (let at = 0; at < SIDE; at += 1) {
      for (const [one, other] of [
        [isInk(511, at), isInk(512, at)],
        [isInk(at, 511), isInk(at, 512)],
      ]) {
        if (one && other) both += 1;
        else if (one !== other) single += 1;
      }
    }

    expect(both).toBeGreaterThan(40);
    // Symbols can also end at the edge.
    expect(single / both).toBeLessThan(0.25);
  });
});

type Ink = (x: number, y: number) => boolean;

interface Blob {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** Returns the connected areas of ink that do not touch the border. */
function listBlobs(isInk: Ink): readonly Blob[] {
  const seen = new Uint8Array(SIDE * SIDE);
  const blobs: Blob[] = [];
  for (let start = 0; start < SIDE * SIDE; start += 1) {
    if (seen[start] === 1 || !isInk(start % SIDE, Math.floor(start / SIDE))) continue;
    const blob = { minX: SIDE, minY: SIDE, maxX: -1, maxY: -1 };
    const open = [start];
    seen[start] = 1;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const [x, y] = [at % SIDE, Math.floor(at / SIDE)];
      blob.minX = Math.min(blob.minX, x);
      blob.maxX = Math.max(blob.maxX, x);
      blob.minY = Math.min(blob.minY, y);
      blob.maxY = Math.max(blob.maxY, y);
      for (const [nextX, nextY] of [
        [x - 1, y],
        [x + 1, y],
        [x, y - 1],
        [x, y + 1],
      ] as const) {
        const beside = nextY * SIDE + nextX;
        const isInside = nextX >= 0 && nextY >= 0 && nextX < SIDE && nextY < SIDE;
        if (!isInside || seen[beside] === 1 || !isInk(nextX, nextY)) continue;
        seen[beside] = 1;
        open.push(beside);
      }
    }
    if (blob.minX > 0 && blob.minY > 0 && blob.maxX < SIDE - 1 && blob.maxY < SIDE - 1) blobs.push(blob);
  }
  return blobs;
}
