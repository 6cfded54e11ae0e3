/** The data directory of the current version contains every kind of record, and its recording reads every record. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { findRestPath, type RecordPath } from '../../src/interface/changes/record-path.ts';
import { readVersion } from '../../src/server/settings/version.ts';
import { recordKinds } from '../../src/server/storage/record-kinds.ts';
import { findNewestRecording, unpackDataDirectory } from './older-data-directories.ts';

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly parent: string | null;
  readonly name: string;
}

/** Records without a document of their own, and where their content is visible. */
const readElsewhere: Readonly<Record<string, string>> = {
  administrator: '/security/usergroup/user/admin',
  // Tokens expire, so that their documents depend on the time.
  apiToken: '/security/usergroup/user/admin',
  authProviderOrder: '/security/authproviders',
  group: '/security/usergroup/groups',
  keystore: '/security/masterpw',
  persistedSchemas: '/workspaces/weather/datastores/stations',
  removedAuthProvider: '/security/authproviders',
  role: '/security/roles',
  securityState: '/security/usergroup/users',
  styleFile: '/styles',
  tokenState: '/security/usergroup/users',
  urlCheckSet: '/urlchecks',
  dataRuleSet: '/security/acl/data',
};

async function readRecords(): Promise<readonly Row[]> {
  const dataDir = await unpackDataDirectory(findNewestRecording());
  const database = new DatabaseSync(join(dataDir, 'graticule.sqlite'));
  const rows = database.prepare('SELECT id, kind, parent, name FROM records').all();
  database.close();
  return rows as unknown as readonly Row[];
}

function findReadPath(record: Row, records: ReadonlyMap<string, Row>): string | null {
  const place: Row[] = [];
  for (let each: Row | undefined = record; each !== undefined; each = records.get(each.parent ?? '')) {
    place.unshift(each);
  }
  const [workspace] = place;
  if (record.kind === 'layer') return `/layers/${encodeURIComponent(`${workspace?.name}:${record.name}`)}`;
  return readElsewhere[record.kind] ?? findRestPath(place satisfies RecordPath);
}

it('is that of the version in package.json', () => {
  expect(findNewestRecording().version).toBe(readVersion());
});

it('contains records of every kind', async () => {
  const kinds = new Set((await readRecords()).map(({ kind }) => kind));

  const missing = recordKinds.map(({ kind }) => kind).filter((kind) => !kinds.has(kind));
  expect(missing, 'Add sample records to scripts/data-directory/: see Releases in CONTRIBUTING.md.').toEqual([]);
});

it('has a recorded response for every record', async () => {
  const records = new Map((await readRecords()).map((record) => [record.id, record]));
  const successful = findNewestRecording().reads.filter(({ status }) => status === 200);
  const recorded = new Set(successful.map(({ path }) => path.replace(/\.json$/, '')));

  const unread = [...records.values()].filter((record) => !recorded.has(findReadPath(record, records) ?? ''));

  expect(unread.map(({ kind, name }) => `${kind} ${name}`)).toEqual([]);
});
