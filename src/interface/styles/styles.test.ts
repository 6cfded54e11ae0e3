import { describe, expect, it } from 'vitest';
import { lineSe, lineSld, SE_TYPE, SLD_TYPE, send, styleNames } from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const HOST = { headers: { host: 'h' } };

describe('styles', () => {
  const server = useTestServer({ clock: () => Date.UTC(2026, 0, 2) });

  it('are the five built-in ones on a new server', async () => {
    expect(await styleNames(server)).toEqual(['generic', 'line', 'point', 'polygon', 'raster']);
  });

  it('are listed with their links', async () => {
    expect((await server.get('/styles.xml', HOST)).text).toContain(`<styles>
  <style>
    <name>generic</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://h/geoserver/rest/styles/generic.xml" type="application/xml"/>
  </style>
`);
    expect((await server.get('/styles.json', HOST)).json()).toMatchObject({
      styles: { style: [{ name: 'generic', href: 'http://h/geoserver/rest/styles/generic.json' }, {}, {}, {}, {}] },
    });
    expect((await server.get('/styles.html', HOST)).text).toContain(
      '<a href="http://h/geoserver/rest/styles/generic.html">generic</a>',
    );
  });

  it('are created in two requests: the entry, then the content', async () => {
    const created = await server.post('/styles', '<style><name>roads</name><filename>roads.sld</filename></style>', {
      type: 'text/xml',
      ...HOST,
    });
    expect(created.status).toBe(201);
    expect(created.headers['location']).toBe('http://h/geoserver/rest/styles/roads');
    expect(created.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(created.text).toBe('roads');

    const put = await send(server, 'PUT', '/styles/roads', SLD_TYPE, lineSld('any'));
    expect([put.status, put.text]).toEqual([200, '']);
    expect((await server.get('/styles/roads.sld')).text).toBe(lineSld('any'));
  });

  it('return their entry in XML and JSON', async () => {
    await server.post('/styles', '{"style":{"name":"shown","filename":"shown.sld"}}');

    expect((await server.get('/styles/shown.xml')).text).toBe(`<style>
  <name>shown</name>
  <format>sld</format>
  <languageVersion>
    <version>1.0.0</version>
  </languageVersion>
  <filename>shown.sld</filename>
  <dateCreated>2026-01-02 00:00:00.000 UTC</dateCreated>
</style>
`);
    expect((await server.get('/styles/shown.json')).json()).toEqual({
      style: {
        name: 'shown',
        format: 'sld',
        languageVersion: { version: '1.0.0' },
        filename: 'shown.sld',
        dateCreated: '2026-01-02 00:00:00.000 UTC',
      },
    });
  });

  it.each(['text/xml', 'application/xml', 'text/json', 'application/json'])('accept entries as %s', async (type) => {
    const name = type.replace('/', '-');
    const body = type.endsWith('xml')
      ? `<style><name>${name}</name><filename>${name}.sld</filename></style>`
      : JSON.stringify({ style: { name, filename: `${name}.sld` } });

    expect((await server.request('POST', '/styles', { type, body, accept: 'text/plain' })).status).toBe(201);
    expect((await server.get(`/styles/${name}`)).status).toBe(200);
  });

  it.each([
    ['without a name', '<style><filename>a.sld</filename></style>', 'style.name'],
    ['without a filename', '<style><name>a</name></style>', 'style.filename'],
    ['with a path', '<style><name>a</name><filename>../a.sld</filename></style>', 'separator /'],
    ['with a backslash', '<style><name>a</name><filename>b\\a.sld</filename></style>', 'separator'],
    ['with a hidden file', '<style><name>a</name><filename>.a.sld</filename></style>', 'dot'],
    ['with the name of an image', '<style><name>a</name><filename>a.png</filename></style>', 'image'],
    ['with a slash in its name', '<style><name>a/b</name><filename>a.sld</filename></style>', 'a/b'],
    ['with a colon in its name', '<style><name>a:b</name><filename>a.sld</filename></style>', 'a:b'],
    ['in an unknown language', '<style><name>a</name><filename>a.x</filename><format>qml</format></style>', 'qml'],
  ])('are rejected %s', async (_, body, culprit) => {
    const reply = await server.post('/styles', body);

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(culprit);
  });

  it('have unique names', async () => {
    const body = '{"style":{"name":"once","filename":"once.sld"}}';
    await server.post('/styles', body);

    const again = await server.post('/styles', body);

    expect(again.status).toBe(409);
    expect(again.text).toContain("A style named 'once' already exists");
  });

  it('can share a file', async () => {
    await send(server, 'POST', '/styles?name=first', SLD_TYPE, lineSld('first'));
    await server.post('/styles', '{"style":{"name":"second","filename":"first.sld"}}');

    expect((await server.get('/styles/second.sld')).text).toBe(lineSld('first'));

    await send(server, 'PUT', '/styles/second', SLD_TYPE, lineSld('both'));
    expect((await server.get('/styles/first.sld')).text).toBe(lineSld('both'));
  });

  it('store the fields of the entry and keep omitted ones', async () => {
    await server.post(
      '/styles',
      '<style><name>kept</name><filename>kept.sld</filename><legend><width>8</width><height>9</height><format>image/png</format><onlineResource>legend.png</onlineResource></legend><metadata><entry key="a">b</entry></metadata></style>',
    );
    expect((await server.put('/styles/kept', '{"style":{"metadata":{"c":"d"}}}')).status).toBe(200);

    expect((await server.get('/styles/kept.json')).json()).toMatchObject({
      style: {
        legend: { width: 8, height: 9, format: 'image/png', onlineResource: 'legend.png' },
        metadata: { entry: [{ '@key': 'c', $: 'd' }] },
      },
    });

    await server.put(
      '/styles/kept',
      '<style><legend xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></style>',
    );
    expect((await server.get('/styles/kept.json')).text).not.toContain('legend');
  });

  it.each([
    ['null', 'v1', '{"style":{"languageVersion":null}}'],
    ['a version of null', 'v2', '{"style":{"languageVersion":{"version":null}}}'],
    ['an empty element', 'v3', '<style><languageVersion/></style>'],
    [
      'xsi:nil',
      'v4',
      '<style xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><languageVersion xsi:nil="true"/></style>',
    ],
    [
      'xsi:nil in the version',
      'v5',
      '<style xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><languageVersion><version xsi:nil="true"/></languageVersion></style>',
    ],
  ])('reset their version with %s and derive it from the content', async (_, name, cleared) => {
    const entry = `<style><name>${name}</name><filename>${name}.sld</filename><languageVersion><version>1.1.0</version></languageVersion></style>`;
    await server.post('/styles', entry);
    const version = async () => (await server.get(`/styles/${name}.json`)).json();
    expect(await version()).toMatchObject({ style: { languageVersion: { version: '1.1.0' } } });

    expect((await server.put(`/styles/${name}`, cleared)).status).toBe(200);
    expect(await version()).toMatchObject({ style: { languageVersion: { version: '1.0.0' } } });

    await send(server, 'PUT', `/styles/${name}`, SE_TYPE, lineSe('a'));
    expect((await server.put(`/styles/${name}`, cleared)).status).toBe(200);
    expect(await version()).toMatchObject({ style: { languageVersion: { version: '1.1.0' } } });
  });

  it('are unchanged by their own document', async () => {
    await send(server, 'POST', '/styles?name=back', SLD_TYPE, lineSld('back'));
    for (const format of ['xml', 'json']) {
      const read = await server.get(`/styles/back.${format}`);

      expect((await server.put('/styles/back', read.text, { type: format })).status).toBe(200);
      expect((await server.get(`/styles/back.${format}`)).headers['etag']).toBe(read.headers['etag']);
    }
  });

  it('are renamed with their content', async () => {
    await send(server, 'POST', '/styles?name=old', SLD_TYPE, lineSld('old'));

    expect((await server.put('/styles/old', '<style><name>new</name></style>')).status).toBe(200);

    expect((await server.get('/styles/old')).status).toBe(404);
    expect((await server.get('/styles/new.sld')).text).toBe(lineSld('old'));
    expect((await server.put('/styles/new', '<style><name>point</name></style>')).status).toBe(409);
    expect((await server.put('/styles/new', '<style><name/></style>')).status).toBe(400);
    expect((await server.put('/styles/nothing', '<style><name>x</name></style>')).status).toBe(404);
  });

  it('keep their content under another file name', async () => {
    await send(server, 'POST', '/styles?name=filed', SLD_TYPE, lineSld('filed'));

    expect((await server.put('/styles/filed', '<style><filename>other.sld</filename></style>')).status).toBe(200);

    expect((await server.get('/styles/filed.sld')).text).toBe(lineSld('filed'));
    expect((await server.put('/styles/filed', '<style><filename>/etc/x.sld</filename></style>')).status).toBe(400);
    expect((await server.put('/styles/filed', '<style><format>css</format></style>')).status).toBe(400);
  });

  it('reject PUT and DELETE on the collection and POST on a style', async () => {
    expect((await server.put('/styles', '<style/>')).status).toBe(405);
    expect((await server.delete('/styles')).status).toBe(405);
    expect((await server.post('/styles/point', '<style/>')).status).toBe(405);
  });

  it('report an unknown name and missing content', async () => {
    await server.post('/styles', '{"style":{"name":"empty","filename":"empty.sld"}}');

    const unknown = await server.get('/styles/nowhere.sld');
    const empty = await server.get('/styles/empty.sld');

    expect([unknown.status, unknown.text]).toEqual([
      404,
      "No such style: 'nowhere'. To create it, POST its content or its entry to /styles.\n",
    ]);
    expect(empty.status).toBe(404);
    expect(empty.text).toContain("The style 'empty' has no content yet");
    for (const ending of ['zip', 'png', 'css']) {
      expect((await server.get(`/styles/empty.${ending}`)).status).toBe(404);
    }
  });

  it('accept names with dots and spaces, and names of formats', async () => {
    for (const name of ['a.b', 'my style', 'roads.v2.sld', 'x.png', 'Straße']) {
      const created = await send(server, 'POST', `/styles?name=${encodeURIComponent(name)}`, SLD_TYPE, lineSld('x'));
      expect([created.status, created.text]).toEqual([201, name]);

      expect((await server.get(`/styles/${encodeURIComponent(name)}`)).text).toContain(`<name>${name}</name>`);
      expect((await server.get(`/styles/${encodeURIComponent(name)}.sld`)).text).toBe(lineSld('x'));
      expect((await server.get(`/styles/${encodeURIComponent(name)}/.sld`)).text).toBe(lineSld('x'));
    }
  });

  it('use another file if their name conflicts with an existing one', async () => {
    const created = await send(server, 'POST', '/styles?name=a%3Fb*', SLD_TYPE, lineSld('x'));

    expect(created.status).toBe(201);
    expect((await server.get('/styles/a%3Fb*.sld')).text).toBe(lineSld('x'));
  });
});

describe('styles in the reference dialect', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('are listed and read as JSON by default', async () => {
    expect((await server.get('/styles')).headers['content-type']).toBe('application/json');
    expect((await server.get('/styles/point')).json()).toMatchObject({
      style: { name: 'point', format: 'sld', languageVersion: { version: '1.0.0' }, filename: 'point.sld' },
    });
  });

  it('leave no content to a later style when they are deleted', async () => {
    for (const round of ['one', 'two']) {
      await send(server, 'POST', '/styles?name=d', SLD_TYPE, lineSld(round));
      expect((await server.delete('/styles/d')).status).toBe(200);
    }

    await server.post('/styles', '<style><name>d</name><filename>d.sld</filename></style>');
    expect((await server.get('/styles/d.sld')).status).toBe(404);
    await server.put('/styles/d', '<style><filename>d.sld.bak.1</filename></style>');
    expect((await server.get('/styles/d.sld')).text).toBe(lineSld('two'));
  });

  it('are created as clients do it: the entry, then the content at the path with .xml', async () => {
    const body = '<style><name>c</name><filename>c.sld</filename></style>';
    expect((await server.post('/styles', body, { accept: 'text/plain' })).text).toBe('c');
    expect((await send(server, 'PUT', '/styles/c.xml', SLD_TYPE, lineSld('c'))).status).toBe(200);
    expect((await server.get('/styles/c.sld')).text).toBe(lineSld('c'));
  });
});
