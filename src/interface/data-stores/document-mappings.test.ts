/** Mappings over documents: upload, publication and the page of a type, also after schema maintenance. */
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { stationArchive, stationDocuments, WEATHER } from '../../../test/support/station-mapping.ts';
import { type Reply, useTestServer } from '../../../test/support/test-server.ts';
import { describeWithDocuments } from '../../../test/support/with-documents.ts';

const stores = '/workspaces/w/datastores';

/** Two measurements at the same unknown station. */
const lake = {
  _id: 's3' as never,
  name: 'Lake',
  measurements: [
    {
      name: 'wind',
      unit: 'm/s',
      values: [
        { time: 4, value: 5 },
        { time: 5, value: 6.5 },
      ],
    },
    { name: 'ice', values: [] },
  ],
};

/** As written in the documents; the page truncates long texts. */
const expected = [
  ['s1', 'Summit', 'summit@example.com', 'Point 7.5 46.5', 'temperature, C, 1, 20, wind, km/h, 2, 15…'],
  ['s2', 'Valley', 'Point 8.25 47'],
  ['s3', 'Lake', 'wind, m/s, 4, 5, 5, 6.5, ice'],
];

describeWithDocuments('a mapping over documents', (documents) => {
  const server = useTestServer();
  const folder = mkdtempSync(join(tmpdir(), 'graticule-schemas-'));
  const uploaded: Reply[] = [];
  beforeAll(async () => {
    await documents.insert('stations', [...stationDocuments, lake]);
    await server.post('/namespaces', JSON.stringify({ namespace: { prefix: 'w', uri: WEATHER } }), { type: 'json' });
    const body = stationArchive({ dataStore: documents.uri(), schemaStore: `file:${folder}` });
    const path = `${stores}/stations/file.appschema?configure=all`;
    uploaded.push(await server.request('PUT', path, { type: 'application/zip', body }));
  });

  /** Returns the values on the page of the type for each feature, without empty ones. */
  async function shownFeatures(): Promise<readonly (readonly string[])[]> {
    const { text } = await server.get(`${stores}/stations/featuretypes/Station.html`);
    const [, table = ''] = /<h2>First features<\/h2>.*?<tbody>(.*?)<\/tbody>/s.exec(text) ?? [];
    const rows = table.split('</tr>').map((row) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)]);
    return rows.map((cells) => cells.map(([, cell = '']) => cell).filter((cell) => cell !== '')).filter(isFilled);
  }
  const maintain = (what: string) => server.post(`/workspaces/w/appschemastores/stations/${what}`, '');

  it('publishes features and not the objects nested in them', async () => {
    const listed = await server.get(`${stores}/stations/featuretypes.json`);

    expect(uploaded.map(({ status, headers }) => [status, headers['warning']])).toEqual([[200, undefined]]);
    expect(JSON.parse(listed.text).featureTypes.featureType.map((each: { name: string }) => each.name)).toEqual([
      'Station',
    ]);
  });

  it('shows features with their nested objects', async () => {
    expect(await shownFeatures()).toEqual(expected);
  });

  it('shows the same after its schemas were rebuilt or cleaned', async () => {
    expect((await maintain('datastores/weather/rebuildMongoSchemas?max=-1')).status).toBe(200);
    expect(readdirSync(folder)).toEqual(['stations.json']);
    expect(await shownFeatures()).toEqual(expected);

    expect((await maintain('datastores/weather/cleanSchemas')).status).toBe(200);
    expect(readdirSync(folder)).toEqual([]);
    expect(await shownFeatures()).toEqual(expected);
  });
});

function isFilled(list: readonly unknown[]): boolean {
  return list.length > 0;
}
