/** The coordinate reference systems that are known by code: looked up one at a time, loaded when the first is asked for. */

import { plainName } from './compare-models.ts';
import type { CrsModel, GeographicCrs } from './crs-model.ts';
import type { ProjectionMethod } from './projection.ts';
import {
  type AreaOfUse,
  decodeArea,
  decodeGeographic,
  decodeProjected,
  expandedName,
  methodNames,
  qualified,
  type RegistryFile,
} from './registry-rows.ts';

export interface RegisteredCrs {
  readonly code: string;
  readonly name: string;
  readonly area: AreaOfUse;
  /** Whether the authority puts the north-going axis first; data never does. */
  readonly isNorthFirst: boolean;
  readonly isDeprecated: boolean;
  /** What its horizontal part is; undefined for the few we cannot compute with. */
  readonly model?: CrsModel;
  /** Its text, where there is no model to write it from. */
  readonly wkt?: string;
  /** What another vendor calls it, where names must tell it from others. */
  readonly otherNames: readonly string[];
}

export interface CrsRegistry {
  find(code: string): RegisteredCrs | undefined;
  /** Geographic systems that call themselves or their datum by one of the names, whoever wrote them. */
  geographicNamed(names: readonly string[]): readonly RegisteredCrs[];
  /** The systems of one projection that stand on a geographic one. */
  projectedOn(baseCode: string, method: ProjectionMethod): readonly RegisteredCrs[];
  /** Projected systems of the name, whoever wrote it. */
  projectedNamed(name: string): readonly RegisteredCrs[];
}

let loading: Promise<CrsRegistry> | undefined;

/** The file is a megabyte: it is read at most once, and not before somebody needs it. */
export function loadRegistry(): Promise<CrsRegistry> {
  loading ??= import('./registry.json', { with: { type: 'json' } }).then((module) => createRegistry(module.default));
  return loading;
}

function createRegistry(file: RegistryFile): CrsRegistry {
  const geographicRows = byCode(file.geographic);
  const projectedRows = byCode(file.projected);
  const layeredRows = byCode(file.layered);
  const otherRows = byCode(file.other);
  let names: ReadonlyMap<string, readonly string[]> | undefined;
  let bases: ReadonlyMap<string, readonly string[]> | undefined;
  let projectedNames: ReadonlyMap<string, readonly string[]> | undefined;

  /** A search looks at hundreds of systems on one base. */
  const decodedBases = new Map<string, GeographicCrs>();
  const baseOf = (row: string): GeographicCrs => {
    const base = decodedBases.get(row) ?? decodeGeographic(row, file);
    decodedBases.set(row, base);
    return base;
  };

  const find = (code: string): RegisteredCrs | undefined => {
    const key = code.replace(/^EPSG:/, '');
    const geographic = geographicRows.get(key);
    if (geographic !== undefined) return registeredGeographic(geographic, baseOf(geographic));
    const projected = projectedRows.get(key);
    if (projected !== undefined) return registeredProjected(projected);
    const layered = layeredRows.get(key);
    if (layered !== undefined) return registeredLayered(layered);
    const other = otherRows.get(key);
    return other === undefined ? undefined : registeredOther(other);
  };

  const registeredProjected = (row: string): RegisteredCrs => {
    const [code = '', name = '', baseCode = '', , , , area = '', flags = '', otherNames = ''] = row.split('\t');
    const baseRow = geographicRows.get(baseCode);
    if (baseRow === undefined) throw new Error(`The registry has no base for ${code}.`);
    const base = baseOf(baseRow);
    return {
      ...registered(code, expandedName(name, base.name), area, flags, otherNames),
      model: decodeProjected(row, base, file),
    };
  };

  const registeredLayered = (row: string): RegisteredCrs | undefined => {
    const [code = '', name = '', horizontal = '', area = ''] = row.split('\t');
    const below = find(horizontal);
    if (below === undefined) return undefined;
    return { ...below, code: qualified(code), name, area: decodeArea(area), otherNames: [] };
  };

  return {
    find,
    geographicNamed: (wanted) => {
      names ??= indexNames(file.geographic);
      const keys = new Set(wanted.flatMap((name) => names?.get(plainName(name)) ?? []));
      return [...keys].map(find).filter((entry) => entry !== undefined);
    },
    projectedOn: (baseCode, method) => {
      bases ??= indexBases(file.projected);
      const key = baseKey(baseCode.replace(/^EPSG:/, ''), String(methodNames.indexOf(method)));
      return (bases.get(key) ?? []).map(registeredProjected);
    },
    projectedNamed: (name) => {
      projectedNames ??= indexProjectedNames(file);
      return (projectedNames.get(plainName(name)) ?? []).map(registeredProjected);
    },
  };
}

function registeredGeographic(row: string, model: GeographicCrs): RegisteredCrs {
  const [code = '', name = '', , , , , , area = '', otherNames = '', flags = ''] = row.split('\t');
  return { ...registered(code, name, area, flags, otherNames), model };
}

function registeredOther(row: string): RegisteredCrs {
  const [code = '', name = '', area = '', wkt = ''] = row.split('\t');
  return { ...registered(code, name, area, '', ''), wkt };
}

function registered(
  code: string,
  name: string,
  area: string,
  flags: string,
  otherNames: string,
): Omit<RegisteredCrs, 'model' | 'wkt'> {
  return {
    code: qualified(code),
    name,
    area: decodeArea(area),
    isNorthFirst: flags.includes('y'),
    isDeprecated: flags.includes('d'),
    otherNames: otherNames === '' ? [] : otherNames.split('|'),
  };
}

function byCode(rows: readonly string[]): ReadonlyMap<string, string> {
  return new Map(rows.map((row) => [row.slice(0, row.indexOf('\t')), row]));
}

function indexNames(rows: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  for (const row of rows) {
    const [code = '', name = '', datum = '', , , , , , otherNames = ''] = row.split('\t');
    for (const key of new Set([name, datum, ...otherNames.split('|')].map(plainName))) {
      if (key !== '') append(index, key, code);
    }
  }
  return index;
}

function indexBases(rows: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  for (const row of rows) {
    const [, , base = '', method = ''] = row.split('\t', 4);
    append(index, baseKey(base, method), row);
  }
  return index;
}

function baseKey(base: string, method: string): string {
  return `${base}/${method}`;
}

function indexProjectedNames(file: RegistryFile): ReadonlyMap<string, readonly string[]> {
  const baseNames = new Map(file.geographic.map((row) => row.split('\t', 2) as [string, string]));
  const index = new Map<string, string[]>();
  for (const row of file.projected) {
    const [, name = '', base = '', , , , , , otherNames = ''] = row.split('\t');
    const names = [expandedName(name, baseNames.get(base) ?? ''), ...otherNames.split('|')];
    for (const key of new Set(names.map(plainName))) if (key !== '') append(index, key, row);
  }
  return index;
}

function append(index: Map<string, string[]>, key: string, value: string): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [value]);
  else list.push(value);
}
