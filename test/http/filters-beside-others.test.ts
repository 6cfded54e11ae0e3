/**
 * The server answers other requests while it parses or evaluates an expensive filter. The tests count responses instead
 * of measuring time.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { publishTables } from '../support/published-features.ts';
import { type Reply, type TestServer, useTestServer } from '../support/test-server.ts';
import { pointShapefile, putZip, zipOf } from '../support/vector-samples.ts';

/** A line whose segments each span the data from top to bottom. */
function zigzag(positions: number): string {
  const places = Array.from({ length: positions }, (_, index) => `${index / 100} ${index % 2 === 0 ? -90 : 90}`);
  return `LINESTRING(${places.join(',')})`;
}

/** A polygon with a spike at every second position, which makes the self-intersection check expensive. */
function star(positions: number): string {
  const places = Array.from({ length: positions }, (_, index) => {
    const [angle, radius] = [(index / positions) * 2 * Math.PI, index % 2 === 0 ? 40 : 80];
    return `${(Math.cos(angle) * radius).toFixed(4)} ${(Math.sin(angle) * radius).toFixed(4)}`;
  });
  return `POLYGON((${[...places, places[0]].join(',')}))`;
}

/** Requests the liveness endpoint repeatedly until the request is answered. */
async function beside(server: TestServer, large: Promise<Reply>) {
  let isOver = false;
  const reply = large.finally(() => {
    isOver = true;
  });
  let alive = 0;
  while (!isOver) {
    if ((await server.get('/livez', { as: null })).status === 200) alive += 1;
    await nextTurn();
  }
  return { reply: await reply, alive };
}

function getFeature(server: TestServer, type: string, filter: string): Promise<Reply> {
  const parameters = new URLSearchParams({
    service: 'WFS',
    version: '2.0.0',
    request: 'GetFeature',
    typeNames: `acme:${type}`,
    outputFormat: 'application/json',
    cql_filter: filter,
  });
  return server.request('POST', '//wfs', { body: parameters.toString(), type: 'application/x-www-form-urlencoded' });
}

describe('requests beside an expensive filter', () => {
  const server = useTestServer();
  const rows = Array.from({ length: 6 }, (_, index) => [
    {
      type: 'Point' as const,
      dimension: 'XY' as const,
      ordinates: Float64Array.of(index, index),
      ends: [],
      parts: [],
    },
    `place ${index}`,
  ]);

  beforeAll(async () => {
    await publishTables(server, 'acme', [
      {
        name: 'packaged',
        attributes: [
          {
            kind: 'geometry',
            name: 'the_geom',
            nillable: true,
            type: 'Point',
            dimension: 'XY',
            crs: { code: 'EPSG:4326' },
          },
          { kind: 'value', name: 'name', nillable: true, type: 'string' },
        ],
        rows,
      },
    ]);
    const zip = zipOf({ shaped: pointShapefile(6, [0, 0]) });
    expect((await putZip(server, '/workspaces/acme/datastores/shaped/file.shp', zip)).status).toBe(201);
    const folder = join(server.dataDir, 'data');
    const lines = rows.map((_, index) => `listed.${index}=POINT(${index} ${index})|place ${index}`);
    await writeFile(join(folder, 'listed.properties'), ['_=the_geom:Point:srid=4326,name:String', ...lines].join('\n'));
    const store = {
      dataStore: { name: 'listed', connectionParameters: { entry: [{ '@key': 'directory', $: folder }] } },
    };
    expect((await server.post('/workspaces/acme/datastores', JSON.stringify(store))).status).toBe(201);
    const type = JSON.stringify({ featureType: { name: 'listed', srs: 'EPSG:4326' } });
    expect((await server.post('/workspaces/acme/datastores/listed/featuretypes', type)).status).toBe(201);
  }, 60_000);

  /** Number of responses beside a request with a cheap filter. */
  async function usualAnswers(type: string): Promise<number> {
    // The first request loads shared modules.
    await getFeature(server, type, "name LIKE 'x%' OR BBOX(the_geom, 0, 0, 1, 1)");
    return (await beside(server, getFeature(server, type, "name LIKE 'x%'"))).alive;
  }

  it.each(['shaped', 'packaged', 'listed'])(
    'answers other requests while the features of %s are compared with a long line',
    async (type) => {
      const usual = await usualAnswers(type);
      const filter = `RELATE(the_geom, ${zigzag(900)}, 'T********') OR name LIKE 'x%'`;
      const { reply, alive } = await beside(server, getFeature(server, type, filter));

      expect(reply.status, reply.text.slice(0, 300)).toBe(200);
      expect(alive).toBeGreaterThan(10 * usual);
    },
    60_000,
  );

  it('answers other requests while a polygon of a filter is validated', async () => {
    const usual = await usualAnswers('shaped');
    const { reply, alive } = await beside(server, getFeature(server, 'shaped', `INTERSECTS(the_geom, ${star(4_000)})`));

    expect(reply.status, reply.text.slice(0, 300)).toBe(200);
    expect(reply.json()).toMatchObject({ numberMatched: 6 });
    expect(alive).toBeGreaterThan(10 * usual);
  }, 60_000);
});
