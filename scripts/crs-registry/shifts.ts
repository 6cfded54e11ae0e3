/**
 * Selects the shift to WGS 84 of each datum from the transformations of the dataset that need no grid. A datum has one
 * shift here, while the dataset may have one per country. The shift that covers most of the places where the datum is
 * used is selected; among equals, the most accurate, then a null shift, then the newest.
 */
import { codeIn, indexed, number, type ProjDatabase, type Row, text } from './proj-database.ts';
import type { Units } from './units.ts';

/** Three shifts in meters, three rotations in arc seconds (position vector), a scale in parts per million. */
type Shift = readonly number[];

interface Candidate {
  readonly shift: Shift;
  readonly fitting: number;
  readonly accuracy: number;
  readonly code: number;
}

const WGS_84 = 'EPSG:6326';
const NOTHING: Shift = [0, 0, 0, 0, 0, 0, 0];
const ARC_SECOND = Math.PI / 180 / 3600;
const LONGITUDE_ROTATION = 'EPSG:9601';

/** Rotations with the opposite sign: "coordinate frame". */
const FRAME_METHODS: ReadonlySet<string> = new Set(['1032', '1056', '1057', '1066', '9607', '9636']);
/** A full rotation matrix, and separate heights: seven parameters cannot express these. */
const FOREIGN_METHODS: ReadonlySet<string> = new Set(['1133', '1140', '1149']);
/** A difference of a tenth of the places where a datum is used is not significant. */
const SAME_FIT = 0.9;
const NEAR_MISS_METRES = 1e-9;

export function chooseShifts(database: ProjDatabase, units: Units): (system: Row) => Shift | undefined {
  const systems = database.rows('SELECT * FROM geodetic_crs');
  const datumOf = new Map(systems.map((row) => [codeIn(row), codeIn(row, 'datum_')]));
  const { areaOf, placesOf } = readPlaces(database, datumOf);
  const superseded = new Set(
    database
      .rows(
        `SELECT superseded_auth_name AS auth_name, superseded_code AS code FROM supersession
         WHERE superseded_table_name = 'helmert_transformation' AND replacement_table_name = 'helmert_transformation'
         AND same_source_target_crs = 1`,
      )
      .map((row) => codeIn(row)),
  );
  const transformations = Map.groupBy(
    database
      .rows('SELECT * FROM helmert_transformation')
      .filter((row) => !FOREIGN_METHODS.has(text(row, 'method_code'))),
    (row) => datumOf.get(codeIn(row, 'source_crs_')) ?? '',
  );
  const turned = new Map(
    database
      // The first of several is the one to the datum of that name.
      .rows('SELECT * FROM other_transformation ORDER BY code + 0 DESC')
      .filter((row) => codeIn(row, 'method_') === LONGITUDE_ROTATION)
      .map((row) => [datumOf.get(codeIn(row, 'source_crs_')), datumOf.get(codeIn(row, 'target_crs_'))]),
  );
  const ensemble = new Set(
    database
      .rows("SELECT member_auth_name, member_code FROM geodetic_datum_ensemble_member WHERE ensemble_code = '6326'")
      .map((row) => codeIn(row, 'member_')),
  );

  /** Recommended ones first, then the others; EPSG before Esri. */
  const preferred = (rows: readonly Row[]): readonly Row[] => {
    const isCurrent = (row: Row): boolean => number(row, 'deprecated') === 0 && !superseded.has(codeIn(row));
    const isOwn = (row: Row): boolean => text(row, 'auth_name') === 'EPSG';
    const choices = [rows.filter((row) => isCurrent(row) && isOwn(row)), rows.filter(isOwn), rows.filter(isCurrent)];
    return choices.find((each) => each.length > 0) ?? rows;
  };

  const bestFor = (
    datum: string,
    isTarget: (target: string) => boolean,
    isWanted: (row: Row) => boolean = () => true,
  ): Shift | undefined => {
    const places = placesOf(datum);
    const rows = (transformations.get(datum) ?? []).filter(
      (row) => isWanted(row) && isTarget(datumOf.get(codeIn(row, 'target_crs_')) ?? ''),
    );
    const candidates = preferred(rows).map((row): Candidate => {
      const area = areaOf(row);
      const fitting = places.filter(([longitude, latitude]) => holds(area, longitude, latitude)).length;
      return {
        shift: shiftOf(row, units),
        fitting,
        accuracy: number(row, 'accuracy') || 99,
        code: number(row, 'code'),
      };
    });
    const most = Math.max(...candidates.map(({ fitting }) => fitting));
    const [best] = candidates
      .filter(({ fitting }) => fitting >= most * SAME_FIT)
      .sort(
        (a, b) => a.accuracy - b.accuracy || Number(isNothing(b.shift)) - Number(isNothing(a.shift)) || b.code - a.code,
      );
    return best?.shift;
  };

  const direct = (datum: string): Shift | undefined =>
    ensemble.has(datum) ? NOTHING : bestFor(datum, (target) => target === WGS_84);

  /** Through another datum if there is no direct way: first one that is treated as WGS 84. */
  const throughAnother = (datum: string): Shift | undefined => {
    const near = bestFor(datum, (target) => isNothing(direct(target)), isLasting);
    if (near !== undefined) return near;
    const [row] = preferred((transformations.get(datum) ?? []).filter(isLasting));
    const target = datumOf.get(codeIn(row, 'target_crs_'));
    const further = target === undefined ? undefined : direct(target);
    if (row === undefined || further === undefined) return undefined;
    // Rotations this small can be added.
    return shiftOf(row, units).map((value, index) => tidy(value + (further[index] ?? 0), 7));
  };

  return (system) => {
    const datum = codeIn(system, 'datum_');
    if (datum === WGS_84) return undefined;
    for (const each of [turned.get(datum), datum]) {
      if (each === undefined) continue;
      const found = direct(each) ?? throughAnother(each);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Whether it is independent of time: plates move, and coordinates here have no epoch. */
function isLasting(row: Row): boolean {
  return row['rate_tx'] === null && row['epoch'] === null;
}

function isNothing(shift: Shift | undefined): boolean {
  return shift?.every((value) => Math.abs(value) < NEAR_MISS_METRES) ?? false;
}

type Place = readonly [longitude: number, latitude: number];

/** The places where a datum is used: the center of every system based on it. */
function readPlaces(
  database: ProjDatabase,
  datumOf: ReadonlyMap<string, string>,
): { areaOf(row: Row): Row | undefined; placesOf(datum: string): readonly Place[] } {
  const extents = indexed(database.rows('SELECT * FROM extent'));
  const usages = indexed(
    database.rows('SELECT * FROM usage'),
    (row) => `${text(row, 'object_table_name')} ${codeIn(row, 'object_')}`,
  );
  const extentOf = (table: string, row: Row): Row | undefined => {
    const usage = usages.get(`${table} ${codeIn(row)}`);
    return usage === undefined ? undefined : extents.get(codeIn(usage, 'extent_'));
  };
  const places = new Map<string, Place[]>();
  const note = (datum: string | undefined, extent: Row | undefined): void => {
    if (datum === undefined || extent === undefined) return;
    const [west, east] = [number(extent, 'west_lon'), number(extent, 'east_lon')];
    const middle = (west + east + (west > east ? 360 : 0)) / 2;
    const place: Place = [
      middle > 180 ? middle - 360 : middle,
      (number(extent, 'south_lat') + number(extent, 'north_lat')) / 2,
    ];
    places.set(datum, [...(places.get(datum) ?? []), place]);
  };
  for (const row of database.rows("SELECT * FROM geodetic_crs WHERE auth_name IN ('EPSG', 'ESRI')")) {
    note(datumOf.get(codeIn(row)), extentOf('geodetic_crs', row));
  }
  for (const row of database.rows("SELECT * FROM projected_crs WHERE auth_name IN ('EPSG', 'ESRI')")) {
    note(datumOf.get(codeIn(row, 'geodetic_crs_')), extentOf('projected_crs', row));
  }
  return { areaOf: (row) => extentOf('helmert_transformation', row), placesOf: (datum) => places.get(datum) ?? [] };
}

function holds(area: Row | undefined, longitude: number, latitude: number): boolean {
  const [west, east] = [number(area, 'west_lon'), number(area, 'east_lon')];
  const isBetween = west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return isBetween && latitude >= number(area, 'south_lat') && latitude <= number(area, 'north_lat');
}

function shiftOf(row: Row, units: Units): Shift {
  const length = units.factor(codeIn(row, 'translation_uom_'));
  const angle = row['rotation_uom_code'] === null ? 0 : units.factor(codeIn(row, 'rotation_uom_')) / ARC_SECOND;
  const sign = FRAME_METHODS.has(text(row, 'method_code')) ? -1 : 1;
  const scale =
    row['scale_difference_uom_code'] === null ? 0 : units.factor(codeIn(row, 'scale_difference_uom_')) * 1e6;
  const moved = ['tx', 'ty', 'tz'].map((column) => number(row, column) * length);
  const turned = ['rx', 'ry', 'rz'].map((column) => number(row, column) * angle * sign);
  const ppm = number(row, 'scale_difference') * scale;
  return [
    ...aboutCentre(row, moved, turned, ppm).map((value) => tidy(value, 4)),
    ...turned.map((value) => tidy(value, 7)),
    tidy(ppm, 6),
  ];
}

/** A rotation about a pivot equals a rotation about the center of the Earth with another shift. */
function aboutCentre(row: Row, moved: readonly number[], turned: readonly number[], ppm: number): readonly number[] {
  if (row['px'] === null) return moved;
  const pivot = ['px', 'py', 'pz'].map((column) => number(row, column));
  const [x = 0, y = 0, z = 0] = pivot;
  const [rx = 0, ry = 0, rz = 0] = turned.map((value) => value * ARC_SECOND);
  const scale = 1 + ppm * 1e-6;
  const rotated = [x - rz * y + ry * z, rz * x + y - rx * z, -ry * x + rx * y + z];
  return moved.map((value, index) => value + (pivot[index] ?? 0) - scale * (rotated[index] ?? 0));
}

function tidy(value: number, digits: number): number {
  return Number(value.toFixed(digits)) + 0;
}
