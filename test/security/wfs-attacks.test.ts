/** Attacks on WFS: documents that fetch or explode, injected names, unbounded filters. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { publishTables } from '../support/published-features.ts';
import { type Reply, useTestServer } from '../support/test-server.ts';
import { useTrap } from '../support/trap.ts';

const server = useTestServer();
const trap = useTrap();

beforeAll(() =>
  publishTables(server, 'topo', [
    {
      name: 'towns',
      attributes: [geometryColumn('Point'), column('name', 'string'), column('people', 'integer')],
      rows: [
        [wkt('POINT (7 46)'), "O'Brien", 1],
        [wkt('POINT (8 47)'), 'Bern', 2],
      ],
    },
  ]),
);

function post(body: string): Promise<Reply> {
  return server.post('//geoserver/wfs', body, { as: null, type: 'text/xml' });
}

function ask(query: string): Promise<Reply> {
  return server.get(`//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=topo:towns&${query}`, {
    as: null,
  });
}

const OPEN = '<wfs:GetFeature version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0"';
const QUERY = '<wfs:Query typeNames="towns"/></wfs:GetFeature>';

describe('hostile documents', () => {
  it('rejects a document with a DTD at every address', async () => {
    const dtd = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>';
    const replies = [
      await post(`${dtd}${OPEN}>${QUERY}`),
      await ask(`filter=${encodeURIComponent(`${dtd}<Filter>&e;</Filter>`)}`),
    ];

    for (const { status, text } of replies) {
      expect(status).toBe(400);
      expect(text).toContain('DOCTYPE');
      expect(text).not.toContain('root:');
    }
  });

  it('fetches none of the addresses that a document names', async () => {
    const reply = await post(
      `${OPEN} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:a="${trap.url}/ns" xsi:schemaLocation="${trap.url}/ns ${trap.url}/a.xsd">${QUERY}`,
    );

    expect(reply.status).toBe(200);
    expect(trap.caught).toEqual([]);
  });

  it.each([
    ['deep nesting', `${OPEN}>${'<a>'.repeat(5_000)}`],
    [
      'deep filters',
      `${OPEN}><wfs:Query typeNames="towns"><Filter>${'<Not>'.repeat(90)}${'</Not>'.repeat(90)}</Filter></wfs:Query></wfs:GetFeature>`,
    ],
    ['many elements', `${OPEN}>${'<a/>'.repeat(600_000)}</wfs:GetFeature>`],
    ['many attributes', `${OPEN} ${Array.from({ length: 20_000 }, (_, n) => `a${n}=""`).join(' ')}>${QUERY}`],
    ['many queries', `${OPEN}>${'<wfs:Query typeNames="towns"/>'.repeat(5_000)}</wfs:GetFeature>`],
  ])('rejects a document with %s', async (_what, body) => {
    const reply = await post(body);

    expect(reply.status).toBe(400);
    expect(reply.text).toContain('ExceptionReport');
  });
});

describe('hostile filters', () => {
  const terms = (count: number, between: string): string =>
    Array.from({ length: count }, (_, n) => `people=${n}`).join(between);

  it.each([
    ['too many terms', terms(50_000, ' OR ')],
    ['deep parentheses', `${'('.repeat(3_000)}people=1${')'.repeat(3_000)}`],
    ['deep negations', `${'NOT '.repeat(3_000)}people=1`],
  ])('rejects a filter with %s', async (_what, text) => {
    const reply = await server.post(
      '//geoserver/wfs',
      `service=WFS&version=2.0.0&request=GetFeature&typeNames=towns&outputFormat=json&cql_filter=${encodeURIComponent(text)}`,
      { as: null, type: 'application/x-www-form-urlencoded' },
    );

    expect(reply.status).toBe(400);
    expect(reply.text).toContain('ExceptionReport');
  });

  it('evaluates any pattern quickly', async () => {
    const reply = await ask(`outputFormat=json&cql_filter=${encodeURIComponent(`name LIKE '${'%a'.repeat(200)}b'`)}`);

    expect(reply.json()).toMatchObject({ features: [] });
  });
});

describe('injected code', () => {
  const injections = [
    "x'; DROP TABLE towns; --",
    '1=1) OR (1=1',
    "O'Brien",
    'name"; DROP TABLE towns; --',
    'exec(java.lang.Runtime.getRuntime(),"id")',
    '//*',
    'name[1]',
    '@*',
    '#{7*7}',
    '{{7*7}}',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    '\u0000',
  ];

  it.each(injections)('treats injected code as a literal value or an unknown name: %j', async (text) => {
    const value = encodeURIComponent(text);
    const literal = encodeURIComponent(`name = '${text.replaceAll("'", "''")}'`);
    const replies = await Promise.all([
      ask(`outputFormat=json&cql_filter=${literal}`),
      ask(`propertyName=${value}`),
      ask(`sortBy=${value}`),
      ask(`featureID=towns.${value}`),
      ask(`srsName=${value}`),
      ask(`outputFormat=${value}`),
      ask(`bbox=1,2,3,4,${value}`),
      server.get(
        `//geoserver/wfs?service=WFS&version=2.0.0&request=GetPropertyValue&typeNames=towns&valueReference=${value}`,
        { as: null },
      ),
      server.get(`//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=${value}`, { as: null }),
      server.get(`//geoserver/wfs?service=${value}&version=${value}&request=${value}`, { as: null }),
    ]);

    for (const { status, text: body } of replies) {
      expect([200, 400, 404]).toContain(status);
      expect(body).not.toMatch(/SQLITE|syntax error|at Object\.|node_modules/);
    }
    expect((await ask('resultType=hits')).text).toContain('numberMatched="2"');
  });
});

describe('error messages', () => {
  it('does not reveal the location of the data', async () => {
    const reply = await ask('cql_filter=nothing=1');

    expect(reply.text).not.toContain(server.dataDir);
    expect(reply.text).not.toContain('.gpkg');
  });
});
