/** Access to WFS: every operation, for every user, in every catalog mode; hidden layers look like missing ones. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { publishTables } from '../support/published-features.ts';
import { type Reply, useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';

const server = useTestServer();

let reader = '';
let other = '';

const table = (name: string) => ({
  name,
  attributes: [geometryColumn('Point'), column('word', 'string')],
  rows: [[wkt('POINT (1 2)'), 'classified']],
});

beforeAll(async () => {
  await publishTables(server, 'topo', [table('open'), table('hidden')]);
  reader = await addUser(server, 'reader', 'ROLE_READER');
  other = await addUser(server, 'other', 'ROLE_OTHER');
  await server.post('/security/acl/layers', '{"topo.hidden.r":"ROLE_READER"}');
});

const GET_BY_ID = 'storedQuery_id=urn:ogc:def:query:OGC-WFS::GetFeatureById';

/** Requests for the hidden layer; `%s` is its name. */
const operations: Readonly<Record<string, string>> = {
  'GetFeature 1.0.0': 'version=1.0.0&request=GetFeature&typeName=topo:%s',
  'GetFeature 1.1.0': 'version=1.1.0&request=GetFeature&typeName=topo:%s',
  'GetFeature 2.0.0': 'version=2.0.0&request=GetFeature&typeNames=topo:%s',
  'GetFeature as GeoJSON': 'version=2.0.0&request=GetFeature&typeNames=topo:%s&outputFormat=json',
  'GetFeature as CSV': 'version=2.0.0&request=GetFeature&typeNames=topo:%s&outputFormat=csv',
  'GetFeature as KML': 'version=2.0.0&request=GetFeature&typeNames=topo:%s&outputFormat=KML',
  'GetFeature with a bare name': 'version=2.0.0&request=GetFeature&typeNames=%s',
  'GetFeature of two types': 'version=2.0.0&request=GetFeature&typeNames=(topo:open)(topo:%s)',
  'GetFeature by ids': 'version=2.0.0&request=GetFeature&featureID=%s.1',
  hits: 'version=2.0.0&request=GetFeature&typeNames=topo:%s&resultType=hits',
  'hits with a filter': "version=2.0.0&request=GetFeature&typeNames=topo:%s&resultType=hits&cql_filter=word='x'",
  'a filter that is wrong': 'version=2.0.0&request=GetFeature&typeNames=topo:%s&cql_filter=nothing=1',
  'a property that is not there': 'version=2.0.0&request=GetFeature&typeNames=topo:%s&propertyName=nothing',
  GetPropertyValue: 'version=2.0.0&request=GetPropertyValue&typeNames=topo:%s&valueReference=word',
  GetFeatureById: `version=2.0.0&request=GetFeature&${GET_BY_ID}&id=%s.1`,
};

function ask(query: string, as: string | null): Promise<Reply> {
  return server.get(`//geoserver/wfs?service=WFS&${query}`, { as });
}

function about(query: string, name: string): string {
  return query.replaceAll('%s', name);
}

describe.each(['HIDE', 'MIXED', 'CHALLENGE'] as const)('WFS access in catalog mode %s', (mode) => {
  beforeAll(async () => {
    await server.put('/security/acl/catalog', JSON.stringify({ mode }));
  });

  it.each(Object.keys(operations))(
    '%s succeeds for users whom a rule names and for the administrator',
    async (name) => {
      const query = about(operations[name] ?? '', 'hidden');

      for (const as of [reader, undefined]) {
        const reply = await server.get(`//geoserver/wfs?service=WFS&${query}`, as === undefined ? {} : { as });

        expect(reply.text).not.toMatch(/Unknown feature type|No such/);
        expect([200, 400]).toContain(reply.status);
      }
    },
  );

  it.each(Object.keys(operations))('%s is denied to other users', async (name) => {
    const query = operations[name] ?? '';

    const [anonymous, signedIn] = [await ask(about(query, 'hidden'), null), await ask(about(query, 'hidden'), other)];

    if (mode === 'HIDE') {
      const absent = (await ask(about(query, 'absent'), null)).text.replaceAll('absent', 'hidden');
      expect([anonymous.text, signedIn.text]).toEqual([absent, absent]);
    } else {
      expect([anonymous.status, signedIn.status]).toEqual([401, 403]);
      expect(anonymous.headers['www-authenticate']).toContain('Basic');
    }
    for (const { text } of [anonymous, signedIn]) expect(text).not.toContain('classified');
  });

  it('lists name the layer only to users who may know that it exists', async () => {
    const lists = [
      'version=1.0.0&request=GetCapabilities',
      'version=1.1.0&request=GetCapabilities',
      'version=2.0.0&request=GetCapabilities',
      'version=2.0.0&request=ListStoredQueries',
      'version=2.0.0&request=DescribeFeatureType',
      'version=2.0.0&request=DescribeFeatureType&outputFormat=application/json',
    ];
    for (const query of lists) {
      for (const as of [null, other]) {
        expect((await ask(query, as)).text.includes('hidden'), query).toBe(mode === 'CHALLENGE');
      }
      expect((await ask(query, reader)).text).toContain('hidden');
    }
  });

  it('the schema of the layer is returned only to users who may know that it exists', async () => {
    const query = 'version=2.0.0&request=DescribeFeatureType&typeNames=topo:hidden';

    const reply = await ask(query, other);

    expect(reply.status).toBe({ HIDE: 400, MIXED: 403, CHALLENGE: 200 }[mode]);
    expect((await ask(query, reader)).status).toBe(200);
  });

  it('the service address of the layer reveals no more', async () => {
    const reply = await server.get('//geoserver/topo/hidden/wfs?service=WFS&request=GetCapabilities', { as: null });

    expect(reply.text.includes('<Name>topo:hidden</Name>')).toBe(mode === 'CHALLENGE');
  });

  it('documents and forms do not bypass the rules', async () => {
    const document =
      '<wfs:GetFeature version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:t="http://topo"><wfs:Query typeNames="t:hidden"/></wfs:GetFeature>';
    const form = 'service=WFS&version=2.0.0&request=GetFeature&typeNames=topo:hidden';

    const replies = [
      await server.post('//geoserver/wfs', document, { as: null, type: 'text/xml' }),
      await server.post('//geoserver/ows', form, { as: null, type: 'application/x-www-form-urlencoded' }),
    ];

    for (const { status, text } of replies) {
      expect(status).toBe(mode === 'HIDE' ? 400 : 401);
      expect(text).not.toContain('classified');
    }
  });
});

describe('service rules for WFS', () => {
  it('a service rule denies an operation regardless of the layer rules', async () => {
    await server.post('/security/acl/services', '{"wfs.GetFeature":"ROLE_READER"}');

    const query = 'version=2.0.0&request=GetFeature&typeNames=topo:open';

    expect((await ask(query, null)).status).toBe(401);
    expect((await ask(query, other)).status).toBe(403);
    expect((await ask(query, reader)).status).toBe(200);
    expect((await ask('request=GetCapabilities', null)).status).toBe(200);
    await server.delete('/security/acl/services/wfs.GetFeature');
  });
});
