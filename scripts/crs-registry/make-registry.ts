/**
 * Generates the CRS registry from the database of PROJ: the EPSG dataset and the Esri list. The database has 10 MB and
 * is needed only here; the server contains the registry.
 */

import { normalizeCrsName } from '../../src/crs/model/compare-models.ts';
import type { GeographicCrs, ProjectedCrs } from '../../src/crs/model/crs-model.ts';
import { projectionMethods } from '../../src/crs/model/projection.ts';
import { getUnitFactor, methodNames, type RegistryFile } from '../../src/crs/registry/registry-rows.ts';
import type { Entries, Entry, LayeredEntry } from './entries.ts';

export function registryText(entries: Entries): string {
  return `${JSON.stringify(makeRegistry(entries), undefined, 2)}\n`;
}

function makeRegistry(entries: Entries): RegistryFile {
  const baseNames = new Map(entries.geographic.map((entry) => [entry.code, entry.name]));
  const flat = entries.geographic.filter(({ flags }) => !flags.includes('h'));
  const shortNames = new Map(
    flat.map((entry) => [
      entry.name,
      [entry.name, ...entry.otherNames.filter((name) => name.startsWith('GCS_')).map((name) => name.slice(4))],
    ]),
  );
  const twins = Map.groupBy(entries.projected, twinKey);
  const ellipsoids = createRowList();
  const angularUnits = createRowList();
  const linearUnits = createRowList();

  const geographicRow = (entry: Entry<GeographicCrs>): string => {
    const { ellipsoid, primeMeridian, unit, datum, toWgs84 } = entry.model;
    return row(
      short(entry.code),
      entry.name,
      normalizeCrsName(datum) === normalizeCrsName(entry.name) && datum === entry.name.replaceAll(' ', '_')
        ? ''
        : datum,
      ellipsoids.indexOf(row(ellipsoid.name, ellipsoid.semiMajorMetres, ellipsoid.inverseFlattening)),
      primeMeridian.longitudeDegrees === 0 ? '' : `${primeMeridian.name}=${primeMeridian.longitudeDegrees}`,
      angularUnits.indexOf(row(unit.name, unit.radians)),
      toWgs84 === undefined ? '' : shiftText(toWgs84),
      entry.area.join(' '),
      otherNames(entry.otherNames, entry.name, datum),
      entry.flags,
    );
  };

  const projectedRow = (entry: Entry<ProjectedCrs>): string => {
    const { model } = entry;
    const base = model.base.code ?? '';
    const prefix = `${baseNames.get(base)} / `;
    const former = formerNames(entry, shortNames);
    const needsNames = (twins.get(twinKey(entry)) ?? []).length > 1 || former.length > 0;
    return row(
      short(entry.code),
      entry.name.startsWith(prefix) ? `~${entry.name.slice(prefix.length)}` : entry.name,
      short(base),
      methodNames.indexOf(model.projection.method),
      parameterText(model),
      linearUnits.indexOf(row(model.unit.name, model.unit.metres)),
      entry.area.join(' '),
      former.length > 0 ? `${entry.flags}m` : entry.flags,
      needsNames ? otherNames([...entry.otherNames, ...former], entry.name) : '',
    );
  };

  return {
    geographic: entries.geographic.map(geographicRow),
    geocentric: entries.geocentric.map(layeredRow),
    projected: entries.projected.map(projectedRow),
    compound: entries.compound.map(layeredRow),
    other: entries.other.map((entry) =>
      row(
        short(entry.code),
        entry.name,
        entry.area.join(' '),
        entry.flags,
        otherNames(entry.otherNames, entry.name),
        entry.wkt,
      ),
    ),
    ellipsoids: ellipsoids.rows(),
    angularUnits: angularUnits.rows(),
    linearUnits: linearUnits.rows(),
  };
}

function layeredRow(entry: LayeredEntry): string {
  return row(
    short(entry.code),
    entry.name,
    short(entry.below),
    entry.area.join(' '),
    entry.flags,
    otherNames(entry.otherNames, entry.name),
  );
}

/**
 * Names under a former base geographic system that is no longer correct. One vendor also spells the names of those
 * systems differently here.
 */
function formerNames(
  { name, otherNames: others, model }: Entry<ProjectedCrs>,
  shortNames: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return [name, ...others].flatMap((each) => {
    const at = each.indexOf(' / ');
    const base = each.slice(0, Math.max(at, 0));
    if (base === model.base.name) return [];
    return (shortNames.get(base) ?? []).map((spelled) => `${spelled}_${each.slice(at + 3)}`);
  });
}

/** Those that are not variants of the primary names, without duplicates. */
function otherNames(names: readonly string[], ...own: readonly string[]): string {
  const seen = new Set(own.map(normalizeCrsName));
  const further = names.filter((name) => !seen.has(normalizeCrsName(name)) && seen.add(normalizeCrsName(name)));
  return further.join('|');
}

interface RowList {
  indexOf(row: string): number;
  rows(): readonly string[];
}

function createRowList(): RowList {
  const indexes = new Map<string, number>();
  return {
    indexOf: (text) => {
      const index = indexes.get(text) ?? indexes.size;
      indexes.set(text, index);
      return index;
    },
    rows: () => [...indexes.keys()],
  };
}

/** Tab-separated fields, without trailing empty ones. */
function row(...fields: readonly (string | number)[]): string {
  return fields.join('\t').trimEnd();
}

function short(code: string): string {
  return code.replace(/^EPSG:/, '');
}

function shiftText(shift: readonly number[]): string {
  return (shift.slice(3).every((value) => value === 0) ? shift.slice(0, 3) : shift).join(' ');
}

/** Lengths and angles in the units of the system, where they are round numbers. */
function parameterText({ projection, base, unit }: ProjectedCrs): string {
  return projectionMethods[projection.method].parameters
    .map((name) => {
      const factor = getUnitFactor(name, unit.metres, base.unit.radians);
      const value = projection.parameters[name] ?? 0;
      return factor === 1 ? value : Number((value / factor).toPrecision(13));
    })
    .join(' ');
}

/** The key of two systems that differ only in their names. */
function twinKey({ model }: Entry<ProjectedCrs>): string {
  const parameters = { ...model.projection.parameters };
  // The order of two standard parallels has no meaning.
  const [lat_1, lat_2] = [parameters.lat_1 ?? 0, parameters.lat_2 ?? 0].sort((a, b) => a - b);
  const values = Object.entries({ ...parameters, lat_1, lat_2 }).sort(([a], [b]) => a.localeCompare(b));
  const rounded = values.map(([name, value]) => `${name}=${Number((value ?? 0).toFixed(name === 'k_0' ? 10 : 3))}`);
  return [model.base.code, model.projection.method, model.unit.metres.toFixed(8), ...rounded].join('|');
}
