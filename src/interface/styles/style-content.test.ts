import { describe, expect, it } from 'vitest';
import {
  CSS_TYPE,
  lineSe,
  lineSld,
  pictureSld,
  SE_TYPE,
  SLD_TYPE,
  send,
  ZIP_TYPE,
} from '../../../test/support/styles.ts';
import { blurredSvg, inlineGraphicSld, noiseSvg, shadowSvg } from '../../../test/support/svg-graphics.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const css = '* { stroke: red; }';

describe('style content', () => {
  const server = useTestServer();

  it.each([
    ['SLD 1.0.0', SLD_TYPE, lineSld('one'), 'sld', '1.0.0'],
    ['SLD 1.1.0', SE_TYPE, lineSe('two'), 'sld', '1.1.0'],
    ['CSS', CSS_TYPE, css, 'css', '1.0.0'],
    ['CSS of any vendor', 'application/vnd.example.geocss+css', css, 'css', '1.0.0'],
  ])('in %s creates a style in one request', async (what, type, content, language, version) => {
    const name = what.replaceAll(/[^\w]/g, '-');

    const created = await send(server, 'POST', `/styles?name=${name}`, type, content, { headers: { host: 'h' } });

    expect([created.status, created.text]).toEqual([201, name]);
    expect(created.headers['location']).toBe(`http://h/geoserver/rest/styles/${name}`);
    expect((await server.get(`/styles/${name}.json`)).json()).toMatchObject({
      style: { name, format: language, languageVersion: { version }, filename: `${name}.${language}` },
    });
    expect((await server.get(`/styles/${name}.${language}`)).text).toBe(content);
  });

  it.each([
    [
      'noise',
      noiseSvg,
      16,
      "An SVG graphic in the style is not drawn: the filter primitive 'feTurbulence' is not supported",
    ],
    ['large', blurredSvg, 2_000, 'An SVG graphic in the style is not drawn: its 4000000 pixels at this size exceed'],
  ])('with a graphic that is too expensive to draw is stored with a warning: %s', async (name, svg, size, sentence) => {
    const sld = inlineGraphicSld(svg, { size });

    const created = await send(server, 'POST', `/styles?name=${name}`, SE_TYPE, sld);

    expect([created.status, created.headers['warning']]).toEqual([201, expect.stringContaining(sentence)]);
    expect((await server.get(`/styles/${name}.sld`)).text).toBe(sld);
  });

  it('with a shadow graphic is stored without a warning', async () => {
    const created = await send(server, 'POST', '/styles?name=shadow', SE_TYPE, inlineGraphicSld(shadowSvg));

    expect([created.status, created.headers['warning']]).toEqual([201, undefined]);
  });

  it.each(['/styles.sld', '/styles.css', '/styles.zip', '/styles.json', '/styles/'])(
    'creates a style at %s as well',
    async (path) => {
      const name = path.replace(/\W/g, '-');
      expect((await send(server, 'POST', `${path}?name=${name}`, SLD_TYPE, lineSld('x'))).status).toBe(201);
      expect((await server.get(`/styles/${name}.sld`)).text).toBe(lineSld('x'));
    },
  );

  it.each(['sld', 'css', 'zip'])('cannot be requested for all styles together: %s', async (extension) => {
    expect((await server.get(`/styles.${extension}`)).status).toBe(406);
  });

  it('names the style unless the client does', async () => {
    expect((await send(server, 'POST', '/styles', SLD_TYPE, lineSld('Its own name'))).text).toBe('Its own name');
    expect((await send(server, 'POST', '/styles', CSS_TYPE, css)).text).toMatch(/^style-[0-9a-f]{7}$/);
    expect((await send(server, 'POST', '/styles', SLD_TYPE, lineSld('a/b:c'))).text).toMatch(/^style-[0-9a-f]{7}$/);
    expect((await send(server, 'POST', '/styles?name=..', SLD_TYPE, lineSld('x'))).status).toBe(400);
    expect((await send(server, 'POST', '/styles?name=a%2Fb', SLD_TYPE, lineSld('x'))).status).toBe(400);
  });

  it('without a name gets the name that the dry run returned, however often it is sent', async () => {
    const nameless = `/* sent often */ ${css}`;
    const post = (path: string) => send(server, 'POST', path, CSS_TYPE, nameless);

    const names: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const tried = await post('/styles?dryRun=true');
      const real = await post('/styles');
      expect([tried.status, tried.text]).toEqual([201, real.text]);
      names.push(real.text);
    }
    const together = await Promise.all([post('/styles'), post('/styles')]);

    expect(new Set([...names, ...together.map(({ text }) => text)]).size).toBe(5);
    expect(names[0]).toMatch(/^style-[0-9a-f]{7}$/);
    expect(names.slice(1)).toEqual([`${names[0]}-2`, `${names[0]}-3`]);
  });

  it('is returned byte for byte, whatever its formatting', async () => {
    const odd = [
      Buffer.from(`\ufeff${lineSld('mark')}`),
      Buffer.from(lineSld('lines').replaceAll('\n', '\r\n')),
      Buffer.from(lineSld('Stra\u00dfe').replace('UTF-8', 'ISO-8859-1'), 'latin1'),
      Buffer.from(`\ufeff${lineSld('wide').replace('UTF-8', 'UTF-16')}`, 'utf16le'),
      Buffer.from(`<!-- before -->${lineSld('x').replace(/^<\?xml.*?\?>\s*/, '')}\n\n  `),
    ];
    for (const [index, bytes] of odd.entries()) {
      expect((await send(server, 'POST', `/styles?name=odd${index}`, SLD_TYPE, bytes)).status).toBe(201);

      const reply = await server.get(`/styles/odd${index}.sld`);
      expect(reply.bytes.equals(bytes)).toBe(true);
      expect((await server.get(`/styles/odd${index}.html`)).status).toBe(200);
    }
  });

  it('is decoded in the declared charset, now and later', async () => {
    const latin = Buffer.from(lineSld('Stra\u00dfe').replace(' encoding="UTF-8"', ''), 'latin1');

    const sent = await send(server, 'POST', '/styles', `${SLD_TYPE}; charset=ISO-8859-1`, latin);

    expect(sent.text).toBe('Straße');
    const newer = await server.get('/styles/Stra%C3%9Fe', { accept: SE_TYPE });
    expect(newer.text).toContain('<se:Name>Straße</se:Name>');
    expect((await server.get('/styles/Stra%C3%9Fe.html')).text).toContain('Straße');
    expect((await server.get('/styles/Stra%C3%9Fe.sld')).bytes.equals(latin)).toBe(true);
  });

  it.each(['/styles/put', '/styles/put.sld', '/styles/put.xml', '/styles/put.css', '/styles/put.json', '/styles/put/'])(
    'is replaced by PUT to %s',
    async (path) => {
      await server.post('/styles', '{"style":{"name":"put","filename":"put.sld"}}');
      const content = lineSld(`at ${path}`);

      expect((await send(server, 'PUT', path, `${SLD_TYPE}; charset=utf-8`, content)).status).toBe(200);
      expect((await server.get('/styles/put.sld')).text).toBe(content);
    },
  );

  it('can change its version and language', async () => {
    await server.post('/styles', '<style><name>switch</name><filename>switch.sld</filename></style>');
    const seen: unknown[] = [];
    for (const [type, content] of [
      [SE_TYPE, lineSe('x')],
      [SLD_TYPE, lineSld('x')],
      [CSS_TYPE, css],
      [SLD_TYPE, lineSld('y')],
    ] as const) {
      expect((await send(server, 'PUT', '/styles/switch', type, content)).status).toBe(200);
      const { style } = (await server.get('/styles/switch.json')).json() as { style: Record<string, unknown> };
      seen.push([style['format'], style['languageVersion'], style['filename']]);
    }
    expect(seen).toEqual([
      ['sld', { version: '1.1.0' }, 'switch.sld'],
      ['sld', { version: '1.0.0' }, 'switch.sld'],
      ['css', { version: '1.0.0' }, 'switch.css'],
      ['sld', { version: '1.0.0' }, 'switch.sld'],
    ]);
  });

  it('keeps the file of another style when the language changes', async () => {
    await send(server, 'POST', '/styles?name=taken', CSS_TYPE, css);
    await server.post('/styles', '{"style":{"name":"beside","filename":"taken.sld"}}');

    await send(server, 'PUT', '/styles/beside', CSS_TYPE, '* { stroke: blue; }');

    expect((await server.get('/styles/taken.css')).text).toBe(css);
    expect((await server.get('/styles/beside.css')).text).toBe('* { stroke: blue; }');
  });

  it('returns 404 with advice for an unknown style', async () => {
    const global = await send(server, 'PUT', '/styles/missing', SLD_TYPE, lineSld('x'));
    await server.post('/workspaces', '{"workspace":{"name":"w"}}');
    const local = await send(server, 'PUT', '/workspaces/w/styles/missing', ZIP_TYPE, 'whatever');

    expect([global.status, global.text]).toEqual([
      404,
      expect.stringContaining('To create it, POST its content or its entry to /styles.'),
    ]);
    expect([local.status, local.text]).toEqual([404, expect.stringContaining('/workspaces/w/styles')]);
  });

  it('is rejected when it is sent twice as new, and the first one stays', async () => {
    await send(server, 'POST', '/styles?name=twice', SLD_TYPE, lineSld('first'));

    const again = await send(server, 'POST', '/styles?name=twice', SLD_TYPE, lineSld('second'));

    expect(again.status).toBe(403);
    expect(again.text).toContain("A style named 'twice' already exists");
    expect((await server.get('/styles/twice.sld')).text).toBe(lineSld('first'));
  });

  it('never replaces the file of another style', async () => {
    await server.post('/styles', '{"style":{"name":"owner","filename":"wanted.sld"}}');
    await send(server, 'PUT', '/styles/owner', SLD_TYPE, lineSld('mine'));

    const reply = await send(server, 'POST', '/styles?name=wanted', SLD_TYPE, lineSld('other'));

    expect(reply.status).toBe(403);
    expect(reply.text).toContain("it is the content of the style 'owner'");
    expect((await server.get('/styles/owner.sld')).text).toBe(lineSld('mine'));
  });

  it.each([
    ['a newer version than declared', SLD_TYPE, lineSe('x'), 'looks like SLD 1.1.0'],
    ['an older version than declared', SE_TYPE, lineSld('x'), 'looks like SLD 1.0.0'],
    ['CSS declared as SLD', SLD_TYPE, css, 'looks like CSS'],
    ['SLD declared as CSS', CSS_TYPE, lineSld('x'), 'looks like SLD 1.0.0'],
    ['the entry in place of the content', SLD_TYPE, '<style><name>a</name></style>', 'looks like the entry'],
    ['the content in place of the entry', 'text/xml', lineSld('x'), 'application/vnd.ogc.sld+xml'],
    ['an HTML page', SLD_TYPE, '<!DOCTYPE html><html></html>', 'HTML'],
    ['nothing', SLD_TYPE, '', 'is empty'],
    ['a truncated document', SLD_TYPE, '<StyledLayerDescriptor', 'line 1'],
    ['a DOCTYPE', SLD_TYPE, `<!DOCTYPE x SYSTEM "file:///etc/passwd">${lineSld('x')}`, 'DOCTYPE'],
    ['an unclosed brace', CSS_TYPE, 'a,\n* {\n  stroke: red', 'Line 2, column 3'],
  ])('is rejected for %s, and nothing changes', async (_, type, content, reason) => {
    await server.post('/styles', '{"style":{"name":"firm","filename":"firm.sld"}}');
    await send(server, 'PUT', '/styles/firm', SLD_TYPE, lineSld('firm'));
    const before = (await server.get('/styles/firm.json')).headers['etag'];

    for (const [method, path] of [
      ['PUT', '/styles/firm'],
      ['POST', '/styles?name=refused'],
    ] as const) {
      const reply = await send(server, method, path, type, content, { accept: 'text/plain' });
      expect(reply.status).toBe(400);
      expect(reply.text).toContain(reason);
    }
    expect((await server.get('/styles/firm.json')).headers['etag']).toBe(before);
    expect((await server.get('/styles/refused')).status).toBe(404);
  });

  it('returns 415 with the supported types for an unknown type, and 400 without a type', async () => {
    for (const [method, path] of [
      ['POST', '/styles'],
      ['PUT', '/styles/point'],
    ] as const) {
      const unknown = await send(server, method, path, 'application/vnd.example+yaml', 'x');
      const none = await server.request(method, path, { body: lineSld('x') });
      const version = await send(server, method, path, `${SLD_TYPE}; version=2.0.0`, lineSld('x'));

      expect(unknown.status).toBe(415);
      for (const known of [SLD_TYPE, SE_TYPE, 'geocss+css', ZIP_TYPE, 'application/json']) {
        expect(unknown.text).toContain(known);
        expect(none.text).toContain(known);
      }
      expect(none.status).toBe(400);
      expect(version.status).toBe(415);
    }
  });

  it('may declare its version in the Content-Type', async () => {
    expect((await send(server, 'POST', '/styles?name=v11', `${SLD_TYPE}; version=1.1.0`, lineSe('x'))).status).toBe(
      201,
    );
  });

  it('has a size limit', async () => {
    const large = lineSld('x').replace('</Styled', `<!--${' '.repeat(10_485_760)}--></Styled`);

    expect((await send(server, 'POST', '/styles?name=large', SLD_TYPE, large)).status).toBe(413);
    expect((await send(server, 'POST', '/styles?name=large&raw=true', SLD_TYPE, large)).status).toBe(413);
  });

  it('with several errors is rejected with all of them in strict handling', async () => {
    const broken = lineSld('x').replace('<Rule>', '<Rule><Wrong/><Worse/>');

    const reply = await send(server, 'POST', '/styles', SLD_TYPE, broken, {
      accept: 'application/problem+json',
      headers: { prefer: 'handling=strict' },
    });

    expect(reply.status).toBe(400);
    const { errors } = reply.json() as { errors: readonly { message: string }[] };
    expect(errors.map(({ message }) => message).join()).toMatch(/Wrong.*Worse/s);
  });

  it('with a missing graphic is accepted with a warning', async () => {
    const missing = await send(server, 'POST', '/styles?name=warned', SLD_TYPE, pictureSld('w', 'icons/tree.png'));
    const remote = await send(server, 'PUT', '/styles/warned', SLD_TYPE, pictureSld('w', 'http://example.org/a.png'));
    const outside = await send(server, 'PUT', '/styles/warned', SLD_TYPE, pictureSld('w', '../../etc/passwd'));

    expect([missing.status, missing.text]).toEqual([201, 'warned']);
    expect(missing.headers['warning']).toMatch(/^199 - "The graphic 'icons\/tree.png' does not exist\..*"$/);
    expect(remote.status).toBe(200);
    expect(remote.headers['warning']).toContain('no enabled URL check matches it');
    expect(outside.status).toBe(200);
    expect(outside.headers['warning']).toContain('leaves the folder');
    expect((await send(server, 'PUT', '/styles/warned', SLD_TYPE, lineSld('w'))).headers['warning']).toBeUndefined();
  });
});

describe('raw style content', () => {
  const server = useTestServer();

  it('is stored without validation, and returned only in its original form', async () => {
    const created = await send(server, 'POST', '/styles?name=raw&raw=true', SLD_TYPE, 'this is not a style');

    expect([created.status, created.text]).toEqual([201, 'raw']);
    expect((await server.get('/styles/raw.sld')).text).toBe('this is not a style');
    for (const accept of [SE_TYPE, 'image/png']) {
      const reply = await server.get('/styles/raw', { accept });
      expect(reply.status).toBe(406);
      expect(reply.text).toContain('is not a valid style');
    }
    expect((await server.get('/styles/raw.zip')).status).toBe(200);
    expect((await server.get('/styles/raw.html')).text).toContain('this is not a style');
    expect((await send(server, 'PUT', '/styles/raw?raw=true', SLD_TYPE, '<also>wrong')).status).toBe(200);
    expect((await server.get('/styles/raw.sld')).text).toBe('<also>wrong');
  });

  it('is recognized if it is a valid style', async () => {
    await send(server, 'POST', '/styles?name=guessed&raw=true', SLD_TYPE, lineSe('x'));

    expect((await server.get('/styles/guessed.xml')).text).toContain('<version>1.1.0</version>');
  });

  it('must not refer to a DTD, and must be text', async () => {
    const doctype = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "c">]>${lineSld('x')}`;

    expect((await send(server, 'POST', '/styles?raw=true', SLD_TYPE, doctype)).status).toBe(400);
    expect((await send(server, 'POST', '/styles?raw=true', SLD_TYPE, Buffer.from([0x3c, 0, 0, 0xd8]))).status).toBe(
      400,
    );
  });
});
