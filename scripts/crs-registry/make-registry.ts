/**
 * Makes the registry of coordinate reference systems out of the packages `epsg-index` and `@esri/proj-codes`.
 *
 * Those weigh 55 MB and are needed only here and in tests; the registry is what the server carries.
 */

import { plainName } from '../../src/data/crs/compare-models.ts';
import type { GeographicCrs, ProjectedCrs } from '../../src/data/crs/crs-model.ts';
import { projectionMethods } from '../../src/data/crs/projection.ts';
import { factorOf, methodNames, type RegistryFile } from '../../src/data/crs/registry-rows.ts';
import { collectEntries, type Entry } from './entries.ts';
import { gatherDatumKnowledge } from './shift-of.ts';

export function registryText(): string {
  return `${JSON.stringify(makeRegistry(), undefined, 2)}\n`;
}

function makeRegistry(): RegistryFile {
  const entries = collectEntries();
  const geographic: Entry<GeographicCrs>[] = [];
  const projected: Entry<ProjectedCrs>[] = [];
  for (const entry of entries.systems) {
    if (entry.model.kind === 'geographic') geographic.push({ ...entry, model: entry.model });
    else projected.push({ ...entry, model: entry.model });
  }
  const bases = new Map(geographic.map((entry) => [entry.code, entry]));
  const twins = Map.groupBy(projected, twinKey);
  const { shiftOf, datumOf } = gatherDatumKnowledge(geographic, projected);
  const ellipsoids = createRowList();
  const angularUnits = createRowList();
  const linearUnits = createRowList();

  const geographicRow = (entry: Entry<GeographicCrs>): string => {
    const { model } = entry;
    const { ellipsoid, primeMeridian, unit } = model;
    const shift = shiftOf(entry);
    const own = [model.name, model.datum].map(plainName);
    return row(
      short(entry.code),
      entry.name,
      datumOf(entry),
      ellipsoids.indexOf(row(ellipsoid.name, ellipsoid.semiMajorMetres, ellipsoid.inverseFlattening)),
      primeMeridian.longitudeDegrees === 0 ? '' : `${primeMeridian.name}=${primeMeridian.longitudeDegrees}`,
      angularUnits.indexOf(row(unit.name, unit.radians)),
      shift === undefined ? '' : shiftText(shift),
      entry.area.join(' '),
      entry.otherNames.filter((name) => !own.includes(plainName(name))).join('|'),
      entry.flags,
    );
  };

  const projectedRow = (entry: Entry<ProjectedCrs>): string | undefined => {
    const { model } = entry;
    const base = bases.get(model.base.code ?? '');
    if (base === undefined) return undefined;
    const prefix = `${base.name} / `;
    const needsNames = entry.isKnownByName || (twins.get(twinKey(entry)) ?? []).length > 1;
    return row(
      short(entry.code),
      entry.name.startsWith(prefix) ? `~${entry.name.slice(prefix.length)}` : entry.name,
      short(base.code),
      methodNames.indexOf(model.projection.method),
      parameterText(model),
      linearUnits.indexOf(row(model.unit.name, model.unit.metres)),
      entry.area.join(' '),
      entry.flags,
      needsNames ? entry.otherNames.filter((name) => plainName(name) !== plainName(entry.name)).join('|') : '',
    );
  };

  return {
    geographic: geographic.map(geographicRow),
    projected: projected.map(projectedRow).filter((each) => each !== undefined),
    layered: entries.layered.map(({ code, name, horizontal, area }) =>
      row(short(code), name, horizontal, area.join(' ')),
    ),
    other: entries.other.map(({ code, name, area, wkt }) => row(short(code), name, area.join(' '), wkt)),
    ellipsoids: ellipsoids.rows(),
    angularUnits: angularUnits.rows(),
    linearUnits: linearUnits.rows(),
  };
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

/** Fields apart by tabs, without the empty ones at the end. */
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
      const factor = factorOf(name, unit.metres, base.unit.radians);
      const value = projection.parameters[name] ?? 0;
      return factor === 1 ? value : Number((value / factor).toPrecision(13));
    })
    .join(' ');
}

/** What two systems have in common when only their names tell them apart. */
function twinKey({ model }: Entry<ProjectedCrs>): string {
  return [model.base.code, model.projection.method, parameterText(model), model.unit.metres].join('|');
}
