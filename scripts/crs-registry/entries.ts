/** Turns the tables of the database into one entry per code, interpreted as far as the server can compute with it. */

import { normalizeCrsName } from '../../src/crs/model/compare-models.ts';
import type { CrsModel, GeographicCrs, ProjectedCrs } from '../../src/crs/model/crs-model.ts';
import { readCrs } from '../../src/crs/wkt/read-crs.ts';
import { parseWkt } from '../../src/crs/wkt/wkt-node.ts';
import { writeCrs } from '../../src/crs/wkt/write-crs.ts';
import { conversionText, createConversions } from './conversions.ts';
import { readNovelties } from './novelties.ts';
import { codeIn, indexed, number, type ProjDatabase, type Row, text } from './proj-database.ts';
import { chooseShifts } from './shifts.ts';
import { createUnits, type Units } from './units.ts';

export type Area = readonly [west: number, south: number, east: number, north: number];

interface Named {
  readonly code: string;
  readonly name: string;
  readonly area: Area;
  readonly flags: string;
  /** Its Esri name and its names in earlier editions of the dataset. */
  readonly otherNames: readonly string[];
}

export interface Entry<M extends CrsModel = CrsModel> extends Named {
  readonly model: M;
}

/** A derived system: with heights, or in three geocentric coordinates. */
export interface LayeredEntry extends Named {
  readonly below: string;
}

export interface OtherEntry extends Named {
  readonly wkt: string;
  readonly reason: string;
}

export interface Unlisted {
  readonly code: string;
  readonly reason: string;
}

export interface Entries {
  readonly geographic: readonly Entry<GeographicCrs>[];
  readonly projected: readonly Entry<ProjectedCrs>[];
  readonly geocentric: readonly LayeredEntry[];
  readonly compound: readonly LayeredEntry[];
  /** Supported by name and text only. */
  readonly other: readonly OtherEntry[];
  /** Unsupported. */
  readonly unlisted: readonly Unlisted[];
}

const WORLD: Area = [-180, -90, 180, 90];
const AUTHORITIES = "('EPSG', 'ESRI')";

/** Names used by file writers in addition to those in the database. */
const FURTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  'EPSG:4171': ['RGF93', 'Reseau Geodesique Francais 1993'],
  'EPSG:4258': ['European Terrestrial Reference System 1989 ensemble'],
  'EPSG:4326': ['WGS84', 'WGS_1984', 'World Geodetic System 1984', 'World Geodetic System 1984 ensemble'],
};

export function collectEntries(database: ProjDatabase): Entries {
  const units = createUnits(database);
  const conversions = createConversions(database, units);
  const describe = createDescriber(database);
  const systems = readGeodetic(database, units);
  const shiftOf = chooseShifts(database, units);

  const geographic: Entry<GeographicCrs>[] = [];
  const projected: Entry<ProjectedCrs>[] = [];
  const geocentric: LayeredEntry[] = [];
  const compound: LayeredEntry[] = [];
  const other: OtherEntry[] = [];
  const unlisted: Unlisted[] = [];

  const bases = new Map<string, Entry<GeographicCrs>>();
  const basesByName = new Map<string, Entry<GeographicCrs>>();
  for (const row of systems.rows) {
    const code = codeIn(row);
    if (!systems.isOnEarth(row)) {
      unlisted.push({ code, reason: 'on another celestial body' });
    } else if (text(row, 'type') !== 'geocentric') {
      const { otherNames, ...named } = describe(row, 'geodetic_crs');
      const names = [
        ...otherNames,
        ...describe.aliasesOf('geodetic_datum', codeIn(row, 'datum_')),
        ...(FURTHER_NAMES[code] ?? []),
      ];
      const toWgs84 = shiftOf(row);
      const model = { ...systems.modelOf(row), ...(toWgs84 === undefined ? {} : { toWgs84 }) };
      const heights = text(row, 'type') === 'geographic 3D' ? 'h' : '';
      const entry = { ...named, flags: `${named.flags}${heights}`, otherNames: names, model };
      geographic.push(entry);
      bases.set(code, entry);
      for (const name of [entry.name, ...otherNames])
        if (!basesByName.has(normalizeCrsName(name))) basesByName.set(normalizeCrsName(name), entry);
    }
  }

  const byDatum = Map.groupBy(
    systems.rows.filter((row) => text(row, 'type') !== 'geocentric' && bases.has(codeIn(row))),
    (row) => codeIn(row, 'datum_'),
  );
  for (const row of systems.rows.filter((each) => text(each, 'type') === 'geocentric')) {
    const candidates = byDatum.get(codeIn(row, 'datum_')) ?? [];
    const base =
      candidates.find((each) => text(each, 'type') === 'geographic 3D' && number(each, 'deprecated') === 0) ??
      candidates[0];
    if (base === undefined)
      unlisted.push({ code: codeIn(row), reason: 'geocentric on a datum without a geographic system' });
    else geocentric.push({ ...describe(row, 'geodetic_crs'), below: codeIn(base) });
  }

  for (const row of database.rows(
    `SELECT * FROM projected_crs WHERE auth_name IN ${AUTHORITIES} ORDER BY auth_name, code + 0`,
  )) {
    const code = codeIn(row);
    const named = describe(row, 'projected_crs');
    const definition = text(row, 'text_definition');
    if (definition !== '') {
      const node = parseWkt(definition);
      const model = node === undefined ? undefined : readCrs(node);
      const baseName = /GEOGCS\["([^"]*)"/.exec(definition)?.[1] ?? '';
      const base = basesByName.get(normalizeCrsName(baseName));
      if (base === undefined) unlisted.push({ code, reason: 'on another celestial body' });
      else if (model?.kind === 'projected')
        projected.push({ ...named, model: { ...model, name: named.name, code, base: base.model } });
      else
        other.push({
          ...named,
          wkt: definition,
          reason: reasonFor(/PROJECTION\["([^"]*)"/.exec(definition)?.[1] ?? ''),
        });
      continue;
    }
    const base = bases.get(codeIn(row, 'geodetic_crs_'));
    if (base === undefined) {
      unlisted.push({ code, reason: 'on another celestial body' });
      continue;
    }
    const conversion = conversions.find(codeIn(row, 'conversion_'));
    const unit = units.linear(codeIn(systems.axisOf(row, 1), 'uom_'));
    const projection =
      conversion === undefined
        ? undefined
        : conversions.projectionOf(conversion, base.model, text(systems.axisOf(row, 1), 'orientation') === 'south');
    if (conversion === undefined) throw new Error(`${code} has no conversion.`);
    if (projection !== undefined)
      projected.push({
        ...named,
        model: { kind: 'projected', name: named.name, code, base: base.model, projection, unit },
      });
    else
      other.push({
        ...named,
        wkt: conversionText(conversion, named.name, writeCrs(base.model), unit, code),
        reason: reasonFor(conversion.methodName),
      });
  }

  const listed = new Set(database.rows('SELECT auth_name, code FROM crs_view').map((row) => codeIn(row)));
  for (const { code, name, area, model } of readNovelties((each) => listed.has(each))) {
    const named = { code, name, area, flags: '', otherNames: [] };
    const base = model.kind === 'projected' ? basesByName.get(normalizeCrsName(model.base.name)) : undefined;
    if (model.kind === 'geographic') {
      const entry = { ...named, flags: 'y', model: { ...model, name, code } };
      geographic.push(entry);
      basesByName.set(normalizeCrsName(model.name), entry);
    } else if (model.kind === 'projected' && base !== undefined) {
      projected.push({ ...named, model: { ...model, name, code, base: base.model } });
    }
  }

  const known = new Set([...geographic, ...projected, ...other].map(({ code }) => code));
  for (const row of database.rows(
    `SELECT * FROM compound_crs WHERE auth_name IN ${AUTHORITIES} ORDER BY auth_name, code + 0`,
  )) {
    const below = codeIn(row, 'horiz_crs_');
    if (known.has(below)) compound.push({ ...describe(row, 'compound_crs'), below });
    else unlisted.push({ code: codeIn(row), reason: 'heights above a system that is no geographic or projected one' });
  }
  for (const row of database.rows(`SELECT * FROM vertical_crs WHERE auth_name IN ${AUTHORITIES}`))
    unlisted.push({ code: codeIn(row), reason: 'heights or depths only' });
  for (const row of database.rows(`SELECT * FROM engineering_crs WHERE auth_name IN ${AUTHORITIES}`))
    unlisted.push({ code: codeIn(row), reason: 'a local grid that is not tied to the Earth' });
  return { geographic, projected, geocentric, compound, other, unlisted };

  function reasonFor(method: string): string {
    return `the projection ${method.replaceAll('_', ' ')}`;
  }
}

interface GeodeticSystems {
  readonly rows: readonly Row[];
  isOnEarth(row: Row): boolean;
  modelOf(row: Row): GeographicCrs;
  axisOf(row: Row, order: number): Row | undefined;
}

function readGeodetic(database: ProjDatabase, units: Units): GeodeticSystems {
  const datums = indexed(database.rows('SELECT * FROM geodetic_datum'));
  const ellipsoids = indexed(database.rows('SELECT * FROM ellipsoid'));
  const meridians = indexed(database.rows('SELECT * FROM prime_meridian'));
  const axes = indexed(
    database.rows('SELECT * FROM axis'),
    (row) => `${codeIn(row, 'coordinate_system_')}/${text(row, 'coordinate_system_order')}`,
  );
  const axisOf = (row: Row, order: number): Row | undefined =>
    axes.get(`${codeIn(row, 'coordinate_system_')}/${order}`);
  const ellipsoidOf = (row: Row): Row | undefined =>
    ellipsoids.get(codeIn(datums.get(codeIn(row, 'datum_')), 'ellipsoid_'));
  return {
    rows: database.rows(`SELECT * FROM geodetic_crs WHERE auth_name IN ${AUTHORITIES} ORDER BY auth_name, code + 0`),
    isOnEarth: (row) => codeIn(ellipsoidOf(row), 'celestial_body_') === 'PROJ:EARTH',
    axisOf,
    modelOf: (row) => {
      const datum = datums.get(codeIn(row, 'datum_'));
      const ellipsoid = ellipsoidOf(row);
      const meridian = meridians.get(codeIn(datum, 'prime_meridian_'));
      const metres = units.linear(codeIn(ellipsoid, 'uom_')).metres;
      const semiMajorMetres = number(ellipsoid, 'semi_major_axis') * metres;
      const semiMinorMetres = number(ellipsoid, 'semi_minor_axis') * metres;
      const flattened = ellipsoid?.['inv_flattening'];
      return {
        kind: 'geographic',
        name: text(row, 'name'),
        code: codeIn(row),
        datum: datumName(text(datum, 'name')),
        ellipsoid: {
          name: text(ellipsoid, 'name'),
          semiMajorMetres: Number(semiMajorMetres.toPrecision(13)),
          inverseFlattening:
            typeof flattened === 'number'
              ? flattened
              : semiMinorMetres === semiMajorMetres
                ? 0
                : Number((semiMajorMetres / (semiMajorMetres - semiMinorMetres)).toPrecision(13)),
        },
        primeMeridian: {
          name: text(meridian, 'name'),
          longitudeDegrees: units.degrees(number(meridian, 'longitude'), codeIn(meridian, 'uom_')),
        },
        unit: units.angular(codeIn(axisOf(row, 1), 'uom_')),
      };
    },
  };
}

/** In the notation of well-known text 1: words and underscores. */
function datumName(name: string): string {
  if (name.startsWith('World Geodetic System 1984')) return 'WGS_1984';
  return name
    .replace(/ ensemble$/, '')
    .replaceAll(/[^A-Za-z0-9+]+/g, '_')
    .replace(/_$/, '');
}

interface Describer {
  (row: Row, table: string): Named;
  aliasesOf(table: string, code: string): readonly string[];
}

function createDescriber(database: ProjDatabase): Describer {
  const extents = indexed(database.rows('SELECT * FROM extent'));
  const usages = Map.groupBy(
    database.rows('SELECT * FROM usage'),
    (row) => `${text(row, 'object_table_name')} ${codeIn(row, 'object_')}`,
  );
  const aliases = Map.groupBy(
    database.rows(`SELECT * FROM alias_name WHERE source <> 'EPSG' OR table_name IN ('projected_crs', 'compound_crs')
       ORDER BY source, alt_name`),
    (row) => `${text(row, 'table_name')} ${codeIn(row)}`,
  );
  const axes = Map.groupBy(database.rows('SELECT * FROM axis ORDER BY coordinate_system_order'), (row) =>
    codeIn(row, 'coordinate_system_'),
  );

  const aliasesOf = (table: string, code: string): readonly string[] =>
    (aliases.get(`${table} ${code}`) ?? []).map((row) => text(row, 'alt_name'));
  const areaOf = (table: string, code: string): Area => {
    const [usage] = usages.get(`${table} ${code}`) ?? [];
    const extent = usage === undefined ? undefined : extents.get(codeIn(usage, 'extent_'));
    if (extent === undefined || extent['west_lon'] === null) return WORLD;
    return [
      number(extent, 'west_lon'),
      number(extent, 'south_lat'),
      number(extent, 'east_lon'),
      number(extent, 'north_lat'),
    ];
  };
  const describe = (row: Row, table: string): Named => ({
    code: codeIn(row),
    name: text(row, 'name'),
    area: areaOf(table, codeIn(row)),
    flags: `${isNorthFirst(axes.get(codeIn(row, 'coordinate_system_')) ?? []) ? 'y' : ''}${number(row, 'deprecated') === 0 ? '' : 'd'}`,
    otherNames: aliasesOf(table, codeIn(row)),
  });
  return Object.assign(describe, { aliasesOf });
}

/** At a pole both axes point the same way, and only their names distinguish them. */
function isNorthFirst([first, second]: readonly Row[]): boolean {
  const [one, other] = [text(first, 'orientation'), text(second, 'orientation')];
  return (
    (one === 'north' && other === 'east') || (text(first, 'name') === 'Northing' && text(second, 'name') === 'Easting')
  );
}
