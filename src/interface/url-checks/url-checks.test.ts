import { describe, expect, it } from 'vitest';
import { startTestServer, useTestServer } from '../../../test/support/test-server.ts';

const base = 'http://localhost:80/geoserver/rest';

const icons = `<regexUrlCheck>
  <name>icons</name>
  <description>External graphic icons</description>
  <enabled>true</enabled>
  <regex>^https://styles.example.com/.*$</regex>
</regexUrlCheck>
`;

function check(name: string, more = '"regex":"^http://a/.*$"'): string {
  return `{"regexUrlCheck":{"name":"${name}",${more}}}`;
}

describe('URL check listing', () => {
  it('is empty on a new server', async () => {
    const server = await startTestServer();

    expect((await server.get('/urlchecks.xml')).text).toBe('<urlChecks/>\n');
    expect((await server.get('/urlchecks.json')).json()).toEqual({ urlchecks: { urlcheck: [] } });
    expect((await server.get('/urlchecks.html')).text).toContain('No items.');
    await server.close();
  });

  it('returns names and links in each format, sorted by name', async () => {
    const server = await startTestServer();
    await server.post('/urlchecks', check('zebra', '"regex":"z","enabled":true'));
    await server.post('/urlchecks', check('a b'));

    expect((await server.get('/urlchecks.json')).json()).toEqual({
      urlchecks: {
        urlcheck: [
          { name: 'a b', href: `${base}/urlchecks/a%20b.json` },
          { name: 'zebra', href: `${base}/urlchecks/zebra.json` },
        ],
      },
    });
    expect((await server.get('/urlchecks', { accept: 'text/xml' })).text).toBe(`<urlChecks>
  <urlCheck>
    <name>a b</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="${base}/urlchecks/a%20b.xml" type="application/xml"/>
  </urlCheck>
  <urlCheck>
    <name>zebra</name>
    <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="${base}/urlchecks/zebra.xml" type="application/xml"/>
  </urlCheck>
</urlChecks>
`);
    const page = (await server.get('/urlchecks.html')).text;
    expect(page).toContain(`<a href="${base}/urlchecks/a%20b.html">a b</a> <span class="note">disabled</span>`);
    expect(page).toContain(`<a href="${base}/urlchecks/zebra.html">zebra</a></li>`);
    await server.close();
  });
});

describe('URL check creation', () => {
  const server = useTestServer();

  it('answers 201 with its Location and its name, and returns the check as sent', async () => {
    const reply = await server.post('/urlchecks', icons, { type: 'text/xml' });

    expect(reply).toMatchObject({ status: 201, text: 'icons' });
    expect(reply.headers['location']).toBe(`${base}/urlchecks/icons`);
    expect(reply.headers['content-type']).toMatch(/^text\/plain/);
    expect((await server.get('/urlchecks/icons.xml')).text).toBe(icons);
    expect((await server.get('/urlchecks/icons.json')).json()).toEqual({
      regexUrlCheck: {
        name: 'icons',
        description: 'External graphic icons',
        enabled: true,
        regex: '^https://styles.example.com/.*$',
      },
    });
  });

  it('shows the check on a page, escaped', async () => {
    await server.post('/urlchecks', check('<b>', '"regex":"<i>.*","description":"<script>"'));

    const page = (await server.get('/urlchecks/%3Cb%3E.html')).text;

    expect(page).toContain('<h1>URL check &lt;b&gt;</h1>');
    expect(page).toContain('&lt;i&gt;.*');
    expect(page).not.toMatch(/<script>|<i>/);
  });

  it('accepts a flat JSON object', async () => {
    const reply = await server.post('/urlchecks', '{"name":"flat","regex":"^http://flat/.*$","enabled":true}');

    expect(reply.status).toBe(201);
    expect((await server.get('/urlchecks/flat.json')).json()).toEqual({
      regexUrlCheck: { name: 'flat', enabled: true, regex: '^http://flat/.*$' },
    });
  });

  it.each([
    ['omits enabled', ''],
    ['has null for enabled', ',"enabled":null'],
  ])('creates a disabled check that %s', async (how, enabled) => {
    await server.post('/urlchecks', check(how, `"regex":"a"${enabled}`));

    expect((await server.get(`/urlchecks/${encodeURIComponent(how)}.json`)).json()).toMatchObject({
      regexUrlCheck: { enabled: false },
    });
  });

  it('rejects an existing name with 409', async () => {
    await server.post('/urlchecks', check('twice'));

    const reply = await server.post('/urlchecks', check('twice', '"regex":"other"'));

    expect(reply.status).toBe(409);
    expect(reply.text).toContain("A URL check named 'twice' already exists.");
    expect((await server.get('/urlchecks/twice.json')).json()).toMatchObject({
      regexUrlCheck: { regex: '^http://a/.*$' },
    });
  });

  it.each([
    ['no name', '{"regexUrlCheck":{"regex":"a"}}', 'regexUrlCheck.name: is required'],
    ['an empty name', '<regexUrlCheck><name/><regex>a</regex></regexUrlCheck>', 'it is empty'],
    ['no regex', '{"regexUrlCheck":{"name":"x"}}', 'regexUrlCheck.regex: is required'],
    ['a null regex', '{"regexUrlCheck":{"name":"x","regex":null}}', 'regexUrlCheck.regex: is required'],
    ['an empty regex', '<regexUrlCheck><name>x</name><regex> </regex></regexUrlCheck>', 'must not be empty'],
    ['a slash in the name', check('a/b'), 'it contains the character /'],
    ['a reserved name', check('test.json'), 'it is reserved'],
    ['an invalid flag', check('x', '"regex":"a","enabled":"perhaps"'), 'true or false was expected'],
    ['a broken regex', check('x', '"regex":"^http://(a$"'), 'at character 9: the group that begins here is not closed'],
    ['look-ahead', check('x', '"regex":"^http://(?!b).*$"'), 'at character 9: look-around'],
    ['a back-reference', check('x', '"regex":"(a)\\\\1"'), 'at character 4: back-references are not supported'],
    ['an intersection', check('x', '"regex":"[a-z&&[^b]]"'), 'at character 5: intersections'],
    ['a regex that is too long', check('x', `"regex":"${'a'.repeat(2_001)}"`), 'longer than 2000 characters'],
    [
      'a description that is too long',
      check('x', `"regex":"a","description":"${'d'.repeat(10_001)}"`),
      'at most 10000',
    ],
    ['another type of check', '<otherUrlCheck><name>x</name></otherUrlCheck>', "Expected a 'regexUrlCheck' document"],
    ['unknown members', '{"nothing":1}', "Expected a 'regexUrlCheck' document"],
    ['a list', '[]', "Expected a 'regexUrlCheck' document"],
  ])('rejects %s with 400', async (_case, body, message) => {
    const before = (await server.get('/urlchecks.json')).text;

    const reply = await server.post('/urlchecks', body);

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(message);
    expect((await server.get('/urlchecks.json')).text).toBe(before);
  });

  it('names the field of an invalid regular expression', async () => {
    const reply = await server.post('/urlchecks', check('x', '"regex":"a**"'), { accept: 'application/problem+json' });

    expect(reply.json()).toMatchObject({ code: 'regex-invalid', field: 'regexUrlCheck.regex', status: 400 });
  });

  it('distinguishes names with dots from format extensions', async () => {
    await server.post('/urlchecks', check('my.check'));
    await server.post('/urlchecks', check('my.check.xml'));

    expect((await server.get('/urlchecks/my.check.json')).json()).toMatchObject({
      regexUrlCheck: { name: 'my.check' },
    });
    expect((await server.get('/urlchecks/my.check.xml', { accept: 'application/json' })).json()).toMatchObject({
      regexUrlCheck: { name: 'my.check.xml' },
    });
  });

  it('requires administrator rights', async () => {
    expect((await server.post('/urlchecks', check('theirs'), { as: null })).status).toBe(401);
    expect((await server.get('/urlchecks/theirs')).status).toBe(404);
  });
});

describe('URL check update', () => {
  const server = useTestServer();

  it('changes only the sent fields', async () => {
    await server.post('/urlchecks', check('kept', '"regex":"old","enabled":true,"description":"why"'));

    const reply = await server.put('/urlchecks/kept', '<regexUrlCheck><regex>new</regex></regexUrlCheck>');

    expect(reply).toMatchObject({ status: 200, text: '' });
    expect((await server.get('/urlchecks/kept.json')).json()).toEqual({
      regexUrlCheck: { name: 'kept', description: 'why', enabled: true, regex: 'new' },
    });
  });

  it.each([
    ['JSON null', '{"regexUrlCheck":{"description":null}}'],
    ['flat JSON null', '{"description":null}'],
    [
      'xsi:nil',
      '<regexUrlCheck xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><description xsi:nil="true"/></regexUrlCheck>',
    ],
  ])('clears the description with %s', async (how, body) => {
    const name = `cleared by ${how}`;
    await server.post('/urlchecks', check(name, '"regex":"a","description":"why"'));

    await server.put(`/urlchecks/${encodeURIComponent(name)}`, body);

    expect((await server.get(`/urlchecks/${encodeURIComponent(name)}.json`)).json()).toEqual({
      regexUrlCheck: { name, enabled: false, regex: 'a' },
    });
  });

  it('renames the check', async () => {
    await server.post('/urlchecks', check('old', '"regex":"a","enabled":true'));

    expect((await server.put('/urlchecks/old', check('new', '"description":"moved"'))).status).toBe(200);

    expect((await server.get('/urlchecks/old')).status).toBe(404);
    expect((await server.get('/urlchecks/new.json')).json()).toEqual({
      regexUrlCheck: { name: 'new', description: 'moved', enabled: true, regex: 'a' },
    });
  });

  it.each(['xml', 'json'])('changes nothing when its own %s document is sent back', async (format) => {
    await server.post('/urlchecks', check(`same ${format}`, '"regex":"[&<>]","enabled":true,"description":"&<"'));
    const before = await server.get(`/urlchecks/same%20${format}.${format}`);

    await server.put(`/urlchecks/same+${format}`, before.text, { type: format });

    const after = await server.get(`/urlchecks/same%20${format}.${format}`);
    expect(after.text).toBe(before.text);
    expect(after.headers['etag']).toBe(before.headers['etag']);
  });

  it('rejects invalid values, and changes nothing', async () => {
    await server.post('/urlchecks', check('first'));
    await server.post('/urlchecks', check('second'));

    expect((await server.put('/urlchecks/first', check('second', '"enabled":true'))).status).toBe(409);
    expect((await server.put('/urlchecks/first', '{"regexUrlCheck":{"name":""}}')).status).toBe(400);
    expect((await server.put('/urlchecks/first', '{"regexUrlCheck":{"name":null}}')).status).toBe(400);
    expect((await server.put('/urlchecks/first', '{"regexUrlCheck":{"regex":""}}')).status).toBe(400);
    expect((await server.put('/urlchecks/first', '{"regexUrlCheck":{"regex":null}}')).status).toBe(400);
    expect((await server.put('/urlchecks/first', '{"regexUrlCheck":{"regex":"("}}')).status).toBe(400);
    expect((await server.put('/urlchecks/nowhere', '<regexUrlCheck/>')).text).toContain(
      "No such URL check: 'nowhere'.",
    );
    expect((await server.get('/urlchecks/first.json')).json()).toEqual({
      regexUrlCheck: { name: 'first', enabled: false, regex: '^http://a/.*$' },
    });
  });

  it('rejects a change of an outdated version', async () => {
    await server.post('/urlchecks', check('raced'));
    const { etag = '' } = (await server.get('/urlchecks/raced.xml')).headers;
    const change = '<regexUrlCheck><description>mine</description></regexUrlCheck>';

    const first = await server.put('/urlchecks/raced', change, { headers: { 'if-match': etag } });
    const second = await server.put('/urlchecks/raced', '<regexUrlCheck><regex>b</regex></regexUrlCheck>', {
      headers: { 'if-match': etag },
    });
    const third = await server.delete('/urlchecks/raced', { headers: { 'if-match': etag } });

    expect([first.status, second.status, third.status]).toEqual([200, 412, 412]);
  });
});

describe('URL check deletion', () => {
  const server = useTestServer();

  it('deletes the check', async () => {
    await server.post('/urlchecks', check('gone'));

    expect(await server.delete('/urlchecks/gone')).toMatchObject({ status: 200, text: '' });
    expect((await server.get('/urlchecks/gone.xml')).status).toBe(404);
    expect((await server.delete('/urlchecks/gone')).status).toBe(404);
  });

  it.each([
    ['PUT', '/urlchecks', 'GET, HEAD, OPTIONS, POST'],
    ['DELETE', '/urlchecks', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/urlchecks/some', 'DELETE, GET, HEAD, OPTIONS, PUT'],
  ])('rejects %s %s', async (method, path, allow) => {
    const reply = await server.request(method, path, { body: icons, type: 'xml' });

    expect(reply.status).toBe(405);
    expect(reply.headers['allow']).toBe(allow);
  });
});

describe('URL check test', () => {
  const server = useTestServer({
    resolveHost: async (host) => [{ address: host === 'inside.example.com' ? '10.0.0.1' : '93.184.216.34', family: 4 }],
  });
  const ask = async (url: string, path = '/urlchecks/test.json') =>
    (await server.post(path, url, { type: 'text/plain' })).json();

  it('names the check that allows the URL', async () => {
    await server.post('/urlchecks', check('icons', '"regex":"^https://styles\\\\.example\\\\.com/.*$","enabled":true'));

    expect(await ask('https://styles.example.com/a.svg?key=secret')).toEqual({
      urlCheckTest: {
        url: 'https://styles.example.com/a.svg',
        allowed: true,
        urlCheck: { name: 'icons', href: `${base}/urlchecks/icons.json` },
        message: "The URL check 'icons' allows this URL.",
      },
    });
  });

  it('reports that no check matches, and that a disabled check does not count', async () => {
    await server.post('/urlchecks', check('sleeping', '"regex":"^http://sleeping/.*$"'));

    expect(await ask('http://sleeping/a')).toEqual({
      urlCheckTest: {
        url: 'http://sleeping/a',
        allowed: false,
        message:
          'The URL is not allowed: no enabled URL check matches it; an administrator can allow it with a check at /urlchecks, such as ^http://sleeping/.*$.',
      },
    });
    await server.put('/urlchecks/sleeping', '{"regexUrlCheck":{"enabled":true}}');
    expect(await ask('http://sleeping/a')).toMatchObject({ urlCheckTest: { allowed: true } });
    await server.delete('/urlchecks/sleeping');
    expect(await ask('http://sleeping/a')).toMatchObject({ urlCheckTest: { allowed: false } });
  });

  it('reports that a broad check does not open private addresses', async () => {
    await server.post('/urlchecks', check('broad', '"regex":"^http://.*/broad$","enabled":true'));

    expect(await ask('http://outside.example.com/broad')).toMatchObject({ urlCheckTest: { allowed: true } });
    expect(await ask('http://inside.example.com/broad')).toEqual({
      urlCheckTest: {
        url: 'http://inside.example.com/broad',
        allowed: false,
        urlCheck: { name: 'broad', href: `${base}/urlchecks/broad.json` },
        message:
          "The URL is not allowed: its host has a private address, and the URL check 'broad' also matches other hosts; use a check that matches only this host.",
      },
    });
  });

  it('suggests how to allow the URL, and the suggestion works', async () => {
    const { urlCheckTest } = (await ask('http://outside.example.com:81/a')) as { urlCheckTest: { message: string } };
    const [, regex = ''] = / such as (\S+)\.$/.exec(urlCheckTest.message) ?? [];

    await server.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name: 'reported', regex, enabled: true } }));

    expect(await ask('http://outside.example.com:81/a')).toMatchObject({ urlCheckTest: { allowed: true } });
  });

  it('reports oddities of a URL, and never returns its password', async () => {
    expect(await ask('http://user:hunter2@example.com/')).toEqual({
      urlCheckTest: {
        url: 'http://example.com/',
        allowed: false,
        message: 'The URL is not allowed: it contains credentials.',
      },
    });
    expect(await ask('file:///etc/passwd')).toMatchObject({ urlCheckTest: { allowed: false } });
  });

  it('answers in XML and HTML, and requires a URL', async () => {
    const text = { type: 'text/plain' };

    expect((await server.post('/urlchecks/test', 'http://nowhere/', text)).text).toBe(`<urlCheckTest>
  <url>http://nowhere/</url>
  <allowed>false</allowed>
  <message>The URL is not allowed: no enabled URL check matches it; an administrator can allow it with a check at /urlchecks, such as ^http://nowhere/.*$.</message>
</urlCheckTest>
`);
    expect((await server.post('/urlchecks/test.html', 'http://nowhere/', text)).text).toContain('http://nowhere/');
    expect((await server.post('/urlchecks/test', '', text)).status).toBe(400);
    expect((await server.post('/urlchecks/test', '{}', { type: 'json' })).status).toBe(415);
    expect((await server.post('/urlchecks/test', 'http://nowhere/', { ...text, as: null })).status).toBe(401);
  });

  it('leaves the path to a check named test', async () => {
    expect((await server.get('/urlchecks/test.json')).status).toBe(404);
    expect((await server.post('/urlchecks', check('test'))).status).toBe(201);

    expect((await server.put('/urlchecks/test', '{"regexUrlCheck":{"description":"mine"}}')).status).toBe(200);
    expect((await server.get('/urlchecks/test.json')).json()).toMatchObject({
      regexUrlCheck: { name: 'test', description: 'mine' },
    });
    expect(await ask('http://a/b')).toMatchObject({ urlCheckTest: { allowed: false } });
    expect((await server.delete('/urlchecks/test')).status).toBe(200);
    expect((await server.get('/urlchecks/test')).status).toBe(404);
  });
});

describe('URL checks with --allow-private-addresses', () => {
  const server = useTestServer({ flags: ['--allow-private-addresses'] });

  it('open private addresses with a broad check', async () => {
    await server.post('/urlchecks', check('broad', '"regex":".*","enabled":true'));

    const reply = await server.post('/urlchecks/test.json', 'http://169.254.169.254/latest', { type: 'text/plain' });

    expect(reply.json()).toMatchObject({ urlCheckTest: { allowed: true, urlCheck: { name: 'broad' } } });
  });
});

describe('URL checks with --compat geoserver', () => {
  let nowMs = 1_700_000_000_000;
  const server = useTestServer({ compat: 'geoserver', clock: () => nowMs++ });

  it('are listed under camel-case keys in creation order, and an empty list as text', async () => {
    expect((await server.get('/urlchecks')).json()).toEqual({ urlChecks: '' });
    await server.post('/urlchecks', check('zebra'));
    await server.post('/urlchecks', check('ant'));

    expect((await server.get('/urlchecks')).json()).toEqual({
      urlChecks: {
        urlCheck: [
          { name: 'zebra', href: `${base}/urlchecks/zebra.json` },
          { name: 'ant', href: `${base}/urlchecks/ant.json` },
        ],
      },
    });
    expect((await server.get('/urlchecks.xml')).text).toContain('type="application/atom+xml"');
  });

  it('are disabled by a change without enabled', async () => {
    await server.post('/urlchecks', check('lost', '"regex":"a","enabled":true,"description":"d"'));

    await server.put('/urlchecks/lost', '{"regexUrlCheck":{}}');

    expect((await server.get('/urlchecks/lost')).json()).toEqual({
      regexUrlCheck: { name: 'lost', description: 'd', enabled: false, regex: 'a' },
    });
  });

  it('reject requests as the reference does', async () => {
    await server.post('/urlchecks', check('there'));

    expect((await server.post('/urlchecks', check('there'))).status).toBe(409);
    expect((await server.post('/urlchecks', '{"regexUrlCheck":{"regex":"a"}}')).status).toBe(400);
    expect((await server.put('/urlchecks/there', '{"regexUrlCheck":{"name":""}}')).status).toBe(400);
    expect((await server.get('/urlchecks/no.json')).text).toBe("No such URL check: 'no'.\n");
  });
});
