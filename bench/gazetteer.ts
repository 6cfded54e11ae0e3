/** Many named points in towns and between them, like a gazetteer: as a shapefile and as a table. */
import { join } from 'node:path';
import type { Client } from 'pg';
import { writeShapefile } from './shapefile.ts';

export const GAZETTEER = 'gazetteer';
export const GAZETTEER_TABLE = 'gazetteer_table';

/** The extent of a large country, in degrees. */
const [WEST, SOUTH, EAST, NORTH] = [4, 46, 16, 54] as const;

export const gazetteerBox = [WEST, SOUTH, EAST, NORTH].join(',');

const TOWNS = 1_500;
/** The radius of the largest town, in degrees. */
const TOWN_RADIUS = 0.4;

/** Returns alternating x and y; the same on each call. */
function createPlaces(count: number): Float64Array {
  const random = createRandom();
  const towns = Array.from({ length: TOWNS }, (_, index) => ({
    x: WEST + 1 + random() * (EAST - WEST - 2),
    y: SOUTH + 1 + random() * (NORTH - SOUTH - 2),
    radius: TOWN_RADIUS / Math.sqrt(1 + index / 20),
  }));
  const places = new Float64Array(count * 2);
  for (let index = 0; index < count; index += 1) {
    // A quarter is spread over the country; the first towns are the largest.
    const town = random() < 0.25 ? undefined : towns[Math.floor(random() ** 3 * TOWNS)];
    const [angle, distance] = [random() * 2 * Math.PI, random() ** 2];
    places[index * 2] = town ? town.x + Math.cos(angle) * distance * town.radius : WEST + random() * (EAST - WEST);
    const spreadY = SOUTH + random() * (NORTH - SOUTH);
    places[index * 2 + 1] = town ? town.y + Math.sin(angle) * distance * town.radius : spreadY;
  }
  return places;
}

/** A linear congruential generator. */
export function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const values = {
  name: (index: number) => `Place number ${index}`,
  people: (index: number) => (index * 7_919) % 100_000,
  height: (index: number) => (index * 104_729) % 3_000,
};

const fields = [
  { name: 'name', type: 'C', width: 40, decimals: 0, value: values.name },
  { name: 'people', type: 'N', width: 9, decimals: 0, value: (index: number) => String(values.people(index)) },
  { name: 'height', type: 'N', width: 9, decimals: 0, value: (index: number) => String(values.height(index)) },
];

/** In the data directory of a server, which can read it there; returns the path of the .shp file. */
export function writeGazetteer(dataDir: string, count: number): Promise<string> {
  const places = createPlaces(count);
  return writeShapefile(join(dataDir, 'data', GAZETTEER), {
    name: GAZETTEER,
    count,
    kind: 'points',
    bounds: [WEST, SOUTH, EAST, NORTH],
    fields,
    positions: 1,
    createShape: (index) => [[places[index * 2] ?? 0, places[index * 2 + 1] ?? 0]],
  });
}

export async function createGazetteerTable(client: Client, count: number): Promise<void> {
  const places = createPlaces(count);
  const numbers = Array.from({ length: count }, (_, index) => index);
  await client.query(
    `CREATE TABLE ${GAZETTEER_TABLE} (id serial PRIMARY KEY, name text, people int, height int, geom geometry(Point, 4326))`,
  );
  await client.query(
    `INSERT INTO ${GAZETTEER_TABLE} (name, people, height, geom)
     SELECT name, people, height, ST_SetSRID(ST_MakePoint(x, y), 4326)
     FROM unnest($1::text[], $2::int[], $3::int[], $4::float8[], $5::float8[]) AS place (name, people, height, x, y)`,
    [
      numbers.map(values.name),
      numbers.map(values.people),
      numbers.map(values.height),
      numbers.map((index) => places[index * 2]),
      numbers.map((index) => places[index * 2 + 1]),
    ],
  );
  await client.query(`CREATE INDEX ON ${GAZETTEER_TABLE} USING gist (geom)`);
  await client.query(`VACUUM ANALYZE ${GAZETTEER_TABLE}`);
}
