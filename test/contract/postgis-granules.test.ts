/** Runs the granule index contract over PostGIS, and tests how other clients see its tables. */
import { expect, test } from 'vitest';
import { openPostgisGranules, type PostgisMosaicIndex } from '../../src/raster/granules/postgis/postgis-granules.ts';
import { readPostgisSettings } from '../../src/vector/postgis/connection/parameters.ts';
import { drafts, harvest, never, type RecordedMosaic, waterSchema } from '../support/granules.ts';
import { postgisParameters } from '../support/postgis-sources.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { granuleIndexContract } from './granule-index.contract.ts';

describeWithPostgis('granules in PostGIS', (postgis) => {
  const open = (parameters: Readonly<Record<string, string>> = {}, key = 'm1'): PostgisMosaicIndex =>
    openPostgisGranules(readPostgisSettings({ ...postgisParameters(postgis.connection), ...parameters }), key);

  granuleIndexContract('an index in PostGIS', async () => ({
    mosaic: open(),
    destroy: async () => undefined,
  }));

  test('granules are stored in a table that other clients can read, with a column per attribute', async () => {
    const recorded: RecordedMosaic = { mosaic: open(), version: 0 };

    await harvest(recorded, drafts(2));

    expect(
      await postgis.query(
        `SELECT fid, location, imageindex, time::text, elevation, ST_AsEWKT(the_geom) AS the_geom FROM watertemp ORDER BY 1`,
      ),
    ).toEqual([
      {
        fid: '1',
        location: 'tiles/000000.tif',
        imageindex: 0,
        time: '2008-10-31 00:00:00',
        elevation: 0,
        the_geom: 'SRID=4326;POLYGON((0 0,0 1,1 1,1 0,0 0))',
      },
      expect.objectContaining({ fid: '2', location: 'tiles/000001.tif', time: '2008-11-01 00:00:00', elevation: 10 }),
    ]);
    const indexes = await postgis.query("SELECT indexdef FROM pg_indexes WHERE tablename = 'watertemp' ORDER BY 1");
    const columns = indexes.map(({ indexdef }) => /USING (.*)$/.exec(String(indexdef))?.[1]).sort();
    expect(columns).toEqual(
      [
        'btree (elevation)',
        'btree (fid)',
        'btree (location)',
        'btree (model)',
        'btree ("time")',
        'gist (the_geom)',
      ].sort(),
    );
    await recorded.mosaic.drop(never);
    await recorded.mosaic.close();
  });

  test('granules are never written to a foreign table', async () => {
    await postgis.query('CREATE TABLE watertemp (id integer)');
    const mosaic = open();
    const session = await mosaic.startWriting(async () => 0, never);

    const refused = session.createIndex(waterSchema);

    await expect(refused).rejects.toMatchObject({ code: 'table-refused', status: 400 });
    await session.end();
    await mosaic.drop(never);
    expect(await postgis.query('SELECT * FROM watertemp')).toEqual([]);
    await postgis.query('DROP TABLE watertemp');
    await mosaic.close();
  });

  test('granules are rejected in advance, with the reason, when they cannot be stored', async () => {
    const cases = [
      [{}, undefined],
      [{ passwd: 'wrong' }, { code: 'store-unreachable' }],
      [{ database: 'nowhere' }, { code: 'store-unreachable' }],
      [{ port: '1' }, { code: 'store-unreachable' }],
      [{ schema: 'nowhere' }, { code: 'table-refused' }],
    ] as const;

    for (const [parameters, problem] of cases) {
      const mosaic = open(parameters);
      const checked = mosaic.check(never);
      if (problem === undefined) await checked;
      else await expect(checked, JSON.stringify(parameters)).rejects.toMatchObject(problem);
      await mosaic.close();
    }
  });
});
