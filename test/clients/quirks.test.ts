/** Workarounds of client authors: both the workaround and the direct request succeed. */
import { beforeAll, describe, expect, it } from 'vitest';
import { inJson } from '../support/auth-providers.ts';
import { zipOfFiles } from '../support/raster-samples.ts';
import { lineSld, SLD_TYPE } from '../support/styles.ts';
import { useTestServer } from '../support/test-server.ts';
import { geotiffBytes } from '../support/tiff-bytes.ts';
import { pointShapefile, putZip, zipOf } from '../support/vector-samples.ts';

describe.each(['graticule', 'geoserver'] as const)('client workarounds in the dialect %s', (compat) => {
  const server = useTestServer({ compat });
  const isReference = compat === 'geoserver';
  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    await putZip(server, '/workspaces/acme/datastores/roads/file.shp', zipOf({ roads: pointShapefile() }));
  });

  it.each(['*/*', 'application/json', 'application/xml', 'text/plain'])(
    '1: a style can be posted into a workspace with any Accept header, such as %s',
    async (accept) => {
      const name = `style-${accept.replace(/\W/g, '-')}`;

      const reply = await server.request('POST', `/workspaces/acme/styles?name=${name}`, {
        type: SLD_TYPE,
        accept,
        body: lineSld(name),
      });

      expect(reply.status, reply.text).toBe(201);
    },
  );

  it.each(['application/json', 'application/json; charset=utf-8', 'application/json;charset=ISO-8859-1', 'text/json'])(
    '2: JSON is accepted as %s',
    async (type) => {
      const name = type.replace(/\W/g, '-');

      expect(
        (await server.request('POST', '/workspaces', { type, body: JSON.stringify({ workspace: { name } }) })).status,
      ).toBe(201);
      await server.delete(`/workspaces/${name}`);
    },
  );

  it('3: an empty collection is returned in one form, and both forms are accepted', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"empty"}}');

    const lists = await Promise.all(
      [
        ['/workspaces/empty/datastores.json', 'dataStores', 'dataStore'],
        ['/workspaces/empty/styles.json', 'styles', 'style'],
        ['/urlchecks.json', isReference ? 'urlChecks' : 'urlchecks', isReference ? 'urlCheck' : 'urlcheck'],
      ].map(async ([path = '', root = '', item = '']) => [(await server.get(path)).json(), root, item] as const),
    );
    for (const [list, root, item] of lists) {
      expect(list).toMatchObject({ [root]: isReference ? '' : { [item]: [] } });
    }
    for (const keywords of ['""', '[]', '{"string":[]}', '{}']) {
      const body = `{"featureType":{"keywords":${keywords}}}`;
      expect((await server.put('/workspaces/acme/datastores/roads/featuretypes/roads', body)).status, keywords).toBe(
        200,
      );
    }
  });

  it.each(['{"string":"a"}', '{"string":["a"]}', '["a"]', '"a"'])(
    '4: a list of one item is accepted as %s',
    async (keywords) => {
      const path = '/workspaces/acme/datastores/roads/featuretypes/roads';

      const reply = await server.put(path, `{"featureType":{"keywords":${keywords}}}`);

      expect(reply.status, reply.text).toBe(200);
      expect((await server.get(`${path}.json`)).json()).toMatchObject({
        featureType: { keywords: { string: isReference ? 'a' : ['a'] } },
      });
    },
  );

  it('5: the styles of a layer group can mix names, objects and nulls', async () => {
    await server.request('POST', '/styles?name=thick', { type: SLD_TYPE, body: lineSld('thick') });
    const published = [1, 2, 3].map(() => ({ '@type': 'layer', name: 'acme:roads' }));
    const style = ['', { name: 'thick' }, 'thick'];

    const made = await server.post(
      '/layergroups',
      JSON.stringify({ layerGroup: { name: 'mixed', publishables: { published }, styles: { style } } }),
    );

    expect(made.status, made.text).toBe(201);
    const { layerGroup } = (await server.get('/layergroups/mixed.json')).json() as Group;
    expect(layerGroup.styles.style.map((each) => (typeof each === 'string' ? each : each.name))).toEqual([
      '',
      'thick',
      'thick',
    ]);
    const again = await server.put('/layergroups/mixed', JSON.stringify({ layerGroup }));
    expect(again.status, again.text).toBe(200);
  });

  it('6: a URL check is accepted with and without its type as a wrapper', async () => {
    const wrapped = await server.post('/urlchecks', '{"regexUrlCheck":{"name":"one","regex":"^http://a/.*$"}}');
    const flat = await server.post('/urlchecks', '{"name":"two","regex":"^http://b/.*$"}');

    expect(wrapped.status).toBe(201);
    expect(flat.status, flat.text).toBe(201);
    expect((await server.get('/urlchecks/two.json')).json()).toMatchObject({
      regexUrlCheck: { name: 'two', regex: '^http://b/.*$' },
    });
  });

  it('7: a provider is accepted with and without its class wrapper, and an unknown one returns 404', async () => {
    const plain = inJson('corporate');
    const className = (JSON.parse(plain) as { readonly className?: string }).className ?? '';

    expect((await server.post('/security/authproviders', plain)).status).toBe(201);
    const wrapped = JSON.stringify({ [className]: { ...(JSON.parse(plain) as object), name: 'other' } });
    expect((await server.post('/security/authproviders', wrapped)).status).toBe(201);
    expect((await server.get('/security/authproviders/missing.json')).status).toBe(404);
    expect((await server.get('/security/authfilters/missing.json')).status).toBe(404);
  });

  it('8: rules with wildcards can be added, and deleted by their raw or encoded path', async () => {
    const added = await server.post('/security/acl/layers', '{"*.*.a":"READER","acme.*.w":"WRITER"}');
    const wrong = await server.post('/security/acl/layers', '{"acme.*":"READER"}');

    expect(added.status).toBe(isReference ? 200 : 201);
    expect(wrong.status).toBe(422);
    expect((await server.delete('/security/acl/layers/*.*.a')).status).toBe(200);
    expect((await server.delete('/security/acl/layers/acme.%2A.w')).status).toBe(200);
    expect((await server.post('/security/acl/rest', '{"/styles/**;GET,PUT":"WRITER"}')).status).toBe(
      isReference ? 200 : 201,
    );
    expect((await server.delete('/security/acl/rest/styles/**;GET,PUT')).status).toBe(200);
  });

  it('9: the manifest keeps its format when it is filtered', async () => {
    for (const [path, accept] of [
      ['/about/manifest.json?key=Title', '*/*'],
      ['/about/manifest?key=Title', 'application/json'],
      ['/about/manifest?manifest=.*&from=0&to=9', 'application/json'],
    ] as const) {
      expect((await server.get(path, { accept })).headers['content-type']).toContain('application/json');
    }
  });

  it.each(['text/xml', 'application/xml', 'application/xml; charset=UTF-8'])(
    '10: XML is accepted as %s everywhere',
    async (type) => {
      const rules = '<rules><rule resource="acme.roads.r">READER</rule></rules>';

      expect((await server.request('POST', '/security/acl/layers', { type, body: rules })).status).toBe(
        isReference ? 200 : 201,
      );
      await server.delete('/security/acl/layers/acme.roads.r');
    },
  );

  it('11: an unchanged keystore password is rejected without side effects', async () => {
    const { oldMasterPassword: same = '' } = (await server.get('/security/masterpw.json')).json() as Record<
      string,
      string
    >;

    const reply = await server.put(
      '/security/masterpw',
      JSON.stringify({ oldMasterPassword: same, newMasterPassword: same }),
    );

    expect(reply.status).toBe(422);
    expect((await server.get('/security/masterpw.json')).json()).toEqual({ oldMasterPassword: same });
  });

  it('12: roles and groups are listed under their documented names', async () => {
    const json = { accept: 'application/json' };

    expect(Object.keys((await server.get('/security/roles', json)).json() as object)).toEqual(['roles']);
    expect(Object.keys((await server.get('/security/usergroup/groups', json)).json() as object)).toEqual(['groups']);
  });

  it('15: an unknown granule returns 404, and a filter without matches returns an empty collection', async () => {
    const store = '/workspaces/acme/coveragestores/pictures';
    const body = zipOfFiles({ 'a.tif': geotiffBytes(4, 3) });
    await server.request('PUT', `${store}/file.imagemosaic`, { type: 'application/zip', body });
    const granules = `${store}/coverages/pictures/index/granules`;

    expect((await server.get(`${granules}/pictures.99.json`)).status).toBe(404);
    const none = await server.get(`${granules}.json?filter=location%3D%27b.tif%27`);
    expect(none.json()).toMatchObject({ features: [] });
  });

  it.each(['nativebbox', 'nativebbox,latlonbbox', 'nativebbox, latlonbbox'])(
    '16: a parameter with a list of keywords accepts %s',
    async (words) => {
      const path = `/workspaces/acme/datastores/roads/featuretypes/roads?recalculate=${encodeURIComponent(words)}`;

      expect((await server.put(path, '{"featureType":{"title":"Roads"}}')).status).toBe(200);
    },
  );

  it('13: a missing path of the data directory returns 404, except for its metadata in the dialect geoserver', async () => {
    const asked = await server.get('/resource/styles/none.sld?operation=metadata&format=json');

    expect((await server.get('/resource/styles/none.sld')).status).toBe(404);
    expect(asked.status).toBe(isReference ? 200 : 404);
    if (isReference) {
      expect(asked.json()).toMatchObject({ ResourceMetadata: { name: 'none.sld', type: 'undefined' } });
      expect(asked.headers['resource-type']).toBe('undefined');
    }
  });

  it('14: a measurable value is always a number', async () => {
    const { metrics } = (await server.get('/about/system-status.json')).json() as Status;

    const texts = metrics.metric.filter(({ value }) => typeof value !== 'number');
    expect(texts.filter(({ available, name }) => available && name !== 'OPERATING_SYSTEM')).toEqual([]);
  });
});

interface Group {
  readonly layerGroup: { readonly styles: { readonly style: readonly (string | { readonly name: string })[] } };
}

interface Status {
  readonly metrics: {
    readonly metric: readonly { readonly name: string; readonly available: boolean; readonly value: unknown }[];
  };
}
