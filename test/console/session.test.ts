/** The session of a tab, without a browser: what is kept when the server restarts, the token ends, or the user changes. */
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { restoreSession, session, signIn, signOut } from '../../console/rest/session.ts';

const draft = ['graticule-style /styles/roads', '{"text":"* { stroke: red }","etag":"1"}'] as const;

/** Answers of the server by method and path below the REST root; others fail like a server that is down. */
let answers: Record<string, () => Response> = {};
let stored = new Map<string, string>();

const self = (name: string) => () =>
  Response.json({ self: { name, roles: ['ADMIN'], administrator: true, workspaces: ['*'] } });
const token = () => Response.json({ token: { id: 'new', secret: 'grt_new' } }, { status: 201 });
const rejected = () => Response.json({ status: 401, title: 'Unauthorized' }, { status: 401 });

beforeEach(() => {
  session.value = undefined;
  stored = new Map([['graticule-user', 'anna'], ['graticule-session', 'old grt_old'], draft]);
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
    clear: () => stored.clear(),
  });
  vi.stubGlobal('location', { replace: vi.fn() });
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    const answer = answers[`${method} ${url.replace(/^.*\/rest\//, '/')}`];
    if (answer === undefined) throw new TypeError('Failed to fetch');
    return answer();
  });
});

afterAll(() => vi.unstubAllGlobals());

describe('a reload', () => {
  it('keeps the token and the drafts while the server does not answer', async () => {
    answers = {};
    await restoreSession();

    expect(session.value).toBeNull();
    expect(Object.fromEntries(stored)).toMatchObject({ 'graticule-session': 'old grt_old', [draft[0]]: draft[1] });
  });

  it('keeps the drafts of a session that has ended until the same user signs in', async () => {
    answers = { 'GET /security/self': rejected };
    await restoreSession();
    expect(stored.has('graticule-session')).toBe(false);
    answers = { 'GET /security/self': self('anna'), 'POST /security/self/tokens': token };
    await signIn('anna', 'password');

    expect(session.value?.name).toBe('anna');
    expect(Object.fromEntries(stored)).toEqual({
      'graticule-user': 'anna',
      'graticule-session': 'new grt_new',
      [draft[0]]: draft[1],
    });
  });
});

describe('another user', () => {
  it('finds no drafts of the last user of the tab', async () => {
    answers = { 'GET /security/self': rejected };
    await restoreSession();
    answers = { 'GET /security/self': self('ben'), 'POST /security/self/tokens': token };
    await signIn('ben', 'password');

    expect(Object.fromEntries(stored)).toEqual({ 'graticule-user': 'ben', 'graticule-session': 'new grt_new' });
  });
});

describe('signing out', () => {
  it('clears the storage although the server does not answer', async () => {
    answers = { 'GET /security/self': self('anna') };
    await restoreSession();
    expect(session.value?.name).toBe('anna');
    answers = {};
    await signOut();

    expect(stored.size).toBe(0);
    expect(session.value).toBeNull();
  });

  it('forgets the session before the server has revoked its token', async () => {
    answers = { 'GET /security/self': self('anna') };
    await restoreSession();
    let credentials: string | null | undefined;
    vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
      credentials = new Headers(headers).get('authorization');
      // Nothing is left to show meanwhile.
      expect([stored.size, session.value]).toEqual([0, undefined]);
      return new Response(null, { status: 204 });
    });
    await signOut();

    expect(credentials).toBe('Bearer grt_old');
    expect(session.value).toBeNull();
  });
});
