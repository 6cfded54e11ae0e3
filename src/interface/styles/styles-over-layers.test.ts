import { beforeAll, describe, expect, it } from 'vitest';
import { createStylePackage, SLD_TYPE, send, ZIP_TYPE } from '../../../test/support/styles.ts';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { pointShapefile, putZip, zipOf } from '../../../test/support/vector-samples.ts';

const symbolizer = '<FeatureTypeStyle><Rule><PointSymbolizer/></Rule></FeatureTypeStyle>';

function sldOver(...layers: readonly string[]): string {
  const named = layers.map(
    (name) => `<NamedLayer><Name>${name}</Name><UserStyle>${symbolizer}</UserStyle></NamedLayer>`,
  );
  return `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld">${named.join('')}</StyledLayerDescriptor>`;
}

async function publish(server: TestServer): Promise<void> {
  for (const [workspace, layer] of [
    ['acme', 'roads'],
    ['other', 'rivers'],
  ] as const) {
    await server.post('/workspaces', `<workspace><name>${workspace}</name></workspace>`);
    await putZip(server, `/workspaces/${workspace}/datastores/s/file.shp`, zipOf({ [layer]: pointShapefile() }));
  }
}

describe.each(['graticule', 'geoserver'] as const)('an SLD over several layers (%s)', (compat) => {
  const server = useTestServer({ compat });
  beforeAll(() => publish(server));

  it.each([
    ['/styles?name=a', ['acme:roads', 'other:rivers']],
    ['/styles?name=b', ['roads', 'rivers']],
    ['/workspaces/acme/styles?name=c', ['roads', 'other:rivers']],
    ['/styles?name=d', ['any name']],
  ])('is stored if all layers exist: %s with %j', async (path, layers) => {
    const reply = await send(server, 'POST', path, SLD_TYPE, sldOver(...layers));

    expect([reply.status, reply.headers['warning']]).toEqual([201, undefined]);
  });

  it('is stored unchecked with raw=true', async () => {
    const reply = await send(server, 'POST', '/styles?name=raw&raw=true', SLD_TYPE, sldOver('acme:roads', 'nothing'));

    expect([reply.status, reply.headers['warning']]).toEqual([201, undefined]);
  });
});

describe('an SLD over several layers with unknown ones', () => {
  const server = useTestServer();
  const warning = (layers: string) => `199 - "The style refers to layers that do not exist: ${layers}."`;
  beforeAll(() => publish(server));

  it('is stored with a warning that names the layers', async () => {
    const created = await send(server, 'POST', '/styles?name=a', SLD_TYPE, sldOver('acme:roads', 'acme:rivers'));
    const changed = await send(server, 'PUT', '/styles/a', SLD_TYPE, sldOver('x:y', 'acme:roads', 'nothing'));

    expect([created.status, created.headers['warning']]).toEqual([201, warning("'acme:rivers'")]);
    expect([changed.status, changed.headers['warning']]).toEqual([200, warning("'x:y', 'nothing'")]);
  });

  it('does not reveal layers that the user cannot see', async () => {
    const ann = await addUser(server, 'ann', 'ROLE_ACME');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME","other.*.r":"ROLE_OTHER"}');

    const reply = await send(
      server,
      'POST',
      '/workspaces/acme/styles?name=mine',
      SLD_TYPE,
      sldOver('roads', 'other:rivers'),
      { as: ann },
    );

    expect([reply.status, reply.headers['warning']]).toEqual([201, warning("'other:rivers'")]);
  });
});

describe('an SLD over several layers with unknown ones in the reference dialect', () => {
  const server = useTestServer({ compat: 'geoserver' });
  beforeAll(() => publish(server));

  it('is rejected with their names, and nothing changes', async () => {
    const created = await send(server, 'POST', '/styles?name=a', SLD_TYPE, sldOver('acme:roads', 'nothing'));
    expect([created.status, created.text]).toEqual([400, expect.stringContaining("do not exist: 'nothing'.")]);
    expect((await server.get('/styles/a.json')).status).toBe(404);

    await send(server, 'POST', '/styles?name=b', SLD_TYPE, sldOver('acme:roads', 'other:rivers'));
    const changed = await send(server, 'PUT', '/styles/b', SLD_TYPE, sldOver('x', 'acme:roads', 'y'));
    expect([changed.status, changed.text]).toEqual([400, expect.stringContaining("do not exist: 'x', 'y'.")]);
    expect((await server.get('/styles/b.sld')).text).toContain('other:rivers');
  });

  it('is stored in a package', async () => {
    const content = createStylePackage({ 'a.sld': sldOver('acme:roads', 'nothing') });

    expect((await send(server, 'POST', '/styles?name=packed', ZIP_TYPE, content)).status).toBe(201);
  });
});
