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
  /** Whether it is a geographic system with heights. */
  readonly hasHeights: boolean;
  /** What its horizontal part is; undefined for the few we cannot compute with. */
  readonly model?: CrsModel;
  /** Its text, where there is no model to write it from. */
  readonly wkt?: string;
  /** What another vendor calls it, where names must tell it from others. */
  readonly otherNames: readonly string[];
}

export interface CrsRegistry {
  /** Every code, by authority and number. */
  codes(): readonly string[];
  find(code: string): RegisteredCrs | undefined;
  /** Geographic systems that call themselves or their datum by one of the names, whoever wrote them. */
  geographicNamed(names: readonly string[]): readonly RegisteredCrs[];
  /** The systems of one projection that stand on a geographic one. */
  projectedOn(baseCode: string, method: ProjectionMethod): readonly RegisteredCrs[];
  /** Projected systems of the name, whoever wrote it. */
  projectedNamed(name: string): readonly RegisteredCrs[];
  /** Those of them that have been put on another base since they got the name. */
  formerlyNamed(name: string): readonly RegisteredCrs[];
  /** Geocentric systems that call themselves, the geographic system below or its datum by one of the names. */
  geocentricNamed(names: readonly string[]): readonly RegisteredCrs[];
  /** Compound systems of the name that stand on a horizontal one. */
  compoundNamed(name: string, horizontal: string): readonly RegisteredCrs[];
  /** Systems of the name that we cannot compute with. */
  otherNamed(name: string): readonly RegisteredCrs[];
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
  const geocentricRows = byCode(file.geocentric);
  const compoundRows = byCode(file.compound);
  const otherRows = byCode(file.other);
  const indexes = createIndexes(file);

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
    const geocentric = geocentricRows.get(key);
    if (geocentric !== undefined) return registeredGeocentric(geocentric);
    const compound = compoundRows.get(key);
    if (compound !== undefined) return registeredCompound(compound);
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

  const registeredGeocentric = (row: string): RegisteredCrs => {
    const [code = '', name = '', below = '', area = '', flags = '', otherNames = ''] = row.split('\t');
    const baseRow = geographicRows.get(below);
    if (baseRow === undefined) throw new Error(`The registry has no base for ${code}.`);
    const model: CrsModel = {
      kind: 'geocentric',
      name,
      code: qualified(code),
      base: baseOf(baseRow),
      unit: { name: 'metre', metres: 1 },
    };
    return { ...registered(code, name, area, flags, otherNames), model };
  };

  /** What is said of it is said of its horizontal part, but for the name. */
  const registeredCompound = (row: string): RegisteredCrs | undefined => {
    const [code = '', name = '', below = '', area = '', flags = '', otherNames = ''] = row.split('\t');
    const horizontal = find(below);
    if (horizontal === undefined) return undefined;
    const { isNorthFirst } = horizontal;
    return { ...horizontal, ...registered(code, name, area, flags, otherNames), isNorthFirst };
  };

  const found = (codes: readonly string[]): readonly RegisteredCrs[] =>
    [...new Set(codes)].map(find).filter((entry) => entry !== undefined);

  const codes = once(() =>
    [file.geographic, file.projected, file.geocentric, file.compound, file.other]
      .flatMap((rows) => rows.map((row) => partsOf(qualified(codeOfRow(row)))))
      .sort((one, other) => compare(one.authority, other.authority) || one.number - other.number)
      .map(({ code }) => code),
  );

  return {
    codes,
    find,
    geographicNamed: (names) => found(names.flatMap((name) => indexes.geographic().get(plainName(name)) ?? [])),
    projectedOn: (baseCode, method) => {
      const key = baseKey(baseCode.replace(/^EPSG:/, ''), String(methodNames.indexOf(method)));
      return (indexes.bases().get(key) ?? []).map(registeredProjected);
    },
    projectedNamed: (name) => (indexes.projected().get(plainName(name)) ?? []).map(registeredProjected),
    formerlyNamed: (name) => (indexes.moved().get(plainName(name)) ?? []).map(registeredProjected),
    geocentricNamed: (names) => found(names.flatMap((name) => indexes.geocentric().get(plainName(name)) ?? [])),
    compoundNamed: (name, horizontal) => found(indexes.compound().get(compoundKey(horizontal, name)) ?? []),
    otherNamed: (name) => found(indexes.other().get(plainName(name)) ?? []),
  };
}

function partsOf(code: string) {
  const colon = code.indexOf(':');
  return { code, authority: code.slice(0, colon), number: Number(code.slice(colon + 1)) };
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function registeredGeographic(row: string, model: GeographicCrs): RegisteredCrs {
  const [code = '', name = '', , , , , , area = '', otherNames = '', flags = ''] = row.split('\t');
  return { ...registered(code, name, area, flags, otherNames), model };
}

function registeredOther(row: string): RegisteredCrs {
  const [code = '', name = '', area = '', flags = '', otherNames = '', wkt = ''] = row.split('\t');
  return { ...registered(code, name, area, flags, otherNames), wkt };
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
    hasHeights: flags.includes('h'),
    otherNames: otherNames === '' ? [] : otherNames.split('|'),
  };
}

function byCode(rows: readonly string[]): ReadonlyMap<string, string> {
  return new Map(rows.map((row) => [codeOfRow(row), row]));
}

type Index = ReadonlyMap<string, readonly string[]>;

/** Ways to find rows other than by their codes; each is made when it is first asked for. */
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
  const names = once(() => geographicNames(file.geographic));
  const projectedNames = once(() => {
    const baseNames = new Map(file.geographic.map((row) => fieldPair(row, 0)));
    return (row: string): readonly string[] => {
      const [, name = '', base = '', , , , , , otherNames = ''] = row.split('\t');
      return plainNames(expandedName(name, baseNames.get(base) ?? ''), ...otherNames.split('|'));
    };
  });
  return {
    geographic: once(() =>
      indexBy(
        [...names()],
        ([, own]) => own,
        ([code]) => code,
      ),
    ),
    bases: once(() =>
      indexBy(
        file.projected,
        (row) => [baseKey(...fieldPair(row, 2))],
        (row) => row,
      ),
    ),
    projected: once(() => indexBy(file.projected, projectedNames(), (row) => row)),
    moved: once(() => indexBy(file.projected.filter(hasMoved), projectedNames(), (row) => row)),
    geocentric: once(() => {
      const namesOf = (row: string): readonly string[] => {
        const [, name = '', below = '', , , otherNames = ''] = row.split('\t');
        return [...plainNames(name, ...otherNames.split('|')), ...(names().get(below) ?? [])];
      };
      return indexBy(file.geocentric, namesOf, codeOfRow);
    }),
    compound: once(() => {
      const namesOf = (row: string): readonly string[] => {
        const [, name = '', below = '', , , otherNames = ''] = row.split('\t');
        return [name, ...otherNames.split('|')].map((each) => compoundKey(below, each));
      };
      return indexBy(file.compound, namesOf, codeOfRow);
    }),
    other: once(() => {
      const namesOf = (row: string): readonly string[] => {
        const [, name = '', , , otherNames = ''] = row.split('\t');
        return plainNames(name, ...otherNames.split('|'));
      };
      return indexBy(file.other, namesOf, codeOfRow);
    }),
  };
}

/** What each geographic system and its datum are called, in plain words. */
function geographicNames(rows: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    rows.map((row) => {
      const [code = '', name = '', datum = '', , , , , , otherNames = ''] = row.split('\t');
      return [code, plainNames(name, datum, ...otherNames.split('|'))];
    }),
  );
}

function hasMoved(row: string): boolean {
  const [, , , , , , , flags = ''] = row.split('\t', 8);
  return flags.includes('m');
}

function plainNames(...names: readonly string[]): readonly string[] {
  return names.map(plainName).filter((name) => name !== '');
}

function fieldPair(row: string, at: number): [string, string] {
  const fields = row.split('\t', at + 2);
  return [fields[at] ?? '', fields[at + 1] ?? ''];
}

function codeOfRow(row: string): string {
  return row.slice(0, row.indexOf('\t'));
}

function baseKey(base: string, method: string): string {
  return `${base}/${method}`;
}

function compoundKey(horizontal: string, name: string): string {
  return `${horizontal.replace(/^EPSG:/, '')}/${plainName(name)}`;
}

function indexBy<T>(
  items: readonly T[],
  keysOf: (item: T) => readonly string[],
  found: (item: T) => string,
): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  for (const item of items) {
    for (const key of new Set(keysOf(item))) {
      const list = index.get(key);
      if (list === undefined) index.set(key, [found(item)]);
      else list.push(found(item));
    }
  }
  return index;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
