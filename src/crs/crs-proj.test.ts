/**
 * Compares every coordinate reference system of PROJ with the registry. By default a sample is checked;
 * `GRATICULE_EVERY_CRS=1` checks all, which takes minutes.
 */
import { beforeAll, expect, test } from 'vitest';
import { collectEntries } from '../../scripts/crs-registry/entries.ts';
import { codeIn, openProjDatabase } from '../../scripts/crs-registry/proj-database.ts';
import { type ExaminedSystem, examineSystems, type ListedSystem, listSystems } from '../../test/support/pyproj.ts';
import { describeWithTool } from '../../test/support/with-tool.ts';
import { matchWkt } from './match-wkt.ts';
import type { CrsModel } from './model/crs-model.ts';
import { type CrsRegistry, loadRegistry, type RegisteredCrs } from './registry/registry.ts';
import { createTransformer } from './transformer.ts';

const TIMEOUT_MS = 600_000;
const SAMPLE_STEP = 40;
const DATUM_STEP = 8;
const TOLERANCE_METRES = 0.1;
const EARTH_RADIUS_METRES = 6_371_000;

/** Systems whose projection differs between PROJ and the registry. */
const DIFFERENT_POSITIONS: Readonly<Record<string, string>> = {
  'EPSG:6996': 'the dataset gives its scale in parts per million by mistake',
  'EPSG:6997': 'the dataset gives its scale in parts per million by mistake',
  'ESRI:54028': 'a projection for narrow strips, used for the world: the series of terms is cut off elsewhere',
  'ESRI:102191': 'Esri has changed its origin',
  'ESRI:102192': 'Esri has changed its origin',
};

/** Recommended systems whose WKT does not match their code. */
const DIFFERENT_CODES: Readonly<Record<string, string>> = {
  'EPSG:2065': 'the text does not say where the axes point',
  'EPSG:5513': 'the text does not say where the axes point',
  'EPSG:8044': 'the text does not say where the axes point',
  'EPSG:8045': 'the text does not say where the axes point',
  'EPSG:8352': 'the text does not say where the axes point',
  'EPSG:9895': 'the text does not say that there are heights',
  'ESRI:104644': 'the text does not say that there are heights',
  'ESRI:102032': 'it has other parameters in another edition',
  'EPSG:2985': 'the projection is a variant that only PROJ writes so',
  'EPSG:2986': 'the projection is a variant that only PROJ writes so',
  'EPSG:3295': 'the projection is a variant that only PROJ writes so',
  'EPSG:3000': 'the text has a parallel instead of the scale',
  'EPSG:3001': 'the text has a parallel instead of the scale',
  'EPSG:3002': 'the text has a parallel instead of the scale',
  'EPSG:5329': 'the text has a parallel instead of the scale',
  'EPSG:5330': 'the text has a parallel instead of the scale',
  'EPSG:5331': 'the text has a parallel instead of the scale',
  'EPSG:3885': 'it was moved to another datum, and its former name is not listed',
  'EPSG:6622': 'it was moved to another datum, and its former name is not listed',
  'EPSG:6624': 'it was moved to another datum, and its former name is not listed',
};

describeWithTool('pyproj', 'coordinate reference systems compared with PROJ', () => {
  let registry: CrsRegistry;
  let listed: readonly ListedSystem[];
  let examined: readonly (ExaminedSystem & ListedSystem)[];

  beforeAll(async () => {
    registry = await loadRegistry();
    listed = await listSystems();
    const known = listed.filter(({ code }) => registry.find(code) !== undefined);
    const isAll = process.env['GRATICULE_EVERY_CRS'] === '1';
    const sample = isAll
      ? known
      : known.filter((each, index) => index % (isRecommendedDatum(each) ? DATUM_STEP : SAMPLE_STEP) === 0);
    const answers = new Map((await examineSystems(sample.map(({ code }) => code))).map((each) => [each.code, each]));
    examined = sample.flatMap((each) => {
      const answer = answers.get(each.code);
      return answer === undefined ? [] : [{ ...each, ...answer }];
    });
  }, TIMEOUT_MS);

  test('every code is in the registry or listed with a reason', () => {
    const database = openProjDatabase();
    const reasons = new Map(collectEntries(database).unlisted.map(({ code, reason }) => [code, reason]));
    const inOurEdition = new Set(database.rows('SELECT auth_name, code FROM crs_view').map((row) => codeIn(row)));

    const unknown = listed
      .filter(({ code }) => registry.find(code) === undefined)
      // Another edition of PROJ may have newer codes, and some that Esri has given up since.
      .filter(({ code }) => inOurEdition.has(code));

    expect(listed.length).toBeGreaterThan(9_000);
    expect(unknown.filter(({ code }) => !reasons.has(code))).toEqual([]);
    const kinds = new Set(unknown.filter(({ code }) => code.startsWith('EPSG:')).map(({ type }) => type));
    expect([...kinds].filter((type) => type !== 'ENGINEERING_CRS')).toEqual(['VERTICAL_CRS']);
  });

  test('positions match PROJ in both directions', async () => {
    const wrong: string[] = [];
    let compared = 0;
    for (const { code, place, position } of examined) {
      const model = registry.find(code)?.model;
      if (place === null || position === null || model?.kind !== 'projected' || code in DIFFERENT_POSITIONS) continue;
      compared += 1;
      const transformer = await createTransformer(onItsOwnDatum(model));
      const ours = transformer?.fromLongitudeLatitude(place);
      const back = ours === undefined ? undefined : transformer?.toLongitudeLatitude(ours);
      if (!(distance(ours, position) * model.unit.metres < TOLERANCE_METRES))
        wrong.push(`${code}: ${ours} ${position}`);
      if (!(distance(back, place) % 360 < 1e-6)) wrong.push(`${code}: ${back} ${place}`);
    }

    expect(compared).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  test('most datums that EPSG recommends are shifted to WGS 84 within a metre of PROJ', async () => {
    const metres: number[] = [];
    for (const { code, place, position } of examined.filter(isRecommendedDatum)) {
      const model = registry.find(code)?.model;
      if (place === null || position === null || model?.kind !== 'geographic') continue;
      const ours = (await createTransformer(model))?.fromLongitudeLatitude(place);
      metres.push(distance(ours, position) * model.unit.radians * EARTH_RADIUS_METRES);
    }

    expect(metres.length).toBeGreaterThan(50);
    // The registry has one shift per datum; PROJ has one per country, or none outside the land area.
    expect(metres.filter((each) => each < 1).length / metres.length).toBeGreaterThan(0.85);
  });

  test('the axis order equals the order of the authority', () => {
    const wrong = examined.filter(({ code, type, axes }) => {
      if (type === 'GEOCENTRIC_CRS') return false;
      const isNorthFirst = axes[0] === 'north' && axes[1] === 'east';
      const isAtPole = axes[0] === axes[1];
      return !isAtPole && registry.find(code)?.isNorthFirst !== isNorthFirst;
    });

    expect(wrong.map(({ code, axes }) => `${code}: ${axes}`)).toEqual([]);
  });

  test.for(['esri', 'ogc'] as const)('WKT in the dialect of %s matches the code of its CRS', async (words) => {
    const wrong: string[] = [];
    let compared = 0;
    for (const system of examined) {
      const text = system[words]?.replaceAll(/,AUTHORITY\["\w+","\w+"\]/g, '');
      const entry = registry.find(system.code);
      if (text === undefined || entry === undefined) continue;
      compared += 1;
      const code = (await matchWkt(text)).code;
      const isFine = code === system.code || isAsGood(entry, system.type === 'COMPOUND_CRS', registry.find(code ?? ''));
      if (!isFine && !(system.code in DIFFERENT_CODES)) wrong.push(`${system.code} ${system.name}: ${code}`);
    }

    expect(compared).toBeGreaterThan(150);
    expect(wrong).toEqual([]);
  });

  test('WKT that includes a code matches that code', async () => {
    for (const { code, ogc } of examined) {
      if (ogc?.includes('AUTHORITY') === true) expect((await matchWkt(ogc)).code).toBe(code);
    }
  });
});

function isRecommendedDatum({ code, type, isDeprecated }: ListedSystem): boolean {
  return type === 'GEOGRAPHIC_2D_CRS' && code.startsWith('EPSG:') && !isDeprecated;
}

/** Names are ambiguous: a deprecated system, or one of Esri, may match its replacement. */
function isAsGood(wanted: RegisteredCrs, isCompound: boolean, found: RegisteredCrs | undefined): boolean {
  if (wanted.isDeprecated) return true;
  // Esri appends the vertical system, which many readers ignore.
  if (isCompound) return found !== undefined;
  return wanted.code.startsWith('ESRI:') && (found?.code.startsWith('EPSG:') ?? false);
}

function onItsOwnDatum(model: Extract<CrsModel, { kind: 'projected' }>): CrsModel {
  const { toWgs84: _, ...base } = model.base;
  return { ...model, base: { ...base, primeMeridian: { name: 'Greenwich', longitudeDegrees: 0 } } };
}

function distance(a: readonly number[] | undefined, b: readonly number[]): number {
  return a === undefined
    ? Number.NaN
    : Math.hypot((a[0] ?? Number.NaN) - (b[0] ?? 0), (a[1] ?? Number.NaN) - (b[1] ?? 0));
}
