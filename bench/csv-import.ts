/** Imports a CSV of points over HTTP, compared with ogr2ogr to a GeoPackage. */
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { authorization, type ServerChild } from './server-child.ts';

const run = promisify(execFile);
const ROUNDS = 3;

export const CSV_POINTS = 300_000;

export interface ImportCost {
  readonly importMs: number;
  readonly ogr2ogrMs: number;
}

export async function measureCsvImport(server: ServerChild, directory: string): Promise<ImportCost> {
  await send(server, 'POST', 'workspaces', JSON.stringify({ workspace: { name: 'csv' } }));
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const file = join(directory, `points-${round}.csv`);
    await writeFile(file, createPoints(round));
    const bytes = await readFile(file);
    ours.push(await timed(() => send(server, 'PUT', `workspaces/csv/datastores/s${round}/file.csv`, bytes)));
    const target = join(directory, 'points.gpkg');
    const columns = ['-oo', 'X_POSSIBLE_NAMES=lon', '-oo', 'Y_POSSIBLE_NAMES=lat'];
    theirs.push(await timed(() => run('ogr2ogr', ['-f', 'GPKG', target, file, ...columns])));
    await rm(target);
  }
  return { importMs: Math.min(...ours), ogr2ogrMs: Math.min(...theirs) };
}

function createPoints(seed: number): string {
  let state = seed + 1;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const rows = ['id,name,lon,lat,height,speed'];
  for (let id = 0; id < CSV_POINTS; id += 1) {
    const place = `${(next() * 360 - 180).toFixed(5)},${(next() * 180 - 90).toFixed(5)}`;
    rows.push(`${id},point ${id},${place},${Math.floor(next() * 4_000)},${(next() * 100).toFixed(2)}`);
  }
  return `${rows.join('\n')}\n`;
}

async function send(
  server: ServerChild,
  method: 'POST' | 'PUT',
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<void> {
  const headers = { authorization, 'content-type': method === 'POST' ? 'application/json' : 'text/csv' };
  const reply = await fetch(`${server.restUrl}/${path}`, { method, headers, body });
  if (reply.status !== 201) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
  await reply.arrayBuffer();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
