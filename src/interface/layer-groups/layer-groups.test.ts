import { beforeAll, describe, expect, it } from 'vitest';
import { groupOf, publishLayers, readGroupParts, readGroupStyles } from '../../../test/support/layer-groups.ts';
import { lineSld, SLD_TYPE, send } from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { polygonShapefile, putZip, readResource, zipOf } from '../../../test/support/vector-samples.ts';

const host = { headers: { host: 'h' } };

describe('layer groups', () => {
  const server = useTestServer({ clock: () => Date.UTC(2026, 0, 2) });
  beforeAll(async () => {
    await publishLayers(server, 'acme', ['states', 'counties', 'roads']);
    await publishLayers(server, 'other', ['rivers']);
    await send(server, 'POST', '/styles?name=thin', SLD_TYPE, lineSld('thin'));
    await send(server, 'POST', '/workspaces/acme/styles?name=local', SLD_TYPE, lineSld('local'));
  });

  it('are an empty list on a new server', async () => {
    expect((await server.get('/layergroups.xml')).text).toBe('<layerGroups/>\n');
    expect((await server.get('/layergroups.json')).text).toBe('{"layerGroups":{"layerGroup":[]}}');
    expect((await server.get('/workspaces/nowhere/layergroups.xml')).status).toBe(404);
  });

  it('are created in XML and returned as XML', async () => {
    const body = `<layerGroup><name>base</name><publishables>
  <published type="layer"><name>acme:states</name></published>
  <published type="layer"><name>acme:counties</name></published>
</publishables></layerGroup>`;

    const created = await server.post('/layergroups', body, host);

    expect(created.status).toBe(201);
    expect(created.text).toBe('base');
    expect(created.headers['location']).toBe('http://h/geoserver/rest/layergroups/base');
    expect((await server.get('/layergroups/base.xml', host)).text).toBe(`<layerGroup>
  <name>base</name>
  <mode>SINGLE</mode>
  <publishables>
    <published type="layer">
      <name>acme:states</name>
      <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/workspaces/acme/layers/states.xml" type="application/xml"/>
    </published>
    <published type="layer">
      <name>acme:counties</name>
      <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/workspaces/acme/layers/counties.xml" type="application/xml"/>
    </published>
  </publishables>
  <styles>
    <style></style>
    <style></style>
  </styles>
  <bounds>
    <minx>0</minx>
    <maxx>2</maxx>
    <miny>0</miny>
    <maxy>1</maxy>
    <crs>EPSG:4326</crs>
  </bounds>
  <dateCreated>2026-01-02 00:00:00.000 UTC</dateCreated>
</layerGroup>
`);
  });

  it('are created in JSON and returned as JSON', async () => {
    const body = groupOf('in-json', ['states', 'counties'], { styles: { style: ['', { name: 'thin' }] } });

    const created = await server.post('/workspaces/acme/layergroups', body, host);

    expect(created.status).toBe(201);
    expect(created.headers['location']).toBe('http://h/geoserver/rest/workspaces/acme/layergroups/in-json');
    expect((await server.get('/workspaces/acme/layergroups/in-json.json', host)).json()).toEqual({
      layerGroup: {
        name: 'in-json',
        mode: 'SINGLE',
        workspace: { name: 'acme', href: 'http://h/geoserver/rest/workspaces/acme.json' },
        publishables: {
          published: [
            {
              '@type': 'layer',
              name: 'acme:states',
              href: 'http://h/geoserver/rest/workspaces/acme/layers/states.json',
            },
            {
              '@type': 'layer',
              name: 'acme:counties',
              href: 'http://h/geoserver/rest/workspaces/acme/layers/counties.json',
            },
          ],
        },
        styles: { style: ['', { name: 'thin', href: 'http://h/geoserver/rest/styles/thin.json' }] },
        bounds: { minx: 0, maxx: 2, miny: 0, maxy: 1, crs: 'EPSG:4326' },
        dateCreated: '2026-01-02 00:00:00.000 UTC',
      },
    });
  });

  it('are listed in their workspace', async () => {
    await server.post('/layergroups', groupOf('everywhere', ['acme:states', 'other:rivers']));
    await server.post('/workspaces/other/layergroups', groupOf('waters', ['rivers']));

    const listed = (await server.get('/layergroups.json', host)).text;
    expect(listed).toContain('{"name":"everywhere","href":"http://h/geoserver/rest/layergroups/everywhere.json"}');
    expect(listed).not.toContain('waters');
    expect((await server.get('/workspaces/other/layergroups.json', host)).json()).toEqual({
      layerGroups: {
        layerGroup: [{ name: 'waters', href: 'http://h/geoserver/rest/workspaces/other/layergroups/waters.json' }],
      },
    });
  });

  it('of a workspace can be created at the global path if they name the workspace', async () => {
    const body = groupOf('named', ['rivers'], { workspace: { name: 'other' } });

    const created = await server.post('/layergroups', body, host);

    expect(created.headers['location']).toBe('http://h/geoserver/rest/workspaces/other/layergroups/named');
    expect(await readGroupParts(server, '/workspaces/other/layergroups/named')).toEqual(['other:rivers']);
  });

  it.each([
    ['/workspaces/acme/layergroups/findable', 200],
    ['/layergroups/acme:findable', 200],
    ['/layergroups/findable', 200],
    ['/workspaces/other/layergroups/findable', 404],
    ['/layergroups/other:findable', 404],
    ['/layergroups/nowhere:findable', 404],
    ['/layergroups/nothing', 404],
  ])('are found at %s: %i', async (path, status) => {
    await server.post('/workspaces/acme/layergroups', groupOf('findable', ['states']));

    expect((await server.get(`${path}.json`)).status).toBe(status);
    expect((await server.get(path)).status).toBe(status);
  });

  it('accept names that equal a format extension', async () => {
    await server.post('/layergroups', groupOf('dotted.xml', ['acme:states']));

    expect((await server.get('/layergroups/dotted.xml', { accept: 'application/json' })).text).toContain('dotted.xml');
  });

  it('have a page that links to each of their members', async () => {
    await server.post('/workspaces/acme/layergroups', groupOf('inner', ['roads'], { title: 'The <inner> one' }));
    await server.post('/workspaces/acme/layergroups', groupOf('outer', ['states', 'group inner']));

    const page = (await server.get('/workspaces/acme/layergroups/outer.html', host)).text;

    expect(page).toContain('href="http://h/geoserver/rest/workspaces/acme/layers/states.html"');
    expect(page).toContain('href="http://h/geoserver/rest/workspaces/acme/layergroups/inner.html"');
    expect(page).toContain('<svg class="extent"');
    expect((await server.get('/workspaces/acme/layergroups/inner.html')).text).toContain('The &lt;inner&gt; one');
    expect((await server.get('/workspaces/acme.html', host)).text).toContain('workspaces/acme/layergroups/outer.html');
  });

  it('can contain other groups', async () => {
    await server.post('/workspaces/acme/layergroups', groupOf('leaf', ['roads']));

    const created = await server.post(
      '/layergroups',
      groupOf('tree', ['other:rivers', 'group acme:leaf'], { mode: 'NAMED' }),
    );

    expect(created.status).toBe(201);
    expect((await server.get('/layergroups/tree.json', host)).json()).toMatchObject({
      layerGroup: {
        mode: 'NAMED',
        publishables: {
          published: [
            { '@type': 'layer', name: 'other:rivers' },
            {
              '@type': 'layerGroup',
              name: 'acme:leaf',
              href: 'http://h/geoserver/rest/workspaces/acme/layergroups/leaf.json',
            },
          ],
        },
        styles: { style: ['', ''] },
      },
    });
  });

  it.each(['SINGLE', 'OPAQUE_CONTAINER', 'NAMED', 'CONTAINER'])('accept the mode %s', async (mode) => {
    await server.post('/layergroups', groupOf(`mode-${mode}`, ['acme:states'], { mode }));

    expect(await readResource(server, `/layergroups/mode-${mode}`)).toMatchObject({ mode });
  });

  it('of the mode EO have a root layer with its style', async () => {
    const root = { rootLayer: { name: 'acme:states' }, rootLayerStyle: { name: 'acme:local' } };

    const created = await server.post('/layergroups', groupOf('earth', ['acme:roads'], { mode: 'EO', ...root }));

    expect(created.status).toBe(201);
    expect(await readResource(server, '/layergroups/earth')).toMatchObject({
      mode: 'EO',
      rootLayer: { name: 'acme:states' },
      rootLayerStyle: { name: 'acme:local', workspace: 'acme' },
    });
    await server.put('/layergroups/earth', '<layerGroup><mode>CONTAINER</mode></layerGroup>');
    expect(await readResource(server, '/layergroups/earth')).not.toHaveProperty('rootLayer');
  });
});

describe('members and styles of a layer group', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await publishLayers(server, 'acme', ['a', 'b']);
    await send(server, 'POST', '/styles?name=thin', SLD_TYPE, lineSld('thin'));
    await send(server, 'POST', '/styles?name=twice', SLD_TYPE, lineSld('twice'));
    await send(server, 'POST', '/workspaces/acme/styles?name=local', SLD_TYPE, lineSld('local'));
    await send(server, 'POST', '/workspaces/acme/styles?name=twice', SLD_TYPE, lineSld('twice'));
  });

  const both =
    '<publishables><published type="layer"><name>acme:a</name></published><published type="layer">acme:b</published></publishables>';
  const bothInJson = '"publishables":{"published":["acme:a",{"@type":"layer","name":"acme:b"}]}';

  it.each([
    ['bare names', '{"layerGroup":{"name":"x","publishables":{"published":["acme:a","acme:b"]}}}', ['', '']],
    ['a plain list', '{"layerGroup":{"name":"x","publishables":[{"name":"acme:a"},{"name":"acme:b"}]}}', ['', '']],
    ['the older form', '{"layerGroup":{"name":"x","layers":{"layer":["acme:a","acme:b"]}}}', ['', '']],
    [
      'the older form with objects',
      '{"layerGroup":{"name":"x","layers":{"layer":[{"name":"acme:a"},{"name":"acme:b"}]},"styles":{"style":[{"name":"thin"},{}]}}}',
      ['thin', ''],
    ],
    [
      'the older form in XML',
      '<layerGroup><name>x</name><layers><layer>acme:a</layer><layer><name>acme:b</name></layer></layers><styles><style/><style>thin</style></styles></layerGroup>',
      ['', 'thin'],
    ],
    ['no styles', `<layerGroup><name>x</name>${both}</layerGroup>`, ['', '']],
    ['an empty element of styles', `<layerGroup><name>x</name>${both}<styles/></layerGroup>`, ['', '']],
    [
      'styles by name',
      `<layerGroup><name>x</name>${both}<styles><style>thin</style><style><name>acme:local</name></style></styles></layerGroup>`,
      ['thin', 'acme:local'],
    ],
    [
      'a style with its workspace',
      `{"layerGroup":{"name":"x",${bothInJson},"styles":{"style":[{"name":"local","workspace":"acme"},"line"]}}}`,
      ['acme:local', 'line'],
    ],
    ['nulls', `{"layerGroup":{"name":"x",${bothInJson},"styles":{"style":[null,"thin"]}}}`, ['', 'thin']],
    [
      'empty objects',
      `{"layerGroup":{"name":"x",${bothInJson},"styles":{"style":[{},{"name":"thin"}]}}}`,
      ['', 'thin'],
    ],
    ['empty texts', `{"layerGroup":{"name":"x",${bothInJson},"styles":{"style":["",""]}}}`, ['', '']],
    [
      'a plain list of styles',
      `{"layerGroup":{"name":"x",${bothInJson},"styles":["thin",{"name":"line"}]}}`,
      ['thin', 'line'],
    ],
    ['an empty text for all styles', `{"layerGroup":{"name":"x",${bothInJson},"styles":""}}`, ['', '']],
  ])('are accepted as clients send them: %s', async (_, body, styles) => {
    const created = await server.post('/layergroups', body);

    expect([created.status, created.text]).toEqual([201, 'x']);
    expect(await readGroupParts(server, '/layergroups/x')).toEqual(['acme:a', 'acme:b']);
    expect(await readGroupStyles(server, '/layergroups/x')).toEqual(styles);
    await server.delete('/layergroups/x');
  });

  it('may be a single one', async () => {
    const body =
      '{"layerGroup":{"name":"one","publishables":{"published":{"@type":"layer","name":"acme:a"}},"styles":{"style":{"name":"thin"}}}}';

    expect((await server.post('/layergroups', body)).status).toBe(201);

    expect(await readGroupParts(server, '/layergroups/one')).toEqual(['acme:a']);
    expect(await readGroupStyles(server, '/layergroups/one')).toEqual(['thin']);
  });

  it('are unchanged by their own document in both formats', async () => {
    const styles = { style: ['twice', { name: 'acme:twice' }] };
    await server.post('/layergroups', groupOf('again', ['acme:a', 'acme:b'], { styles }));
    expect(await readGroupStyles(server, '/layergroups/again')).toEqual(['twice', 'acme:twice']);

    for (const format of ['xml', 'json']) {
      const read = await server.get(`/layergroups/again.${format}`);
      expect((await server.put('/layergroups/again', read.text, { type: format })).status).toBe(200);
      expect((await server.get(`/layergroups/again.${format}`)).headers['etag']).toBe(read.headers['etag']);
    }
  });

  it('of a workspace use its own styles first, then global ones', async () => {
    const body = groupOf('near', ['a', 'b'], { styles: { style: ['twice', 'thin'] } });
    await server.post('/workspaces/acme/layergroups', body);

    expect(await readGroupStyles(server, '/layergroups/near')).toEqual(['acme:twice', 'thin']);
  });

  it('change together or separately, and each layer keeps its style', async () => {
    await server.post('/layergroups', groupOf('moving', ['acme:a', 'acme:b'], { styles: { style: ['thin', 'line'] } }));

    const { publishables } = (
      JSON.parse(groupOf('', ['acme:b', 'acme:a', 'acme:b'])) as { layerGroup: { publishables: object } }
    ).layerGroup;
    await server.put('/layergroups/moving', JSON.stringify({ layerGroup: { publishables } }));
    expect(await readGroupParts(server, '/layergroups/moving')).toEqual(['acme:b', 'acme:a', 'acme:b']);
    expect(await readGroupStyles(server, '/layergroups/moving')).toEqual(['line', 'thin', '']);

    await server.put(
      '/layergroups/moving',
      '<layerGroup><styles><style/><style>line</style><style>thin</style></styles></layerGroup>',
    );
    expect(await readGroupStyles(server, '/layergroups/moving')).toEqual(['', 'line', 'thin']);
  });

  it.each([
    ['no members', '{"layerGroup":{"name":"bad"}}', 'A layer group cannot be empty'],
    ['an empty list', '{"layerGroup":{"name":"bad","publishables":{"published":[]}}}', 'A layer group cannot be empty'],
    ['an empty element', '<layerGroup><name>bad</name><publishables/></layerGroup>', 'A layer group cannot be empty'],
    ['an unknown layer', groupOf('bad', ['acme:none']), "names a layer that does not exist: 'acme:none'"],
    ['an unknown group', groupOf('bad', ['group none']), "names a layer group that does not exist: 'none'"],
    [
      'an unknown member',
      '{"layerGroup":{"name":"bad","publishables":["none"]}}',
      "names a layer or layer group that does not exist: 'none'",
    ],
    [
      'too few styles',
      groupOf('bad', ['acme:a', 'acme:b'], { styles: { style: ['thin'] } }),
      'the number of styles (1) differs',
    ],
    [
      'too many styles',
      groupOf('bad', ['acme:a'], { styles: { style: ['thin', ''] } }),
      'the number of styles (2) differs',
    ],
    ['an unknown mode', groupOf('bad', ['acme:a'], { mode: 'MANY' }), 'one of SINGLE, OPAQUE_CONTAINER'],
    [
      'an unknown type',
      '{"layerGroup":{"name":"bad","publishables":{"published":[{"@type":"map","name":"acme:a"}]}}}',
      "found 'map'",
    ],
    [
      'a member without a name',
      '{"layerGroup":{"name":"bad","publishables":{"published":[{"@type":"layer"}]}}}',
      'name of a layer or layer group',
    ],
    ['EO without a root', groupOf('bad', ['acme:a'], { mode: 'EO' }), 'requires rootLayer and rootLayerStyle'],
    [
      'EO without a style',
      groupOf('bad', ['acme:a'], { mode: 'EO', rootLayer: 'acme:a' }),
      'requires rootLayer and rootLayerStyle',
    ],
    [
      'a root without EO',
      groupOf('bad', ['acme:a'], { rootLayer: 'acme:a' }),
      'cannot have rootLayer or rootLayerStyle',
    ],
    [
      'an unknown root',
      groupOf('bad', ['acme:a'], { mode: 'EO', rootLayer: 'none', rootLayerStyle: 'thin' }),
      "names a layer that does not exist: 'none'",
    ],
    ['no name', '{"layerGroup":{"publishables":["acme:a"]}}', 'is required'],
    ['an invalid name', groupOf('a:b', ['acme:a']), "Invalid name 'a:b' for a layer group"],
  ])('are rejected: %s', async (_, body, message) => {
    const reply = await server.post('/layergroups', body);

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)]);
    expect((await server.get('/layergroups/bad')).status).toBe(404);
  });

  it('are rejected with an unknown style', async () => {
    const reply = await server.post('/layergroups', groupOf('bad', ['acme:a'], { styles: { style: ['none'] } }));

    expect([reply.status, reply.text]).toEqual([404, expect.stringContaining("No such style: 'none'")]);
  });

  it('are rejected with a style for a group, which has its own', async () => {
    await server.post('/layergroups', groupOf('styled', ['acme:a']));

    const reply = await server.post('/layergroups', groupOf('bad', ['group styled'], { styles: { style: ['thin'] } }));

    expect([reply.status, reply.text]).toEqual([
      400,
      expect.stringContaining("the layer group 'styled' has no style 'thin'"),
    ]);
  });

  it('of a workspace must be in that workspace', async () => {
    await publishLayers(server, 'other', ['c']);
    await server.post('/layergroups', groupOf('global', ['acme:a']));
    const groups = '/workspaces/other/layergroups';

    for (const parts of [['acme:a'], ['c', 'acme:b'], ['group global']]) {
      const reply = await server.post(groups, groupOf('bad', parts));
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining("not in the workspace 'other'")]);
    }
    const styled = await server.post(groups, groupOf('bad', ['c'], { styles: { style: ['acme:local'] } }));
    expect([styled.status, styled.text]).toEqual([
      400,
      expect.stringContaining("The style 'acme:local' is not in the workspace"),
    ]);
    expect((await server.post(groups, groupOf('good', ['other:c']))).status).toBe(201);
  });
});

describe('layer group update', () => {
  const server = useTestServer();
  const remarks = {
    title: 'Base map',
    abstractTxt: 'What everything stands on.',
    queryDisabled: true,
    enabled: false,
    advertised: false,
    keywords: { string: ['base', 'map'] },
    metadata: { entry: [{ '@key': 'buffer', $: '10' }] },
    metadataLinks: { metadataLink: [{ type: 'text/html', metadataType: 'TC211', content: 'http://a.example/' }] },
    attribution: { title: 'The survey', logoWidth: 0, logoHeight: 0 },
    authorityURLs: { AuthorityURL: [{ name: 'survey', href: 'http://survey.example/' }] },
    identifiers: { Identifier: [{ authority: 'survey', identifier: 'base-1' }] },
    internationalTitle: { en: 'Base map', de: 'Grundkarte' },
    internationalAbstract: { de: 'Worauf alles steht.' },
  };
  beforeAll(() => publishLayers(server, 'acme', ['a', 'b']));

  it('stores and returns all fields, and clears them', async () => {
    await server.post('/layergroups', groupOf('reported', ['acme:a'], remarks));
    expect(await readResource(server, '/layergroups/reported')).toMatchObject(remarks);

    const xml = (await server.get('/layergroups/reported.xml')).text;
    const cleared = Object.fromEntries(Object.keys(remarks).map((name) => [name, null]));
    expect((await server.put('/layergroups/reported', JSON.stringify({ layerGroup: cleared }))).status).toBe(200);
    const plain = Object.keys(await readResource(server, '/layergroups/reported'));
    expect(plain).toEqual(['name', 'mode', 'publishables', 'styles', 'bounds', 'dateCreated', 'dateModified']);

    expect((await server.put('/layergroups/reported', xml)).status).toBe(200);
    expect(await readResource(server, '/layergroups/reported')).toMatchObject(remarks);
  });

  it('keeps omitted fields', async () => {
    await server.post('/layergroups', groupOf('kept', ['acme:a', 'acme:b'], remarks));

    await server.put('/layergroups/kept', '<layerGroup><title>Another</title></layerGroup>');

    expect(await readResource(server, '/layergroups/kept')).toMatchObject({ ...remarks, title: 'Another' });
    expect(await readGroupParts(server, '/layergroups/kept')).toEqual(['acme:a', 'acme:b']);
  });

  it('requires the version that was read', async () => {
    await server.post('/layergroups', groupOf('versioned', ['acme:a']));
    const { etag = '' } = (await server.get('/layergroups/versioned.json')).headers;
    await server.put('/layergroups/versioned', '{"layerGroup":{"title":"first"}}', { headers: { 'if-match': etag } });

    const late = { headers: { 'if-match': etag } };
    expect((await server.put('/layergroups/versioned', '{"layerGroup":{"title":"second"}}', late)).status).toBe(412);
    expect((await server.delete('/layergroups/versioned', late)).status).toBe(412);
    expect((await server.get('/layergroups/versioned.json', { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  it('is rejected without members, without a name, or with another workspace', async () => {
    await server.post('/workspaces/acme/layergroups', groupOf('firm', ['a']));
    const put = async (body: object) =>
      (await server.put('/layergroups/acme:firm', JSON.stringify({ layerGroup: body }))).status;

    expect(await put({ publishables: null })).toBe(400);
    expect(await put({ publishables: { published: [] } })).toBe(400);
    expect(await put({ name: '' })).toBe(400);
    expect(await put({ workspace: { name: 'other' } })).toBe(403);
    expect(await put({ workspace: { name: 'acme' }, title: 'good' })).toBe(200);
    expect((await server.put('/layergroups/none', '{"layerGroup":{"title":"a"}}')).status).toBe(404);
  });

  it('is rejected for a name in use', async () => {
    const groups = '/workspaces/acme/layergroups';
    await server.post(groups, groupOf('first', ['a']));
    await server.post(groups, groupOf('second', ['a']));

    const twice = await server.post(groups, groupOf('first', ['b']));
    expect([twice.status, twice.text]).toEqual([
      409,
      expect.stringContaining("'first' already exists in the workspace"),
    ]);
    const layer = await server.post(groups, groupOf('a', ['b']));
    expect([layer.status, layer.text]).toEqual([409, expect.stringContaining("A layer named 'a' already exists")]);
    expect((await server.put(`${groups}/second`, '{"layerGroup":{"name":"first"}}')).status).toBe(409);
    expect((await server.put(`${groups}/second`, '{"layerGroup":{"name":"a"}}')).status).toBe(409);
    expect((await server.post('/layergroups', groupOf('first', ['acme:b']))).status).toBe(201);
    const renamed = await server.put('/workspaces/acme/featuretypes/b', '{"featureType":{"name":"first"}}');
    expect([renamed.status, renamed.text]).toEqual([409, expect.stringContaining("layer group named 'first'")]);
  });
});

describe('the name of a layer group', () => {
  const server = useTestServer();

  it('cannot be used by a layer that is published later', async () => {
    await publishLayers(server, 'acme', ['a']);
    await server.post('/workspaces/acme/layergroups', groupOf('roads', ['a']));

    const typed = await server.post(
      '/workspaces/acme/datastores/s/featuretypes',
      '{"featureType":{"name":"roads","nativeName":"a"}}',
    );
    await putZip(server, '/workspaces/acme/datastores/t/file.shp', zipOf({ roads: polygonShapefile() }));

    expect([typed.status, typed.text]).toEqual([409, expect.stringContaining("layer group named 'roads'")]);
    expect((await server.get('/workspaces/acme/layers/roads1.json')).status).toBe(200);
    expect((await server.get('/workspaces/acme/layers/roads.json')).status).toBe(404);
  });
});

describe('the box of a layer group', () => {
  const server = useTestServer();
  beforeAll(() => publishLayers(server, 'acme', ['a', 'b']));

  it('is stored as given, in its CRS', async () => {
    const bounds = { minx: 0, maxx: 100, miny: 5, maxy: 50.5, crs: 'EPSG:3857' };

    const created = await server.post('/layergroups', groupOf('given', ['acme:a'], { bounds }));

    expect(created.status).toBe(201);
    const projected = { ...bounds, crs: { '@class': 'projected', $: 'EPSG:3857' } };
    expect(await readResource(server, '/layergroups/given')).toMatchObject({ bounds: projected });
    await server.put('/layergroups/given', groupOf('given', ['acme:a', 'acme:b'], { bounds: projected }));
    expect(await readResource(server, '/layergroups/given')).toMatchObject({ bounds: projected });
    await server.put(
      '/layergroups/given',
      '<layerGroup><bounds><minx>1</minx><maxx>2</maxx><miny>3</miny><maxy>4</maxy></bounds></layerGroup>',
    );
    expect(await readResource(server, '/layergroups/given')).toMatchObject({
      bounds: { minx: 1, maxx: 2, miny: 3, maxy: 4, crs: { $: 'EPSG:3857' } },
    });
  });

  it('is recomputed when it is cleared', async () => {
    const bounds = { minx: 0, maxx: 100, miny: 5, maxy: 50, crs: 'EPSG:4326' };
    await server.post('/layergroups', groupOf('emptied', ['acme:a'], { bounds }));

    await server.put('/layergroups/emptied', '<layerGroup><bounds/></layerGroup>');

    expect(await readResource(server, '/layergroups/emptied')).toMatchObject({ bounds: { minx: 0, maxx: 2, maxy: 1 } });
  });

  it('is computed with a warning where a client has swapped its sides', async () => {
    const bounds = { minx: -180, maxx: -90, miny: 180, maxy: 90, crs: 'EPSG:4326' };

    const reply = await server.post('/layergroups', groupOf('turned', ['acme:a'], { bounds }));

    expect(reply.status).toBe(201);
    expect(reply.headers['warning']).toContain('The bounds are ignored because a minimum exceeds its maximum');
    expect(await readResource(server, '/layergroups/turned')).toMatchObject({ bounds: { minx: 0, maxx: 2, maxy: 1 } });
  });

  it('is computed in the CRS of a box whose sides a client has swapped', async () => {
    const bounds = { minx: -180, maxx: -90, miny: 180, maxy: 90, crs: 'EPSG:3857' };

    await server.post('/layergroups', groupOf('placed', ['acme:a'], { bounds }));

    expect(await readResource(server, '/layergroups/placed')).toMatchObject({
      bounds: { minx: expect.closeTo(0, 6), maxx: expect.closeTo(222_638.98, 1), crs: { $: 'EPSG:3857' } },
    });
  });

  it.each([
    ['an unknown CRS', { minx: 0, maxx: 1, miny: 0, maxy: 1, crs: 'EPSG:1' }, "Unknown spatial reference 'EPSG:1'"],
    ['missing numbers', { minx: 'a', maxx: 0, miny: 0, maxy: 1 }, 'a box requires the numbers'],
  ])('is rejected with %s', async (_, bounds, message) => {
    const reply = await server.post('/layergroups', groupOf('bad', ['acme:a'], { bounds }));

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)]);
  });
});
