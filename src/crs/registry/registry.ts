/** The registry of coordinate reference systems by code, loaded on first use. */

import { normalizeCrsName } from '../model/compare-models.ts';
import type { CrsModel, GeographicCrs } from '../model/crs-model.ts';
import type { ProjectionMethod } from '../model/projection.ts';
import {
  type AreaOfUse,
  decodeArea,
  decodeGeographic,
  decodeProjected,
  expandName,
  methodNames,
  qualifyCode,
  type RegistryFile,
} from './registry-rows.ts';

export interface RegisteredCrs {
  readonly code: string;
  readonly name: string;
  readonly area: AreaOfUse;
  /** Whether the authority puts the northing axis first; stored data never does. */
  readonly isNorthFirst: boolean;
  readonly isDeprecated: boolean;
  /** Whether it is a geographic system with heights. */
  readonly hasHeights: boolean;
  /** The model of its horizontal part; undefined for the few systems that are not supported in computations. */
  readonly model?: CrsModel;
  /** The WKT, if there is no model to write it from. */
  readonly wkt?: string;
  /** The names of another vendor, if only names distinguish it. */
  readonly otherNames: readonly string[];
}

export interface NamedCode {
  readonly code: string;
  readonly name: string;
}

export interface CrsRegistry {
  /** Returns every code with its name, sorted by authority and number. */
  listNames(): readonly NamedCode[];
  find(code: string): RegisteredCrs | undefined;
  /** Returns geographic systems whose name or datum name is one of the names, in the spelling of any vendor. */
  listGeographicByName(names: readonly string[]): readonly RegisteredCrs[];
  /** Returns the systems with this projection method and base. */
  listProjectedOnBase(baseCode: string, method: ProjectionMethod): readonly RegisteredCrs[];
  /** Returns projected systems with this name, in the spelling of any vendor. */
  listProjectedByName(name: string): readonly RegisteredCrs[];
  /** Returns those that were moved to another base since they got the name. */
  listByFormerName(name: string): readonly RegisteredCrs[];
  /** Returns geocentric systems whose name, base name or datum name is one of the names. */
  listGeocentricByName(names: readonly string[]): readonly RegisteredCrs[];
  /** Returns compound systems with this name and horizontal part. */
  listCompoundByName(name: string, horizontal: string): readonly RegisteredCrs[];
  /** Returns systems with this name that have no model. */
  listOtherByName(name: string): readonly RegisteredCrs[];
}

let loading: Promise<CrsRegistry> | undefined;

/** The file is a megabyte: it is read on first use and only once. */
export function loadRegistry(): Promise<CrsRegistry> {
  loading ??= import('./registry.json', { with: { type: 'json' } }).then((module) => createRegistry(module.default));
  return loading;
}

function createRegistry(file: RegistryFile): CrsRegistry {
  const geographicRows = indexByCode(file.geographic);
  const projectedRows = indexByCode(file.projected);
  const geocentricRows = indexByCode(file.geocentric);
  const compoundRows = indexByCode(file.compound);
  const otherRows = indexByCode(file.other);
  const indexes = createIndexes(file);

  /** Cached, because a search decodes hundreds of systems with the same base. */
  const decodedBases = new Map<string, GeographicCrs>();
  const decodeBase = (row: string): GeographicCrs => {
    const base = decodedBases.get(row) ?? decodeGeographic(row, file);
    decodedBases.set(row, base);
    return base;
  };

  const find = (code: string): RegisteredCrs | undefined => {
    const key = code.replace(/^EPSG:/, '');
    const geographic = geographicRows.get(key);
    if (geographic !== undefined) return toRegisteredGeographic(geographic, decodeBase(geographic));
    const projected = projectedRows.get(key);
    if (projected !== undefined) return toRegisteredProjected(projected);
    const geocentric = geocentricRows.get(key);
    if (geocentric !== undefined) return toRegisteredGeocentric(geocentric);
    const compound = compoundRows.get(key);
    if (compound !== undefined) return toRegisteredCompound(compound);
    const other = otherRows.get(key);
    return other === undefined ? undefined : toRegisteredOther(other);
  };

  const toRegisteredProjected = (row: string): RegisteredCrs => {
    const [code = '', name = '', baseCode = '', , , , area = '', flags = '', otherNames = ''] = row.split('\t');
    const baseRow = geographicRows.get(baseCode);
    if (baseRow === undefined) throw new Error(`The registry has no base system for ${code}.`);
    const base = decodeBase(baseRow);
    return {
      ...toRegisteredCrs({ code, name: expandName(name, base.name), area, flags, otherNames }),
      model: decodeProjected(row, base, file),
    };
  };

  const toRegisteredGeocentric = (row: string): RegisteredCrs => {
    const [code = '', name = '', below = '', area = '', flags = '', otherNames = ''] = row.split('\t');
    const baseRow = geographicRows.get(below);
    if (baseRow === undefined) throw new Error(`The registry has no base system for ${code}.`);
    const model: CrsModel = {
      kind: 'geocentric',
      name,
      code: qualifyCode(code),
      base: decodeBase(baseRow),
      unit: { name: 'metre', metres: 1 },
    };
    return { ...toRegisteredCrs({ code, name, area, flags, otherNames }), model };
  };

  /** Everything but the name is that of the horizontal part. */
  const toRegisteredCompound = (row: string): RegisteredCrs | undefined => {
    const [code = '', name = '', below = '', area = '', flags = '', otherNames = ''] = row.split('\t');
    const horizontal = find(below);
    if (horizontal === undefined) return undefined;
    const { isNorthFirst } = horizontal;
    return { ...horizontal, ...toRegisteredCrs({ code, name, area, flags, otherNames }), isNorthFirst };
  };

  const findAll = (codes: readonly string[]): readonly RegisteredCrs[] =>
    [...new Set(codes)].map(find).filter((entry) => entry !== undefined);

  const named = memoize(() => {
    const baseNames = new Map(file.geographic.map((row) => readFieldPair(row, 0)));
    const projected = file.projected.map((row) => {
      const [code = '', name = '', base = ''] = row.split('\t', 3);
      return [code, expandName(name, baseNames.get(base) ?? '')] as const;
    });
    const others = [file.geographic, file.geocentric, file.compound, file.other].flatMap((rows) =>
      rows.map((row) => readFieldPair(row, 0)),
    );
    return [...projected, ...others]
      .map(([code, name]) => ({ ...splitCode(qualifyCode(code)), name }))
      .sort((one, other) => compareCodes(one.authority, other.authority) || one.number - other.number)
      .map(({ code, name }) => ({ code, name }));
  });

  return {
    listNames: named,
    find,
    listGeographicByName: (names) =>
      findAll(names.flatMap((name) => indexes.geographic().get(normalizeCrsName(name)) ?? [])),
    listProjectedOnBase: (baseCode, method) => {
      const key = formatBaseKey(baseCode.replace(/^EPSG:/, ''), String(methodNames.indexOf(method)));
      return (indexes.bases().get(key) ?? []).map(toRegisteredProjected);
    },
    listProjectedByName: (name) => (indexes.projected().get(normalizeCrsName(name)) ?? []).map(toRegisteredProjected),
    listByFormerName: (name) => (indexes.moved().get(normalizeCrsName(name)) ?? []).map(toRegisteredProjected),
    listGeocentricByName: (names) =>
      findAll(names.flatMap((name) => indexes.geocentric().get(normalizeCrsName(name)) ?? [])),
    listCompoundByName: (name, horizontal) =>
      findAll(indexes.compound().get(formatCompoundKey(horizontal, name)) ?? []),
    listOtherByName: (name) => findAll(indexes.other().get(normalizeCrsName(name)) ?? []),
  };
}

function splitCode(code: string) {
  const colon = code.indexOf(':');
  return { code, authority: code.slice(0, colon), number: Number(code.slice(colon + 1)) };
}

function compareCodes(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function toRegisteredGeographic(row: string, model: GeographicCrs): RegisteredCrs {
  const [code = '', name = '', , , , , , area = '', otherNames = '', flags = ''] = row.split('\t');
  return { ...toRegisteredCrs({ code, name, area, flags, otherNames }), model };
}

function toRegisteredOther(row: string): RegisteredCrs {
  const [code = '', name = '', area = '', flags = '', otherNames = '', wkt = ''] = row.split('\t');
  return { ...toRegisteredCrs({ code, name, area, flags, otherNames }), wkt };
}

function toRegisteredCrs({
  code,
  name,
  area,
  flags,
  otherNames,
}: {
  readonly code: string;
  readonly name: string;
  readonly area: string;
  readonly flags: string;
  readonly otherNames: string;
}): Omit<RegisteredCrs, 'model' | 'wkt'> {
  return {
    code: qualifyCode(code),
    name,
    area: decodeArea(area),
    isNorthFirst: flags.includes('y'),
    isDeprecated: flags.includes('d'),
    hasHeights: flags.includes('h'),
    otherNames: otherNames === '' ? [] : otherNames.split('|'),
  };
}

function indexByCode(rows: readonly string[]): ReadonlyMap<string, string> {
  return new Map(rows.map((row) => [readCode(row), row]));
}

type Index = ReadonlyMap<string, readonly string[]>;

/** Indexes besides the code, each created on first use. */
interface Indexes {
  geographic(): Index;
  bases(): Index;
  projected(): Index;
  moved(): Index;
  geocentric(): Index;
  compound(): Index;
  other(): Index;
}

function createIndexes(file: RegistryFile): Indexes {
  const names = memoize(() => listGeographicNames(file.geographic));
  const projectedNames = memoize(() => {
    const baseNames = new Map(file.geographic.map((row) => readFieldPair(row, 0)));
    return (row: string): readonly string[] => {
      const [, name = '', base = '', , , , , , otherNames = ''] = row.split('\t');
      return normalizeNames(expandName(name, baseNames.get(base) ?? ''), ...otherNames.split('|'));
    };
  });
  return {
    geographic: memoize(() =>
      indexBy(
        [...names()],
        ([, own]) => own,
        ([code]) => code,
      ),
    ),
    bases: memoize(() =>
      indexBy(
        file.projected,
        (row) => [formatBaseKey(...readFieldPair(row, 2))],
        (row) => row,
      ),
    ),
    projected: memoize(() => indexBy(file.projected, projectedNames(), (row) => row)),
    moved: memoize(() => indexBy(file.projected.filter(hasMoved), projectedNames(), (row) => row)),
    geocentric: memoize(() => {
      const listNames = (row: string): readonly string[] => {
        const [, name = '', below = '', , , otherNames = ''] = row.split('\t');
        return [...normalizeNames(name, ...otherNames.split('|')), ...(names().get(below) ?? [])];
      };
      return indexBy(file.geocentric, listNames, readCode);
    }),
    compound: memoize(() => {
      const listNames = (row: string): readonly string[] => {
        const [, name = '', below = '', , , otherNames = ''] = row.split('\t');
        return [name, ...otherNames.split('|')].map((each) => formatCompoundKey(below, each));
      };
      return indexBy(file.compound, listNames, readCode);
    }),
    other: memoize(() => {
      const listNames = (row: string): readonly string[] => {
        const [, name = '', , , otherNames = ''] = row.split('\t');
        return normalizeNames(name, ...otherNames.split('|'));
      };
      return indexBy(file.other, listNames, readCode);
    }),
  };
}

/** Returns the normalized names of each geographic system and its datum. */
function listGeographicNames(rows: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    rows.map((row) => {
      const [code = '', name = '', datum = '', , , , , , otherNames = ''] = row.split('\t');
      return [code, normalizeNames(name, datum, ...otherNames.split('|'))];
    }),
  );
}

function hasMoved(row: string): boolean {
  const [, , , , , , , flags = ''] = row.split('\t', 8);
  return flags.includes('m');
}

function normalizeNames(...names: readonly string[]): readonly string[] {
  return names.map(normalizeCrsName).filter((name) => name !== '');
}

function readFieldPair(row: string, at: number): [string, string] {
  const fields = row.split('\t', at + 2);
  return [fields[at] ?? '', fields[at + 1] ?? ''];
}

function readCode(row: string): string {
  return row.slice(0, row.indexOf('\t'));
}

function formatBaseKey(base: string, method: string): string {
  return `${base}/${method}`;
}

function formatCompoundKey(horizontal: string, name: string): string {
  return `${horizontal.replace(/^EPSG:/, '')}/${normalizeCrsName(name)}`;
}

function indexBy<T>(
  items: readonly T[],
  listKeys: (item: T) => readonly string[],
  found: (item: T) => string,
): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  for (const item of items) {
    for (const key of new Set(listKeys(item))) {
      const list = index.get(key);
      if (list === undefined) index.set(key, [found(item)]);
      else list.push(found(item));
    }
  }
  return index;
}

function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
