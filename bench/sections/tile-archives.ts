/** Tiles of uploaded archives beside a bare route that returns the same bytes. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import { encodePmtiles } from '../../test/support/tile-archives.ts';
import { authorization, startServerChild } from '../server-child.ts';
import { measureThroughput } from '../throughput.ts';
import type { Bench } from './section.ts';

const ZOOM = 6;
/** Noise of this size is a PNG of 13 KB, like usual tiles. */
const PIXELS = 256;
const NOISE = 72;

const MIN_RATIO = 0.5;

export async function benchTileArchives({ report, directory }: Bench): Promise<void> {
  const server = await startServerChild(await directory());
  try {
    const noise = sharp(randomBytes(NOISE * NOISE * 3), { raw: { width: NOISE, height: NOISE, channels: 3 } });
    const background = { r: 255, g: 255, b: 255 };
    const rest = PIXELS - NOISE;
    const bytes = await noise.extend({ right: rest, bottom: rest, background }).png().toBuffer();
    const places = Array.from({ length: 4 ** ZOOM }, (_, index) => [index % 2 ** ZOOM, Math.floor(index / 2 ** ZOOM)]);
    const tiles = places.map(([x = 0, y = 0]) => ({ z: ZOOM, x, y, bytes }));
    const send = async (method: string, path: string, type: string, body: string | Uint8Array<ArrayBuffer>) => {
      const headers = { authorization, 'content-type': type };
      const reply = await fetch(`${server.restUrl}${path}`, { method, headers, body });
      if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
    };
    await send('POST', '/workspaces', 'application/json', '{"workspace":{"name":"bench"}}');
    const archive = new Uint8Array(encodePmtiles({ tiles, tileType: 2 }));
    await send('PUT', '/workspaces/bench/coveragestores/noise/file.pmtiles', 'application/octet-stream', archive);
    const path = `//geoserver/gwc/service/xyz/bench:noise@EPSG:900913@png/${ZOOM}/20/30.png`;
    const file = join(await directory(), 'tile.png');
    const { requestsPerSecond, baselinePerSecond, ratio } = await measureThroughput(server, path, file);
    report.add({
      what: `a tile of ${Math.round(bytes.length / 1_000)} KB of an uploaded PMTiles archive`,
      measured: `${requestsPerSecond.toFixed(0)} a second`,
      baseline: `${baselinePerSecond.toFixed(0)} a second (bare Fastify route)`,
      ratio: ratio.toFixed(2),
      aim: `ratio at least ${MIN_RATIO}`,
      met: ratio >= MIN_RATIO,
    });
  } finally {
    await server.stop();
  }
}
