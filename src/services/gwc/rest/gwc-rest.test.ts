/** Tile administration: truncating and seeding caches. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../../test/support/feature-collections.ts';
import { publishTables } from '../../../../test/support/published-features.ts';
import { type RequestOptions, useTestServer } from '../../../../test/support/test-server.ts';
import { addUser } from '../../../../test/support/test-users.ts';

const tables = ['fields', 'lakes'].map((name) => ({
  name,
  attributes: [geometryColumn('Polygon'), column('name', 'string')],
  rows: [[wkt('POLYGON ((0 0, 90 0, 90 66, 0 66, 0 0))'), name]],
}));

const FILTER = "name='lakes'";

describe('tile administration', () => {
  const server = useTestServer();
  let other = '';
  beforeAll(async () => {
    await publishTables(server, 'acme', tables);
    other = await addUser(server, 'other', 'ROLE_OTHER');
  });

  const care = (method: 'GET' | 'POST' | 'DELETE', path: string, options: RequestOptions = {}) =>
    server.request(method, `//geoserver/gwc/rest${path}`, options);

  /** Returns whether a tile is cached already; the request itself caches it. */
  async function isKept(layer: string, level = 0, format = 'image/png'): Promise<boolean> {
    const path = `//geoserver/gwc/service/wmts/rest/acme:${layer}/EPSG:900913/${level}/0/0?format=${format}`;
    const { headers } = await server.get(path, { as: null });
    return headers['geowebcache-cache-result'] === 'HIT';
  }

  async function jobsDone(): Promise<void> {
    for (;;) {
      const { 'long-array-array': jobs } = (await care('GET', '/seed.json')).json() as {
        'long-array-array': unknown[];
      };
      if (jobs.length === 0) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('lists the layers that have tiles', async () => {
    expect((await care('GET', '/layers.json')).json()).toEqual(['acme:fields', 'acme:lakes']);
    expect((await care('GET', '/layers')).json()).toEqual(['acme:fields', 'acme:lakes']);
    expect((await care('GET', '/layers.xml')).text).toMatch(
      /<layers><layer><name>acme:fields<\/name><atom:link .*href="[^"]*\/gwc\/rest\/layers\/acme%3Afields.xml"/,
    );
    expect((await care('GET', '/layers/acme:fields.json')).json()).toMatchObject({
      GeoServerLayer: { name: 'acme:fields', mimeFormats: expect.arrayContaining(['image/png']) },
    });
  });

  it('returns the jobs of a layer and the cache usage as XML', async () => {
    const replies = await Promise.all(
      ['/seed/acme:fields.xml', '/seed.xml', '/diskquota.xml'].map((path) => care('GET', path)),
    );

    expect(replies.map(({ status, headers, text }) => [status, headers['content-type'], text])).toEqual([
      [200, 'application/xml', '<long-array-array></long-array-array>'],
      [200, 'application/xml', '<long-array-array></long-array-array>'],
      [200, 'application/xml', expect.stringMatching(/^<gwcQuotaConfiguration>.*<bytes>1073741824<\/bytes>/)],
    ]);
  });

  it('deletes all tiles of one layer and none of others', async () => {
    await isKept('fields');
    await isKept('lakes');

    const reply = await care('DELETE', '/layers/acme:fields');

    expect([reply.status, await isKept('fields'), await isKept('lakes')]).toEqual([200, false, true]);
  });

  it.each([
    ['XML', 'text/xml', '<truncateLayer><layerName>acme:fields</layerName></truncateLayer>'],
    ['JSON', 'application/json', '{"truncateLayer":{"layerName":"acme:fields"}}'],
  ])('deletes tiles with a document in %s', async (_name, type, body) => {
    await isKept('fields');
    await isKept('lakes');

    const reply = await care('POST', '/masstruncate', { type, body });

    expect([reply.status, await isKept('fields'), await isKept('lakes')]).toEqual([200, false, true]);
  });

  it('deletes the tiles of some levels and one format', async () => {
    for (const level of [0, 1]) await isKept('fields', level);
    await isKept('fields', 0, 'pbf');
    const body = JSON.stringify({
      seedRequest: {
        name: 'acme:fields',
        gridSetId: 'EPSG:900913',
        zoomStart: 0,
        zoomStop: 0,
        type: 'truncate',
        format: 'image/png',
      },
    });

    await care('POST', '/seed/acme:fields.json', { type: 'application/json', body });

    expect([await isKept('fields', 0), await isKept('fields', 1), await isKept('fields', 0, 'pbf')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it.each([
    [
      'XML',
      'text/xml',
      '<seedRequest><name>acme:lakes</name><srs><number>900913</number></srs><zoomStart>0</zoomStart><zoomStop>3</zoomStop><format>image/png</format><type>reseed</type><threadCount>2</threadCount></seedRequest>',
    ],
    [
      'JSON',
      'application/json',
      '{"seedRequest":{"name":"acme:lakes","srs":{"number":900913},"zoomStart":0,"zoomStop":3,"format":"image/png","type":"reseed","threadCount":2}}',
    ],
    [
      'JSON with single quotes',
      'application/json',
      "{'seedRequest':{'name':'acme:lakes','srs':{'number':900913},'zoomStart':0,'zoomStop':3,'format':'image\\/png','type':'reseed','threadCount':2}}",
    ],
    [
      'a form',
      'application/x-www-form-urlencoded',
      'threadCount=02&type=reseed&gridSetId=EPSG%3A900913&tileFormat=image%2Fpng&zoomStart=00&zoomStop=03&minX=&minY=&maxX=&maxY=',
    ],
  ])('seeds tiles with a request in %s', async (_name, type, body) => {
    await care('DELETE', '/layers/acme:lakes');

    const reply = await care('POST', '/seed/acme:lakes', { type, body });
    await jobsDone();

    expect(reply.status).toBe(200);
    expect([await isKept('lakes', 0), await isKept('lakes', 1)]).toEqual([true, true]);
  });

  it.each([
    [
      'XML',
      `<seedRequest><zoomStop>0</zoomStop><format>image/png</format><parameters><entry><string>CQL_FILTER</string><string>${FILTER}</string></entry></parameters></seedRequest>`,
    ],
    [
      'JSON',
      `{"seedRequest":{"zoomStop":0,"format":"image/png","parameters":{"entry":{"string":["CQL_FILTER","${FILTER}"]}}}}`,
    ],
    [
      'JSON with single quotes',
      `{ 'seedRequest':{'zoomStop':0,'format':"image/png",'parameters':{'entry':{'string':['CQL_FILTER','${FILTER.replaceAll("'", "\\'")}']}}}}`,
    ],
    ['a form', `type=seed&zoomStop=00&tileFormat=image/png&parameter_CQL_FILTER=${encodeURIComponent(FILTER)}`],
  ])('seeds tiles for a filter given in %s', async (_name, body) => {
    await care('DELETE', '/layers/acme:lakes');

    await care('POST', '/seed/acme:lakes', { type: 'text/plain', body });
    await jobsDone();

    expect([await isKept('lakes', 0, `image/png&cql_filter=${FILTER}`), await isKept('lakes', 0)]).toEqual([
      true,
      false,
    ]);
  });

  it('seeds no tiles that would not be cached, and returns a warning', async () => {
    const body =
      '{"seedRequest":{"zoomStop":0,"format":"image/png","parameters":{"entry":{"string":["TIME","current"]}}}}';

    const reply = await care('POST', '/seed/acme:lakes', { type: 'application/json', body });

    expect([reply.status, (await care('GET', '/seed.json')).json()]).toEqual([200, { 'long-array-array': [] }]);
    expect(reply.headers['warning']).toContain('would not be cached');
  });

  it.each([
    ['JSON', '{"seedRequest":{"name":"acme:lakes","zoomStop":0}}', 'acme:lakes'],
    ['XML', '<seedRequest><name>acme:ponds</name><type>truncate</type></seedRequest>', 'acme:ponds'],
    ['JSON, beside it,', '{"seedRequest":{"name":["acme:fields","acme:lakes"],"zoomStop":0}}', 'acme:lakes'],
    ['XML, beside it,', '<seedRequest><name>acme:fields</name><name>acme:ponds</name></seedRequest>', 'acme:ponds'],
  ])('rejects a request in %s that names another layer than its path', async (_name, body, named) => {
    await isKept('fields');

    const reply = await care('POST', '/seed/acme:fields', { type: 'text/xml', body });

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('acme:fields')]);
    expect(reply.text).toContain(named);
    expect([await isKept('fields'), (await care('GET', '/seed.json')).json()]).toEqual([
      true,
      { 'long-array-array': [] },
    ]);
  });

  it('accepts a layer name without its workspace, and no name', async () => {
    for (const body of ['{"seedRequest":{"name":"fields","type":"truncate"}}', '{"seedRequest":{"type":"truncate"}}']) {
      expect((await care('POST', '/seed/acme:fields', { type: 'application/json', body })).status).toBe(200);
    }
  });

  it('reports the progress of jobs and stops them', async () => {
    const body =
      '{"seedRequest":{"name":"acme:fields","gridSetId":"EPSG:900913","zoomStart":0,"zoomStop":20,"format":"image/png"}}';
    await care('POST', '/seed/acme:fields.json', { type: 'application/json', body });
    const { 'long-array-array': jobs } = (await care('GET', '/seed/acme:fields.json')).json() as {
      'long-array-array': number[][];
    };
    const xml = await care('GET', '/seed/acme:fields.xml');

    const stopped = await care('POST', '/seed/acme:fields', {
      type: 'application/x-www-form-urlencoded',
      body: 'kill_all=all',
    });
    await jobsDone();

    expect(jobs).toHaveLength(1);
    expect(jobs[0]?.[1]).toBeGreaterThan(1_000_000);
    expect(xml.text).toMatch(
      /^<long-array-array><long-array>(?:<long>-?\d+<\/long>){5}<\/long-array><\/long-array-array>$/,
    );
    expect(stopped.status).toBe(200);
  });

  describe('page of a layer', () => {
    const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
    const form = 'application/x-www-form-urlencoded';
    const send = (body: string, options: RequestOptions = {}) =>
      care('POST', '/seed/acme:fields', { ...browser, type: form, body, ...options });

    it('has a form for jobs, without scripts', async () => {
      await server.put('/workspaces/acme/featuretypes/fields', '{"featureType":{"title":"<b>Fields</b>"}}');
      const { status, headers, text } = await care('GET', '/seed/acme:fields', browser);

      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'.*form-action 'self'/);
      expect(text).toContain('<p>&lt;b&gt;Fields&lt;/b&gt;</p>');
      expect(text).toContain('No jobs are pending or running.');
      expect(text).toContain('<option>WebMercatorQuad</option>');
      expect(text).not.toMatch(/<script|<b>F| on[a-z]+=/);
      expect([...text.matchAll(/name="(\w+)"/g)].map(([, name]) => name)).toEqual([
        'viewport',
        ...['threadCount', 'type', 'gridSetId', 'tileFormat', 'zoomStart', 'zoomStop', 'parameter_STYLES'],
        ...['minX', 'minY', 'maxX', 'maxY'],
      ]);
      for (const path of ['/seed/acme:fields.json', '/seed/acme:fields.xml']) {
        expect((await care('GET', path, browser)).headers['content-type']).toMatch(/json|xml/);
      }
      expect((await care('GET', '/seed/acme:fields')).headers['content-type']).toBe('application/json');
    });

    it('starts and stops jobs with the form of GeoWebCache', async () => {
      const started = await send(
        'threadCount=01&type=seed&gridSetId=EPSG%3A900913&tileFormat=image%2Fpng&zoomStart=00&zoomStop=20&parameter_STYLES=&minX=&minY=&maxX=&maxY=',
      );
      expect([started.status, started.text]).toEqual([200, expect.stringContaining('The request was accepted.')]);
      const id = /name="thread_id" value="(\d+)"/.exec(started.text)?.[1];
      const shown = await care('GET', '/seed/acme:fields', browser);
      expect(shown.text).toContain(`<tr><td>${id}</td><td>`);
      expect(shown.text).toContain('<meta http-equiv="refresh"');
      expect(started.text).not.toContain('<meta http-equiv="refresh"');

      expect((await send(`kill_thread=1&thread_id=${id}`)).text).toContain('No jobs are pending or running.');
      expect((await send('kill_all=sometimes')).status).toBe(400);
      const notCached = await send('type=seed&zoomStop=0&tileFormat=image/png&parameter_TIME=current');
      expect(notCached.text).toContain('<p>Tiles of acme:fields are not seeded because they would not be cached.');
    });

    it('is for administrators, and rejects forms of other sites', async () => {
      expect((await care('GET', '/seed/acme:fields', { ...browser, as: null })).status).toBe(401);
      expect((await care('GET', '/seed/acme:fields', { ...browser, as: other })).status).toBe(403);
      const foreign = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
      for (const headers of foreign) expect((await send('kill_all=all', { headers })).status).toBe(403);
    });
  });

  it('changes nothing in a dry run', async () => {
    await isKept('fields');

    const reply = await care('POST', '/masstruncate?dryRun=true', {
      type: 'text/xml',
      body: '<truncateLayer><layerName>acme:fields</layerName></truncateLayer>',
    });

    expect([reply.status, await isKept('fields')]).toEqual([200, true]);
  });

  it('seeds nothing in a dry run', async () => {
    const body = '{"seedRequest":{"zoomStop":20,"format":"image/png","type":"reseed"}}';
    await isKept('fields');

    const reply = await care('POST', '/seed/acme:fields?dryRun=true', { type: 'application/json', body });
    const stopped = await care('POST', '/seed/acme:fields?dryRun=true', { body: 'kill_all=all' });

    expect([reply.status, reply.text, stopped.status]).toEqual([200, '', 200]);
    expect([(await care('GET', '/seed.json')).json(), await isKept('fields')]).toEqual([
      { 'long-array-array': [] },
      true,
    ]);
  });

  it('reports the cache usage', async () => {
    expect((await care('GET', '/diskquota.json')).json()).toMatchObject({
      gwcQuotaConfiguration: { globalQuota: { bytes: 1_073_741_824 } },
    });
  });

  it.each([
    ['POST', '/seed/acme:nothing', '{"seedRequest":{}}'],
    ['POST', '/seed/acme:fields', '{"seedRequest":{"type":"paint"}}'],
    ['POST', '/seed/acme:fields', '{"seedRequest":{"zoomStart":99}}'],
    ['POST', '/seed/acme:fields', '{"seedRequest":{"zoomStart":5,"zoomStop":3}}'],
    ['POST', '/seed/acme:fields', '{"seedRequest":{"format":"image/x-pcx"}}'],
    ['POST', '/seed/acme:fields', 'neither'],
    ['POST', '/seed/acme:fields', "{'seedRequest':{'zoomStart':0"],
    ['POST', '/seed/acme:fields', 'zoomStart=0&zoomStop=3'],
    ['POST', '/seed/acme:fields', 'type=seed&minX=0&minY=&maxX=1&maxY=1'],
    ['POST', '/seed/acme:fields', 'threadCount=1&kill_all=some'],
    ['POST', '/masstruncate', '<truncateWorld/>'],
    [
      'POST',
      '/masstruncate',
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><truncateLayer><layerName>&b;</layerName></truncateLayer>',
    ],
  ] as const)('rejects %s %s with %s', async (method, path, body) => {
    expect((await care(method, path, { type: 'text/xml', body })).status).toBe(400);
  });

  it.each([
    ['JSON', `{"seedRequest":{"type":"truncate","zzz":[${Array.from({ length: 9_000 }, () => 1).join()}]}}`, 'fields'],
    ['XML', `<seedRequest><type>truncate</type>${'<zzz>1</zzz>'.repeat(5_000)}</seedRequest>`, 'fields'],
    [
      'a form',
      `type=truncate&${Array.from({ length: 10_000 }, (_, at) => `parameter_${at}=1`).join('&')}`,
      'more than 1000 fields',
    ],
    ['nested JSON', `{"seedRequest":${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}}`, 'deep'],
  ])('rejects a request with too many values in %s', async (_name, body, reason) => {
    const reply = await care('POST', '/seed/acme:fields.json', { type: 'application/json', body });

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(reason)]);
  });

  it('shows the bounds that were sent if they are not numbers', async () => {
    const body = 'type=seed&minX=a&minY=1&maxX=&maxY=%202';

    expect((await care('POST', '/seed/acme:fields', { type: 'text/plain', body })).text).toContain('a,1,, 2');
  });

  it.each([
    ['GET', '/layers'],
    ['GET', '/layers/acme:fields'],
    ['DELETE', '/layers/acme:fields'],
    ['GET', '/seed.json'],
    ['POST', '/seed/acme:fields'],
    ['GET', '/masstruncate'],
    ['POST', '/masstruncate'],
    ['GET', '/diskquota'],
  ] as const)('requires administrator rights for %s %s', async (method, path) => {
    const [anonymousReply, otherReply] = [
      await care(method, path, { as: null }),
      await care(method, path, { as: other }),
    ];

    expect([anonymousReply.status, otherReply.status]).toEqual([401, 403]);
  });
});

describe('errors of tile administration', () => {
  const [standard, compatible] = [useTestServer(), useTestServer({ compat: 'geoserver' })];

  it('are problem documents, and plain text with --compat geoserver', async () => {
    const [ours, theirs] = [
      await standard.get('//geoserver/gwc/rest/seed/acme:nothing.xml'),
      await compatible.get('//geoserver/gwc/rest/seed/acme:nothing.xml'),
    ];

    expect([ours.status, ours.headers['content-type']]).toEqual([400, 'application/problem+json']);
    expect([theirs.status, theirs.headers['content-type'], theirs.text]).toEqual([
      400,
      'text/plain; charset=utf-8',
      "Unknown layer 'acme:nothing'.\n",
    ]);
  });
});

describe('tile administration without a cache', () => {
  const server = useTestServer({ flags: ['--tile-cache-mb', '0'] });

  it.each(['seed', 'reseed'])('rejects the request to %s', async (type) => {
    await publishTables(server, 'acme', tables);
    const body = JSON.stringify({ seedRequest: { name: 'acme:fields', zoomStop: 3, format: 'image/png', type } });

    const reply = await server.request('POST', '//geoserver/gwc/rest/seed/acme:fields', { type: 'json', body });

    expect([reply.status, reply.text]).toEqual([409, expect.stringContaining('--tile-cache-mb 0')]);
  });
});
