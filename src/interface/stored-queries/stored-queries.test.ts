/** Stored queries in the REST interface, in the history and in the configuration. */
import { expect, it } from 'vitest';
import { storedQuery } from '../../../test/support/stored-queries.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const server = useTestServer();
const problems = { accept: 'application/problem+json' };
const document = (name: string, more: object = {}) => JSON.stringify(storedQuery(name, more));

it('creates, reads, lists, changes, renames and deletes stored queries', async () => {
  const made = await server.post('/storedqueries', document('urn:a:1', { title: 'First', abstract: 'Old' }));
  expect([made.status, made.headers['location']]).toEqual([201, expect.stringContaining('/storedqueries/urn%3Aa%3A1')]);
  const read = (await server.get('/storedqueries/urn:a:1')).json();
  const { queries, ...fields } = storedQuery('urn:a:1', {
    title: 'First',
    abstract: 'Old',
    isPrivate: false,
  }).storedQuery;
  expect(read).toEqual({ storedQuery: { ...fields, queries } });
  expect((await server.get('/storedqueries/urn:a:1.xml')).text).toContain('&lt;wfs:Query');
  expect((await server.get('/storedqueries.html')).text).toContain('urn:a:1');
  expect((await server.post('/storedqueries', document('urn:a:1'), problems)).json()).toMatchObject({
    code: 'stored-query-exists',
  });

  const { headers } = await server.get('/storedqueries/urn:a:1');
  const change = '{"storedQuery":{"name":"urn:a:2","abstract":null}}';
  const stale = { headers: { 'if-match': '"1.json"' } };
  expect((await server.put('/storedqueries/urn:a:1', change, stale)).status).toBe(412);
  const changed = await server.put('/storedqueries/urn:a:1', change, {
    headers: { 'if-match': headers['etag'] ?? '' },
  });
  expect(changed.status).toBe(200);
  expect((await server.get('/storedqueries/urn:a:1', problems)).json()).toMatchObject({ code: 'stored-query-unknown' });
  const undone = await server.request('POST', `/history/${changed.headers['graticule-change']}/undo`);
  expect(undone.status).toBe(200);
  expect((await server.get('/storedqueries/urn:a:1')).json()).toEqual(read);
  expect((await server.delete('/storedqueries/urn:a:1')).status).toBe(200);
  expect((await server.get('/storedqueries')).json()).toEqual({ storedQueries: { storedQuery: [] } });
});

it('accepts parameters and queries as XML', async () => {
  const body =
    '<storedQuery><name>x</name><parameters><parameter><name>lim</name><type>xsd:int</type></parameter></parameters><queries><query>&lt;Query xmlns="http://www.opengis.net/wfs/2.0" typeNames="a:${lim}"/&gt;</query></queries></storedQuery>';
  expect((await server.post('/storedqueries', body, { type: 'xml' })).status).toBe(201);
  expect((await server.get('/storedqueries/x')).json()).toMatchObject({
    storedQuery: { parameters: [{ name: 'lim', type: 'xs:int' }], queries: [expect.stringContaining('a:${lim}')] },
  });
  await server.delete('/storedqueries/x');
});

it.each([
  [{ queries: [] }, 'storedQuery.queries'],
  [{ queries: ['<a'] }, 'storedQuery.queries'],
  [{ queries: ['<!DOCTYPE a><Query/>'] }, 'storedQuery.queries'],
  [
    { queries: [`<Query xmlns="http://www.opengis.net/wfs/2.0" typeNames="${'a'.repeat(70_000)}"/>`] },
    'storedQuery.queries',
  ],
  [
    {
      queries: [
        `<Query xmlns="http://www.opengis.net/wfs/2.0" typeNames="a"><PropertyName>${'${lim}'.repeat(101)}</PropertyName></Query>`,
      ],
    },
    'storedQuery.queries',
  ],
  [{ parameters: [{ name: 'lim' }] }, 'storedQuery.parameters'],
  [{ parameters: [{ name: 'a b', type: 'xs:int' }] }, 'storedQuery.parameters'],
  [{ parameters: ['lim'] }, 'storedQuery.parameters'],
  [{ title: 'a'.repeat(10_001) }, 'storedQuery.title'],
])('rejects an invalid definition and names the field: %#', async (fields, field) => {
  const reply = await server.post('/storedqueries', document('invalid', fields), problems);
  expect(reply.status).toBe(400);
  expect(reply.json()).toMatchObject({ field });
});

it('belong to a workspace and its administrators, and are deleted with it', async () => {
  await server.post('/workspaces', '<workspace><name>mine</name></workspace>', { type: 'xml' });
  await server.post('/security/acl/layers', '{"mine.*.a":"BOSS"}');
  const boss = await addUser(server, 'boss', 'BOSS');
  expect((await server.post('/storedqueries', document('g'), { as: boss })).status).toBe(403);
  expect((await server.post('/workspaces/mine/storedqueries', document('own'), { as: boss })).status).toBe(201);
  const moved = await server.put(
    '/workspaces/mine/storedqueries/own',
    '{"storedQuery":{"workspace":"other"}}',
    problems,
  );
  expect(moved.json()).toMatchObject({ code: 'workspace-mismatch' });
  const read = await server.get('/workspaces/mine/storedqueries/own');
  expect(read.json()).toMatchObject({ storedQuery: { workspace: { name: 'mine' } } });
  expect((await server.put('/workspaces/mine/storedqueries/own', read.text)).status).toBe(200);
  expect((await server.delete('/workspaces/mine', problems)).text).toContain('own');
  expect((await server.delete('/workspaces/mine?recurse=true')).status).toBe(200);
  expect((await server.get('/workspaces/mine/storedqueries')).status).toBe(404);
});

it('limits their number', async () => {
  await server.post('/workspaces', '<workspace><name>many</name></workspace>', { type: 'xml' });
  const define = (index: number) =>
    `<wfs:StoredQueryDefinition id="q${index}"><wfs:QueryExpressionText><wfs:Query typeNames="a"/></wfs:QueryExpressionText></wfs:StoredQueryDefinition>`;
  const body = (count: number) =>
    `<wfs:CreateStoredQuery service="WFS" version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0">${Array.from({ length: count }, (_, index) => define(index)).join('')}</wfs:CreateStoredQuery>`;
  const create = (count: number) => server.post('//geoserver/many/wfs', body(count), { type: 'text/xml' });
  expect((await create(201)).text).toContain('At most 200 stored queries');
  expect((await create(200)).text).toContain('OK');
  expect((await server.post('/workspaces/many/storedqueries', document('one'), problems)).json()).toMatchObject({
    code: 'stored-queries-too-many',
  });
});
