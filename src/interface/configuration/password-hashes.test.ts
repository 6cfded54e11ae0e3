/** Passwords of users that another server has hashed. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';

const server = useTestServer();

/** A password that must appear nowhere. */
const CANARY = 'Käfig-canary-7Q';

function digestOf(password: string, salt: Buffer): string {
  let value = createHash('sha256').update(salt).update(password.normalize('NFC')).digest();
  for (let round = 1; round < 100_000; round += 1) value = createHash('sha256').update(value).digest();
  return `digest1:${Buffer.concat([salt, value]).toString('base64')}`;
}

const digest = digestOf(CANARY, Buffer.alloc(16, 7));
const path = '/security/usergroup/user/mover';

const send = (what: 'diff' | 'apply', password: unknown) =>
  server.post(
    `/configuration/${what}`,
    JSON.stringify({
      format: 'graticule-configuration/1',
      resources: [
        { kind: 'user', path, fields: { password, enabled: true } },
        { kind: 'role', path: '/security/roles/role/ADMIN', fields: { users: ['mover'] } },
      ],
    }),
    { type: 'json', accept: 'application/problem+json, application/json' },
  );
const signIn = (password: string) => server.get('/workspaces.json', { as: `mover:${password}` });
const getState = async () => {
  const { position, hash } = (await server.get('/configuration')).json() as { position: number; hash: string };
  return { position, hash };
};

it('verifies a digest at the first login and an argon2id hash afterwards, without a change', async () => {
  const empty = await getState();
  const applied = await send('apply', { $hash: digest });
  expect(applied.status, applied.text).toBe(200);
  const { change } = applied.json() as { change: number };
  const before = await getState();

  expect((await signIn('wrong')).status).toBe(401);
  expect((await signIn(CANARY)).status).toBe(200);
  const note = await server.server.storage.notes.listNames('imported password ');
  expect(note).toHaveLength(1);
  const text = (await server.server.storage.notes.read(note[0] ?? '')) ?? '';
  expect(text).toContain('$argon2id$');
  expect((await signIn(`${CANARY}!`)).status).toBe(401);
  expect((await signIn(CANARY)).status).toBe(200);

  expect(await getState()).toEqual(before);
  expect((await send('diff', { $hash: digest })).json()).toMatchObject({ steps: [] });
  expect((await send('diff', CANARY)).json()).toMatchObject({ steps: [] });
  const other = { $hash: digestOf('another', Buffer.alloc(16, 8)) };
  const plan = await send('diff', other);
  expect(plan.json()).toMatchObject({
    steps: [{ changes: [{ field: '/password', before: '(secret)', after: '(secret)' }] }],
  });
  const history = await server.get(`/history/${change}`);
  const exported = await server.get('/configuration');
  for (const shown of [plan.text, history.text, exported.text, ...server.log]) {
    expect(shown).not.toContain(CANARY);
    expect(shown).not.toContain(digest);
  }

  expect((await server.post(`/history/${change}/undo`, '')).status).toBeLessThan(300);
  expect((await getState()).hash).toBe(empty.hash);
  expect((await signIn(CANARY)).status).toBe(401);
});

it('rejects hashes of unknown formats without showing them', async () => {
  for (const wrong of [CANARY, 'digest1:short', `crypt1:${CANARY}`]) {
    const reply = await send('apply', { $hash: wrong });

    expect(reply.status, reply.text).toBe(422);
    expect(reply.text).not.toContain(wrong);
  }
});
