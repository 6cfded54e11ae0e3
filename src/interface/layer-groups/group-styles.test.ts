import { beforeAll, describe, expect, it } from 'vitest';
import { groupOf, publishLayers, readGroupStyles } from '../../../test/support/layer-groups.ts';
import { lineSld, SLD_TYPE, send } from '../../../test/support/styles.ts';
import { type Reply, type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { readResource } from '../../../test/support/vector-samples.ts';

const host = { headers: { host: 'h' } };

interface ShownGroup {
  readonly layerGroupStyles?: {
    readonly LayerGroupStyle: readonly {
      readonly name: string;
      readonly layers: { readonly published: readonly { readonly name: string }[] };
      readonly styles: { readonly style: readonly (string | { readonly name: string })[] };
    }[];
  };
}

/** A style of a group as JSON: the layers, each with its style. */
function groupStyle(name: string, parts: readonly (readonly [layer: string, style: string])[], more: object = {}) {
  const published = parts.map(([part]) =>
    part.startsWith('group ') ? { '@type': 'layerGroup', name: part.slice(6) } : { '@type': 'layer', name: part },
  );
  return { name, layers: { published }, styles: { style: parts.map(([, style]) => style) }, ...more };
}

const withStyles = (...styles: readonly object[]) => ({ layerGroupStyles: { LayerGroupStyle: styles } });

const change = (server: TestServer, path: string, ...styles: readonly object[]): Promise<Reply> =>
  server.put(path, JSON.stringify({ layerGroup: withStyles(...styles) }));

/** The styles of a group as `name: layer=style, layer=style`. */
async function groupStylesOf(server: TestServer, path: string): Promise<readonly string[]> {
  const { layerGroupStyles } = (await readResource(server, path)) as ShownGroup;
  return (layerGroupStyles?.LayerGroupStyle ?? []).map(({ name, layers, styles }) => {
    const drawn = styles.style.map((style) => (typeof style === 'string' ? style : style.name));
    return `${name}: ${layers.published.map((layer, index) => `${layer.name}=${drawn[index]}`).join(', ')}`;
  });
}

describe('layer group styles', () => {
  const server = useTestServer({ clock: () => Date.UTC(2026, 0, 2) });
  beforeAll(async () => {
    await publishLayers(server, 'acme', ['a', 'b', 'c']);
    await publishLayers(server, 'other', ['far']);
    await send(server, 'POST', '/styles?name=thin', SLD_TYPE, lineSld('thin'));
    await send(server, 'POST', '/workspaces/acme/styles?name=local', SLD_TYPE, lineSld('local'));
    await send(server, 'POST', '/workspaces/other/styles?name=foreign', SLD_TYPE, lineSld('foreign'));
  });

  it('are empty by default and then absent from the document', async () => {
    await server.post('/layergroups', groupOf('plain', ['acme:a']));

    expect((await server.get('/layergroups/plain.xml')).text).not.toContain('layerGroupStyles');
    expect((await server.get('/layergroups/plain.json')).text).not.toContain('layerGroupStyles');
  });

  it('are accepted in the XML form of the reference and returned as XML', async () => {
    const body = `<layerGroup><name>xml</name>
  <publishables><published type="layer">acme:a</published></publishables>
  <layerGroupStyles><LayerGroupStyle>
    <name>night</name><title>Night</title><abstractTxt>For the dark</abstractTxt>
    <internationalTitle><fr>Nuit</fr></internationalTitle><internationalAbstract/>
    <layers><published type="layer">acme:b</published><published type="layer">acme:a</published></layers>
    <styles><style>thin</style><style/></styles>
  </LayerGroupStyle></layerGroupStyles></layerGroup>`;

    expect((await server.post('/layergroups', body)).status).toBe(201);

    expect((await server.get('/layergroups/xml.xml', host)).text).toContain(`  <layerGroupStyles>
    <LayerGroupStyle>
      <name>night</name>
      <title>Night</title>
      <internationalTitle>
        <fr>Nuit</fr>
      </internationalTitle>
      <abstractTxt>For the dark</abstractTxt>
      <layers>
        <published type="layer">
          <name>acme:b</name>
          <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/workspaces/acme/layers/b.xml" type="application/xml"/>
        </published>
        <published type="layer">
          <name>acme:a</name>
          <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/workspaces/acme/layers/a.xml" type="application/xml"/>
        </published>
      </layers>
      <styles>
        <style>
          <name>thin</name>
          <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/styles/thin.xml" type="application/xml"/>
        </style>
        <style></style>
      </styles>
    </LayerGroupStyle>
  </layerGroupStyles>
`);
  });

  it('are accepted and returned in JSON', async () => {
    const body = groupOf('json', ['acme:a'], withStyles(groupStyle('day', [['acme:a', 'acme:local']])));

    expect((await server.post('/layergroups', body)).status).toBe(201);

    expect((await server.get('/layergroups/json.json', host)).json()).toMatchObject({
      layerGroup: {
        layerGroupStyles: {
          LayerGroupStyle: [
            {
              name: 'day',
              layers: {
                published: [
                  {
                    '@type': 'layer',
                    name: 'acme:a',
                    href: 'http://h/geoserver/rest/workspaces/acme/layers/a.json',
                  },
                ],
              },
              styles: {
                style: [
                  {
                    name: 'acme:local',
                    workspace: 'acme',
                    href: 'http://h/geoserver/rest/workspaces/acme/styles/local.json',
                  },
                ],
              },
            },
          ],
        },
      },
    });
  });

  it.each(['xml', 'json'])('are unchanged by their own document in %s', async (format) => {
    const path = '/layergroups/back';
    const styles = withStyles(groupStyle('day', [['acme:a', 'thin']]), groupStyle('night', [['acme:b', '']]));
    await server.post('/layergroups', groupOf('back', ['acme:a'], styles));
    const before = await server.get(`${path}.${format}`);

    const type = format === 'xml' ? 'application/xml' : 'application/json';
    expect((await server.request('PUT', path, { type, body: before.text })).status).toBe(200);

    const after = await server.get(`${path}.${format}`);
    expect([after.text, after.headers['etag']]).toEqual([before.text, before.headers['etag']]);
  });

  it('are kept when omitted, replaced as a whole, and cleared by an empty value', async () => {
    const path = '/layergroups/changing';
    const styles = withStyles(groupStyle('day', [['acme:a', 'thin']]), groupStyle('night', [['acme:b', '']]));
    await server.post('/layergroups', groupOf('changing', ['acme:a'], styles));

    await server.put(path, '{"layerGroup":{"title":"T"}}');
    expect(await groupStylesOf(server, path)).toEqual(['day: acme:a=thin', 'night: acme:b=']);

    await change(server, path, groupStyle('dusk', [['acme:c', 'line']]));
    expect(await groupStylesOf(server, path)).toEqual(['dusk: acme:c=line']);

    await server.put(path, '{"layerGroup":{"layerGroupStyles":null}}');
    expect(await groupStylesOf(server, path)).toEqual([]);
  });

  it('use the default style of each layer unless they name styles', async () => {
    await server.post('/layergroups', groupOf('quiet', ['acme:a']));

    const reply = await change(server, '/layergroups/quiet', {
      name: 'day',
      layers: { published: ['acme:a', 'acme:b'] },
    });

    expect(reply.status).toBe(200);
    expect(await groupStylesOf(server, '/layergroups/quiet')).toEqual(['day: acme:a=, acme:b=']);
  });

  it.each([
    ['no name', [{ layers: { published: ['a'] } }], 'name'],
    ['an empty name', [groupStyle(' ', [['a', '']])], 'name'],
    ['the same name twice', [groupStyle('x', [['a', '']]), groupStyle('x', [['b', '']])], "'x'"],
    ['no layers', [{ name: 'x' }], "'x' has no layers"],
    ['an unknown layer', [groupStyle('x', [['nothing', '']])], "a layer that does not exist: 'nothing'"],
    [
      'a layer of another workspace',
      [groupStyle('x', [['other:far', '']])],
      "'other:far' is not in the workspace 'acme'",
    ],
    [
      'a style of another workspace',
      [groupStyle('x', [['a', 'other:foreign']])],
      "'other:foreign' is not in the workspace",
    ],
    [
      'too few styles',
      [{ ...groupStyle('x', [['a', 'thin']]), layers: { published: ['a', 'b'] } }],
      'the number of styles (1) differs from the number of layers and groups (2)',
    ],
    ['an invalid item', ['x'], 'LayerGroupStyle'],
  ])('are rejected with %s, and the group is unchanged', async (_, styles, message) => {
    await server.post('/workspaces/acme/layergroups', groupOf('kept', ['a']));
    const before = (await server.get('/workspaces/acme/layergroups/kept.json')).text;
    const body = JSON.stringify({ layerGroup: { title: 'T', ...withStyles(...(styles as object[])) } });

    const refused = await server.put('/workspaces/acme/layergroups/kept', body);

    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(message)]);
    expect((await server.get('/workspaces/acme/layergroups/kept.json')).text).toBe(before);
  });

  it('are rejected with an unknown style', async () => {
    await server.post('/layergroups', groupOf('bare', ['acme:a']));

    const refused = await change(server, '/layergroups/bare', groupStyle('x', [['acme:a', 'nothing']]));

    expect([refused.status, refused.text]).toEqual([404, expect.stringContaining("No such style: 'nothing'")]);
    expect(await groupStylesOf(server, '/layergroups/bare')).toEqual([]);
  });

  it('cannot contain the group itself', async () => {
    await server.post('/layergroups', groupOf('ring', ['acme:a']));
    await server.post('/layergroups', groupOf('round', ['acme:a'], withStyles(groupStyle('x', [['group ring', '']]))));

    const refused = await change(server, '/layergroups/ring', groupStyle('y', [['group round', '']]));

    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining("'ring' contains 'round' contains 'ring'"),
    ]);
  });

  it('do not affect the bounds of the group', async () => {
    await server.post('/layergroups', groupOf('placed', ['acme:a']));
    const { bounds } = (await readResource(server, '/layergroups/placed')) as { bounds: unknown };

    await change(
      server,
      '/layergroups/placed',
      groupStyle('wide', [
        ['acme:a', ''],
        ['other:far', ''],
      ]),
    );

    expect(await readResource(server, '/layergroups/placed')).toMatchObject({ bounds });
  });
});

describe('a group in another group', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await publishLayers(server, 'acme', ['a', 'b']);
    await server.post(
      '/layergroups',
      groupOf('inner', ['acme:a'], withStyles(groupStyle('night', [['acme:a', 'line']]))),
    );
  });

  it('can be drawn in one of its own styles by name', async () => {
    const styles = { styles: { style: ['', 'night'] }, ...withStyles(groupStyle('dark', [['group inner', 'night']])) };

    expect((await server.post('/layergroups', groupOf('outer', ['acme:b', 'group inner'], styles))).status).toBe(201);

    expect(await readGroupStyles(server, '/layergroups/outer')).toEqual(['', 'night']);
    expect(await groupStylesOf(server, '/layergroups/outer')).toEqual(['dark: inner=night']);
  });

  it('cannot be drawn in another style', async () => {
    const styles = { styles: { style: ['line'] } };

    const refused = await server.post('/layergroups', groupOf('wrong', ['group inner'], styles));

    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining("the layer group 'inner' has no style 'line' in its layerGroupStyles"),
    ]);
  });

  it('keeps a style that the outer group uses', async () => {
    await server.post('/layergroups', groupOf('watching', ['group inner'], { styles: { style: ['night'] } }));

    const refused = await change(server, '/layergroups/inner', groupStyle('day', [['acme:a', '']]));

    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringMatching(/The style 'night' of the layer group 'inner' is used by .*layer group 'watching'/),
    ]);
    const night = groupStyle('night', [['acme:a', '']]);
    expect((await change(server, '/layergroups/inner', night, groupStyle('day', [['acme:a', '']]))).status).toBe(200);
  });
});

describe('a resource used only by a style of a layer group', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await publishLayers(server, 'acme', ['a', 'b', 'c']);
    await send(server, 'POST', '/styles?name=thin', SLD_TYPE, lineSld('thin'));
    await server.post('/layergroups', groupOf('deep', ['acme:c']));
    const parts = [
      ['acme:b', 'thin'],
      ['group deep', ''],
    ] as const;
    await server.post('/layergroups', groupOf('top', ['acme:a'], withStyles(groupStyle('night', parts))));
  });

  it.each([
    ['/styles/thin', "The style 'thin' is used by layer group 'top'."],
    ['/layers/acme:b', "The layer 'acme:b' is used by layer group 'top'."],
    ['/layergroups/deep', "The layer group 'deep' is used by layer group 'top'."],
  ])('is not deleted without recurse: %s', async (path, message) => {
    const refused = await server.delete(path);

    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(message)]);
  });

  it('is updated when it is renamed', async () => {
    const path = '/layergroups/top';
    const before = (await server.get(`${path}.json`)).headers['etag'];

    await server.put('/workspaces/acme/featuretypes/b', '{"featureType":{"name":"fields"}}');
    await server.put('/styles/thin', '{"style":{"name":"fine"}}');
    await server.put('/layergroups/deep', '{"layerGroup":{"name":"depth"}}');

    expect(await groupStylesOf(server, path)).toEqual(['night: acme:fields=fine, depth=']);
    expect((await server.get(`${path}.json`)).headers['etag']).not.toBe(before);
  });

  it('is removed with recurse, and an emptied style is removed as well', async () => {
    await server.delete('/styles/fine?recurse=true');
    expect(await groupStylesOf(server, '/layergroups/top')).toEqual(['night: acme:fields=, depth=']);

    await server.delete('/layergroups/depth?recurse=true');
    expect(await groupStylesOf(server, '/layergroups/top')).toEqual(['night: acme:fields=']);

    await server.delete('/layers/acme:fields?recurse=true');
    expect(await groupStylesOf(server, '/layergroups/top')).toEqual([]);
  });
});

describe('layer group styles with hidden layers', () => {
  const server = useTestServer();

  it('show only the visible layers to a user, who cannot remove the others', async () => {
    await publishLayers(server, 'acme', ['a', 'hidden']);
    const styles = withStyles(
      groupStyle('both', [
        ['acme:a', ''],
        ['acme:hidden', ''],
      ]),
      groupStyle('one', [['acme:hidden', '']]),
    );
    await server.post('/layergroups', groupOf('mixed', ['acme:a'], styles));
    const as = await addUser(server, 'carto', 'ROLE_CARTOGRAPHER');
    await server.post('/security/acl/rest', JSON.stringify({ '/rest/layergroups/**:GET,PUT': 'ROLE_CARTOGRAPHER' }));
    const rules = { '*.*.a': 'ROLE_CARTOGRAPHER', 'acme.*.a': 'ROLE_NOBODY', 'acme.hidden.r': 'ROLE_NOBODY' };
    await server.post('/security/acl/layers', JSON.stringify(rules));

    const seen = await server.get('/layergroups/mixed.json', { as });
    const refused = await server.put('/layergroups/mixed', '{"layerGroup":{"layerGroupStyles":null}}', { as });

    expect([seen.status, seen.text]).toEqual([200, expect.not.stringContaining('hidden')]);
    expect(seen.text).toContain('"both"');
    expect(seen.text).not.toContain('"one"');
    expect(seen.headers['etag']).toBeUndefined();
    expect(refused.status).toBe(403);
    expect((await server.put('/layergroups/mixed', '{"layerGroup":{"title":"T"}}', { as })).status).toBe(200);
  });
});

describe('a single layer group style in the reference dialect', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('is written as the item itself, and accepted in that form', async () => {
    await publishLayers(server, 'acme', ['a']);
    await server.post('/layergroups', groupOf('lone', ['acme:a'], withStyles(groupStyle('day', [['acme:a', 'line']]))));
    const before = await server.get('/layergroups/lone.json');

    const sent = await server.put('/layergroups/lone', before.text);

    expect(before.json()).toMatchObject({
      layerGroup: {
        layerGroupStyles: {
          LayerGroupStyle: {
            name: 'day',
            layers: { published: { name: 'acme:a' } },
            styles: { style: { name: 'line' } },
          },
        },
      },
    });
    expect([sent.status, (await server.get('/layergroups/lone.json')).text]).toEqual([200, before.text]);
  });
});
