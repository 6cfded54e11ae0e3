/** Many clients use the same few names: no request fails unexpectedly, and the log matches the result. */
import { expect, onTestFinished, test } from 'vitest';
import { readDefaultWorkspace, readWorkspaces } from './catalog-view.ts';
import { createClient, type HttpClient } from './http-client.ts';
import { type History, inspectStorage, replayedHistory } from './replay.ts';
import { seededRandom } from './seeded-random.ts';
import { ADMIN_PASSWORD, startServer } from './started-server.ts';

const CLIENTS = 64;
const DURATION_MS = 10_000;
/** Fewer than clients, so that requests conflict. */
const NAMES = 40;

type Action = 'create' | 'rename' | 'delete';

/** The possible statuses of each operation: another client may have been faster. */
const possible: Readonly<Record<Action, readonly number[]>> = {
  create: [201, 409],
  rename: [200, 404, 409],
  delete: [200, 404],
};

test(`${CLIENTS} clients that create, rename and delete for ${DURATION_MS / 1000} seconds leave the state that the log describes`, async () => {
  const server = await startServer();
  const random = seededRandom(Date.now());
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const endsAtMs = Date.now() + DURATION_MS;

  // Without earlier logins: all clients authenticate at the same time against an empty cache.
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = createClient(server.url, { credentials: `admin:${ADMIN_PASSWORD}`, maxConnections: 1 });
      onTestFinished(() => client.close());
      while (Date.now() < endsAtMs) {
        const action = actions[Math.floor(random() * actions.length)] ?? 'create';
        const { status, text } = await act(client, action, () => `name${Math.floor(random() * NAMES)}`);
        expect(possible[action], `${action} was answered ${status}: ${text}`).toContain(status);
        count(`${action} ${status}`);
      }
    }),
  );

  const seen = await readWorkspaces(server.client);
  const defaultName = await readDefaultWorkspace(server.client);
  expect((await server.stop()).code).toBe(0);
  await inspectStorage(server.dataDir, async (storage) => {
    expect(await storage.findIntegrityProblems()).toEqual([]);
    const history = await replayedHistory(storage);
    expect(workspacesOf(history)).toEqual(seen.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
    expect(defaultOf(history)).toBe(defaultName);
    expect(successesIn(history)).toEqual({
      create: counts.get('create 201'),
      rename: counts.get('rename 200'),
      delete: counts.get('delete 200'),
    });
  });
  // Each kind of conflict has occurred.
  expect([...counts.keys()].sort()).toEqual(
    actions.flatMap((action) => possible[action].map((status) => `${action} ${status}`)).sort(),
  );
});

const actions: readonly Action[] = ['create', 'rename', 'delete'];

function act(client: HttpClient, action: Action, anyName: () => string): ReturnType<HttpClient['request']> {
  const name = anyName();
  switch (action) {
    case 'create':
      return client.request('POST', '/workspaces', { body: JSON.stringify({ workspace: { name } }) });
    case 'rename':
      return client.request('PUT', `/workspaces/${name}`, { body: renaming(name, anyName) });
    case 'delete':
      return client.request('DELETE', `/workspaces/${name}`);
  }
}

/** Uses another name, because a change without effect leaves no log entry. */
function renaming(name: string, anyName: () => string): string {
  const newName = anyName();
  return newName === name ? renaming(name, anyName) : `<workspace><name>${newName}</name></workspace>`;
}

function workspacesOf({ records }: History): readonly object[] {
  return [...records.values()]
    .filter(({ kind }) => kind === 'workspace')
    .map(({ name, body }) => ({ name, isolated: body['isolated'], uri: body['uri'] }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function defaultOf({ records }: History): string | undefined {
  const settings = [...records.values()].find(({ kind }) => kind === 'catalogSettings');
  return records.get(String(settings?.body['defaultWorkspace']))?.name;
}

function successesIn({ entries }: History): Readonly<Record<Action, number>> {
  const items = entries.flatMap((entry) => entry.items).filter(({ kind }) => kind === 'workspace');
  return {
    create: items.filter(({ before }) => before === null).length,
    rename: items.filter(({ before, after }) => before !== null && after !== null && before.name !== after.name).length,
    delete: items.filter(({ after }) => after === null).length,
  };
}
