/** Randomly modified definitions and files: each is accepted, skipped or rejected with a reason. */
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { mutated, mutationsAnywhere } from '../../../test/support/mutations.ts';
import { noRemoteFiles } from '../../../test/support/remote-blocks.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createDeletion, createInsertion, type Mutation } from '../../../test/support/text-mutations.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { createWorkerPool } from '../../workers/pool.ts';
import { type HarvestBatch, harvest } from './harvest.ts';
import { readDefinition } from './read-definition.ts';

/** Few by default; set `MOSAIC_FUZZ_CASES=2000` for a longer run. */
const CASES = Number(process.env['MOSAIC_FUZZ_CASES'] ?? '200');
const TIMEOUT_MS = 900_000;

const folder = useTemporaryFolder('mosaic-fuzz');
const pool = createWorkerPool({
  maxThreads: 2,
  maxWaiting: 100,
  deadlineMs: 60_000,
  maxMemoryMegabytes: 512,
  idleMs: 60_000,
});
afterAll(() => pool.close());

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../../test/fixtures/rasters', name));

const place = { left: 10, top: 50, pixel: 0.25, epsg: 4326 };

const definitions: readonly Readonly<Record<string, string>>[] = [
  {
    'indexer.properties':
      `Schema=*the_geom:Polygon,location:String,ingestion:java.util.Date,elevation:Double,low:Integer,high:Integer
PropertyCollectors=TimestampFileNameExtractorSPI[time](ingestion),DoubleFileNameExtractorSPI[z](elevation),CurrentDateExtractorSPI(updated)
TimeAttribute=ingestion
AdditionalDomainAttributes=range(low,high)
CanBeEmpty=true
Wildcard=*.tif
MosaicCRS=EPSG:4326
Envelope2D=10,40 12,44
`.replace(',CurrentDateExtractorSPI(updated)', ''),
    'time.properties': 'regex=[0-9]{8},format=yyyyMMdd,useHighTime=true',
    'z.properties': 'regex=(?<=_z)[0-9]+(?=_)',
    'datastore.properties':
      'SPI=org.geotools.data.postgis.PostgisNGDataStoreFactory\nhost=localhost\nport=5432\ndatabase=a\nuser=b\npasswd=c\n',
  },
  {
    'indexer.xml': `<Indexer><domains><domain name="time"><attributes><attribute>time</attribute></attributes></domain></domains>
<coverages><coverage><name>temperature</name><schema name="a"><attributes>the_geom:Polygon,location:String,imageindex:Integer,time:java.util.Date,updated:java.util.Date</attributes></schema>
<domains><domain ref="time"/></domains></coverage></coverages>
<collectors><collector name="c"><spi>CurrentDateExtractorSPI</spi><mapped>updated</mapped></collector></collectors>
<parameters><parameter name="CanBeEmpty" value="true"/><parameter name="AuxiliaryFile" value="aux.xml"/></parameters></Indexer>`,
    'aux.xml':
      '<Indexer><coverages><coverage><name>temperature</name><origName>temperature</origName></coverage></coverages></Indexer>',
  },
];

const pieces = [
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    ';',
    ':',
    '=',
    '*',
    '+',
    '?',
    '\\',
    '\\u',
    '\\u0000',
    '\n',
    '\0',
    '\ufffe',
    '<',
    '>',
    '&',
    '"',
  ],
  ...[
    '<!DOCTYPE a>',
    '<a/>',
    '</Indexer>',
    '(?<=',
    '(?!',
    '{1000}',
    '(a+)+',
    'yyyyQ',
    "'",
    'SPI',
    'String',
    'Point',
    'true',
  ],
  ...[
    '9999999999999999999',
    '-1',
    'NaN',
    'EPSG:0',
    '../',
    '/etc/passwd',
    'location:String,',
    '*the_geom:Polygon,',
    'a'.repeat(3_000),
  ],
];

const scribble: fc.Arbitrary<readonly Mutation[]> = fc.array(fc.oneof(createInsertion(pieces), createDeletion(12)), {
  minLength: 1,
  maxLength: 3,
});

/** The definition with random edits in one of its files. */
const scribbled = fc
  .tuple(fc.constantFrom(...definitions), fc.nat(), scribble)
  .map(([files, which, changes]): Readonly<Record<string, string>> => {
    const names = Object.keys(files);
    const name = names[which % names.length] ?? '';
    return { ...files, [name]: changes.reduce((text, change) => change(text), files[name] ?? '') };
  });

async function run(
  files: Readonly<Record<string, string>>,
  names: readonly string[],
): Promise<readonly HarvestBatch[]> {
  const bytes = new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
  const { definition } = await readDefinition(bytes);
  const batches: HarvestBatch[] = [];
  for await (const batch of harvest({
    definition: JSON.parse(JSON.stringify(definition)) as typeof definition,
    defaultName: 'store',
    coverages: [],
    files: names.map((name) => ({ path: join(folder, name), name, location: name })),
    pool,
    remoteBlocks: noRemoteFiles,
    now: new Date(0),
    signal: new AbortController().signal,
    maxFileMs: 5_000,
  })) {
    batches.push(batch);
  }
  return batches;
}

test(`${CASES} mutated definitions are accepted, or rejected with a position`, { timeout: TIMEOUT_MS }, async () => {
  await writeFile(join(folder, 'a_20081031_z10_.tif'), granuleBytes(place));
  await writeFile(join(folder, 'ocean.nc'), fixture('ocean-4.nc'));
  let followed = 0;
  let refused = 0;

  await fc.assert(
    fc.asyncProperty(scribbled, async (files) => {
      try {
        const batches = await run(files, ['a_20081031_z10_.tif', 'ocean.nc']);
        for (const { granules } of batches) expect(granules.every(({ drafts }) => drafts.length > 0)).toBe(true);
        followed += 1;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        expect([error.status, error.code, error.message]).toEqual([
          400,
          'mosaic-definition-invalid',
          expect.stringMatching(/line \d+/),
        ]);
        refused += 1;
      }
    }),
    { numRuns: CASES },
  );

  // Both outcomes must occur often, or the edits are too strong or too weak.
  expect(Math.min(followed, refused)).toBeGreaterThan(CASES / 40);
});

test(`${CASES} mutated files are harvested or skipped, and a valid file is always reported`, {
  timeout: TIMEOUT_MS,
}, async () => {
  await mkdir(join(folder, 'cases'), { recursive: true });
  await writeFile(join(folder, 'sound.tif'), granuleBytes(place));
  const samples = [
    { ending: 'tif', bytes: granuleBytes(place) },
    { ending: 'tif', bytes: granuleBytes({ ...place, date: '2008:10:31 12:30:15', epsg: 32632, left: 500_000 }) },
    { ending: 'tif', bytes: fixture('tiled.tif') },
    { ending: 'nc', bytes: fixture('ocean-3.nc') },
    { ending: 'nc', bytes: fixture('ocean-4.nc') },
  ];
  let number = 0;
  let harvested = 0;

  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...samples), mutationsAnywhere, async ({ ending, bytes }, changes) => {
      number += 1;
      const name = `cases/${number}.${ending}`;
      await writeFile(join(folder, name), mutated(bytes, changes));

      const batches = await run(
        { 'indexer.properties': 'PropertyCollectors=CRSExtractorSPI(crs)\nMosaicCRS=EPSG:4326' },
        [name, 'sound.tif'],
      );

      const locations = new Set(
        batches.flatMap(({ granules }) => granules.flatMap(({ drafts }) => drafts.map(({ location }) => location))),
      );
      const skipped = batches.flatMap((batch) => batch.skipped);
      // The valid file has the common bands; if the other one defines the coverage, it is reported as skipped.
      expect([...locations, ...skipped.map((each) => each.name)].toSorted()).toEqual([name, 'sound.tif'].toSorted());
      for (const { reason } of skipped) expect(reason).not.toBe('');
      harvested += locations.has(name) ? 1 : 0;
    }),
    { numRuns: CASES },
  );

  expect(harvested).toBeGreaterThan(CASES / 20);
  expect(harvested).toBeLessThan(CASES);
});
