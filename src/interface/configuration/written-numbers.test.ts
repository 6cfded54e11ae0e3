import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { convertJsonInput } from '../../http/serialization/convert-json-input.ts';
import { startReadingJsonInput } from '../../http/serialization/read-json.ts';
import { parseKeepingNumberText } from '../../lib/json/keep-number-text.ts';

const format = 'graticule-configuration/1';
const spellings = [
  '1.0',
  '1e2',
  '1E+2',
  '-0',
  '0.10',
  '0.0000001',
  '1e400',
  '12345678901234567890',
  '0.12345678901234567',
];

describe('a number in an apply document', () => {
  const server = useTestServer();

  function post(to: 'apply' | 'diff', kind: string, path: string, fields: string) {
    const body = `{"format":"${format}","resources":[{"kind":"${kind}","path":"${path}","fields":${fields}}]}`;
    const accept = 'application/problem+json, application/json';
    return server.request('POST', `/configuration/${to}`, { type: 'application/json', accept, body });
  }

  it.each(spellings)('keeps its notation where text is expected: %s', async (number) => {
    const check = `"regex":"^a$","description":${number}`;
    const single = `{"regexUrlCheck":{"name":"single",${check}}}`;
    const part = `{"regexUrlCheck":{"name":"part",${check}}}`;
    const batch = `{"operations":[{"method":"POST","path":"/urlchecks","body":${part}}]}`;
    await server.request('POST', '/urlchecks', { type: 'application/json', body: single });
    await server.request('POST', '/batch', { type: 'application/json', body: batch });
    const created = await post('apply', 'urlCheck', '/urlchecks/applied', `{${check}}`);
    const again = await post('apply', 'urlCheck', '/urlchecks/applied', `{${check}}`);
    const names = ['single', 'part', 'applied'];
    const replies = await Promise.all(names.map((name) => server.get(`/urlchecks/${name}.json`)));
    await Promise.all(names.map((name) => server.request('DELETE', `/urlchecks/${name}`)));

    expect(created.json()).toMatchObject({ summary: { create: 1 } });
    expect(again.json()).toMatchObject({ change: null, steps: [], summary: { unchanged: 1 } });
    for (const reply of replies) {
      expect(reply.json()).toMatchObject({ regexUrlCheck: { description: number } });
    }
  });

  it('keeps its notation on a change and differs from any other text', async () => {
    await post('apply', 'urlCheck', '/urlchecks/a', '{"regex":"^a$","description":"1"}');
    const same = await post('diff', 'urlCheck', '/urlchecks/a', '{"description":1}');
    const other = await post('diff', 'urlCheck', '/urlchecks/a', '{"description":1.0}');

    expect(same.json()).toMatchObject({ steps: [] });
    expect(other.json()).toMatchObject({
      steps: [{ changes: [{ field: '/description', before: '1', after: '1.0' }] }],
    });
  });

  it('may have any notation where a number is expected', async () => {
    const path = '/services/wfs/settings';
    const set = await post('apply', 'serviceSettings', path, '{"maxFeatures":400,"title":"a"}');
    const same = await post('diff', 'serviceSettings', path, '{"maxFeatures":4.0e2}');
    const other = await post('diff', 'serviceSettings', path, '{"maxFeatures":500.0}');

    expect(set.status, set.text).toBe(200);
    expect(same.json()).toMatchObject({ steps: [] });
    expect(other.json()).toMatchObject({
      steps: [{ changes: [{ field: '/maxFeatures', before: 400, after: 500 }] }],
    });
  });

  it('may have any notation where an integer is expected, also in single documents', async () => {
    const path = '/services/wfs/settings';
    const applied = await post('apply', 'serviceSettings', path, '{"maxFeatures":5.0e2}');
    const sent = await server.put(path, '<wfs><maxFeatures>600.0</maxFeatures></wfs>');
    const broken = await post('apply', 'serviceSettings', path, '{"maxFeatures":5.5}');

    expect([applied.status, sent.status, broken.status]).toEqual([200, 200, 422]);
    expect((await server.get(`${path}.json`)).json()).toMatchObject({ wfs: { maxFeatures: 600 } });
  });

  it('may have any notation inside structured fields', async () => {
    await post('apply', 'globalSettings', '/settings', '{"settings":{"numDecimals":4}}');
    const reported = (await server.get('/configuration?path=/settings')).text;
    const written = reported.replace('"numDecimals":4', '"numDecimals":4.0');
    const reply = await server.request('POST', '/configuration/diff', { type: 'application/json', body: written });

    expect(written).not.toBe(reported);
    expect(reply.json()).toMatchObject({ steps: [] });
  });
});

const written = fc.constantFrom(
  ...spellings,
  '7',
  '-1.5',
  '0',
  '123456789012345',
  '"a, 1.0 ]"',
  '"1.0"',
  'null',
  'true',
);

/** JSON with numbers in any notation, and optional white space. */
const { text } = fc.letrec<{ readonly text: string }>((again) => ({
  text: fc.oneof(
    { maxDepth: 3 },
    written,
    fc.array(again('text'), { maxLength: 4 }).map((items) => `[${items.join(' , ')}]`),
    fc.array(again('text'), { maxLength: 4 }).map((all) => `{${all.map((each, at) => `"m${at}":${each}`).join(',')}}`),
  ),
}));

const limits = { maxDepth: 100, maxNodes: 10_000, maxBytes: 1_000_000 };

describe('JSON with numbers in any notation', () => {
  it('is parsed like a single document', () => {
    fc.assert(
      fc.property(text, (value) => {
        const whole = `{"fields":${value}}`;
        const read = startReadingJsonInput(whole, limits).advance(Number.POSITIVE_INFINITY);
        expect(convertJsonInput(parseKeepingNumberText(whole), limits)).toEqual(read);
      }),
    );
  });
});
