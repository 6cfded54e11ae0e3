/** Lesson 15: no regular expression from a client blocks the server. */
import { describe, expect, it } from 'vitest';
import { useTestServer } from '../support/test-server.ts';
import { testGate } from '../support/url-gates.ts';

/** Each of these takes exponential time in a backtracking engine. */
const catastrophic = ['^(a+)+$', '^(a|aa)+$', '^(a|a?)+$', '^(.*a){20}$', '^([a-z]+)*$', '^(\\w+\\s?)*$', '(x+x+)+y'];

/** Maximum time one decision may block other requests, on a machine under load. */
const BUDGET_MS = 60_000;

describe('lesson 15: URL checks with a catastrophic regex', () => {
  const server = useTestServer();

  it.each(catastrophic)('rejects %s, or decides without delay', async (regex) => {
    const name = `check ${catastrophic.indexOf(regex)}`;
    const body = JSON.stringify({ regexUrlCheck: { name, regex: `http://x/${regex}`, enabled: true } });
    expect([201, 400]).toContain((await server.post('/urlchecks', body)).status);
    const startedAtMs = performance.now();

    const reply = await server.post('/urlchecks/test.json', `http://x/${'a'.repeat(1_900)}!`, { type: 'text/plain' });

    expect(reply.json()).toMatchObject({ urlCheckTest: { allowed: false } });
    expect(performance.now() - startedAtMs).toBeLessThan(BUDGET_MS);
  });

  it.each([
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '(?<!a)',
    '(a)\\1',
    '(?>a)',
    'a++',
    '((a{100}){100}){100}',
    '(?:a{0,1000}){0,1000}',
  ])('rejects saving %s', async (regex) => {
    const reply = await server.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name: 'bad', regex } }));

    expect(reply.status).toBe(400);
    expect(reply.text).toMatch(/at character \d+/);
    expect((await server.get('/urlchecks/bad')).status).toBe(404);
  });
});

describe('lesson 15: many costly URL checks', () => {
  it('lets other work run between the checks', async () => {
    const checks = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}`, `http://never/${n}`]));
    let nowMs = 0;
    // With this clock, every check exceeds its time slice.
    const clock = () => {
      nowMs += 1_000;
      return nowMs;
    };
    const gate = testGate({ checks, clock });
    let turns = 0;
    let decided = false;
    const otherWork = async () => {
      while (!decided) {
        await new Promise((resolve) => setImmediate(resolve));
        turns += 1;
      }
    };

    const working = otherWork();
    await gate.check('http://x/');
    decided = true;
    await working;

    expect(turns).toBeGreaterThan(40);
  });
});
