/** The client chooses the response of a write with the Prefer header. */
import { describe, expect, it } from 'vitest';
import { useTestServer } from '../support/test-server.ts';

const server = useTestServer();

describe('Prefer: return=representation', () => {
  const prefer = 'return=representation';

  it('answers a POST with the new resource and the ETag of a GET', async () => {
    const made = await server.post('/workspaces', JSON.stringify({ workspace: { name: 'harbour' } }), {
      headers: { prefer },
    });
    const read = await server.get('/workspaces/harbour.json');

    expect([made.status, made.headers['preference-applied']]).toEqual([201, prefer]);
    expect(made.headers['location']).toMatch(/\/workspaces\/harbour$/);
    expect([made.json(), made.headers['etag']]).toEqual([read.json(), read.headers['etag']]);
    expect(made.headers['graticule-change']).toBe(read.headers['graticule-position']);
  });

  it('answers a PUT with the changed resource, in the format of the request body', async () => {
    const changed = await server.put('/workspaces/harbour', '<workspace><isolated>true</isolated></workspace>', {
      type: 'text/xml',
      headers: { prefer },
    });
    const read = await server.get('/workspaces/harbour.xml');

    expect([changed.status, changed.headers['content-type']]).toEqual([200, 'application/xml']);
    expect([changed.text, changed.headers['etag']]).toEqual([read.text, read.headers['etag']]);
    expect(changed.text).toContain('<isolated>true</isolated>');
  });

  it('prefers the format of Accept to that of the request body', async () => {
    const changed = await server.put('/workspaces/harbour', '<workspace><isolated>false</isolated></workspace>', {
      type: 'text/xml',
      headers: { prefer, accept: 'application/json' },
    });

    expect(changed.json()).toMatchObject({ workspace: { name: 'harbour', isolated: false } });
  });

  it('shows the result of a dry run, and stores nothing', async () => {
    const tried = await server.post('/workspaces?dryRun=true', JSON.stringify({ workspace: { name: 'draft' } }), {
      headers: { prefer },
    });

    expect(tried.json()).toMatchObject({ workspace: { name: 'draft' } });
    expect([tried.headers['etag'], tried.headers['graticule-dry-run']]).toEqual([undefined, 'true']);
    expect((await server.get('/workspaces/draft')).status).toBe(404);
  });

  it('applies to an operation of a batch', async () => {
    const operations = [
      { method: 'POST', path: '/workspaces', headers: { Prefer: prefer }, body: { workspace: { name: 'one' } } },
    ];
    const reply = await server.post('/batch', JSON.stringify({ operations }));
    const read = await server.get('/workspaces/one.json');

    expect(reply.json()).toMatchObject({
      results: [{ status: 201, headers: { ETag: read.headers['etag'] }, body: { workspace: { name: 'one' } } }],
    });
  });

  it.each([
    ['/workspaces/one', { workspace: { name: 't w.o' } }, '/workspaces/t%20w.o'],
    ['/workspaces/t%20w.o.json', { workspace: { name: 'two' } }, '/workspaces/two'],
    ['/namespaces/two', { namespace: { prefix: 'three' } }, '/namespaces/three'],
    ['/workspaces/three', { workspace: { name: 'two' } }, '/workspaces/two'],
  ])('shows the renamed resource %s under its new name', async (path, body, then) => {
    const renamed = await server.put(path, JSON.stringify(body), { headers: { prefer } });
    const read = await server.get(`${then}.json`);

    expect([renamed.status, renamed.headers['preference-applied']], renamed.text).toEqual([200, prefer]);
    expect([renamed.json(), renamed.headers['etag']]).toEqual([read.json(), read.headers['etag']]);
  });

  it('does not change error responses', async () => {
    const reply = await server.post('/workspaces', JSON.stringify({ workspace: { name: 'two' } }), {
      headers: { prefer },
    });

    expect([reply.status, reply.headers['preference-applied']]).toEqual([409, undefined]);
  });
});

describe('Prefer: return=minimal', () => {
  it('returns only the status and the Location', async () => {
    const made = await server.post('/workspaces', JSON.stringify({ workspace: { name: 'quiet' } }), {
      headers: { prefer: 'return=minimal, handling=strict' },
    });

    expect([made.status, made.text]).toEqual([201, '']);
    expect(made.headers['location']).toMatch(/\/workspaces\/quiet$/);
    expect(made.headers['preference-applied']).toBe('handling=strict,return=minimal');
  });
});

it('Other preferences are ignored, and reads have none', async () => {
  const made = await server.post('/workspaces', JSON.stringify({ workspace: { name: 'usual' } }), {
    headers: { prefer: 'return=everything, respond-async' },
  });
  const read = await server.get('/workspaces/usual', { headers: { prefer: 'return=minimal' } });

  expect([made.status, made.text, made.headers['preference-applied']]).toEqual([201, 'usual', undefined]);
  expect(read.headers['preference-applied']).toBeUndefined();
  expect(read.text).not.toBe('');
});
