/** Time extents of collections, and boxes with heights. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../../test/support/feature-collections.ts';
import { publishTables } from '../../../../test/support/published-features.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';

const server = useTestServer();

beforeAll(async () => {
  await publishTables(server, 'air', [
    {
      name: 'flights',
      attributes: [
        geometryColumn('LineString', 'EPSG:4326', 'XYZ'),
        column('off', 'timestamp'),
        column('on', 'timestamp'),
      ],
      rows: [
        [wkt('LINESTRING Z (0 0 100, 1 1 900)'), new Date('2024-03-01T08:00:00Z'), new Date('2024-03-01T09:30:00Z')],
        [wkt('LINESTRING Z (0 0 2000, 1 1 9000)'), '2024-02-28T23:59:59.999999Z', new Date('2024-02-29T03:00:00Z')],
        [wkt('LINESTRING Z (50 50 0, 51 51 100)'), null, null],
      ],
    },
    {
      name: 'days',
      attributes: [geometryColumn('Point'), column('on', 'date')],
      rows: [[wkt('POINT (1 1)'), new Date('2024-01-31')]],
    },
    {
      name: 'unseen',
      attributes: [geometryColumn('Point'), column('at', 'timestamp')],
      rows: [[wkt('POINT (1 1)'), null]],
    },
    {
      name: 'timeless',
      attributes: [geometryColumn('Point'), column('name', 'string')],
      rows: [[wkt('POINT (1 1)'), 'a']],
    },
  ]);
});

interface Collection {
  readonly id: string;
  readonly extent: { readonly temporal?: { readonly interval: readonly (readonly [string, string])[] } };
}

async function read<T>(path: string): Promise<T> {
  return (await server.get(`//geoserver/ogc/features/v1${path}`, { as: null })).json() as T;
}

const intervalOf = async (id: string) => (await read<Collection>(`/collections/${id}`)).extent.temporal?.interval;

describe('time extent of a collection', () => {
  it('spans the first to the last feature with full precision', async () => {
    expect(await intervalOf('air:flights')).toEqual([['2024-02-28T23:59:59.999999Z', '2024-03-01T08:00:00Z']]);
  });

  it('ends with the end attribute of the time dimension, if configured', async () => {
    const path = '/workspaces/air/datastores/data/featuretypes/flights';
    const time = { enabled: true, attribute: 'off', endAttribute: 'on', presentation: 'LIST', units: 'ISO8601' };
    await server.put(
      path,
      JSON.stringify({ featureType: { metadata: { entry: { '@key': 'time', dimensionInfo: time } } } }),
    );

    expect(await intervalOf('air:flights')).toEqual([['2024-02-28T23:59:59.999999Z', '2024-03-01T09:30:00Z']]);
  });

  it('consists of dates if the attribute is a date', async () => {
    expect(await intervalOf('air:days')).toEqual([['2024-01-31T00:00:00Z', '2024-01-31T00:00:00Z']]);
  });

  it('is absent if no feature has a time', async () => {
    expect(await intervalOf('air:unseen')).toBeUndefined();
    expect(await intervalOf('air:timeless')).toBeUndefined();
  });

  it('is included in the list of collections', async () => {
    const { collections } = await read<{ readonly collections: readonly Collection[] }>('/collections');

    expect(collections.map(({ id, extent }) => [id, extent.temporal?.interval.length ?? 0])).toEqual([
      ['air:days', 1],
      ['air:flights', 1],
      ['air:timeless', 0],
      ['air:unseen', 0],
    ]);
  });
});

describe('box with heights', () => {
  const ids = async (type: string, bbox: string) =>
    (
      await read<{ readonly features: readonly { readonly id: string }[] }>(
        `/collections/air:${type}/items?bbox=${bbox}`,
      )
    ).features.map(({ id }) => id);

  it('matches features between the heights', async () => {
    expect(await ids('flights', '-1,-1,0,2,2,1000')).toEqual(['flights.1']);
    expect(await ids('flights', '-1,-1,900,2,2,2000')).toEqual(['flights.1', 'flights.2']);
    expect(await ids('flights', '-1,-1,901,2,2,1999')).toEqual([]);
    expect(await ids('flights', '49,49,-10,52,52,0')).toEqual(['flights.3']);
  });

  it('matches features without heights', async () => {
    expect(await ids('days', '0,0,500,2,2,600')).toEqual(['days.1']);
  });

  it('is rejected if the heights are reversed', async () => {
    const reply = await server.get('//geoserver/ogc/features/v1/collections/air:flights/items?bbox=0,0,9,1,1,3', {
      as: null,
    });

    expect(reply.status).toBe(400);
    expect(reply.text).toContain('the third number is the minimum height');
  });
});
