/** Lesson 15: no regular expression of a client keeps the server busy. */
import { describe, expect, it } from 'vitest';
import { useTestServer } from '../support/test-server.ts';
import { testGate } from '../support/url-gates.ts';

/** Each takes ages in an engine that tries one way after the other. */
const catastrophic = ['^(a+)+$', '^(a|aa)+$', '^(a|a?)+$', '^(.*a){20}$', '^([a-z]+)*$', '^(\\w+\\s?)*$', '(x+x+)+y'];

/** What one decision may keep from other requests, on a machine that does other things as well. */
const BUDGET_MS = 60_000;

describe('lesson 15: a URL check with a catastrophic regex', () => {
  const server = useTestServer();

  it.each(catastrophic)('%s is refused, or decides in no time', async (regex) => {
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
  ])('%s is refused when it is saved', async (regex) => {
    const reply = await server.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name: 'bad', regex } }));

    expect(reply.status).toBe(400);
    expect(reply.text).toMatch(/at character \d+/);
    expect((await server.get('/urlchecks/bad')).status).toBe(404);
  });
});

describe('lesson 15: many costly checks', () => {
  it('let other work have its turn in between', async () => {
    const checks = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}`, `http://never/${n}`]));
    let nowMs = 0;
    // By this clock every check takes longer than a turn may.
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
