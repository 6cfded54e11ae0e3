import { readFileSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dumpedValues, oceanCdl, writeNetcdf } from '../../../test/support/netcdf.ts';
import { pngBytes } from '../../../test/support/png-bytes.ts';
import { noRemoteFiles } from '../../../test/support/remote-blocks.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type GranulePlace, granuleBytes } from '../../../test/support/tiff-bytes.ts';
import { describeWithTool } from '../../../test/support/with-tool.ts';
import { createWorkerPool } from '../../workers/pool.ts';
import { type HarvestBatch, type HarvestOptions, harvest } from './harvest.ts';
import { formatLocation } from './harvested-files.ts';
import { readDefinition } from './read-definition.ts';

const pool = createWorkerPool({
  maxThreads: 2,
  maxWaiting: 100,
  deadlineMs: 60_000,
  maxMemoryMegabytes: 512,
  idleMs: 60_000,
});
afterAll(() => pool.close());

const folder = useTemporaryFolder('mosaic-harvest');
const now = new Date('2026-11-15T12:00:00Z');

async function define(files: Readonly<Record<string, string>>) {
  const bytes = new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
  return (await readDefinition(bytes)).definition;
}

async function writeFiles(files: Readonly<Record<string, Uint8Array | string>>): Promise<readonly string[]> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return Object.keys(files);
}

const named = (names: readonly string[]) => names.map((name) => ({ path: join(folder, name), name, location: name }));

async function run(names: readonly string[], options: Partial<HarvestOptions> = {}) {
  const batches: HarvestBatch[] = [];
  for await (const batch of harvest({
    definition: await define({}),
    defaultName: 'store',
    coverages: [],
    files: named(names),
    pool,
    remoteBlocks: noRemoteFiles,
    now,
    signal: new AbortController().signal,
    ...options,
  })) {
    batches.push(batch);
  }
  return {
    newCoverages: batches.flatMap(({ newCoverages }) => newCoverages),
    granules: batches.flatMap(({ granules }) =>
      granules.flatMap(({ schema, drafts }) => drafts.map((draft) => ({ coverage: schema.name, ...draft }))),
    ),
    skipped: batches.flatMap(({ skipped }) => skipped),
    warnings: batches.flatMap(({ warnings }) => warnings),
    counts: batches.at(-1)?.counts,
  };
}

const place: GranulePlace = { left: 10, top: 50, pixel: 0.25, epsg: 4326 };

describe('harvest of images', () => {
  it('creates a granule for each file, with its footprint and the values in its name', async () => {
    const names = await writeFiles({
      'a_20081031T000000Z_z0100.tif': granuleBytes(place),
      'b_20081101T063000Z_z0200.tif': granuleBytes({ ...place, left: 11 }),
    });
    const definition = await define({
      'indexer.properties': `Schema=*the_geom:Polygon,location:String,ingestion:java.util.Date,elevation:Integer
PropertyCollectors=TimestampFileNameExtractorSPI[time](ingestion),IntegerFileNameExtractorSPI[z](elevation)
TimeAttribute=ingestion
ElevationAttribute=elevation`,
      'time.properties': 'regex=[0-9]{8}T[0-9]{6}Z',
      'z.properties': 'regex=(?<=_z)[0-9]+',
    });

    const { newCoverages, granules, skipped, counts } = await run(names, { definition });

    expect(newCoverages).toEqual([
      {
        name: 'store',
        bandTypes: 'uint8',
        schema: {
          name: 'store',
          attributes: [
            { role: 'footprint', name: 'the_geom', crs: expect.objectContaining({ code: 'EPSG:4326' }) },
            { role: 'location', name: 'location' },
            { role: 'value', name: 'ingestion', type: 'timestamp' },
            { role: 'value', name: 'elevation', type: 'integer' },
          ],
          domains: [
            { kind: 'time', name: 'time', attributes: ['ingestion'] },
            { kind: 'elevation', name: 'elevation', attributes: ['elevation'] },
          ],
        },
        description: expect.objectContaining({ name: 'a_20081031T000000Z_z0100' }),
      },
    ]);
    expect(granules).toEqual([
      {
        coverage: 'store',
        location: 'a_20081031T000000Z_z0100.tif',
        imageindex: 0,
        footprint: {
          type: 'Polygon',
          dimension: 'XY',
          ordinates: Float64Array.of(10, 49, 10, 50, 11, 50, 11, 49, 10, 49),
          ends: [5],
          parts: [1],
        },
        values: { ingestion: new Date('2008-10-31T00:00:00Z'), elevation: 100 },
      },
      expect.objectContaining({
        location: 'b_20081101T063000Z_z0200.tif',
        values: { ingestion: new Date('2008-11-01T06:30:00Z'), elevation: 200 },
      }),
    ]);
    expect(skipped).toEqual([]);
    expect(counts).toEqual({ files: 2, skipped: 0, granules: 2 });
  });

  it('derives a schema when the definition has none', async () => {
    const names = await writeFiles({ 'plain.tif': granuleBytes(place) });

    const { newCoverages, granules } = await run(names);

    expect(newCoverages[0]?.schema.attributes.map(({ name }) => name)).toEqual(['the_geom', 'location']);
    expect(granules).toMatchObject([{ location: 'plain.tif', values: {} }]);
  });

  it('transforms granules with another CRS to the CRS of the coverage', async () => {
    const names = await writeFiles({
      'first.tif': granuleBytes(place),
      'utm.tif': granuleBytes({ left: 500_000, top: 5_540_000, pixel: 1_000, epsg: 32632 }),
    });

    const { granules, skipped } = await run(names);

    expect(skipped).toEqual([]);
    const ordinates = [...(granules[1]?.footprint.ordinates ?? [])];
    const xs = ordinates.filter((_, index) => index % 2 === 0);
    const ys = ordinates.filter((_, index) => index % 2 === 1);
    // The corners as computed by gdaltransform.
    expect(Math.min(...xs)).toBeCloseTo(9, 9);
    expect(Math.max(...xs)).toBeCloseTo(9.05582788384106, 9);
    expect(Math.min(...ys)).toBeCloseTo(49.9763258569282, 9);
    expect(Math.max(...ys)).toBeCloseTo(50.012315518623, 9);
    expect(ordinates.slice(0, 2)).toEqual(ordinates.slice(-2));
  });

  it('uses the CRS that the definition names', async () => {
    const names = await writeFiles({
      'utm.tif': granuleBytes({ left: 500_000, top: 5_540_000, pixel: 1_000, epsg: 32632 }),
    });

    const { newCoverages, granules } = await run(names, {
      definition: await define({ 'indexer.properties': 'MosaicCRS=EPSG:4326' }),
    });

    expect(newCoverages[0]?.schema.attributes[0]).toEqual({
      role: 'footprint',
      name: 'the_geom',
      crs: { code: 'EPSG:4326' },
    });
    expect(granules[0]?.footprint.ordinates[0]).toBeCloseTo(9, 6);
  });

  it('matches later granules to the coverages of earlier harvests', async () => {
    const names = await writeFiles({
      'first.tif': granuleBytes(place),
      'rgb.tif': granuleBytes({ ...place, bands: 3 }),
    });
    const { newCoverages } = await run(['first.tif']);

    const again = await run(names, { coverages: newCoverages });

    expect(again.newCoverages).toEqual([]);
    expect(again.granules).toHaveLength(1);
    expect(again.skipped).toEqual([
      {
        name: 'rgb.tif',
        reason: "its bands (uint8,uint8,uint8) differ from those of coverage 'store' (uint8)",
      },
    ]);
  });

  it('reports the reason for each skipped file', async () => {
    const names = await writeFiles({
      'cut_20080101.tif': granuleBytes(place).subarray(0, 90),
      'empty_20080101.tif': '',
      'text_20080101.tif': 'this is not an image',
      'nowhere_20080101.png': pngBytes(4, 4, 1),
      'unplaced_20080101.tif': granuleBytes({ ...place, pixel: 0 }),
      'undated.tif': granuleBytes(place),
      'misdated_20081399.tif': granuleBytes(place),
      'notes.txt': 'read me',
      'good_20080101.tif': granuleBytes(place),
    });
    const definition = await define({
      'indexer.properties': 'PropertyCollectors=TimestampFileNameExtractorSPI[time](time)',
      'time.properties': 'regex=[0-9]{8}',
    });

    const { granules, skipped, counts } = await run([...names, 'missing_20080101.tif'], { definition });

    expect(granules.map(({ location }) => location)).toEqual(['good_20080101.tif']);
    expect(skipped).toEqual([
      { name: 'cut_20080101.tif', reason: expect.stringContaining('is truncated') },
      { name: 'empty_20080101.tif', reason: expect.any(String) },
      { name: 'text_20080101.tif', reason: expect.any(String) },
      { name: 'nowhere_20080101.png', reason: expect.stringContaining('it has no world file') },
      { name: 'unplaced_20080101.tif', reason: 'it is not georeferenced' },
      { name: 'undated.tif', reason: "its name does not match '[0-9]{8}', which provides time" },
      { name: 'misdated_20081399.tif', reason: "'20081399' in its name is not a timestamp" },
      { name: 'notes.txt', reason: 'the file type is not supported' },
      { name: 'missing_20080101.tif', reason: expect.stringContaining('does not exist') },
    ]);
    expect(counts).toEqual({ files: 10, skipped: 9, granules: 1 });
  });

  it('ignores companion files, hidden files and files excluded by the definition', async () => {
    const names = await writeFiles({
      'a.tif': granuleBytes(place),
      'a.TIF.aux.xml': '<PAMDataset/>',
      'a.tfw': '1',
      'a.prj': '',
      'a.ovr': '',
      'indexer.properties': '',
      '.hidden.tif': granuleBytes(place),
      '.git/x.tif': granuleBytes(place),
      'deep/b.tif': granuleBytes(place),
      'c.png': pngBytes(4, 4, 1),
    });
    const all = await run(names, { definition: await define({ 'indexer.properties': 'Wildcard=*.TI?' }) });
    const flat = await run(names, {
      definition: await define({ 'indexer.properties': 'Wildcard=*.tif\nRecursive=false' }),
    });

    expect(all.granules.map(({ location }) => location)).toEqual(['a.tif', 'deep/b.tif']);
    expect(flat.granules.map(({ location }) => location)).toEqual(['a.tif']);
    expect([all.skipped, flat.skipped]).toEqual([[], []]);
  });

  it('collects values from headers, the file system and the clock', async () => {
    const [name = ''] = await writeFiles({ 'made.tif': granuleBytes({ ...place, date: '2008:10:31 12:30:15' }) });
    await utimes(join(folder, name), now, new Date('2020-02-29T01:02:03Z'));
    const definition = await define({
      'indexer.properties':
        'PropertyCollectors=CurrentDateExtractorSPI(updated),FSDateExtractorSPI(fileDate),DateExtractorSPI(made),RuntimeExtractorSPI[MODIFY_TIME](run),' +
        'ResolutionExtractorSPI(res),ResolutionXExtractorSPI(resX),ResolutionYExtractorSPI(resY),CRSExtractorSPI(crs)',
    });

    const { granules } = await run([name], { definition });

    expect(granules[0]?.values).toEqual({
      updated: now,
      fileDate: new Date('2020-02-29T01:02:03Z'),
      run: new Date('2020-02-29T01:02:03Z'),
      made: new Date('2008-10-31T12:30:15Z'),
      res: 0.25,
      resX: 0.25,
      resY: 0.25,
      crs: 'EPSG:4326',
    });
  });

  it('reads the coverage name from the file name when the definition requires it', async () => {
    const names = await writeFiles({
      'rain_1.tif': granuleBytes(place),
      'sun_1.tif': granuleBytes(place),
      '1.tif': granuleBytes(place),
    });
    const definition = await define({
      'indexer.properties': 'CoverageNameCollectorSPI=FileNameRegexNameCollectorSPI:regex=[a-z]+(?=_)',
    });

    const { newCoverages, skipped } = await run(names, { definition });

    expect(newCoverages.map(({ name }) => name)).toEqual(['rain', 'sun']);
    expect(skipped).toEqual([{ name: '1.tif', reason: 'its name does not contain a coverage name' }]);
  });

  it('skips a file whose name contains an invalid coverage name', async () => {
    const names = await writeFiles({ 'a:b_1.tif': granuleBytes(place), 'sun_1.tif': granuleBytes(place) });
    const definition = await define({
      'indexer.properties': 'CoverageNameCollectorSPI=FileNameRegexNameCollectorSPI:regex=[a-z:]+(?=_)',
    });

    const { newCoverages, skipped } = await run(names, { definition });

    expect(newCoverages.map(({ name }) => name)).toEqual(['sun']);
    expect(skipped).toEqual([
      {
        name: 'a:b_1.tif',
        reason: expect.stringContaining("'a:b' is not a valid coverage name, because it contains the character :"),
      },
    ]);
  });

  it('stops reading a damaged file that would keep its library busy forever', async () => {
    const endless = readFileSync(join(import.meta.dirname, '../../../test/fixtures/rasters/ocean-4.nc'));
    endless[6_341] = 0;
    endless[6_344] = 128;
    const names = await writeFiles({ 'endless.nc': endless, 'good.tif': granuleBytes(place) });

    const { granules, skipped } = await run(names, { maxFileMs: 1_000 });

    expect(skipped).toEqual([{ name: 'endless.nc', reason: 'reading its header exceeded the limit of 1000 ms' }]);
    expect(granules.map(({ location }) => location)).toEqual(['good.tif']);
  });

  it('stops when the signal is aborted', async () => {
    await writeFiles({ 'a.tif': granuleBytes(place) });
    const given = new AbortController();
    const many = async function* () {
      for (let index = 0; index < 100_000; index += 1) {
        if (index === 1_000) given.abort(new Error('the request was cancelled'));
        yield { path: join(folder, 'a.tif'), name: 'a.tif', location: `${index}.tif` };
      }
    };

    await expect(run([], { files: many(), signal: given.signal })).rejects.toThrow('the request was cancelled');
  });
});

describeWithTool('netcdf', 'harvest of NetCDF files', () => {
  it.each(['classic', 'netCDF-4'] as const)(
    'a %s file produces a granule for each time and depth of each variable',
    async (kind) => {
      const path = await writeNetcdf(folder, 'ocean', kind, oceanCdl());

      const { newCoverages, granules, skipped, warnings } = await run(['ocean.nc']);

      expect([skipped, warnings]).toEqual([[], []]);
      expect(
        newCoverages.map(({ name, schema }) => [name, schema.attributes.map((each) => each.name), schema.domains]),
      ).toEqual(
        ['temperature', 'salinity'].map((name) => [
          name,
          ['the_geom', 'location', 'imageindex', 'time', 'elevation'],
          [
            { kind: 'time', name: 'time', attributes: ['time'] },
            { kind: 'elevation', name: 'elevation', attributes: ['elevation'] },
          ],
        ]),
      );
      const times = (await dumpedValues(path, 'time', ['-t'])).map(
        (text) =>
          new Date(`${text.includes(' ') ? text.replace(' ', 'T') : `${text}T00`}${text.includes(':') ? '' : ':00'}Z`),
      );
      const depths = (await dumpedValues(path, 'depth')).map(Number);
      const expected = ['temperature', 'salinity'].flatMap((coverage, variable) =>
        times.flatMap((time, t) =>
          depths.map((elevation, d) => ({
            coverage,
            location: 'ocean.nc',
            imageindex: variable * 6 + t * 2 + d,
            values: { time, elevation },
          })),
        ),
      );
      expect(granules).toMatchObject(expected);
      expect(granules).toHaveLength(12);
    },
  );

  it('harvests the coverages that the definition lists by variable name', async () => {
    await writeNetcdf(folder, 'ocean', 'netCDF-4', oceanCdl());
    const definition = await define({
      'indexer.xml': `<Indexer>
        <domains><domain name="time"><attributes><attribute>ingestion</attribute></attributes></domain></domains>
        <coverages><coverage><name>salt</name><origName>salinity</origName>
          <schema name="salt"><attributes>the_geom:Polygon,location:String,imageindex:Integer,ingestion:java.util.Date,updated:java.util.Date</attributes></schema>
          <domains><domain ref="time"/></domains></coverage></coverages>
        <collectors><collector name="now"><spi>CurrentDateExtractorSPI</spi><mapped>updated</mapped></collector></collectors></Indexer>`,
    });

    const { newCoverages, granules, warnings } = await run(['ocean.nc'], { definition });

    expect(newCoverages.map(({ name, description }) => [name, description.name])).toEqual([['salt', 'salinity']]);
    expect(granules.map(({ imageindex, values }) => [imageindex, values])).toEqual(
      ['2013-03-01T00:00:00Z', '2013-03-01T06:30:00Z', '2013-03-02T00:00:00Z'].flatMap((time, t) =>
        [0, 1].map((d) => [6 + t * 2 + d, { ingestion: new Date(time), updated: now }]),
      ),
    );
    expect(warnings).toEqual([
      "The index of 'salt' has no attribute for dimension 'depth'. Its values are not stored.",
    ]);
  });

  it('skips a file that contains none of the coverages in the definition', async () => {
    await writeNetcdf(folder, 'ocean', 'netCDF-4', oceanCdl());
    const definition = await define({
      'indexer.xml': '<Indexer><coverages><coverage><name>O3</name></coverage></coverages></Indexer>',
    });

    const { skipped } = await run(['ocean.nc'], { definition });

    expect(skipped).toEqual([{ name: 'ocean.nc', reason: 'it contains none of the coverages in the definition' }]);
  });
});

describe('granule location', () => {
  it.each([
    ['', '/data/mosaic/a/b.tif', 'a/b.tif'],
    ['', '/data/other/b.tif', '/data/other/b.tif'],
    ['', '/data/mosaic2/b.tif', '/data/mosaic2/b.tif'],
    ['AbsolutePath=true', '/data/mosaic/a/b.tif', '/data/mosaic/a/b.tif'],
  ])('with %j, the location of %s is %s', async (indexer, path, location) => {
    const definition = await define({ 'indexer.properties': indexer });

    expect(formatLocation(definition, '/data/mosaic', path)).toBe(location);
  });
});
