/** kill -9 while styles are written: entry and content match, and acknowledged writes are stored. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFiles } from '../../src/records/files/files.ts';
import { lineSe, lineSld, SE_TYPE, SLD_TYPE } from '../support/styles.ts';
import type { HttpClient } from './http-client.ts';
import { inspectStorage, replayedHistory } from './replay.ts';
import { seededRandom } from './seeded-random.ts';
import { type StartedServer, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const KILLS = Number(process.env['STYLE_KILLS'] ?? 6);
const WRITERS = 4;
const MAX_WRITES_PER_ROUND = 30;
/** The content of a style; undefined if it does not exist. */
type State = string | undefined;

interface Writer {
  readonly name: string;
  acknowledged: State;
  /** The result of the write in progress. */
  wanted: { readonly state: State } | undefined;
  count: number;
}

test(`styles survive ${KILLS} kills, each completely or not at all`, async () => {
  const random = seededRandom(Date.now());
  const dataDir = join(await temporaryFolder(), 'data');
  const writers = Array.from(
    { length: WRITERS },
    (_, index): Writer => ({ name: `style${index}`, acknowledged: undefined, wanted: undefined, count: 0 }),
  );

  for (let kill = 1; kill <= KILLS; kill += 1) {
    const server = await startServer({ dataDir });
    expect(await readdir(join(dataDir, 'staging'))).toEqual([]);
    await settle(server.client, writers);
    await writeUntilKilled(server, writers, random, 1 + Math.floor(random() * MAX_WRITES_PER_ROUND));
  }

  const last = await startServer({ dataDir });
  await settle(last.client, writers);
  expect((await last.stop()).code).toBe(0);
  const { stored: kept } = openFiles({ root: dataDir });
  await inspectStorage(dataDir, async (storage) => {
    const { entries } = await replayedHistory(storage);
    const states = entries.flatMap(({ items }) => items).filter(({ kind }) => kind === 'styleFile');
    for (const { after } of states) {
      // Every earlier content is still readable or was purged, because the history includes contents.
      const hash = String(after?.body['content'] ?? '');
      expect(hash === '' ? 'present' : await kept.blobs.getState(hash)).not.toBe('absent');
    }
  });
});

async function settle(client: HttpClient, writers: readonly Writer[]): Promise<void> {
  for (const writer of writers) {
    const found = await contentOf(client, writer.name);
    const possible = [writer.acknowledged, ...(writer.wanted === undefined ? [] : [writer.wanted.state])];
    expect(possible).toContain(found);
    writer.acknowledged = found;
    writer.wanted = undefined;
  }
}

/** Fails if the version of the entry differs from that of the content. */
async function contentOf(client: HttpClient, name: string): Promise<State> {
  const content = await client.request('GET', `/styles/${name}.sld`);
  const entry = await client.request('GET', `/styles/${name}.xml`);
  expect(entry.status).toBe(content.status);
  if (content.status === 404) return undefined;
  const version = /StyledLayerDescriptor version="(.*?)"/.exec(content.text)?.[1];
  expect(entry.text).toContain(`<version>${version}</version>`);
  return content.text;
}

async function writeUntilKilled(
  server: StartedServer,
  writers: readonly Writer[],
  random: () => number,
  writes: number,
): Promise<void> {
  let left = writes;
  let killed: Promise<void> | undefined;
  const write = async (writer: Writer) => {
    for (;;) {
      const status = await writeOnce(server.client, writer, random).catch(() => undefined);
      if (status === undefined) return;
      expect([200, 201]).toContain(status);
      writer.acknowledged = writer.wanted?.state;
      writer.wanted = undefined;
      left -= 1;
      if (left <= 0) killed ??= server.kill();
    }
  };
  await Promise.all(writers.map(write));
  await killed;
}

async function writeOnce(client: HttpClient, writer: Writer, random: () => number): Promise<number> {
  writer.count += 1;
  if (writer.acknowledged !== undefined && random() < 0.2) {
    writer.wanted = { state: undefined };
    return (await client.request('DELETE', `/styles/${writer.name}?purge=${random() < 0.5}`)).status;
  }
  const isNewer = random() < 0.5;
  const body = isNewer ? lineSe(`v${writer.count}`) : lineSld(`v${writer.count}`);
  writer.wanted = { state: body };
  const [method, path] =
    writer.acknowledged === undefined ? ['POST', `/styles?name=${writer.name}`] : ['PUT', `/styles/${writer.name}`];
  const headers = { 'content-type': isNewer ? SE_TYPE : SLD_TYPE };
  return (await client.request(method ?? '', path ?? '', { headers, body })).status;
}
