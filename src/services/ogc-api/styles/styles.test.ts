/** Styles of layers and groups for OGC API clients. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { groupOf } from '../../../../test/support/layer-groups.ts';
import { publishSquares } from '../../../../test/support/maps.ts';
import { type RequestOptions, useTestServer } from '../../../../test/support/test-server.ts';

interface Linked {
  readonly links: readonly { readonly rel: string; readonly href: string; readonly type: string }[];
}

describe('OGC API Styles', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await publishSquares(server);
    await server.post('/layergroups', groupOf('both', ['topo:west', 'topo:east']));
  });

  const ask = (path: string, options: RequestOptions = {}) =>
    server.get(`//geoserver/ogc/styles/v1${path}`, { as: null, ...options });
  const follow = (href: string) => server.get(`/${href.slice(href.indexOf('/geoserver'))}`, { as: null });

  it('has a landing page that links to every resource, and an API definition', async () => {
    const { links } = (await ask('')).json() as Linked;
    for (const { href } of links) expect((await follow(href)).status).toBe(200);

    const source = (await ask('/api')).text;
    const problems = await lintFromString({ source, config: await createConfig({ extends: ['spec'] }) });

    expect(problems.map(({ message }) => message)).toEqual([]);
  });

  it('lists one style for each layer and group in all encodings, with a description', async () => {
    const { styles } = (await ask('/styles')).json() as { styles: readonly ({ id: string } & Linked)[] };

    expect(styles.map(({ id }) => id).sort()).toEqual(['both', 'topo:east', 'topo:west']);
    for (const { links } of styles) {
      expect(links.map(({ rel }) => rel)).toEqual(['stylesheet', 'stylesheet', 'stylesheet', 'describedby']);
      for (const { href, type } of links) expect((await follow(href)).headers['content-type']).toBe(type);
    }
    expect((await ask('/styles/both/metadata')).json()).toMatchObject({
      id: 'both',
      scope: 'style',
      layers: [{ id: 'topo:west' }, { id: 'topo:east' }],
    });
  });

  it('returns a MapLibre style on the tiles of the server by default', async () => {
    const style = (await ask('/styles/both')).json() as { sources: object };

    expect(Object.keys(style.sources)).toEqual(['1 topo:west', '2 topo:east']);
  });

  it.each([
    ['1.0', '?f=sld10', '#ff0000'],
    ['1.1', '?f=sld11', 'se:'],
  ])('returns the styles of all layers of a group as SLD %s', async (version, query, content) => {
    const { text } = await ask(`/styles/both${query}`);

    expect(text).toContain(`version="${version}.0"`);
    expect(text).toContain(content);
    expect([...text.matchAll(/<NamedLayer>\s*<(?:se:)?Name>([^<]*)/g)].map(([, name]) => name)).toEqual([
      'topo:west',
      'topo:east',
    ]);
  });

  it('uses short names below a workspace', async () => {
    const reply = await server.get('//geoserver/topo/ogc/styles/v1/styles', { as: null });

    expect((reply.json() as { styles: readonly { id: string }[] }).styles.map(({ id }) => id)).toEqual([
      'east',
      'west',
    ]);
  });

  it.each([
    ['/styles/topo:nowhere', 404],
    ['/styles/topo:nowhere/metadata', 404],
    ['/styles/topo:west?f=exe', 400],
    ['/styles?limit=1', 400],
    ['/nothing', 404],
  ])('rejects %s', async (path, status) => {
    expect((await ask(path)).status).toBe(status);
  });

  it('hides layers that the principal cannot view', async () => {
    await server.post('/security/acl/layers', JSON.stringify({ 'topo.east.r': 'ROLE_SECRET' }));
    const [list, own, group] = [await ask('/styles'), await ask('/styles/topo:east'), await ask('/styles/both')];
    const metadata = await ask('/styles/both/metadata');
    await server.delete('/security/acl/layers/topo.east.r');

    expect([list.text, group.text, metadata.text].filter((text) => text.includes('east'))).toEqual([]);
    expect(own.status).toBe(404);
  });
});
