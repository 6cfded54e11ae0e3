/** Layers of a few features, for pixel tests of maps. */
import type { CrsReference } from '../../src/crs/model/crs-reference.ts';
import { decodeWkt } from '../../src/geometry/wkt-decode.ts';
import type { MapBudget, MapRequest, Pixels, VectorLayer } from '../../src/rendering/request/map-request.ts';
import type { UserStyle } from '../../src/styling/model/model.ts';
import { readSld } from '../../src/styling/sld/reader.ts';
import type { Attribute, Feature, Value, VectorSource } from '../../src/vector/port/port.ts';

export interface DrawnRow {
  readonly wkt: string;
  readonly [name: string]: Value;
}

/** Attribute types, text or number, follow the first row. */
export function createDrawnLayer(
  rows: readonly DrawnRow[],
  style: UserStyle,
  crs: CrsReference = { code: 'EPSG:4326' },
): VectorLayer {
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== 'wkt');
  const attributes: readonly Attribute[] = [
    { name: 'geom', nillable: true, kind: 'geometry', type: 'Geometry', dimension: 'XY', crs },
    ...names.map((name): Attribute => {
      const type = typeof rows[0]?.[name] === 'number' ? 'double' : 'string';
      return { name, nillable: true, kind: 'value', type };
    }),
  ];
  const features = rows.map(
    (row, index): Feature => ({
      id: `it.${index + 1}`,
      values: [decodeWkt(row.wkt), ...names.map((name) => row[name] ?? null)],
    }),
  );
  const source: VectorSource = {
    listTypes: async () => [],
    describe: async () => undefined,
    async *read() {
      yield features;
    },
    close: async () => undefined,
  };
  return {
    kind: 'vector',
    title: 'it',
    source: { source, description: { name: 'it', attributes, defaultGeometry: 'geom' } },
    style,
  };
}

/** A style of feature type styles written in SLD 1.0. */
export function createUserStyle(...featureTypeStyles: readonly string[]): UserStyle {
  const { model } = readSld(`<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink"><NamedLayer><Name>it</Name>
    <UserStyle>${featureTypeStyles.map((each) => `<FeatureTypeStyle>${each}</FeatureTypeStyle>`).join('')}</UserStyle>
    </NamedLayer></StyledLayerDescriptor>`);
  const style = model.layers[0]?.styles[0];
  if (style?.kind !== 'userStyle') throw new Error('This style cannot be read.');
  return style;
}

/** Twenty by twenty pixels of twenty by twenty degrees, the lower left at the origin. */
export const smallMap: Omit<MapRequest, 'layers'> = {
  width: 20,
  height: 20,
  box: { minX: 0, minY: 0, maxX: 20, maxY: 20 },
  system: { code: 'EPSG:4326' },
};

export const wideBudget: MapBudget = { milliseconds: 60_000, bytes: 268_435_456 };

export const never = new AbortController().signal;

/** The color of a pixel, counted from the upper left corner: `#rrggbb`, followed by the opacity if below 1. */
export function colorAt({ width, bytes }: Pixels, x: number, y: number): string {
  const at = (y * width + x) * 4;
  const text = Buffer.from(bytes.subarray(at, at + 4)).toString('hex');
  return `#${text.endsWith('ff') ? text.slice(0, 6) : text}`;
}

/** The number of pixels in a part of an image that are not white. */
export function paintedIn(
  { width, bytes }: Pixels,
  {
    left = 0,
    top = 0,
    right = width,
    bottom = bytes.length / 4 / width,
  }: Partial<Record<'left' | 'top' | 'right' | 'bottom', number>> = {},
): number {
  let count = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const at = (y * width + x) * 4;
      if (bytes.subarray(at, at + 3).some((part) => part !== 255)) count += 1;
    }
  }
  return count;
}

/** The smallest pixel box around all painted pixels, right and bottom exclusive; undefined if nothing is painted. */
export function paintedBox(pixels: Pixels): Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>> | undefined {
  const { width, height } = pixels;
  const columns = Array.from({ length: width }, (_, x) => x).filter(
    (x) => paintedIn(pixels, { left: x, right: x + 1 }) > 0,
  );
  const rows = Array.from({ length: height }, (_, y) => y).filter(
    (y) => paintedIn(pixels, { top: y, bottom: y + 1 }) > 0,
  );
  const [left, top, right, bottom] = [columns[0], rows[0], columns.at(-1), rows.at(-1)];
  if (left === undefined || top === undefined || right === undefined || bottom === undefined) return undefined;
  return { left, top, right: right + 1, bottom: bottom + 1 };
}
