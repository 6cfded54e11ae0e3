/** Many named, winding lines, like the roads of a country, as a shapefile. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRandom } from './gazetteer.ts';
import { createTable, HEADER_BYTES, PRJ, writeHeader } from './polygon-shapefile.ts';

export const ROADS = 'roads';

const [WEST, SOUTH, EAST, NORTH] = [4, 46, 16, 54] as const;
const CORNERS = 30;

/** In degrees: a corner every few pixels of a map of the country, and turns of a few degrees. */
const STEP = 0.08;
const MAX_TURN = 0.3;

const fields = [
  { name: 'name', type: 'C', width: 40, decimals: 0, value: (index: number) => `Road number ${index}` },
  { name: 'class', type: 'N', width: 4, decimals: 0, value: (index: number) => String(index % 5) },
];

const CONTENT_BYTES = 44 + 4 + CORNERS * 16;

/** In the data directory of a server, which can read it there; returns the path of the .shp file. */
export async function writeRoads(dataDir: string, count: number): Promise<string> {
  const folder = join(dataDir, 'data', ROADS);
  await mkdir(folder, { recursive: true });
  const random = createRandom();
  const shp = Buffer.alloc(HEADER_BYTES + count * (8 + CONTENT_BYTES));
  const shx = Buffer.alloc(HEADER_BYTES + count * 8);
  for (let index = 0; index < count; index += 1) {
    const at = HEADER_BYTES + index * (8 + CONTENT_BYTES);
    shx.writeInt32BE(at / 2, HEADER_BYTES + index * 8);
    shx.writeInt32BE(CONTENT_BYTES / 2, HEADER_BYTES + index * 8 + 4);
    shp.writeInt32BE(index + 1, at);
    shp.writeInt32BE(CONTENT_BYTES / 2, at + 4);
    writeLine(shp, at + 8, createRoad(random));
  }
  for (const file of [shp, shx]) writeHeader(file, 3, [WEST - 3, SOUTH - 3, EAST + 3, NORTH + 3]);
  const path = (extension: string): string => join(folder, `${ROADS}.${extension}`);
  await Promise.all([
    writeFile(path('shp'), shp),
    writeFile(path('shx'), shx),
    writeFile(path('dbf'), createTable(fields, count)),
    writeFile(path('prj'), PRJ),
  ]);
  return path('shp');
}

function createRoad(random: () => number): readonly (readonly [number, number])[] {
  let [x, y] = [WEST + random() * (EAST - WEST), SOUTH + random() * (NORTH - SOUTH)];
  let angle = random() * 2 * Math.PI;
  return Array.from({ length: CORNERS }, () => {
    x += STEP * Math.cos(angle);
    y += STEP * Math.sin(angle);
    angle += (random() - 0.5) * 2 * MAX_TURN;
    return [x, y] as const;
  });
}

function writeLine(bytes: Buffer, at: number, corners: readonly (readonly [number, number])[]): void {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  bytes.writeInt32LE(3, at);
  for (const [index, value] of [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].entries())
    bytes.writeDoubleLE(value, at + 4 + index * 8);
  bytes.writeInt32LE(1, at + 36);
  bytes.writeInt32LE(CORNERS, at + 40);
  bytes.writeInt32LE(0, at + 44);
  for (const [index, [x, y]] of corners.entries()) {
    bytes.writeDoubleLE(x, at + 48 + index * 16);
    bytes.writeDoubleLE(y, at + 56 + index * 16);
  }
}
