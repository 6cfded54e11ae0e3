/** Repeated kill -9 on one data directory: acknowledged writes are stored, and no write is stored in part. */
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AcknowledgedWriter, createWriter, type Workspaces } from './acknowledged-writer.ts';
import { readDefaultWorkspace, readWorkspaces, type SeenWorkspace } from './catalog-view.ts';
import { inspectStorage, replayedHistory } from './replay.ts';
import { seededRandom } from './seeded-random.ts';
import { launchServer, type StartedServer, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const KILLS = Number(process.env['CRASH_KILLS'] ?? 10);
/** After this number of kills, the server is also killed during a start. */
const KILLS_TO_A_START = 5;
const WRITERS = 8;
/** The maximum number of acknowledged writes before a kill. */
const MAX_WRITES_PER_ROUND = 40;

test(`every acknowledged write survives ${KILLS} kills under writes`, async () => {
  const random = seededRandom(Date.now());
  const folder = await temporaryFolder();
  const dataDir = join(folder, 'data');
  const writers = Array.from({ length: WRITERS }, (_, index) => createWriter(`writer${index}-`, random));
  const precious = join(folder, 'precious');
  await mkdir(precious);
  await writeFile(join(precious, 'map'), 'not in staging');

  for (let kill = 1; kill <= KILLS; kill += 1) {
    await leaveLeftovers(dataDir, precious);
    if (kill % KILLS_TO_A_START === 0) {
      await killWhileStarting(dataDir);
    }
    const server = await startServer({ dataDir });
    await expectSwept(server);
    await expectAcknowledged(server, writers);
    await writeUntilKilled(server, writers, 1 + Math.floor(random() * MAX_WRITES_PER_ROUND));
  }

  const last = await startServer({ dataDir });
  await expectAcknowledged(last, writers);
  const seen = await readWorkspaces(last.client);
  expect((await last.stop()).code).toBe(0);

  await inspectStorage(dataDir, async (storage) => {
    expect(await storage.findIntegrityProblems()).toEqual([]);
    const { records, entries } = await replayedHistory(storage);
    const workspaces = [...records.values()].filter((record) => record.kind === 'workspace');
    expect(workspaces.map((record) => record.name).sort()).toEqual(seen.map(({ name }) => name).sort());
    expect(entries.length).toBeGreaterThan(KILLS);
  });
  expect(await readFile(join(precious, 'map'), 'utf8')).toBe('not in staging');
});

/**
 * Files that an interrupted upload may leave, and a link that an attacker could plant to make the server delete other
 * files.
 */
async function leaveLeftovers(dataDir: string, outside: string): Promise<void> {
  const staging = join(dataDir, 'staging');
  await mkdir(join(staging, 'work-upload-a1', 'deep', 'er'), { recursive: true });
  await writeFile(join(staging, 'work-upload-a1', 'deep', 'half.tif'), 'half a raster');
  await writeFile(join(staging, 'stray.zip'), 'PK');
  await symlink(outside, join(staging, 'link')).catch(ignoreExisting);
}

/** A server that is killed before its cleanup leaves the files of the previous round. */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}

async function expectSwept(server: StartedServer): Promise<void> {
  expect(await readdir(join(server.dataDir, 'staging'))).toEqual([]);
}

/** The first output appears after the cleanup, before the server listens. */
async function killWhileStarting(dataDir: string): Promise<void> {
  const server = launchServer({ dataDir });
  await server.waitFor('stderr', /./);
  server.signal('SIGKILL');
  await server.ended();
}

async function expectAcknowledged(server: StartedServer, writers: readonly AcknowledgedWriter[]): Promise<void> {
  const seen = await readWorkspaces(server.client);
  const known = writers.map((writer) => workspacesOf(seen, writer.prefix));
  expect(known.reduce((total, { size }) => total + size, 0)).toBe(seen.length);
  for (const [index, writer] of writers.entries()) {
    writer.settle(known[index] ?? new Map());
  }

  const possibleDefaults = seen.length === 0 ? [undefined] : seen.map(({ name }) => name);
  expect(possibleDefaults).toContain(await readDefaultWorkspace(server.client));
}

function workspacesOf(seen: readonly SeenWorkspace[], prefix: string): Workspaces {
  return new Map(seen.filter(({ name }) => name.startsWith(prefix)).map(({ name, isolated }) => [name, isolated]));
}

/** Kills the server while requests of the other writers are in progress. */
async function writeUntilKilled(
  server: StartedServer,
  writers: readonly AcknowledgedWriter[],
  writes: number,
): Promise<void> {
  let left = writes;
  let killed: Promise<void> | undefined;
  const acknowledged = () => {
    left -= 1;
    if (left <= 0) killed ??= server.kill();
  };
  await Promise.all(writers.map((writer) => writer.writeUntilBroken(server.client, acknowledged)));
  await killed;
}
