/** Harvests small GeoTIFFs through the server, compared with gdaltindex over the same files. */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rawZip } from '../test/support/raw-zip.ts';
import { geotiffBytes } from '../test/support/tiff-bytes.ts';
import { call } from './call.ts';
import { authorization, type ServerChild } from './server-child.ts';

const run = promisify(execFile);

const ROUNDS = 3;
const DAY_MS = 86_400_000;

export interface HarvestFigures {
  readonly files: number;
  readonly harvestMs: number;
  readonly gdaltindexMs: number;
  /** Of the server during the harvest. */
  readonly peakRssMb: number;
}

/** The files are created in the data directory, where the server can read them. */
export async function measureHarvest(
  server: ServerChild,
  dataDir: string,
  scratch: string,
  files = 10_000,
): Promise<HarvestFigures> {
  const folder = join(dataDir, 'data', 'pictures');
  await mkdir(folder, { recursive: true });
  const names = Array.from({ length: files }, (_, index) => {
    const day = new Date(Date.UTC(2000, 0, 1) + index * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
    return join(folder, `pass_${day}.tif`);
  });
  const bytes = geotiffBytes(32, 32);
  for (const name of names) await writeFile(name, bytes);
  const list = join(scratch, 'files.txt');
  await writeFile(list, names.join('\n'));

  const agent = new Agent({ keepAlive: true });
  const workspace = await call(agent, 'POST', `${server.restUrl}/workspaces`, {
    type: 'application/json',
    body: '{"workspace":{"name":"bench"}}',
  });
  if (workspace.status >= 300) throw new Error(workspace.body);
  const definition = archive({
    'indexer.properties': [
      'Schema=*the_geom:Polygon,location:String,time:java.util.Date',
      'PropertyCollectors=TimestampFileNameExtractorSPI[timeregex](time)',
      'TimeAttribute=time',
      'CanBeEmpty=true',
    ].join('\n'),
    'timeregex.properties': 'regex=[0-9]{8}',
  });

  let harvestMs = Number.POSITIVE_INFINITY;
  let gdaltindexMs = Number.POSITIVE_INFINITY;
  let peakRssMb = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const store = `${server.restUrl}/workspaces/bench/coveragestores/m${round}`;
    const made = await fetch(`${store}/file.imagemosaic?configure=none`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/zip' },
      body: new Uint8Array(definition),
    });
    if (!made.ok) throw new Error(await made.text());
    await server.forgetPeak();
    const harvested = await call(agent, 'POST', `${store}/external.imagemosaic`, {
      type: 'text/plain',
      body: `file://${folder}`,
    });
    if (harvested.status >= 300) throw new Error(harvested.body);
    harvestMs = Math.min(harvestMs, harvested.ms);
    peakRssMb = Math.max(peakRssMb, await server.peakRssMb());

    const tiles = join(scratch, 'tiles.shp');
    await rm(tiles, { force: true });
    const startedAt = performance.now();
    await run('gdaltindex', [tiles, '--optfile', list], {
      env: { ...process.env, GDAL_DISABLE_READDIR_ON_OPEN: 'TRUE' },
      maxBuffer: 1_073_741_824,
    });
    gdaltindexMs = Math.min(gdaltindexMs, performance.now() - startedAt);
    for (const ending of ['shp', 'shx', 'dbf', 'prj', 'cpg']) {
      await rm(join(scratch, `tiles.${ending}`), { force: true });
    }
  }
  agent.destroy();
  return { files, harvestMs, gdaltindexMs, peakRssMb };
}

function archive(files: Readonly<Record<string, string>>): Buffer {
  return rawZip(Object.entries(files).map(([name, data]) => ({ name, data })));
}
