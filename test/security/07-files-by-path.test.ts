/** Lesson 7: paths below `/resource` reach styles and data only. */
import { link, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { lineSld, SLD_TYPE } from '../support/styles.ts';
import { useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';
import { pointShapefile, putZip, zipOf } from '../support/vector-samples.ts';

describe('lesson 7: paths of the data directory', () => {
  const server = useTestServer();

  beforeAll(async () => {
    const data = join(server.dataDir, 'data');
    await mkdir(join(data, 'acme'), { recursive: true });
    await symlink(join(server.dataDir, 'graticule.sqlite'), join(data, 'database'));
    await symlink(join(server.dataDir, 'security'), join(data, 'keys'));
    await symlink(server.dataDir, join(data, 'all'));
    await symlink('../nowhere.txt', join(data, 'dangling'));
    await symlink(data, join(data, 'loop'));
    await link(join(server.dataDir, 'graticule.sqlite'), join(data, 'hard.sqlite'));
  });

  const tricks = [
    'data/../graticule.sqlite',
    'data/%2e%2e/graticule.sqlite',
    'data/..%2fgraticule.sqlite',
    'data/%2e%2e%2fsecurity',
    'data%2f..%2fsecurity%2fserver.key',
    'data/%252e%252e/graticule.sqlite',
    'data/..%5cgraticule.sqlite',
    'data/..%00/graticule.sqlite',
    'data/a%00.txt',
    'data/%c0%ae%c0%ae/graticule.sqlite',
    'data/%ef%bc%8e%ef%bc%8e/graticule.sqlite',
    'data/.%e2%80%8b./graticule.sqlite',
    'data/./graticule.sqlite',
    'data/...',
    'data/a%e2%80%aetxt.exe',
    'data/CON',
    'data/nul.txt',
    'data/a.',
    'data/a%20',
    'data/C:%5cwindows',
    'data/file:%2fetc%2fpasswd',
    'data/%2fetc%2fpasswd',
    '%2fetc%2fpasswd',
    '..%2f..%2fetc%2fpasswd',
    'DATA/a.txt',
    'Data/a.txt',
    'graticule.sqlite',
    'GRATICULE.SQLITE',
    'security/server.key',
    'blobs',
    'sets',
    'staging',
    'files',
    'server.lock',
    'styles/../../graticule.sqlite',
    'styles/..%2f..%2fgraticule.sqlite',
    'workspaces/../graticule.sqlite',
    'workspaces/..%2f..%2fsecurity/styles/a.svg',
    'data/database',
    'data/keys',
    'data/keys/server.key',
    'data/all/graticule.sqlite',
    'data/all/security/server.key',
    'data/dangling',
    'data/loop',
    'data/loop/loop/acme',
    'data/hard.sqlite',
    `data/${'a'.repeat(300)}`,
  ];

  it.each(tricks)('rejects reading, writing, moving and deleting %s', async (path) => {
    const before = await everything(server.dataDir);
    const icon = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    const text = { type: 'text/plain', body: 'data/acme' };

    const replies = [
      await server.get(`/resource/${path}`),
      await server.get(`/resource/${path}?operation=metadata`),
      await server.request('PUT', `/resource/${path}`, { body: icon }),
      await server.request('PUT', `/resource/${path}?operation=copy`, text),
      await server.request('PUT', `/resource/data/stolen?operation=copy`, {
        ...text,
        body: decodedOnce(path),
      }),
      await server.delete(`/resource/${path}`),
    ];

    // A file name may contain the percent-encoding of dots.
    const isPlainName = path.includes('%252e') || path.includes('%2fetc') || path === 'data/./graticule.sqlite';
    for (const { status, text: said } of replies) {
      expect(said).not.toMatch(/SQLite format|BEGIN|root:/);
      expect(isPlainName || (status >= 400 && status < 500), `${status} ${said}`).toBe(true);
    }
    if (!isPlainName) {
      expect(await everything(server.dataDir)).toEqual(before);
    }
  });

  it('shows no links and no internal files of the server', async () => {
    const { text } = await server.get('/resource/data?format=json');

    for (const name of ['database', 'keys', 'all', 'dangling', 'loop', 'hard.sqlite']) {
      expect(text).not.toContain(`"${name}"`);
    }
  });

  it('serves an uploaded HTML page so that it cannot run scripts on the origin of the server', async () => {
    await server.request('PUT', '/resource/data/page.html', { body: '<script>alert(1)</script>' });

    const { headers } = await server.get('/resource/data/page.html');

    expect(headers['content-type']).toBe('text/html');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toMatch(/; sandbox$/);
  });
});

describe('lesson 18: files of a workspace', () => {
  const server = useTestServer();
  let ann = '';
  let powerless = '';
  const icon = '<svg xmlns="http://www.w3.org/2000/svg"/>';

  beforeAll(async () => {
    ann = await addUser(server, 'ann', 'ROLE_ACME');
    powerless = await addUser(server, 'powerless', 'ROLE_NOTHING');
    for (const name of ['acme', 'other']) {
      await server.post('/workspaces', JSON.stringify({ workspace: { name } }));
      await server.request('POST', `/workspaces/${name}/styles?name=s`, { type: SLD_TYPE, body: lineSld('s') });
      await putZip(server, `/workspaces/${name}/datastores/towns/file.shp`, zipOf({ towns: pointShapefile() }));
      await server.request('PUT', `/resource/data/${name}/a.txt`, { body: 'a' });
    }
    await writeFile(join(server.dataDir, 'data/global.txt'), 'of everybody');
    await symlink(join(server.dataDir, 'data/other'), join(server.dataDir, 'data/acme/next'));
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');
  });

  it('lets workspace administrators read and write the files of their workspace', async () => {
    const as = { as: ann };

    expect((await server.get('/resource/workspaces?format=json', as)).text).not.toContain('other');
    expect((await server.get('/resource/data?format=json', as)).text).toContain('"acme"');
    expect((await server.get('/resource/data?format=json', as)).text).not.toMatch(/other|global/);
    for (const path of [
      'workspaces/acme/styles/s.sld',
      'data/acme',
      'data/acme/a.txt',
      'data/acme/towns/1/towns.shp',
    ]) {
      expect((await server.get(`/resource/${path}`, as)).status, path).toBe(200);
    }
    expect((await server.request('PUT', '/resource/workspaces/acme/styles/i.svg', { ...as, body: icon })).status).toBe(
      201,
    );
    expect((await server.request('PUT', '/resource/data/acme/b.txt', { ...as, body: 'b' })).status).toBe(201);
    expect((await server.delete('/resource/data/acme/b.txt', as)).status).toBe(200);
  });

  it.each(['', '/', '?format=json', '/?operation=metadata'])(
    'does not list the files at the top level (/resource%s) for workspace administrators',
    async (address) => {
      const reply = await server.get(`/resource${address}`, { as: ann });

      expect([reply.status, reply.text]).toEqual([403, expect.not.stringContaining('workspaces')]);
      expect((await server.get(`/resource${address}`)).status).toBe(200);
    },
  );

  it.each([
    'styles',
    'styles/point.sld',
    'styles/mine.svg',
    'workspaces/other/styles',
    'workspaces/other/styles/s.sld',
    'data/other',
    'data/other/a.txt',
    'data/other/towns/1/towns.shp',
    'data/global.txt',
    'data/acme/next',
    'data/acme/next/a.txt',
    'data/acme/../other/a.txt',
    'data/acme%2f..%2fother/a.txt',
    'data/ACME/a.txt',
  ])('does not give workspace administrators access to %s', async (path) => {
    const as = { as: ann };
    const copy = (to: string, from: string) =>
      server.request('PUT', `/resource/${to}?operation=copy`, { ...as, type: 'text/plain', body: from });

    const replies = [
      await server.get(`/resource/${path}`, as),
      await server.request('HEAD', `/resource/${path}`, as),
      await server.request('PUT', `/resource/${path}`, { ...as, body: icon }),
      await server.delete(`/resource/${path}`, as),
      await copy(path, 'data/acme/a.txt'),
      await copy('data/acme/taken', decodedOnce(path)),
    ];

    expect(replies.map(({ status }) => status).filter((status) => status < 400 || status > 499)).toEqual([]);
  });

  it('returns the same response to other users as for a missing file', async () => {
    const hidden = await server.get('/resource/data/other/a.txt', { as: ann });
    const missing = await server.get('/resource/data/nowhere/a.txt', { as: ann });

    expect([hidden.status, hidden.text.replace('other', 'nowhere')]).toEqual([missing.status, missing.text]);
  });

  it('denies access to users without administered workspaces, even if a rule admits them', async () => {
    expect((await server.get('/resource', { as: powerless })).status).toBe(403);
    expect((await server.get('/resource/data/acme/a.txt', { as: null })).status).toBe(401);
    await server.post(
      '/security/acl/rest',
      JSON.stringify({ '/rest/resource/**:GET,PUT': 'ROLE_NOTHING', '/rest/resource:GET': 'ROLE_NOTHING' }),
    );

    expect((await server.get('/resource', { as: powerless })).status).toBe(403);
    expect((await server.get('/resource/data/acme/a.txt', { as: powerless })).status).toBe(404);
    expect((await server.get('/resource/styles/point.sld', { as: powerless })).status).toBe(403);
    expect((await server.request('PUT', '/resource/data/x.txt', { as: powerless, body: 'x' })).status).toBe(404);
    expect((await server.get('/resource/data?format=json', { as: powerless })).text).toContain(
      '"children":{"child":[]}',
    );
  });

  it('matches rules to paths segment by segment', async () => {
    await server.post('/security/acl/rest', JSON.stringify({ '/rest/resource/data/acme/**:DELETE': 'ROLE_ELSE' }));

    expect((await server.delete('/resource/data/acme/a.txt', { as: ann })).status).toBe(403);
    expect((await server.get('/resource/data/acme/a.txt', { as: ann })).status).toBe(403);
  });
});

/** The files and their contents, limited to those that clients could have written. */
async function everything(dataDir: string): Promise<readonly string[]> {
  const names = (await readdir(join(dataDir, 'data'))).sort();
  return [...names, await readFile(join(dataDir, 'security/server.key'), 'utf8').catch(() => 'none')];
}

function decodedOnce(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
