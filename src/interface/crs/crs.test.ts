import { describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const base = 'http://localhost:80/geoserver/rest';

interface Codes {
  readonly crs: readonly { readonly id: string; readonly href: string }[];
  readonly page: { readonly offset: number; readonly limit: number; readonly returned: number; readonly total: number };
}

describe('coordinate reference systems', () => {
  const server = useTestServer();

  async function list(query = ''): Promise<Codes> {
    return (await server.get(`/crs.json${query}`)).json() as Codes;
  }

  it('are listed fifty at a time, by authority and number', async () => {
    const { crs, page } = await list();

    expect(crs[0]).toEqual({
      id: 'EPSG:2000',
      name: 'Anguilla 1957 / British West Indies Grid',
      href: `${base}/crs/EPSG%3A2000.json`,
    });
    expect(crs).toHaveLength(50);
    expect(page).toEqual({ offset: 0, limit: 50, returned: 50, total: page.total });
    expect(page.total).toBeGreaterThan(10_000);
  });

  it('appear on the pages exactly once each', async () => {
    const seen = new Set<string>();
    const { page } = await list();
    for (let offset = 0; offset < page.total; offset += 200) {
      for (const { id } of (await list(`?offset=${offset}&limit=200`)).crs) {
        seen.add(id);
      }
    }

    expect(seen.size).toBe(page.total);
    expect([...seen].filter((id) => id.startsWith('EPSG:')).length).toBeGreaterThanOrEqual(6_984);
    expect((await list(`?offset=${page.total}`)).crs).toEqual([]);
  });

  it('are filtered by authority and by a part of the code', async () => {
    const utm = await list('?authority=epsg&query=3263');

    expect(utm.crs.map(({ id }) => id)).toContain('EPSG:32633');
    expect(utm.crs.every(({ id }) => /^EPSG:.*3263/.test(id))).toBe(true);
    expect((await list('?authority=NOBODY')).page.total).toBe(0);
    expect((await list('?authority=EPSG&query=no')).crs).toEqual([]);
  });

  it('are found by a part of their code or name', async () => {
    const found = await list('?search=utm zone 33n&limit=200');

    expect(found.crs.map(({ id }) => id)).toEqual(expect.arrayContaining(['EPSG:25833', 'EPSG:32633']));
    expect((await list('?search=epsg:25833')).crs.map(({ id }) => id)).toEqual(['EPSG:25833']);
  });

  it('have a page with names, a search and links to the other pages', async () => {
    const page = await server.get('/crs.html?search=UTM%20zone%2033N&limit=2&offset=2');
    const [first, last] = [await server.get('/crs.html'), await server.get('/crs.html?search=epsg:25833')];

    expect(last.text).toContain(`<a href="${base}/crs/EPSG%3A25833.html">EPSG:25833</a></td>`);
    expect(last.text).toContain('ETRS89 / UTM zone 33N');
    expect(last.text).toContain('1 to 1 of 1');
    expect(last.text).not.toContain('page');
    expect(page.text).toContain('<input type="search" name="search" value="UTM zone 33N"');
    expect(page.text).toContain('search=UTM+zone+33N&amp;limit=2&amp;offset=0">← Previous page');
    expect(page.text).toContain('search=UTM+zone+33N&amp;limit=2&amp;offset=4">Next page →');
    expect(first.text).not.toContain('Previous page');
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
  });

  it.each(['offset=-1', 'limit=0', 'limit=201', 'limit=all'])('are not listed with %s', async (query) => {
    expect((await server.get(`/crs.json?${query}`)).status).toBe(400);
  });

  it('have a list of authorities', async () => {
    expect((await server.get('/crs/authorities.json')).json()).toEqual({
      authorities: [
        { name: 'EPSG', href: `${base}/crs.json?authority=EPSG` },
        { name: 'ESRI', href: `${base}/crs.json?authority=ESRI` },
      ],
    });
  });

  it('are returned as a document or as text', async () => {
    const inJson = (await server.get('/crs/EPSG:4326.json')).json();
    const text = await server.get('/crs/EPSG:4326.wkt');
    const accepted = await server.get('/crs/EPSG:4326', { accept: 'text/plain' });

    expect(inJson).toEqual({
      id: 'EPSG:4326',
      format: 'wkt',
      name: 'WGS 84',
      bboxWGS84: { minX: -180, minY: -90, maxX: 180, maxY: 90 },
      definition: expect.stringMatching(/^GEOGCS\["WGS 84",/),
    });
    expect(text.headers['content-type']).toMatch(/^text\/plain/);
    expect(text.text).toBe(`${(inJson as { definition: string }).definition}\n`);
    expect(accepted.text).toBe(text.text);
    expect((await server.get('/crs/EPSG:4326.xml')).text).toContain('<name>WGS 84</name>');
    expect((await server.get('/crs/EPSG:4326.html')).text).toContain('WGS 84');
  });

  it('are readable by every listed code', async () => {
    for (const query of ['?offset=0', '?offset=4000', '?offset=6900', '?authority=ESRI']) {
      for (const { href } of (await list(query)).crs) {
        expect((await server.get(href.slice(base.length))).status, href).toBe(200);
      }
    }
  });

  it('return 404 for an unknown code and 400 for an invalid one', async () => {
    expect((await server.get('/crs/EPSG:1')).status).toBe(404);
    expect((await server.get('/crs/somewhere')).status).toBe(400);
    expect((await server.post('/crs', '{}')).status).toBe(405);
  });

  it('are readable by workspace administrators', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    const ann = await addUser(server, 'ann', 'ROLE_ACME');
    const ben = await addUser(server, 'ben', 'ROLE_NOTHING');
    await server.post('/security/acl/layers', '{"acme.*.a":"ROLE_ACME"}');

    expect((await server.get('/crs.json', { as: ann })).status).toBe(200);
    expect((await server.get('/fonts.json', { as: ann })).status).toBe(200);
    expect((await server.get('/crs.json', { as: ben })).status).toBe(403);
    expect((await server.get('/crs.json', { as: null })).status).toBe(401);
  });
});
