/** Joins of feature types in GetFeature. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { type PublishedTable, publishTables } from '../../../test/support/published-features.ts';
import { type Reply, useTestServer } from '../../../test/support/test-server.ts';

const towns: PublishedTable = {
  name: 'towns',
  attributes: [geometryColumn('Point'), column('name', 'string'), column('canton', 'string'), column('n', 'integer')],
  rows: [
    [wkt('POINT (7.5 47)'), 'Bern', 'BE', 1],
    [wkt('POINT (8.5 47.4)'), 'Zürich', 'ZH', 2],
    [wkt('POINT (7.7 46.7)'), 'Thun', 'BE', 3],
    [wkt('POINT (9.5 47.2)'), 'Vaduz', null, 4],
    [null, 'Nowhere', 'ZH', 5],
  ],
};

/** In another CRS and with x before y; Bern and Thun are in the first one, Zürich is in the second one. */
const zones: PublishedTable = {
  name: 'zones',
  attributes: [geometryColumn('Polygon', 'EPSG:2056'), column('code', 'string'), column('n', 'integer')],
  rows: [
    [wkt('POLYGON ((2560000 1160000, 2640000 1160000, 2640000 1220000, 2560000 1220000, 2560000 1160000))'), 'BE', 1],
    [wkt('POLYGON ((2660000 1230000, 2700000 1230000, 2700000 1270000, 2660000 1270000, 2660000 1230000))'), 'ZH', 9],
  ],
};

const FES = 'xmlns:fes="http://www.opengis.net/fes/2.0"';
const within = `<fes:Filter ${FES}><fes:Within><fes:ValueReference>t/the_geom</fes:ValueReference><fes:ValueReference>z/the_geom</fes:ValueReference></fes:Within></fes:Filter>`;
const sameCode = `<fes:Filter ${FES}><fes:PropertyIsEqualTo><fes:ValueReference>t/canton</fes:ValueReference><fes:ValueReference>z/code</fes:ValueReference></fes:PropertyIsEqualTo></fes:Filter>`;

const server = useTestServer();

beforeAll(async () => {
  await publishTables(server, 'topo', [towns]);
  await publishTables(server, 'plan', [zones]);
});

function join(query: string, as: string | null = null): Promise<Reply> {
  return server.get(
    `//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=(topo:towns,plan:zones)&aliases=(t,z)&${query}`,
    { as: as as null },
  );
}

async function pairs(query: string): Promise<readonly unknown[]> {
  const reply = await join(`outputFormat=application/json&${query}`);
  const { features } = reply.json() as {
    readonly features: readonly { readonly properties: Record<string, unknown> }[];
  };
  return features.map(({ properties }) => [properties['t.name'], properties['z.code']]);
}

describe('join', () => {
  it('combines features by a spatial condition, also in different CRSs', async () => {
    expect(await pairs(`filter=${encodeURIComponent(within)}`)).toEqual([
      ['Bern', 'BE'],
      ['Zürich', 'ZH'],
      ['Thun', 'BE'],
    ]);
  });

  it('combines features by equal values and never by null', async () => {
    expect(await pairs(`filter=${encodeURIComponent(sameCode)}`)).toEqual([
      ['Bern', 'BE'],
      ['Zürich', 'ZH'],
      ['Thun', 'BE'],
      ['Nowhere', 'ZH'],
    ]);
  });

  it('evaluates other conditions between types, conditions of one type and ECQL', async () => {
    expect(await pairs(`cql_filter=${encodeURIComponent('"t/n" > "z/n" AND "t/n" < 4')}`)).toEqual([
      ['Zürich', 'BE'],
      ['Thun', 'BE'],
    ]);
    expect(await pairs(`cql_filter=${encodeURIComponent('"t/canton" = "z/code" AND "t/name" LIKE \'T%\'')}`)).toEqual([
      ['Thun', 'BE'],
    ]);
    expect(
      await pairs(
        `cql_filter=${encodeURIComponent('DWITHIN("t/the_geom", "z/the_geom", 0.01, meters) AND "z/n" = 9')}`,
      ),
    ).toEqual([['Zürich', 'ZH']]);
    expect(
      await pairs(`cql_filter=${encodeURIComponent('BBOX("z/the_geom", 8, 47, 9, 48) AND "t/n" = "z/n"')}`),
    ).toEqual([]);
  });

  it('returns all combinations without a filter, in pages that are sorted by the properties of any type', async () => {
    expect((await pairs('')).length).toBe(10);
    expect(await pairs('sortBy=z/code D,t/name&count=2&startIndex=1')).toEqual([
      ['Nowhere', 'ZH'],
      ['Thun', 'ZH'],
    ]);
    const page = await join('count=2&startIndex=2&outputFormat=application/json');
    expect(page.json()).toMatchObject({ numberMatched: 10, numberReturned: 2, totalFeatures: 10 });
    expect((page.json() as { links: readonly { rel: string; href: string }[] }).links.map(({ rel }) => rel)).toEqual([
      'next',
      'previous',
    ]);
    expect((await join('resultType=hits')).text).toContain('numberMatched="10" numberReturned="0"');
  });

  it('is the same in XML, and names types by default with their local names', async () => {
    const query = (attributes: string, filter: string) =>
      server.post(
        '//geoserver/wfs',
        `<GetFeature service="WFS" version="2.0.0" xmlns="http://www.opengis.net/wfs/2.0" outputFormat="csv"><Query ${attributes}>${filter}</Query></GetFeature>`,
        { as: null, type: 'text/xml' },
      );
    const aliased = await query('typeNames="topo:towns plan:zones" aliases="t z"', within);
    const plain = await query(
      'typeNames="topo:towns plan:zones"',
      within.replace('t/the_geom', 'topo:towns/topo:the_geom').replace('z/the_geom', 'plan:zones/the_geom'),
    );

    expect(aliased.text.split('\r\n')[0]).toBe('FID,t.FID,t.the_geom,t.name,t.canton,t.n,z.FID,z.the_geom,z.code,z.n');
    expect(aliased.text).toContain('towns.1+zones.1,towns.1,"POINT (47 7.5)",Bern,BE,1,zones.1,"POLYGON ((');
    expect(plain.text.split('\r\n').slice(1)).toEqual(aliased.text.split('\r\n').slice(1));
  });

  it('is written as tuples in GML, with all coordinates in the CRS and the axis order of the response', async () => {
    const { text, headers } = await join(
      `filter=${encodeURIComponent(within)}&count=1&propertyName=t/name,t/the_geom,z/the_geom`,
    );

    expect(headers['content-type']).toBe('application/gml+xml; version=3.2');
    expect(text).toContain('numberMatched="3" numberReturned="1"');
    expect(text).toMatch(
      /<wfs:member><wfs:Tuple><wfs:member><topo:towns gml:id="towns.1">.*<\/topo:towns><\/wfs:member><wfs:member><plan:zones gml:id="zones.1">.*<\/plan:zones><\/wfs:member><\/wfs:Tuple><\/wfs:member>/,
    );
    expect(text.match(/srsName="[^"]*"/g)).toEqual([
      'srsName="urn:ogc:def:crs:EPSG::4326"',
      'srsName="urn:ogc:def:crs:EPSG::4326"',
    ]);
    expect(text).toContain('<gml:pos>47 7.5</gml:pos>');
    expect(text).toMatch(/<gml:posList>46\.\d+ 6\.\d+ /);
    expect(text).not.toContain('code');
    expect(text).toContain('xmlns:plan=');
  });

  it('accepts the properties of each type in a list of its own, and joins a type with itself', async () => {
    const columns = await join('propertyName=(t/name)(z/code)&outputFormat=csv&count=1');
    expect(columns.text.split('\r\n')[0]).toBe('FID,t.FID,t.name,z.FID,z.code');

    const own = await server.get(
      `//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=topo:towns,topo:towns&aliases=a,b&propertyName=a/name,b/name&outputFormat=csv&cql_filter=${encodeURIComponent('"a/canton" = "b/canton" AND "a/n" < "b/n"')}`,
      { as: null },
    );
    expect(own.text.split('\r\n').slice(1, 3)).toEqual([
      'towns.1+towns.3,towns.1,Bern,towns.3,Thun',
      'towns.2+towns.5,towns.2,Zürich,towns.5,Nowhere',
    ]);
  });

  it('applies the data rules of each type', async () => {
    const rule = {
      name: 'few',
      layer: 'plan:zones',
      roles: ['*'],
      rows: "code = 'BE'",
      attributes: { '*': 'read', n: 'hide' },
    };
    expect((await server.post('/security/acl/data', JSON.stringify({ dataRule: rule }))).status).toBe(201);
    try {
      const hidden = await join(`outputFormat=csv&filter=${encodeURIComponent(within)}`);
      const condition = await join(`outputFormat=csv&cql_filter=${encodeURIComponent('"t/n" = "z/n"')}`);

      expect(hidden.text).not.toContain('ZH');
      expect(hidden.text.split('\r\n').length).toBe(4);
      expect(hidden.text.split('\r\n')[0]).not.toContain('z.n');
      expect(condition.status).toBe(400);
    } finally {
      await server.delete('/security/acl/data/few');
    }
  });

  it.each([
    ['outputFormat=SHAPE-ZIP', 'outputFormat', 'A join as SHAPE-ZIP is not supported'],
    ['outputFormat=GML2', 'outputFormat', 'A join as'],
    ['bbox=0,0,1,1', 'bbox', 'such as a/geom'],
    ['resourceId=towns.1', 'resourceId', 'such as a/geom'],
    ['sortBy=name', 'sortBy', 'one of the aliases t, z'],
    ['sortBy=t/nothing', 'sortBy', 'Its properties are'],
    ['propertyName=name', 'propertyName', 'one of the aliases t, z'],
    [`cql_filter=${encodeURIComponent('"x/name" = \'a\'')}`, 'cql_filter', 'x/name'],
  ])('rejects %s', async (query, locator, message) => {
    const reply = await join(query);

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(`locator="${locator}"`)]);
    expect(reply.text).toContain(message);
  });
});
