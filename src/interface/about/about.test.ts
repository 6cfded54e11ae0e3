import { describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';

type Resource = Readonly<Record<string, string>>;

describe('GET /about/version', () => {
  const server = useTestServer();

  it('reports the server, its geospatial layer and its tile library, in XML by default', async () => {
    const reply = await server.get('/about/version');

    expect(reply.headers['content-type']).toBe('application/xml');
    expect(reply.text).toMatch(
      /^<about>\n {2}<resource name="Graticule">\n {4}<Build-Timestamp>\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d<\/Build-Timestamp>\n {4}<Git-Revision>[\w/.]+<\/Git-Revision>\n {4}<Version>\d+\.\d+\.\d+<\/Version>\n {2}<\/resource>\n {2}<resource name="Graticule-Geospatial">/,
    );
    expect(reply.text).toMatch(
      /<resource name="Graticule-Tiles">\n {4}<Git-Revision>[\w/.]+<\/Git-Revision>\n {4}<Version>\d+\.\d+\.\d+<\/Version>\n {2}<\/resource>\n<\/about>\n$/,
    );
  });

  it('reports the versions in JSON with the names as attributes', async () => {
    const { about } = (await server.get('/about/version.json')).json() as { about: { resource: readonly Resource[] } };

    expect(about.resource.map((each) => each['@name'])).toEqual([
      'Graticule',
      'Graticule-Geospatial',
      'Graticule-Tiles',
    ]);
    expect(about.resource.map((each) => Object.keys(each))).toEqual([
      ['@name', 'Build-Timestamp', 'Git-Revision', 'Version'],
      ['@name', 'Build-Timestamp', 'Git-Revision', 'Version'],
      ['@name', 'Git-Revision', 'Version'],
    ]);
  });

  it('accepts the filters of the manifest', async () => {
    const reply = await server.get('/about/version.json?manifest=.*-Tiles');

    expect(reply.json()).toMatchObject({ about: { resource: [{ '@name': 'Graticule-Tiles' }] } });
  });

  it('returns a page to a browser', async () => {
    const reply = await server.get('/about/version', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });

    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.text).toContain('<th scope="row">Graticule-Geospatial</th>');
  });

  it.each(['/about/version', '/about/manifest', '/about/status', '/about/status/catalog', '/about/system-status'])(
    'limits %s to administrators, to reading and to the supported formats',
    async (path) => {
      expect((await server.get(path, { as: null })).status).toBe(401);
      expect((await server.get(path, { as: 'admin:wrong' })).status).toBe(401);
      expect((await server.get(path, { accept: 'image/png' })).status).toBe(406);
      expect((await server.post(path, '{}')).status).toBe(405);
      expect((await server.request('HEAD', path)).status).toBe(200);
    },
  );
});

describe('GET /about/manifest', () => {
  const server = useTestServer();

  async function names(query = ''): Promise<readonly string[]> {
    const reply = await server.get(`/about/manifest.json${query}`);
    expect(reply.status).toBe(200);
    const { about } = reply.json() as { about: { resource: readonly Resource[] } };
    return about.resource.map((each) => each['@name'] ?? '');
  }

  it('lists the server modules, the packages and the runtime by name', async () => {
    const all = await names();

    expect(all).toEqual(all.toSorted());
    expect(all).toContain(`node-${process.versions.node}`);
    expect(all).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^graticule-catalog-\d/),
        expect.stringMatching(/^fastify-5\./),
        expect.stringMatching(/^saxes-\d/),
      ]),
    );
  });

  it('reports the version, the licence and the kind (core or extension) of each resource', async () => {
    const { about } = (await server.get('/about/manifest.json')).json() as { about: { resource: readonly Resource[] } };

    for (const resource of about.resource) {
      expect(resource).toMatchObject({
        Version: expect.stringMatching(/^\d+\./),
        License: expect.stringMatching(/^[\w(].{1,100}$/),
        GeoServerModule: expect.stringMatching(/^(core|extension)$/),
      });
    }
  });

  it('filters the list by name, property, value and range', async () => {
    const all = await names();

    expect(await names('?manifest=graticule-.*')).toEqual(all.filter((name) => name.startsWith('graticule-')));
    expect(await names('?manifest=graticule')).toEqual([]);
    expect(await names('?key=SQLite')).toEqual([`node-${process.versions.node}`]);
    expect(await names('?key=GeoServerModule&value=extension')).toEqual([expect.stringMatching(/^graticule-monitor-/)]);
    expect(await names('?value=Node.js')).toEqual([`node-${process.versions.node}`]);
    expect(await names('?from=graticule-&to=graticule-zzz')).toEqual(
      all.filter((name) => name.startsWith('graticule-')),
    );
    expect(await names('?from=graticule-')).toEqual(all);
  });

  it('returns all properties of each match', async () => {
    const reply = await server.get('/about/manifest.xml?key=GeoServerModule&value=extension');

    expect(reply.text).toMatch(
      /^<about>\n {2}<resource name="graticule-monitor-[\d.]+">\n {4}<Implementation-Title>System Monitor<\/Implementation-Title>\n(?: {4}<.*>\n)*? {4}<GeoServerModule>extension<\/GeoServerModule>\n/,
    );
  });

  it('returns an empty element, an empty list or an empty page when nothing matches', async () => {
    expect((await server.get('/about/manifest.xml?manifest=nothing')).text).toBe('<about/>\n');
    expect((await server.get('/about/manifest.json?manifest=nothing')).json()).toEqual({ about: { resource: [] } });
    expect((await server.get('/about/manifest.html?manifest=nothing')).text).toContain('No resource matches.');
  });

  it.each(['manifest', 'key', 'value'])('rejects an invalid expression in %s', async (parameter) => {
    const broken = await server.get(`/about/manifest.json?${parameter}=gs-(`);
    const unsafe = await server.get(`/about/manifest.json?${parameter}=${encodeURIComponent('(?=a)b')}`);

    expect(broken.status).toBe(400);
    expect(broken.text).toContain(`'${parameter}'`);
    expect(unsafe.status).toBe(400);
  });
});

describe('GET /about/status', () => {
  const server = useTestServer();

  it('lists the modules with name, link and status', async () => {
    const { statuss } = (await server.get('/about/status.json')).json() as { statuss: { status: readonly object[] } };

    expect(statuss.status).toContainEqual({
      name: 'Data Directory',
      module: 'graticule-files',
      component: 'Files',
      version: expect.stringMatching(/^\d/),
      message: 'Readable and writable.',
      isEnabled: true,
      isAvailable: true,
      href: expect.stringMatching(/\/rest\/about\/status\/Data%20Directory\.json$/),
    });
    for (const status of statuss.status) {
      expect(status).toMatchObject({ isEnabled: true, isAvailable: true });
    }
  });

  it('lists the modules in XML under the root element that clients expect', async () => {
    const reply = await server.get('/about/status');

    expect(reply.text).toMatch(/^<statuss>\n {2}<status>\n {4}<name>/);
    expect(reply.text).toMatch(/<atom:link [^>]*href="[^"]*\/about\/status\/Catalog\.xml" type="application\/xml"\/>/);
  });

  it('serves every link that it returns', async () => {
    const { statuss } = (await server.get('/about/status.json')).json() as {
      statuss: { status: readonly { href: string; name: string }[] };
    };

    for (const { href, name } of statuss.status) {
      const reply = await server.get(href.slice(href.indexOf('/about')));
      expect(reply.json()).toMatchObject({ status: { name, isAvailable: true } });
    }
  });

  it.each(['catalog', 'CATALOG', 'graticule-catalog'])('finds one module as %s', async (name) => {
    expect((await server.get(`/about/status/${name}.json`)).json()).toMatchObject({
      status: { name: 'Catalog', module: 'graticule-catalog', isAvailable: true, isEnabled: true },
    });
  });

  it('returns 404 for an unknown module', async () => {
    const reply = await server.get('/about/status/nothing.json');

    expect(reply.status).toBe(404);
    expect(reply.json()).toEqual({ status: 404, message: "No such module: 'nothing'." });
  });

  it('returns a table to a browser', async () => {
    const reply = await server.get('/about/status.html');

    for (const heading of ['Module', 'Component', 'Version', 'Available', 'Enabled', 'Message']) {
      expect(reply.text).toContain(`<th scope="col">${heading}</th>`);
    }
  });
});

describe('with --compat geoserver', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('reports the components under the names and versions that clients look for, the server first', async () => {
    const { about } = (await server.get('/about/version.json')).json() as { about: { resource: readonly Resource[] } };

    expect(about.resource.map((each) => [each['@name'], each['Version']])).toEqual([
      ['GeoServer', '2.26.2'],
      ['GeoTools', '32.2'],
      ['GeoWebCache', '1.26.2'],
    ]);
    for (const resource of about.resource) {
      expect(resource).toMatchObject({
        'Implementation-Title': 'Graticule',
        'Implementation-Version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
      });
    }
  });

  it('answers in HTML by default and in JSON to a script', async () => {
    expect((await server.get('/about/version')).headers['content-type']).toContain('text/html');
    expect((await server.get('/about/manifest', { accept: '*/*' })).headers['content-type']).toContain('text/html');
    expect((await server.get('/about/status')).headers['content-type']).toContain('text/html');
    expect((await server.get('/about/version', { accept: 'application/json' })).headers['content-type']).toBe(
      'application/json',
    );
  });

  it('writes one resource as an object and an empty list as empty text', async () => {
    expect((await server.get('/about/manifest.json?manifest=graticule-catalog.*')).json()).toMatchObject({
      about: { resource: { '@name': expect.stringMatching(/^graticule-catalog-/) } },
    });
    expect((await server.get('/about/manifest.json?manifest=nothing')).json()).toEqual({ about: '' });
  });

  it('writes a single module as a list', async () => {
    expect((await server.get('/about/status/catalog.json')).json()).toMatchObject({
      statuss: { status: [{ name: 'Catalog', href: expect.stringMatching(/Catalog\.json$/) }] },
    });
    expect((await server.get('/about/status/nothing')).status).toBe(404);
  });
});

describe('pages about the server', () => {
  const server = useTestServer();

  it.each(['/about/version', '/about/manifest', '/about/status', '/about/status/catalog', '/about/system-status'])(
    'contains at %s only links that resolve',
    async (path) => {
      const page = await server.get(`${path}.html`);
      const links = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replace(/^.*\/rest/, ''));

      expect(links).toContain('.html');
      for (const link of links) {
        expect((await server.get(link)).status, link).toBe(200);
      }
    },
  );
});
