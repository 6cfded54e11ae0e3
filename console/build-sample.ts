/** Writes the sample data of the console: a GeoPackage with the countries of the world, some cities, and a graticule. */
import { createRequire } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import type { Geometry, MultiPolygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { Topology } from 'topojson-specification';

const require = createRequire(import.meta.url);

/** `GPKG`, which identifies the format, and version 1.3.0 of it. */
const APPLICATION_ID = 0x47504b47;
const USER_VERSION = 10_300;
const WGS_84 = 4326;
/** Builds of the same sources have the same bytes. */
const LAST_CHANGE = '2026-01-01T00:00:00.000Z';

const WGS_84_TEXT =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]';

const catalogue = `
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${USER_VERSION};
  CREATE TABLE gpkg_spatial_ref_sys (
    srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL,
    organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT
  );
  CREATE TABLE gpkg_contents (
    table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE, description TEXT DEFAULT '',
    last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
    min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
    CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id)
  );
  CREATE TABLE gpkg_geometry_columns (
    table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL,
    z TINYINT NOT NULL, m TINYINT NOT NULL,
    CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
    CONSTRAINT uk_gc_table_name UNIQUE (table_name),
    CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
    CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id)
  );
  INSERT INTO gpkg_spatial_ref_sys VALUES
    ('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined', NULL),
    ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', NULL),
    ('WGS 84 geodetic', ${WGS_84}, 'EPSG', ${WGS_84}, '${WGS_84_TEXT}', NULL);`;

interface SampleTable {
  readonly name: string;
  readonly geometryType: 'POINT' | 'LINESTRING' | 'MULTIPOLYGON';
  /** The columns beside the key and the geometry, in SQL. */
  readonly columns: string;
  readonly rows: readonly { readonly geometry: SampleGeometry; readonly values: readonly (string | number | null)[] }[];
}

type SampleGeometry = Extract<Geometry, { readonly type: 'Point' | 'LineString' | 'MultiPolygon' }>;

/** Longitude and latitude in degrees. */
const cities: readonly (readonly [name: string, country: string, x: number, y: number])[] = [
  ['Auckland', 'New Zealand', 174.76, -36.85],
  ['Beijing', 'China', 116.4, 39.9],
  ['Berlin', 'Germany', 13.4, 52.52],
  ['Bogotá', 'Colombia', -74.07, 4.71],
  ['Buenos Aires', 'Argentina', -58.38, -34.6],
  ['Cairo', 'Egypt', 31.24, 30.04],
  ['Cape Town', 'South Africa', 18.42, -33.92],
  ['Delhi', 'India', 77.21, 28.61],
  ['Istanbul', 'Turkey', 28.98, 41.01],
  ['Jakarta', 'Indonesia', 106.85, -6.21],
  ['Lagos', 'Nigeria', 3.38, 6.52],
  ['London', 'United Kingdom', -0.13, 51.51],
  ['Madrid', 'Spain', -3.7, 40.42],
  ['Mexico City', 'Mexico', -99.13, 19.43],
  ['Nairobi', 'Kenya', 36.82, -1.29],
  ['New York', 'United States of America', -74.01, 40.71],
  ['Reykjavík', 'Iceland', -21.94, 64.15],
  ['San Francisco', 'United States of America', -122.42, 37.77],
  ['São Paulo', 'Brazil', -46.63, -23.55],
  ['Sydney', 'Australia', 151.21, -33.87],
  ['Tokyo', 'Japan', 139.69, 35.69],
  ['Zürich', 'Switzerland', 8.54, 47.37],
];

/** Lines of the graticule are 30° apart, with a vertex every 10°, so that they bend in other projections. */
const STEP = 30;
const VERTEX_STEP = 10;

export function writeSample(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec(`PRAGMA journal_mode = OFF; ${catalogue}`);
    for (const table of [listCountries(), listCities(), listGraticule()]) writeTable(database, table);
    database.exec('VACUUM');
  } finally {
    database.close();
  }
}

function writeTable(database: DatabaseSync, { name, geometryType, columns, rows }: SampleTable): void {
  database.exec(
    `CREATE TABLE ${name} (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom ${geometryType}, ${columns})`,
  );
  const positions = rows.flatMap(({ geometry }) => listPositions(geometry));
  const [xs, ys] = [positions.map(([x = 0]) => x), positions.map(([, y = 0]) => y)];
  database
    .prepare('INSERT INTO gpkg_contents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(
      ...[name, 'features', name, '', LAST_CHANGE],
      ...[Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), WGS_84],
    );
  database
    .prepare('INSERT INTO gpkg_geometry_columns VALUES (?, ?, ?, ?, 0, 0)')
    .run(name, 'geom', geometryType, WGS_84);
  const places = Array.from({ length: 1 + (rows[0]?.values.length ?? 0) }, () => '?').join(', ');
  const insert = database.prepare(`INSERT INTO ${name} VALUES (NULL, ${places})`);
  for (const { geometry, values } of rows) insert.run(encodeGeometry(geometry), ...values);
}

function listCountries(): SampleTable {
  const topology = require('world-atlas/countries-110m.json') as Topology;
  const found = feature(topology, topology.objects['countries'] ?? { type: 'GeometryCollection', geometries: [] });
  const features = found.type === 'FeatureCollection' ? found.features : [found];
  return {
    name: 'countries',
    geometryType: 'MULTIPOLYGON',
    columns: 'name TEXT(100), code TEXT(3), area_km2 INTEGER, note TEXT(200)',
    rows: features.flatMap(({ id = null, geometry, properties }) => {
      const { name = null } = (properties ?? {}) as { readonly name?: string };
      const polygons = listPolygons(geometry);
      return polygons === undefined ? [] : [{ geometry: polygons, values: [name, id, computeArea(polygons), null] }];
    }),
  };
}

const EARTH_RADIUS_KM = 6371;

/** On a sphere, in thousands of square kilometres: the outlines are too coarse for more. */
function computeArea({ coordinates }: MultiPolygon): number {
  // Holes run in the other direction.
  const area = Math.abs(coordinates.flat().reduce((sum, ring) => sum + computeRingArea(ring), 0));
  return Math.round(area / 1_000) * 1_000;
}

function computeRingArea(ring: readonly Position[]): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const doubled = ring.reduce((sum, [x = 0, y = 0], index) => {
    const [nextX = 0, nextY = 0] = ring[index + 1] ?? ring[0] ?? [];
    return sum + radians(nextX - x) * (Math.sin(radians(y)) + Math.sin(radians(nextY)));
  }, 0);
  return (doubled / 2) * EARTH_RADIUS_KM ** 2;
}

function listPolygons(geometry: Geometry): MultiPolygon | undefined {
  if (geometry.type === 'MultiPolygon') return geometry;
  return geometry.type === 'Polygon' ? { type: 'MultiPolygon', coordinates: [geometry.coordinates] } : undefined;
}

function listCities(): SampleTable {
  return {
    name: 'cities',
    geometryType: 'POINT',
    columns: 'name TEXT(100), country TEXT(100), visited BOOLEAN, note TEXT(200)',
    rows: cities.map(([name, country, x, y]) => ({
      geometry: { type: 'Point', coordinates: [x, y] },
      values: [name, country, 0, null],
    })),
  };
}

function listGraticule(): SampleTable {
  const range = (from: number, to: number, step: number) =>
    Array.from({ length: (to - from) / step + 1 }, (_, index) => from + index * step);
  const meridians = range(-180, 150, STEP).map((x) => ({
    label: x === 0 ? '0°' : `${Math.abs(x)}°${x < 0 ? 'W' : 'E'}`,
    line: range(-90, 90, VERTEX_STEP).map((y) => [x, y]),
  }));
  const parallels = range(-60, 60, STEP).map((y) => ({
    label: y === 0 ? '0°' : `${Math.abs(y)}°${y < 0 ? 'S' : 'N'}`,
    line: range(-180, 180, VERTEX_STEP).map((x) => [x, y]),
  }));
  return {
    name: 'graticule',
    geometryType: 'LINESTRING',
    columns: 'label TEXT(10)',
    rows: [...meridians, ...parallels].map(({ label, line }) => ({
      geometry: { type: 'LineString', coordinates: line },
      values: [label],
    })),
  };
}

function listPositions(geometry: SampleGeometry): readonly Position[] {
  switch (geometry.type) {
    case 'Point':
      return [geometry.coordinates];
    case 'LineString':
      return geometry.coordinates;
    case 'MultiPolygon':
      return geometry.coordinates.flat(2);
  }
}

const wkbTypes = { Point: 1, LineString: 2, Polygon: 3, MultiPolygon: 6 } as const;

/** The header of GeoPackage geometries (little endian, without an extent), then well-known binary. */
function encodeGeometry(geometry: SampleGeometry): Buffer {
  const header = Buffer.from([0x47, 0x50, 0, 1, 0, 0, 0, 0]);
  header.writeInt32LE(WGS_84, 4);
  return Buffer.concat([header, ...encodeParts(geometry)]);
}

function encodeParts(geometry: SampleGeometry): readonly Buffer[] {
  switch (geometry.type) {
    case 'Point':
      return [encodeType('Point'), encodePosition(geometry.coordinates)];
    case 'LineString':
      return [encodeType('LineString'), ...encodeLine(geometry.coordinates)];
    case 'MultiPolygon':
      return [
        encodeType('MultiPolygon'),
        encodeCount(geometry.coordinates.length),
        ...geometry.coordinates.flatMap((rings) => [
          encodeType('Polygon'),
          encodeCount(rings.length),
          ...rings.flatMap(encodeLine),
        ]),
      ];
  }
}

function encodeLine(line: readonly Position[]): readonly Buffer[] {
  return [encodeCount(line.length), ...line.map(encodePosition)];
}

function encodeType(type: keyof typeof wkbTypes): Buffer {
  return Buffer.concat([Buffer.from([1]), encodeCount(wkbTypes[type])]);
}

function encodeCount(count: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(count);
  return bytes;
}

/** Rounded to ten metres, as exact as the outlines. */
function encodePosition([x = 0, y = 0]: Position): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeDoubleLE(Math.round(x * 1e4) / 1e4, 0);
  bytes.writeDoubleLE(Math.round(y * 1e4) / 1e4, 8);
  return bytes;
}
