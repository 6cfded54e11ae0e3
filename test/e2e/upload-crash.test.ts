/**
 * kill -9 while data is uploaded, replaced, imported and removed: record and files match, and nothing is stored in
 * part.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFiles } from '../../src/records/files/files.ts';
import { createArchive, surveyFiles } from '../support/mapping-samples.ts';
import { pointShapefile, zipOf } from '../support/vector-samples.ts';
import { type HttpClient, replyTo } from './http-client.ts';
import { inspectStorage } from './replay.ts';
import { seededRandom } from './seeded-random.ts';
import { type StartedServer, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const KILLS = Number(process.env['UPLOAD_KILLS'] ?? 5);
const MAX_WRITES_PER_ROUND = 12;
const stores = '/workspaces/acme/datastores';

/** The origin of the data in a store; undefined if the store does not exist. */
type State = number | undefined;

/** A body with data at this origin; `count` makes each body different. */
type BodyOf = (name: string, start: number, count: number) => Buffer;

const shapefile: BodyOf = (name, start, count) => zipOf({ [name]: pointShapefile(1 + (count % 5), [start, start]) });

/** A mapping with its schemas and the table of its features. */
const survey: BodyOf = (_name, start, count) => {
  const attributes = '_=code:String,title:String,metres:Double,company:String,*place:Point:srid=4326';
  const row = `holes.1=A1|Hole ${count}|1|Deep Ltd|POINT(${start} ${start})`;
  return createArchive({ ...surveyFiles, 'holes.properties': `${attributes}\n${row}\n` });
};

interface Writer {
  readonly store: string;
  readonly featureType: string;
  /** Of the first upload. */
  readonly upload: string;
  readonly bodyOf: BodyOf;
  acknowledged: State;
  /** The result of the write in progress. */
  wanted: { readonly state: State } | undefined;
  count: number;
}

test(`uploads survive ${KILLS} kills, each completely or not at all`, async () => {
  const random = seededRandom(Date.now());
  const dataDir = join(await temporaryFolder(), 'data');
  const uploads = [
    'file.shp?configure=first',
    'file.shp?configure=first',
    'file.shp?target=gpkg&update=overwrite',
    'file.shp?target=gpkg&update=overwrite',
    'file.appschema?configure=all',
  ];
  const writers = uploads.map((upload, index): Writer => {
    const store = `s${index}`;
    const kind = upload.includes('appschema')
      ? { featureType: 'Borehole', bodyOf: survey }
      : { featureType: store, bodyOf: shapefile };
    return { store, upload, ...kind, acknowledged: undefined, wanted: undefined, count: 0 };
  });

  for (let kill = 1; kill <= KILLS; kill += 1) {
    const server = await startServer({ dataDir });
    expect(await readdir(join(dataDir, 'staging'))).toEqual([]);
    await server.request('POST', '/workspaces', { body: '{"workspace":{"name":"acme"}}' });
    await settle(server.client, writers);
    // Kills at a random moment, not only right after a response.
    await writeUntilKilled(server, writers, random, Math.floor(random() * MAX_WRITES_PER_ROUND), random() * 100);
  }

  const last = await startServer({ dataDir });
  await settle(last.client, writers);
  expect((await last.stop()).code).toBe(0);
  const files = openFiles({ root: dataDir });
  await inspectStorage(dataDir, async (storage) => {
    const acme = await storage.find('workspace', null, 'acme');
    for (const { body } of await storage.list('dataStore', acme?.id ?? '')) {
      expect(await readdir(await files.openSet(String(body['fileSet'])))).not.toEqual([]);
    }
  });
});

async function settle(client: HttpClient, writers: readonly Writer[]): Promise<void> {
  for (const writer of writers) {
    const found = await stateOf(client, writer);
    const possible = [writer.acknowledged, ...(writer.wanted === undefined ? [] : [writer.wanted.state])];
    expect(possible).toContain(found);
    writer.acknowledged = found;
    writer.wanted = undefined;
  }
}

/** Fails if the record does not match the data in the files. */
async function stateOf(client: HttpClient, { store, featureType }: Writer): Promise<State> {
  const path = `${stores}/${store}/featuretypes/${featureType}`;
  const reported = await client.request('GET', `${path}.json`);
  expect((await client.request('GET', `${stores}/${store}.json`)).status).toBe(reported.status);
  if (reported.status === 404) return undefined;
  const headers = { 'content-type': 'application/json' };
  const body = '{"featureType":{}}';
  expect((await client.request('PUT', `${path}?recalculate=nativebbox`, { headers, body })).status).toBe(200);
  const computed = await client.request('GET', `${path}.json`);
  expect(boxIn(computed.text)).toEqual(boxIn(reported.text));
  return Number(/"minx":(-?\d+)/.exec(computed.text)?.[1]);
}

function boxIn(text: string): string | undefined {
  return /"nativeBoundingBox":\{[^}]*\}/.exec(text)?.[0];
}

async function writeUntilKilled(
  server: StartedServer,
  writers: readonly Writer[],
  random: () => number,
  writes: number,
  afterMs: number,
): Promise<void> {
  let left = writes;
  let killed: Promise<void> | undefined;
  const killSoon = () => {
    killed ??= new Promise((resolve) => setTimeout(resolve, afterMs)).then(() => server.kill());
  };
  if (left === 0) killSoon();
  const write = async (writer: Writer) => {
    for (;;) {
      const status = await writeOnce(server.client, writer, random).catch(() => undefined);
      if (status === undefined) return;
      expect([200, 201]).toContain(status);
      writer.acknowledged = writer.wanted?.state;
      writer.wanted = undefined;
      left -= 1;
      if (left <= 0) killSoon();
    }
  };
  await Promise.all(writers.map(write));
  await killed;
}

async function writeOnce(client: HttpClient, writer: Writer, random: () => number): Promise<number> {
  writer.count += 1;
  if (writer.acknowledged !== undefined && random() < 0.2) {
    writer.wanted = { state: undefined };
    return (await client.request('DELETE', `${stores}/${writer.store}?recurse=true`)).status;
  }
  const start = writer.count % 80;
  writer.wanted = { state: start };
  const body = writer.bodyOf(writer.store, start, writer.count);
  const headers = { 'content-type': 'application/zip', 'content-length': String(body.length) };
  const request = client.open('PUT', `${stores}/${writer.store}/${writer.upload}`, headers);
  const reply = replyTo(request);
  request.end(body);
  return (await reply).status;
}
