/**
 * Creates a data directory as this version writes it, with the responses of this version, so that tests of later
 * versions can prove that they open it. Never run it again for a released version.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { startChild } from '../../bench/child.ts';
import { freePort } from '../../bench/server-child.ts';
import { RESERVE_FILE } from '../../src/server/settings/data-directory.ts';
import { readVersion } from '../../src/server/settings/version.ts';
import { recordKinds } from '../../src/server/storage/record-kinds.ts';
import { createClient } from '../../test/e2e/http-client.ts';
import { answerTo, type RecordedRead, type Recording } from '../../test/e2e/recorded-answers.ts';
import { fillCascaded } from './cascaded.ts';
import { fillLayers, fillStores, fillTypes, fillWorkspaces, placeFiles } from './catalog.ts';
import { credentials, secrets } from './credentials.ts';
import { fillMapping } from './mapping.ts';
import { fillRasters, placeRasters } from './rasters.ts';
import { everyRead } from './reads.ts';
import { type Rest, restOf } from './rest.ts';
import { changeKeystorePassword, fillProviders, fillRules, fillUrlChecks, fillUsers } from './security.ts';
import { fillGridSets, fillGroups, fillSettings, fillStoredQueries, fillTemplates, fillWebhooks } from './settings.ts';
import { fillStyles } from './styles.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const version = readVersion();
const place = join(project, 'test', 'fixtures', 'data-directories');
const archive = join(place, `${version}.tar.gz`);
const recording = join(place, `${version}.json`);

async function make(folder: string): Promise<void> {
  const dataDir = join(folder, 'data');
  await withServer(dataDir, (rest) => fill(rest, dataDir));
  refuseMissingKinds(dataDir);
  await mkdir(place, { recursive: true });
  execFileSync('tar', [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    // A file without content: it only occupies disk space, and the server creates it again.
    `--exclude=data/${RESERVE_FILE}`,
    '-czf',
    archive,
    '-C',
    folder,
    'data',
  ]);
  await withServer(dataDir, record);
  execFileSync(join(project, 'node_modules', '.bin', 'biome'), ['format', '--write', recording], { cwd: project });
}

/** A new record kind needs sample records in the scripts that fill the server. */
function refuseMissingKinds(dataDir: string): void {
  // A read-only connection would leave its shared memory file behind.
  const database = new DatabaseSync(join(dataDir, 'graticule.sqlite'));
  const kinds = new Set(
    database
      .prepare('SELECT DISTINCT kind FROM records')
      .all()
      .map(({ kind }) => kind),
  );
  database.close();
  const missing = recordKinds.map(({ kind }) => kind).filter((kind) => !kinds.has(kind));
  if (missing.length > 0) throw new Error(`There are no records of these kinds: ${missing.join(', ')}`);
}

async function fill(rest: Rest, dataDir: string): Promise<void> {
  await placeFiles(dataDir);
  await placeRasters(dataDir);
  await fillWorkspaces(rest);
  await fillStores(rest);
  await fillTypes(rest);
  await fillRasters(rest);
  await fillCascaded(rest);
  await fillMapping(rest);
  await changeKeystorePassword(rest);
  await fillStyles(rest);
  await fillLayers(rest);
  await fillGroups(rest);
  await fillTemplates(rest);
  await fillSettings(rest);
  await fillUsers(rest);
  await fillProviders(rest);
  await fillUrlChecks(rest);
  await fillRules(rest);
  await fillGridSets(rest);
  await fillStoredQueries(rest);
  await fillWebhooks(rest);
}

async function record(rest: Rest): Promise<void> {
  const client = createClient(rest.url, { credentials: `admin:${credentials['admin']}` });
  const reads: RecordedRead[] = [];
  for (const read of await everyRead(rest)) {
    reads.push({ ...read, ...(await answerTo(client, rest.url, read, credentials)) });
  }
  client.close();
  const commit = execFileSync('git', ['log', '-1', '--format=%h', '--', 'src'], {
    cwd: project,
    encoding: 'utf8',
  }).trim();
  const content: Recording = { version, commit, credentials, secrets, reads };
  await writeFile(recording, `${JSON.stringify(content, null, 2)}\n`);
}

async function withServer(dataDir: string, use: (rest: Rest) => Promise<void>): Promise<void> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const main = join(project, 'src', 'main.ts');
  const server = await startChild([main, '--data-dir', dataDir, '--port', String(port)], `${origin}/readyz`, {
    GRATICULE_ADMIN_PASSWORD: credentials['admin'] ?? '',
  });
  try {
    await use(restOf(`${origin}/geoserver/rest`));
  } finally {
    await server.stop();
  }
}

if (existsSync(archive)) {
  throw new Error(`${archive} is there already: what a version wrote does not change afterwards.`);
}
const folder = await mkdtemp(join(tmpdir(), 'graticule-data-directory-'));
try {
  await make(folder);
  for (const file of [archive, recording]) process.stdout.write(`${file}: ${(await stat(file)).size} bytes\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
