/** kill -9 of the client or the server during a move with data: it is stored completely or not at all. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { postgresAddress } from '../support/postgres-places.ts';
import { createCopiedData } from '../support/source-directories/copied-data.ts';
import { writeDirectory } from '../support/source-directories/write-directory.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { seededRandom } from './seeded-random.ts';
import { projectFolder } from './server-process.ts';
import { ADMIN_PASSWORD, type StartedServer, type StartOptions, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const KILLS = Number(process.env['MOVE_IN_KILLS'] ?? 2);

/** A whole move takes about as long as this number of reads. */
const MAX_READS = 60;

const RESOURCES = 8;

/** On a busy machine, a mapping can take longer to open than the check of stores waits. */
const expectedLine = /the data of a store is unreachable/;

test(`a move survives ${KILLS} kills of the client or the server, completely or not at all`, async () => {
  const dataDir = join(await temporaryFolder(), 'data');
  await moveUntilKilled(() => startServer({ dataDir, expectedLog: [expectedLine] }));
});

describeWithPostgis('on PostgreSQL', (postgis) => {
  test(`a move through one node survives ${KILLS} kills, and another node reads the files`, async () => {
    const folder = await temporaryFolder();
    const options = (name: string): StartOptions => ({
      dataDir: join(folder, name),
      expectedLog: [expectedLine],
      environment: {
        GRATICULE_STORAGE: postgresAddress(postgis, 'moved'),
        GRATICULE_SERVER_KEY: Buffer.alloc(32, 7).toString('base64'),
      },
    });
    const reader = await startServer(options('reader'));
    await moveUntilKilled(() => startServer(options('writer')), reader);
    expect((await reader.stop()).code).toBe(0);
  });
});

/** The state is read from another server if there is one. */
async function moveUntilKilled(start: () => Promise<StartedServer>, other?: StartedServer): Promise<void> {
  const random = seededRandom(Date.now());
  const source = await temporaryFolder();
  await writeDirectory(source, await createCopiedData());
  let server = await start();
  let round = 0;
  for (let count = 1; count <= KILLS; count += 1) {
    const before = await readRound(other ?? server);
    round = count;
    await writeRound(source, round);
    const client = startMove(server, source);
    const reads = Math.floor(random() * MAX_READS);
    for (let read = 0; read < reads && client.exitCode === null; read += 1) {
      await server.client.request('GET', '/about/version.json');
    }
    if (random() < 0.5) client.kill('SIGKILL');
    else await server.kill();
    const isDone = (await endOf(client)) === 0;
    if (!server.process.isRunning()) server = await start();
    await finishRequests(server);
    expect(isDone ? [round] : [before, round]).toContain(await readRound(other ?? server));
  }

  expect(await endOf(startMove(server, source))).toBe(0);
  expect(await readRound(other ?? server)).toBe(round);
  const last = startMove(server, source);
  const output: string[] = [];
  last.stdout?.on('data', (text) => output.push(String(text)));
  expect(await endOf(last)).toBe(0);
  expect(output.join('')).toContain('plan      0 to create, 0 to change, 0 to delete\n');
  expect((await server.stop()).code).toBe(0);
}

/** Each round changes every resource and the data of one. */
async function writeRound(source: string, round: number): Promise<void> {
  const files = await createCopiedData();
  for (const [path, content] of Object.entries(files)) {
    if (!/(?:featuretype|coverage)\.xml$/.test(path)) continue;
    await writeFile(join(source, path), String(content).replace(/Title of \w+/, `Round ${round}`));
  }
  const points = Array.from({ length: round }, (_, index) => `spots.${index}=${index}|POINT(1 2)\n`);
  const head = '_=id:Integer,geom:Point:srid=4326\n';
  await writeFile(join(source, 'data/port/spots/spots.properties'), `${head}${points.join('')}`);
}

function startMove({ url }: StartedServer, source: string): ChildProcess {
  const client = spawn(process.execPath, ['src/cli/main.ts', 'move-in', source, '--yes', '--data', 'copy'], {
    cwd: projectFolder,
    env: { ...process.env, GRATICULE_URL: url, GRATICULE_PASSWORD: ADMIN_PASSWORD },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  client.stdout?.resume();
  onTestFinished(() => {
    client.kill('SIGKILL');
  });
  return client;
}

async function endOf(client: ChildProcess): Promise<number | null> {
  if (client.exitCode === null && client.signalCode === null) await once(client, 'exit');
  return client.exitCode;
}

/** An apply whose client is gone may still be running. A write waits for it. */
async function finishRequests(server: StartedServer): Promise<void> {
  const body = JSON.stringify({ format: 'graticule-configuration/1', resources: [] });
  const headers = { 'content-type': 'application/json' };
  expect((await server.request('POST', '/configuration/apply', { headers, body })).status).toBe(200);
}

/** Fails unless all resources and the data belong to one round; 0 before the first. */
async function readRound(server: StartedServer): Promise<number> {
  const { resources } = (await server.request('GET', '/configuration?path=/workspaces/port')).json() as {
    readonly resources: readonly { readonly kind: string; readonly fields: { readonly title?: string } }[];
  };
  const published = resources.filter(({ kind }) => kind === 'featureType' || kind === 'coverage');
  const rounds = new Set(published.map(({ fields }) => Number(/^Round (\d+)$/.exec(fields.title ?? '')?.[1])));
  if (published.length === 0) return 0;
  expect(published).toHaveLength(RESOURCES);
  expect([...rounds]).toHaveLength(1);
  const [round = Number.NaN] = rounds;
  expect(await countSpots(server)).toBe(round);
  return round;
}

async function countSpots({ url }: StartedServer): Promise<number> {
  const query = 'service=WFS&version=2.0.0&request=GetFeature&typeNames=port:spots&resultType=hits';
  const reply = await fetch(`${url.replace(/\/rest$/, '')}/wfs?${query}`);
  return Number(/numberMatched="(\d+)"/.exec(await reply.text())?.[1]);
}
