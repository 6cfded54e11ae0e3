/** Access to WMS: every operation, for every user, in every catalog mode; hidden layers look like missing ones. */
import { beforeAll, describe, expect, it } from 'vitest';
import { groupOf } from '../support/layer-groups.ts';
import { askMap, colourAt, fillSld, publishSquares, SMALL_MAP } from '../support/maps.ts';
import { useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';

const server = useTestServer();

let reader = '';
let other = '';

/** Only readers may read `west`; everyone may read `east`. */
beforeAll(async () => {
  await publishSquares(server);
  await server.post('/layergroups', groupOf('both', ['topo:west', 'topo:east']));
  await server.post('/layergroups', groupOf('closed', ['topo:west']));
  reader = await addUser(server, 'reader', 'ROLE_READER');
  other = await addUser(server, 'other', 'ROLE_OTHER');
  await server.post('/security/acl/layers', '{"topo.west.r":"ROLE_READER"}');
});

const INFO = `${SMALL_MAP.replace('GetMap', 'GetFeatureInfo')}&x=4&y=4`;
const sld = (name: string) => encodeURIComponent(fillSld('#00ff00', { layer: name }));

/** Requests for the hidden layer; `%s` is its name. */
const reads: Readonly<Record<string, string>> = {
  GetMap: `${SMALL_MAP}&layers=topo:%s`,
  'GetMap with a bare name': `${SMALL_MAP}&layers=%s`,
  'GetMap of two layers': `${SMALL_MAP}&layers=topo:east,topo:%s`,
  'GetMap in version 1.3.0': `${SMALL_MAP.replace('1.1.1', '1.3.0')}&layers=topo:%s`,
  'GetMap as KML': `${SMALL_MAP.replace('image/png', 'kml')}&layers=topo:%s`,
  'GetMap as SVG': `${SMALL_MAP.replace('image/png', 'image/svg%2Bxml')}&layers=topo:%s`,
  'GetMap as UTFGrid': `${SMALL_MAP.replace('image/png', 'utfgrid')}&layers=topo:%s`,
  'GetMap as a vector tile': `${SMALL_MAP.replace('image/png', 'mvt')}&layers=topo:%s`,
  'GetMap as a page': `${SMALL_MAP.replace('image/png', 'application/openlayers')}&layers=topo:%s`,
  'GetMap with a wrong filter': `${SMALL_MAP}&layers=topo:%s&cql_filter=nothing=1`,
  'GetMap with a wrong style': `${SMALL_MAP}&layers=topo:%s&STYLES=nothing`,
  'GetMap by a style that is sent': `${SMALL_MAP}&sld_body=${sld('topo:%s')}`,
  GetFeatureInfo: `${INFO}&layers=topo:%s&query_layers=topo:%s`,
  'GetLegendGraphic that counts features':
    'service=WMS&version=1.1.1&request=GetLegendGraphic&format=image/png&layer=topo:%s&bbox=0,0,10,10&srs=EPSG:4326&srcwidth=20&srcheight=20&legend_options=countMatched:true',
  'GetFeatureInfo of another layer as well': `${INFO}&layers=topo:east,topo:%s&query_layers=topo:east`,
};

const descriptions: Readonly<Record<string, string>> = {
  GetLegendGraphic: 'service=WMS&version=1.1.1&request=GetLegendGraphic&format=image/png&layer=topo:%s',
  DescribeLayer: 'service=WMS&version=1.1.1&request=DescribeLayer&layers=topo:%s',
  GetStyles: 'service=WMS&version=1.1.1&request=GetStyles&layers=topo:%s',
};

function about(query: string, name: string): string {
  return query.replaceAll('%25s', encodeURIComponent(name)).replaceAll('%s', name);
}

async function expectRefused(query: string, mode: string): Promise<void> {
  const [anonymous, signedIn] = [
    await askMap(server, about(query, 'west')),
    await askMap(server, about(query, 'west'), other),
  ];
  if (mode === 'HIDE') {
    const absent = (await askMap(server, about(query, 'absent'))).text.replaceAll('absent', 'west');
    expect([anonymous.text, signedIn.text]).toEqual([absent, absent]);
  } else {
    expect([anonymous.status, signedIn.status]).toEqual([401, 403]);
    expect(anonymous.headers['www-authenticate']).toContain('Basic');
  }
}

describe.each(['HIDE', 'MIXED', 'CHALLENGE'] as const)('WMS access in catalog mode %s', (mode) => {
  beforeAll(async () => {
    await server.put('/security/acl/catalog', JSON.stringify({ mode }));
  });

  it.each(Object.keys({ ...reads, ...descriptions }))('%s succeeds for users whom a rule names', async (name) => {
    const query = { ...reads, ...descriptions }[name] ?? '';

    const reply = await askMap(server, about(query, 'west'), reader);

    expect(reply.status).toBe(200);
    expect(reply.text).not.toContain('LayerNotDefined');
  });

  it.each(Object.keys(reads))('%s is denied to other users', async (name) => {
    await expectRefused(reads[name] ?? '', mode);
  });

  it.each(Object.keys(descriptions))('%s succeeds for users who may know that the layer exists', async (name) => {
    const query = descriptions[name] ?? '';
    if (mode !== 'CHALLENGE') return expectRefused(query, mode);

    expect((await askMap(server, about(query, 'west'))).text).not.toContain('ServiceException');
  });

  it('lists name the layer only to users who may know that it exists', async () => {
    for (const version of ['1.1.1', '1.3.0']) {
      for (const as of [null, other]) {
        const { text } = await askMap(server, `service=WMS&request=GetCapabilities&version=${version}`, as);
        expect(text.includes('topo:west')).toBe(mode === 'CHALLENGE');
        expect(text.includes('<Name>closed</Name>')).toBe(mode === 'CHALLENGE');
        expect(text).toContain('topo:east');
      }
      const { text } = await askMap(server, `service=WMS&request=GetCapabilities&version=${version}`, reader);
      expect(text).toContain('topo:west');
    }
    const own = await server.get('//geoserver/topo/west/wms?service=WMS&request=GetCapabilities', { as: null });
    expect(own.text.includes('<Name>west</Name>')).toBe(mode === 'CHALLENGE');
  });

  it('a group is drawn without the layer for users who may not see it', async () => {
    const colours = async (as: string | null) => {
      const reply = await askMap(server, `${SMALL_MAP}&layers=both`, as);
      return [await colourAt(reply, 4, 4), await colourAt(reply, 15, 4)];
    };

    expect(await colours(null)).toEqual(['#ffffff', '#0000ff']);
    expect(await colours(other)).toEqual(['#ffffff', '#0000ff']);
    expect(await colours(reader)).toEqual(['#ff0000', '#0000ff']);
    expect((await askMap(server, `${SMALL_MAP}&layers=closed`)).text).toContain('LayerNotDefined');
  });

  it('previews show the layer only to users who may see it', async () => {
    const statuses = async (as: string | null) => {
      const list = await server.get('//geoserver/preview?search=west', { as });
      return [
        list.text.includes('topo:west'),
        (await server.get('//geoserver/preview?layer=topo:west', { as })).status,
      ];
    };

    expect(await statuses(reader)).toEqual([true, 200]);
    for (const as of [null, other]) {
      const [isListed, status] = await statuses(as);
      expect(isListed).toBe(mode === 'CHALLENGE');
      expect(status).toBe(mode === 'HIDE' ? 404 : as === null ? 401 : 403);
    }
  });

  it('other request forms do not bypass the rules', async () => {
    const form = `${SMALL_MAP}&layers=topo:west`;
    const replies = [
      await server.get('//geoserver/wms/reflect?layers=topo:west', { as: null }),
      await server.get('//geoserver/wms/kml?layers=topo:west', { as: null }),
      await server.post('//geoserver/ows', form, { as: null, type: 'application/x-www-form-urlencoded' }),
      await server.get(`//geoserver/topo/west/wms?${SMALL_MAP}&layers=west`, { as: null }),
      await server.post(`//geoserver/wms?${SMALL_MAP}`, fillSld('#00ff00', { layer: 'topo:west' }), {
        as: null,
        type: 'text/xml',
      }),
    ];

    for (const reply of replies) {
      expect(reply.status).toBe(mode === 'HIDE' ? 200 : 401);
      expect(reply.headers['content-type']).toContain('xml');
      expect(reply.headers['content-type']).not.toContain('kml');
    }
  });
});

describe('styles of other workspaces', () => {
  it('returns no style of another workspace under any name', async () => {
    await server.post('/workspaces', '<workspace><name>secret</name></workspace>', { type: 'xml' });
    await server.post('/workspaces/secret/styles?name=hush', fillSld('#123456'), {
      type: 'application/vnd.ogc.sld+xml',
    });

    for (const style of ['secret:hush', 'hush']) {
      const reply = await askMap(server, `${SMALL_MAP}&layers=topo:east&STYLES=${style}`);
      expect(reply.text).toContain('code="StyleNotDefined"');
    }
  });
});

describe('service rules for WMS', () => {
  it('a service rule denies an operation regardless of the layer rules', async () => {
    await server.put('/security/acl/catalog', '{"mode":"HIDE"}');
    await server.post('/security/acl/services', '{"wms.GetMap":"ROLE_READER"}');

    const query = `${SMALL_MAP}&layers=topo:east`;
    const statuses = [
      (await askMap(server, query)).status,
      (await askMap(server, query, other)).status,
      (await askMap(server, query, reader)).status,
      (await askMap(server, 'service=WMS&request=GetCapabilities')).status,
    ];
    await server.delete('/security/acl/services/wms.GetMap');

    expect(statuses).toEqual([401, 403, 200, 200]);
  });
});
