import { describe, expect, it } from 'vitest';
import { freshCatalog } from '../../test/support/keystores.ts';
import { startTestServer, useTestServer } from '../../test/support/test-server.ts';
import type { Principal } from '../lib/identity/principal.ts';
import { AttemptsInMemory } from './attempts-in-memory.ts';
import type { AuthenticationResult, Credentials } from './authenticate.ts';
import { serverPrincipal } from './core/administrator.ts';
import { changeSecurity } from './core/security-state.ts';
import { createLogin } from './login.ts';
import { LoginThrottle } from './login-throttle.ts';
import { DEFAULT_SERVICE, userGroupServiceKind } from './users/user-group-service.ts';

const limits = { windowMs: 60_000, perAccountAndAddress: 10, perAddress: 100, perAccount: 200, accountDelayMs: 1_000 };
const ann: Principal = { name: 'ann', roles: new Set() };

/** Returns a login over a separate catalog, and a counter of verifications. */
async function loginWith(isOurs: boolean, from: 'one connection' | 'many connections' = 'many connections') {
  const { catalog } = await freshCatalog();
  const world = {
    asked: 0,
    nowMs: 0,
    answer: { principal: ann, isOurs } as AuthenticationResult,
    signIns: [] as string[],
  };
  const login = createLogin({
    catalog,
    authenticate: async () => {
      world.asked += 1;
      await new Promise(setImmediate);
      return world.answer;
    },
    throttle: new LoginThrottle(limits, new AttemptsInMemory(() => world.nowMs)),
    processSecret: 'x',
    clock: () => world.nowMs,
    directoryMemoryMs: 5_000,
    wait: async () => undefined,
    onSignIn: ({ result }) => world.signIns.push(result),
  });
  const change = () =>
    changeSecurity(catalog, serverPrincipal, 'change', async (transaction) => {
      await transaction.insert(userGroupServiceKind, {
        parent: null,
        name: `${DEFAULT_SERVICE}-${world.asked}`,
        className: 'a',
        configClassName: 'b',
      });
    });
  const sent = new Map<string, Credentials>();
  const go = (password = 'p', address = '192.0.2.1') => {
    const credentials = (from === 'one connection' ? sent.get(password) : undefined) ?? { user: 'ann', password };
    sent.set(password, credentials);
    return login(credentials, address);
  };
  return { world, go, change, catalog };
}

describe.each(['one connection', 'many connections'] as const)('login from %s', (from) => {
  it('verifies credentials once, and again only after a security change', async () => {
    const { world, go, change } = await loginWith(true, from);

    expect([await go(), await go(), world.asked]).toEqual([ann, ann, 1]);
    world.nowMs += 1e9;
    await go();
    expect(world.asked).toBe(1);
    await change();
    world.answer = 'refused';
    expect([await go(), world.asked]).toEqual([undefined, 2]);
  });

  it('caches directory results for a short time only', async () => {
    const { world, go } = await loginWith(false, from);

    await go();
    world.nowMs = 4_999;
    await go();
    expect(world.asked).toBe(1);
    world.nowMs = 5_000;
    await go();
    expect(world.asked).toBe(2);
  });
});

describe('login', () => {
  it('reports each verification once, and correct credentials not again after a security change', async () => {
    const { world, go, change } = await loginWith(true);

    await go();
    await go();
    await change();
    await go();
    world.answer = 'refused';
    await go('wrong');
    world.answer = 'unanswered';
    await go('slow');
    world.answer = 'refused';
    for (let guesses = 0; guesses < 10; guesses += 1) {
      await Promise.resolve(go(`guess ${guesses}`)).catch(() => undefined);
    }

    expect(world.signIns.slice(0, 3)).toEqual(['success', 'failure', 'unavailable']);
    expect(world.signIns.slice(3)).toEqual([...Array.from({ length: 9 }, () => 'failure'), 'throttled']);
  });

  it('caches neither refusals nor other passwords', async () => {
    const { world, go } = await loginWith(true);
    world.answer = 'refused';

    await go();
    await go();
    expect(world.asked).toBe(2);
    world.answer = { principal: ann, isOurs: true };
    await go('p');
    await go('q');
    expect(world.asked).toBe(4);
  });

  it('counts concurrent requests with the same credentials as one attempt', async () => {
    const { world, go } = await loginWith(true);

    const principals = await Promise.all(Array.from({ length: 50 }, () => go()));

    expect(principals.every((each) => each === ann)).toBe(true);
    expect(world.asked).toBe(1);
  });

  it('counts concurrent guesses separately', async () => {
    const { world, go } = await loginWith(true);
    world.answer = 'refused';

    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_each, index) => go(`guess ${index}`)));

    expect(outcomes.filter((each) => each.status === 'fulfilled')).toHaveLength(limits.perAccountAndAddress);
  });

  it.each([
    ['after a security change', true],
    ['after the cached directory result expires', false],
  ])('succeeds with previously correct credentials %s, despite guesses at that address', async (_what, isOurs) => {
    const { world, go, change } = await loginWith(isOurs);
    await go('right');
    world.answer = 'refused';
    await Promise.allSettled(Array.from({ length: 30 }, (_each, index) => go(`guess ${index}`)));
    world.answer = { principal: ann, isOurs };
    await expect(go('not seen before')).rejects.toThrow(/Too many/i);

    await change();
    world.nowMs += 5_000;

    expect(await go('right')).toBe(ann);
    await expect(go('not seen before')).rejects.toThrow(/Too many/i);
  });

  it('counts credentials that are no longer correct as guesses', async () => {
    const { world, go, change } = await loginWith(true);
    await go('right');
    await change();
    world.answer = 'refused';

    for (let attempt = 0; attempt < limits.perAccountAndAddress; attempt += 1) {
      expect(await go('right')).toBeUndefined();
    }
    await expect(go('right')).rejects.toThrow(/Too many/i);
  });

  it('does not count unanswered or failed verifications as wrong passwords', async () => {
    const { world, go } = await loginWith(false);
    world.answer = 'unanswered';

    for (let attempt = 0; attempt < 200; attempt += 1) {
      expect(await go(`right ${attempt}`)).toBeUndefined();
    }
    world.answer = { principal: ann, isOurs: false };
    expect(await go('right 199')).toBe(ann);
  });

  it('does not cache a result from before a change as valid after it', async () => {
    const { world, go, change } = await loginWith(true);

    const before = go();
    await change();
    await before;
    await go();
    expect(world.asked).toBe(2);
  });

  it('needs no new verification after a change without effect', async () => {
    const { world, go, catalog } = await loginWith(true);
    await go();

    await changeSecurity(catalog, serverPrincipal, 'look', async (transaction) =>
      transaction.list(userGroupServiceKind, null),
    );

    await go();
    expect(world.asked).toBe(1);
  });
});

describe('built-in administrator', () => {
  it('logs in regardless of the providers', async () => {
    const server = await startTestServer();
    await server.delete('/security/authproviders/default');

    expect((await server.get('/workspaces')).status).toBe(200);
    await server.close();
  });

  it('is refused when disabled, while a user with its role logs in', async () => {
    const first = await startTestServer();
    await first.post('/security/usergroup/users', '{"userName":"ann","password":"p"}');
    await first.request('POST', '/security/roles/role/ADMIN/user/ann');
    await first.server.close();

    const server = await startTestServer({ dataDir: first.dataDir, flags: ['--builtin-admin', 'off'] });
    expect((await server.get('/workspaces')).status).toBe(401);
    expect((await server.get('/workspaces', { as: 'ann:p' })).status).toBe(200);
    expect((await server.get('/security/usergroup/users.json', { as: 'ann:p' })).json()).toEqual({
      users: [{ enabled: true, userName: 'ann' }],
    });
    const reply = await server.post('/security/usergroup/users', '{"userName":"admin","password":"p"}', {
      as: 'ann:p',
    });
    expect(reply.status).toBe(400);
    await server.close();
    await first.close();
  });
});

describe('authentication providers', () => {
  const server = useTestServer();
  const className = 'org.geoserver.security.auth.UsernamePasswordAuthenticationProvider';

  it('use the default service if they name none', async () => {
    await server.post('/security/usergroup/users', '{"userName":"ann","password":"p"}');
    await server.post('/security/authproviders', JSON.stringify({ name: 'unnamed', className }));
    await server.put('/security/authproviders/order', '["unnamed"]');

    expect((await server.get('/workspaces', { as: 'ann:p' })).status).not.toBe(401);
  });

  it('are saved with a missing service, authenticate no user, and log one warning', async () => {
    const reply = await server.post(
      '/security/authproviders',
      JSON.stringify({ name: 'dreamer', className, userGroupServiceName: 'nowhere' }),
    );
    await server.put('/security/authproviders/order', '["dreamer"]');

    expect(reply.json()).toMatchObject({ userGroupServiceName: 'nowhere' });
    for (const as of ['ann:p', 'ann:p', 'bob:q']) {
      expect((await server.get('/workspaces', { as })).status).toBe(401);
    }
    expect(server.log.filter((line) => line.includes('refers to a user/group service'))).toHaveLength(1);
    expect(server.log.filter((line) => line.includes('uses a user/group service'))).toHaveLength(1);
  });
});

describe('login throttling', () => {
  it('blocks guesses at one account from one address, but not the user at another', async () => {
    const server = await startTestServer({ flags: ['--trust-proxy', '127.0.0.1'] });
    await server.post('/security/usergroup/users', '{"userName":"ann","password":"right"}');
    const from = (address: string, password: string) =>
      server.get('/workspaces', { as: `ann:${password}`, headers: { 'x-forwarded-for': address } });

    const statuses = [];
    for (let guess = 0; guess < 12; guess += 1) {
      statuses.push((await from('192.0.2.1', `guess ${guess}`)).status);
    }

    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await from('192.0.2.1', 'right')).status).toBe(429);
    expect((await from('198.51.100.1', 'right')).status).not.toBe(429);
    expect((await from('198.51.100.1', 'right')).status).not.toBe(401);
    await server.close();
  });
});
