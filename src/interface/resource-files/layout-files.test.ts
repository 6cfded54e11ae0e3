/** Layouts of map decorations and their pictures, as files of the folder layouts. */
import { describe, expect, it } from 'vitest';
import { readChangeNumber } from '../../../test/support/history.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const text = '<layout><decoration type="scaleline" affinity="bottom,left" offset="6,6" size="auto"/></layout>';
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

describe('a layout', () => {
  const server = useTestServer();
  const put = (path: string, body = text, options: object = {}) =>
    server.request('PUT', `/resource/layouts/${path}`, { type: 'application/xml', body, ...options });

  it('is stored, listed, read, replaced, tried, undone and deleted', async () => {
    const created = await put('print.xml');
    const picture = await put('logo.svg', svg, { type: 'image/svg+xml' });
    const tried = await put('other.xml?dryRun=true');
    const replaced = await put('print.xml', text.replace('left', 'right'));
    const listed = await server.get('/resource/layouts?format=json');
    const undone = await server.post(`/history/${readChangeNumber(replaced)}/undo`, '');

    expect([created.status, picture.status, replaced.status], created.text).toEqual([201, 201, 200]);
    expect(tried.status, tried.text).toBe(201);
    expect(listed.text).toContain('"print.xml"');
    expect(listed.text).not.toContain('"other.xml"');
    expect(undone.status, undone.text).toBeLessThan(300);
    expect((await server.get('/resource/layouts/print.xml')).text).toBe(text);
    expect((await server.get('/resource/templates?format=json')).text).not.toContain('print.xml');
    expect((await server.delete('/resource/layouts/print.xml')).status).toBe(200);
    expect((await server.get('/resource/layouts/print.xml')).status).toBe(404);
  });

  it.each([
    [
      '<layout><decoration type="clock"/></layout>',
      400,
      "line 1, column 9: unknown decoration type 'clock'. Available: image",
    ],
    [
      '<layout>\n <decoration type="image"/></layout>',
      400,
      "line 2, column 2: a decoration of the type image needs the option 'url'",
    ],
    ['<map/>', 400, 'expected &lt;layout&gt;, found &lt;map&gt;'],
    ['<layout>', 400, 'line 1'],
    ['<!DOCTYPE layout [<!ENTITY a "b">]><layout>&a;</layout>', 400, 'DOCTYPE'],
    [
      '<layout><decoration type="text"><option name="message" value="${a?eval}"/></decoration></layout>',
      400,
      "unknown built-in '?eval'",
    ],
    [`<layout>${'<decoration type="scaleline"/>'.repeat(21)}</layout>`, 400, 'at most 20 decorations'],
    [`<layout>${' '.repeat(70_000)}</layout>`, 413, 'limit'],
  ])('is rejected with its position: %s', async (body, status, reason) => {
    const reply = await put('bad.xml', body);

    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(reason)]);
  });

  it('is stored with warnings about options that are ignored, or rejected in strict handling', async () => {
    const body =
      '<layout><decoration type="scaleline" affinity="low" offset="a"><option name="colour" value="red"/><option name="fontsize" value="huge"/></decoration></layout>';

    const lenient = await put('odd.xml', body);
    const strict = await put('odd.xml', body, { headers: { prefer: 'handling=strict' } });

    const warnings = String(lenient.headers['warning']);
    expect([lenient.status, strict.status]).toEqual([201, 400]);
    expect(warnings).toContain("the option 'colour' of scaleline is unknown");
    expect(warnings).toContain(
      "the option 'fontsize' is ignored: expected a number of pixels from 0 to 200, found 'huge'",
    );
    expect(warnings).toContain("the affinity 'low' is ignored");
    expect(warnings).toContain('the offset is ignored');
  });

  it.each([
    ['notes.txt', 'text', 405],
    ['logo.png', 'no picture', 400],
    ['logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>', 400],
    ['more/print.xml', text, 404],
  ])('is not a file like %s', async (path, body, status) => {
    const reply = await put(path, body);

    expect(reply.status, reply.text).toBe(status);
  });

  it('is written by administrators only', async () => {
    const ann = await addUser(server, 'ann', 'ROLE_ANN');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ANN"}');

    expect((await put('print.xml', text, { as: ann })).status).toBe(403);
  });

  it('is a part of the exported configuration', async () => {
    await put('map.xml');

    const exported = await server.get('/configuration.json');

    expect(exported.text).toContain('/resource/layouts/map.xml');
  });
});
