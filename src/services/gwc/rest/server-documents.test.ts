/** What scripts for GeoWebCache read and change besides layers and seeds. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../../test/support/feature-collections.ts';
import { publishTables } from '../../../../test/support/published-features.ts';
import { type Reply, type RequestOptions, useTestServer } from '../../../../test/support/test-server.ts';

const tables = [
  {
    name: 'fields',
    attributes: [geometryColumn('Polygon'), column('name', 'string')],
    rows: [[wkt('POLYGON ((1 1, 90 1, 90 66, 1 66, 1 1))'), 'one']],
  },
];
const PROBLEMS = { accept: 'application/problem+json' };
const fieldOf = (reply: Reply) => [reply.status, (reply.json() as { field?: string }).field];

describe('tile administration of the server', () => {
  const server = useTestServer();
  beforeAll(() => publishTables(server, 'acme', tables));
  const gwc = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, options: RequestOptions = {}) =>
    server.request(method, `//geoserver/gwc${path}`, options);
  const xml = { type: 'text/xml' };
  const limitOf = async () =>
    (
      (await gwc('GET', '/rest/diskquota.json')).json() as {
        gwcQuotaConfiguration: { globalQuota: { bytes: number } };
      }
    ).gwcQuotaConfiguration.globalQuota.bytes;
  const MB = 1_048_576;

  describe('disk quota', () => {
    it('is changed while the server runs, with dry run, history and undo', async () => {
      const body =
        '<gwcQuotaConfiguration><globalQuota><value>2</value><units>GiB</units></globalQuota></gwcQuotaConfiguration>';
      expect(await limitOf()).toBe(1024 * MB);
      expect((await gwc('PUT', '/rest/diskquota.xml?dryRun=true', { body, ...xml })).status).toBe(200);
      expect(await limitOf()).toBe(1024 * MB);

      const reply = await gwc('PUT', '/rest/diskquota.xml', { body, ...xml });
      expect([reply.status, reply.text]).toEqual([
        200,
        expect.stringContaining(`<globalQuota><bytes>${2048 * MB}</bytes></globalQuota>`),
      ]);
      expect(await limitOf()).toBe(2048 * MB);
      expect((await server.get('/services/wmts/settings.json')).json()).toMatchObject({ wmts: { tileCacheMb: 2048 } });
      await expect.poll(async () => (await server.get('//metrics')).text).toContain(`{tier="disk"} ${2048 * MB}`);

      const undo = await server.post(`/history/${reply.headers['graticule-change']}/undo`, '');
      expect(undo.status).toBe(200);
      expect(await limitOf()).toBe(1024 * MB);
    });

    it('accepts the document that it returns, and other roots and formats', async () => {
      const before = (await gwc('GET', '/rest/diskquota.xml')).text;
      expect((await gwc('PUT', '/rest/diskquota', { body: before, ...xml })).headers['warning']).toBeUndefined();
      const body =
        '{"org.geowebcache.diskquota.DiskQuotaConfig":{"enabled":true,"globalQuota":{"id":0,"bytes":524288001},"cacheCleanUpFrequency":10,"globalExpirationPolicyName":"LFU","colour":"red"}}';
      const { status, headers } = await gwc('PUT', '/rest/diskquota.json', { body, type: 'application/json' });
      expect([status, await limitOf()]).toEqual([200, 501 * MB]);
      expect(String(headers['warning'])).toMatch(
        /LRU.*cacheCleanUpFrequency, globalQuota.id|globalQuota.id, cacheCleanUpFrequency/,
      );
      expect(String(headers['warning'])).toContain('colour');
    });

    it('of 0 disables the cache', async () => {
      const body = '<gwcQuotaConfiguration><globalQuota><value>0</value></globalQuota></gwcQuotaConfiguration>';
      await gwc('PUT', '/rest/diskquota', { body, ...xml });
      const seed = () => gwc('POST', '/rest/seed/acme:fields?dryRun=true', { body: '{"seedRequest":{"zoomStop":0}}' });
      await expect.poll(async () => (await seed()).status).toBe(409);
      await server.put('/services/wmts/settings', '{"wmts":{"tileCacheMb":null}}');
      await expect.poll(async () => (await seed()).status).toBe(200);
    });

    it.each([
      ['enabled', '<gwcQuotaConfiguration><enabled>false</enabled></gwcQuotaConfiguration>'],
      [
        'globalQuota.value',
        '<gwcQuotaConfiguration><globalQuota><value>-1</value></globalQuota></gwcQuotaConfiguration>',
      ],
      [
        'globalQuota.units',
        '<gwcQuotaConfiguration><globalQuota><value>1</value><units>pages</units></globalQuota></gwcQuotaConfiguration>',
      ],
      [
        'globalQuota.bytes',
        '<gwcQuotaConfiguration><globalQuota><bytes>1e30</bytes></globalQuota></gwcQuotaConfiguration>',
      ],
      ['diskquota', '<quota/>'],
    ])('with an invalid value of %s is rejected', async (field, body) => {
      expect(fieldOf(await gwc('PUT', '/rest/diskquota', { body, ...xml, ...PROBLEMS }))).toEqual([400, field]);
    });
  });

  it('truncates the tiles of an area and keeps others', async () => {
    const isKept = async (col: number) => {
      const path = `/service/wmts/rest/acme:fields/EPSG:4326/5/10/${col}?format=image/png`;
      return (await gwc('GET', path, { as: null })).headers['geowebcache-cache-result'] === 'HIT';
    };
    const area =
      '<bounds><coords><double>5</double><double>31</double><double>6</double><double>32</double></coords></bounds>';
    const extent = (more: string) =>
      gwc('POST', '/rest/masstruncate', {
        body: `<truncateExtent><layerName>acme:fields</layerName>${more}</truncateExtent>`,
        ...xml,
        ...PROBLEMS,
      });
    const seedBox = `{"seedRequest":{"gridSetId":"EPSG:4326","type":"truncate","bounds":{"coords":{"double":["5","31","6","32"]}}}}`;
    for (const col of [32, 40]) await isKept(col);

    expect([await isKept(32), await isKept(40)]).toEqual([true, true]);
    expect((await extent(`<gridSetId>EPSG:4326</gridSetId>${area}`)).status).toBe(200);
    expect([await isKept(32), await isKept(40)]).toEqual([false, true]);
    expect((await gwc('POST', '/rest/seed/acme:fields', { body: seedBox })).status).toBe(200);
    expect([await isKept(32), await isKept(40)]).toEqual([false, true]);
    expect(fieldOf(await extent(area))).toEqual([400, 'gridSetId']);
    expect(fieldOf(await extent(`<gridSetId>nowhere</gridSetId>${area}`))).toEqual([400, 'gridSetId']);
    expect(fieldOf(await extent('<gridSetId>EPSG:4326</gridSetId><format>image/x-pcx</format>'))).toEqual([
      400,
      'format',
    ]);
  });

  it('truncates the tiles with some parameters and keeps others', async () => {
    const isKept = async ([style, query]: readonly [string, string]) => {
      const path = `/service/wmts/rest/acme:fields/${style}/EPSG:4326/5/10/50?format=image/png&${query}`;
      const reply = await gwc('GET', path, { as: null });
      expect(reply.status, reply.text).toBe(200);
      return reply.headers['geowebcache-cache-result'] === 'HIT';
    };
    const filtered = 'cql_filter=name%3D%27one%27';
    const queries = [
      ['polygon', ''],
      ['generic', ''],
      ['polygon', filtered],
      ['generic', filtered],
      ['polygon', 'cql_filter=name%3D%27two%27'],
    ] as const;
    const areKept = async () => {
      const kept: boolean[] = [];
      for (const query of queries) kept.push(await isKept(query));
      return kept;
    };
    const entry = (name: string, value: string) =>
      `<parameters><entry><string>${name}</string><string>${value}</string></entry></parameters>`;
    const truncate = (parameters: string) =>
      gwc('POST', '/rest/masstruncate', {
        body: `<truncateParameters><layerName>acme:fields</layerName>${parameters}</truncateParameters>`,
        ...xml,
        ...PROBLEMS,
      });
    await areKept();

    expect(await areKept()).toEqual([true, true, true, true, true]);
    expect((await truncate(entry('STYLES', 'generic'))).status).toBe(200);
    expect(await areKept()).toEqual([true, false, true, false, true]);
    expect((await truncate(entry('CQL_FILTER', "name='one'"))).status).toBe(200);
    expect(await areKept()).toEqual([true, true, false, false, true]);
    const both = `<parameters>${[
      ['STYLES', 'generic'],
      ['CQL_FILTER', "name='one'"],
    ]
      .map((pair) => `<entry>${pair.map((each) => `<string>${each}</string>`).join('')}</entry>`)
      .join('')}</parameters>`;
    expect((await truncate(both)).status).toBe(200);
    expect(await areKept()).toEqual([true, true, true, false, true]);
    const seed = { gridSetId: 'EPSG:4326', type: 'truncate', parameters: { entry: { string: ['STYLES', 'generic'] } } };
    await gwc('POST', '/rest/seed/acme:fields', { body: JSON.stringify({ seedRequest: seed }) });
    expect(await areKept()).toEqual([true, false, true, false, true]);
    expect(fieldOf(await truncate(''))).toEqual([400, 'parameters']);
    expect(fieldOf(await truncate(entry('COLOUR', 'red')))).toEqual([400, 'parameters']);
    expect(fieldOf(await truncate(entry('STYLES', 'none')))).toEqual([400, 'styles']);
  });

  it('stops a job by the number of its thread, and lists jobs for a form', async () => {
    const seedRequest = { gridSetId: 'EPSG:900913', zoomStart: 0, zoomStop: 20, format: 'image/png' };
    await gwc('POST', '/rest/seed/acme:fields', { body: JSON.stringify({ seedRequest }) });
    await gwc('POST', '/rest/seed/acme:fields', { body: JSON.stringify({ seedRequest }) });
    const jobs = async (body: string) =>
      ((await gwc('POST', '/rest/seed/acme:fields', { body })).json() as { 'long-array-array': number[][] })[
        'long-array-array'
      ].map(([, , , id]) => id);
    const [first, second] = await jobs('list=layer');

    expect((await gwc('POST', '/rest/seed/acme:fields', { body: `kill_thread=1&thread_id=${first}` })).status).toBe(
      200,
    );
    expect(await jobs('list=all')).toEqual([second]);
    const invalid = { body: 'kill_thread=1&thread_id=x', ...PROBLEMS };
    expect(fieldOf(await gwc('POST', '/rest/seed/acme:fields', invalid))).toEqual([400, 'thread_id']);
    await gwc('POST', '/rest/seed', { body: 'kill_all=all', type: 'text/plain' });
    expect(await jobs('list=all')).toEqual([]);
  });

  it('lists the operations that truncate in XML and JSON', async () => {
    const { text } = await gwc('GET', '/rest/masstruncate');
    expect(text).toContain('<requestType>truncateLayer</requestType>');
    expect((await gwc('GET', '/rest/masstruncate.json')).json()).toMatchObject({
      massTruncateRequests: { requestType: expect.arrayContaining(['truncateAll']) },
    });
    expect((await gwc('POST', '/rest/masstruncate', { body: '<truncateOrphans/>', ...xml })).status).toBe(200);
    expect((await gwc('POST', '/rest/masstruncate', { body: '<truncateAll/>', ...xml })).status).toBe(200);
  });

  it('returns the tiles of each level of a layer', async () => {
    const { text } = await gwc('GET', '/rest/bounds/acme:fields/EPSG:4326/java');
    expect(text.startsWith('{{1, 0, 1, 0, 0}, {2, 1, 2, 1, 1}, {4, 2, 5, 3, 2}, ')).toBe(true);
    expect((await gwc('GET', '/rest/bounds/acme:fields/EPSG:4326/c')).status).toBe(400);
    expect((await gwc('GET', '/rest/bounds/acme:nothing/EPSG:4326/java')).status).toBe(400);
    expect((await gwc('GET', '/rest/bounds/acme:fields/nowhere/java')).status).toBe(400);
  });

  it('counts the use of tiles in memory', async () => {
    const tile = () => gwc('GET', '/service/wmts/rest/acme:fields/EPSG:900913/0/0/0?format=image/png', { as: null });
    await tile();
    await tile();
    const { gwcInMemoryCacheStatistics: counts } = (await gwc('GET', '/rest/statistics.json')).json() as {
      gwcInMemoryCacheStatistics: Record<string, number>;
    };
    expect(counts['hitCount']).toBeGreaterThan(0);
    expect(counts['totalCount']).toBe((counts['hitCount'] ?? 0) + (counts['missCount'] ?? 0));
    expect(counts['actualSize']).toBeLessThanOrEqual(counts['totalSize'] ?? 0);
    expect((await gwc('GET', '/rest/statistics')).text).toMatch(/^<gwcInMemoryCacheStatistics><hitCount>\d+</);
  });

  it('has one tile store, which cannot be changed', async () => {
    expect((await gwc('GET', '/rest/blobstores.json')).json()).toEqual(['tile-cache']);
    expect((await gwc('GET', '/rest/blobstores')).text).toContain('<blobStore><name>tile-cache</name>');
    expect((await gwc('GET', '/rest/blobstores/tile-cache')).text).toBe(
      '<FileBlobStore default="true"><id>tile-cache</id><enabled>true</enabled><baseDirectory>tile-cache</baseDirectory></FileBlobStore>',
    );
    expect((await gwc('GET', '/rest/blobstores/s3.json')).status).toBe(404);
    for (const method of ['PUT', 'DELETE'] as const) {
      const reply = await gwc(method, '/rest/blobstores/s3', { body: '<S3BlobStore/>', ...xml });
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('/gwc/rest/diskquota')]);
    }
  });

  it('accepts global settings and reloads, which have no effect', async () => {
    expect((await gwc('GET', '/rest/global')).json()).toMatchObject({ global: { wmtsCiteCompliant: false } });
    const put = (body: string) => gwc('PUT', '/rest/global.xml', { body, ...xml, ...PROBLEMS });
    const reply = await put('<global><backendTimeout>60</backendTimeout><colour>red</colour></global>');
    expect([reply.status, String(reply.headers['warning'])]).toEqual([200, expect.stringContaining('backendTimeout')]);
    expect(fieldOf(await put('<global><version>1</version></global>'))).toEqual([400, 'version']);
    expect((await gwc('POST', '/rest/reload', { body: 'reload_configuration=1' })).status).toBe(200);
    expect(fieldOf(await gwc('POST', '/rest/reload', { body: 'x=1', ...PROBLEMS }))).toEqual([
      400,
      'reload_configuration',
    ]);
    expect((await gwc('GET', '/rest')).text).toContain('/geoserver/gwc/rest/diskquota');
  });

  it('redirects the pages of GeoWebCache to the preview', async () => {
    const targets = await Promise.all(
      ['', '/demo', '/demo/acme:fields?gridSet=EPSG:4326'].map(async (path) => {
        const { status, headers } = await gwc('GET', path, { as: null });
        return [status, headers['location']];
      }),
    );
    expect(targets).toEqual([
      [302, expect.stringMatching(/\/geoserver\/preview$/)],
      [302, expect.stringMatching(/\/geoserver\/preview$/)],
      [302, expect.stringMatching(/\/geoserver\/preview\?layer=acme%3Afields$/)],
    ]);
  });

  it.each([
    ['GET', '/rest'],
    ['PUT', '/rest/diskquota'],
    ['GET', '/rest/global'],
    ['PUT', '/rest/global'],
    ['GET', '/rest/statistics'],
    ['POST', '/rest/reload'],
    ['GET', '/rest/blobstores'],
    ['DELETE', '/rest/blobstores/a'],
    ['GET', '/rest/bounds/acme:fields/EPSG:4326/java'],
  ] as const)('requires administrator rights for %s %s', async (method, path) => {
    expect((await gwc(method, path, { as: null })).status).toBe(401);
  });
});

describe('the disk quota with --compat geoserver', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('has the root that GeoWebCache writes', async () => {
    const { text } = await server.get('//geoserver/gwc/rest/diskquota.xml');
    expect(text).toMatch(
      /^<org.geowebcache.diskquota.DiskQuotaConfig><enabled>true<.*<\/org.geowebcache.diskquota.DiskQuotaConfig>$/,
    );
  });
});
