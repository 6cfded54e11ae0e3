/** Password guessing on several nodes in parallel. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type Attempt, type AttemptOutcome, LoginThrottle } from '../../src/security/login-throttle.ts';
import { PostgresAttempts } from '../../src/storage/postgres/nodes/attempts.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open.ts';
import { openPostgresPlaces, postgresAddress } from '../support/postgres-places.ts';
import { startTestServer } from '../support/test-server.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const limits = { windowMs: 60_000, perAccountAndAddress: 3, perAddress: 5, perAccount: 8, accountDelayMs: 1_000 };
const home = '192.0.2.1';
const away = '198.51.100.1';
const tooMany = expect.objectContaining({ code: 'too-many-attempts', status: 429 });

describeWithPostgis('password guessing on several nodes', (postgis) => {
  const places = openPostgresPlaces(postgis);

  async function openNodes(count: number, changed: Partial<typeof limits> = {}) {
    const place = places.take();
    await (await openPostgresStorage({ location: place, kinds: [] })).close();
    const attempts = Array.from({ length: count }, () => new PostgresAttempts(place));
    onTestFinished(async () => {
      for (const each of attempts) await each.close();
      await places.giveBack(place);
    });
    const throttles = attempts.map((each) => new LoginThrottle({ ...limits, ...changed }, each));
    let checked = 0;
    const go = async (node: number, outcome: AttemptOutcome, account: string, address = home) => {
      const attempt = (await throttles[node]?.begin(account, address)) as Attempt;
      checked += 1;
      await turn();
      await attempt.end(outcome);
      return attempt.delayMs;
    };
    return { throttles, go, checked: () => checked };
  }

  test('checks no more passwords of one account from one address than the limit', async () => {
    const { go, checked } = await openNodes(3);

    const ended = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => go(index % 3, 'wrong', 'admin')));

    expect(checked()).toBe(3);
    expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(27);
    await expect(go(0, 'wrong', 'admin')).rejects.toThrow(tooMany);
  });

  test('checks no more passwords from one address than the limit, for any accounts', async () => {
    const { go, checked } = await openNodes(3);

    await Promise.allSettled(Array.from({ length: 30 }, (_, index) => go(index % 3, 'wrong', `user ${index}`)));

    expect(checked()).toBe(5);
    await expect(go(1, 'right', 'ann')).rejects.toThrow(tooMany);
  });

  test('does not lock the same account at another address, and at first no other account', async () => {
    const { go } = await openNodes(2);
    await Promise.allSettled(Array.from({ length: 9 }, (_, index) => go(index % 2, 'wrong', 'admin')));

    expect(await go(1, 'right', 'admin', away)).toBe(0);
    expect(await go(1, 'right', 'ann')).toBe(0);
  });

  test('slows down an account that is guessed from many addresses', async () => {
    const { go } = await openNodes(2);
    for (let index = 0; index < 8; index += 1) await go(index % 2, 'wrong', 'admin', `203.0.113.${index}`);

    expect(await go(1, 'right', 'admin', away)).toBe(1_000);
  });

  test('refunds attempts that were correct or not answered: many parallel logins succeed', async () => {
    const { go, checked } = await openNodes(3);

    await Promise.all(Array.from({ length: 30 }, (_, index) => go(index % 3, 'right', 'admin')));
    await Promise.all(Array.from({ length: 30 }, (_, index) => go(index % 3, 'unanswered', `user ${index}`)));

    expect(checked()).toBe(60);
  });

  test('forgives typing errors on any node, and only for the same spelling of the account name', async () => {
    const { go } = await openNodes(2);
    await go(0, 'wrong', 'admin');
    await go(1, 'wrong', 'Admin');

    await go(1, 'right', 'admin');

    await go(0, 'wrong', 'admin');
    await go(1, 'wrong', 'admin');
    await expect(go(0, 'wrong', 'admin')).rejects.toThrow(tooMany);
  });

  test('counts previously valid credentials once they are wrong', async () => {
    const { throttles, go } = await openNodes(2);

    for (const throttle of [...throttles, ...throttles]) await throttle.beginKnown('admin', home).end('wrong');

    await expect(go(0, 'wrong', 'admin')).rejects.toThrow(tooMany);
  });

  test('can continue after the window although a node died while it checked passwords', async () => {
    const { throttles, go } = await openNodes(2, { windowMs: 1_500 });
    // These attempts never end.
    for (let count = 0; count < 3; count += 1) await throttles[0]?.begin('admin', home);

    expect(await go(1, 'right', 'admin')).toBe(0);
  });

  test('is limited for requests to three servers', async () => {
    const nodes = await Promise.all(
      Array.from({ length: 3 }, () =>
        startTestServer({
          flags: ['--storage', postgresAddress(postgis, 'three_servers')],
          environment: { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64') },
        }),
      ),
    );
    onTestFinished(async () => {
      for (const node of nodes) await node.close();
    });

    const replies = await Promise.all(
      Array.from({ length: 45 }, async (_, index) => {
        const authorization = `Basic ${Buffer.from(`admin:guess ${index}`).toString('base64')}`;
        return (await nodes[index % 3]?.get('/workspaces.json', { headers: { authorization } }))?.status;
      }),
    );

    expect(replies.filter((status) => status === 401)).toHaveLength(10);
    expect(replies.filter((status) => status === 429)).toHaveLength(35);
  });
});
