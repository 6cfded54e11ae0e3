/**
 * Automatic coordinate reference systems of WMS: a projection around a position in the request (`AUTO2:42001,1,9,48`).
 */
import type { GeographicCrs, LinearUnit } from './model/crs-model.ts';
import type { CrsReference } from './model/crs-reference.ts';
import type { Projection } from './model/projection.ts';
import { writeCrs } from './wkt/write-crs.ts';

const WGS84: GeographicCrs = {
  kind: 'geographic',
  name: 'WGS 84',
  code: 'EPSG:4326',
  datum: 'WGS_1984',
  ellipsoid: { name: 'WGS 84', semiMajorMetres: 6_378_137, inverseFlattening: 298.257_223_563 },
  primeMeridian: { name: 'Greenwich', longitudeDegrees: 0 },
  unit: { name: 'degree', radians: Math.PI / 180 },
};

/** `AUTO:id,unit,longitude,latitude`, where the unit is an optional EPSG code; in `AUTO2` it is a factor to metres. */
const AUTOMATIC = /^AUTO(2?):(\d{5})((?:,[^,]+){2,3})$/i;

/** Returns undefined if the text is not an automatic CRS or its position is not on the Earth. */
export function parseAutomaticCrs(text: string): CrsReference | undefined {
  const [, second, id = '', rest = ''] = AUTOMATIC.exec(text.replaceAll(/\s/g, '')) ?? [];
  const numbers = rest.split(',').slice(1).map(Number);
  const [latitude = Number.NaN, longitude = Number.NaN, given] = numbers.toReversed();
  const isPlace = Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
  const unit = second === '2' ? findUnitByLength(given) : findUnitByCode(given);
  const made = projections.get(id)?.(longitude, latitude);
  if (!isPlace || unit === undefined || made === undefined) return undefined;
  const name = `WGS 84 / ${made.name} ${longitude} ${latitude}`;
  return { wkt: writeCrs({ kind: 'projected', name, base: WGS84, projection: made.projection, unit }) };
}

const METRE: LinearUnit = { name: 'metre', metres: 1 };

const units: ReadonlyMap<number, LinearUnit> = new Map([
  [9001, METRE],
  [9002, { name: 'foot', metres: 0.3048 }],
  [9003, { name: 'US survey foot', metres: 1_200 / 3_937 }],
]);

function findUnitByCode(code: number | undefined): LinearUnit | undefined {
  return code === undefined ? METRE : units.get(code);
}

function findUnitByLength(metres: number | undefined): LinearUnit | undefined {
  if (metres === undefined || metres === 1) return METRE;
  return metres > 0 && Number.isFinite(metres) ? { name: 'unit', metres } : undefined;
}

type CreateProjection = (
  longitude: number,
  latitude: number,
) => { readonly name: string; readonly projection: Projection };

/** By the ids of the standard. */
const projections: ReadonlyMap<string, CreateProjection> = new Map<string, CreateProjection>([
  [
    '42001',
    (longitude, latitude) => {
      const zone = Math.min(60, Math.floor((longitude + 180) / 6) + 1);
      return { name: 'Auto UTM', projection: createTransverseMercator(zone * 6 - 183, latitude) };
    },
  ],
  [
    '42002',
    (longitude, latitude) => ({
      name: 'Auto Transverse Mercator',
      projection: createTransverseMercator(longitude, latitude),
    }),
  ],
  [
    '42003',
    (longitude, latitude) => ({
      name: 'Auto Orthographic',
      projection: { method: 'orthographic', parameters: { lat_0: latitude, lon_0: longitude, x_0: 0, y_0: 0 } },
    }),
  ],
  [
    '42004',
    (longitude, latitude) => ({
      name: 'Auto Equirectangular',
      projection: {
        method: 'equidistant cylindrical',
        parameters: { lat_ts: latitude, lat_0: 0, lon_0: longitude, x_0: 0, y_0: 0 },
      },
    }),
  ],
  [
    '42005',
    (longitude) => ({
      name: 'Auto Mollweide',
      projection: { method: 'mollweide', parameters: { lon_0: longitude, x_0: 0, y_0: 0 } },
    }),
  ],
]);

/** Southern northings are offset to be positive, as in UTM. */
function createTransverseMercator(longitude: number, latitude: number): Projection {
  const parameters = { lat_0: 0, lon_0: longitude, k_0: 0.9996, x_0: 500_000, y_0: latitude < 0 ? 10_000_000 : 0 };
  return { method: 'transverse mercator', parameters };
}
