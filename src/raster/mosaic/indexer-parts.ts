/** The contents of an indexer in properties or XML form, before validation. */
import type { MosaicDomain, SchemaAttribute } from './definition.ts';
import { createDefinitionError, type Entry, formatExcerpt } from './definition-error.ts';
import type { CollectorEntry } from './read-collectors.ts';

export interface IndexerParts {
  /** By their keys, which both forms share. */
  readonly parameters: ReadonlyMap<string, Entry>;
  readonly collectors: readonly CollectorEntry[];
  readonly coverages: readonly CoverageEntry[];
  /** The domains of the XML form; in properties they are parameters. */
  readonly domains: readonly MosaicDomain[];
  /** The collector of coverage names that a coverage refers to. */
  readonly nameCollector?: CollectorEntry;
  /** The schema of coverages without a fixed name. */
  readonly schema?: readonly SchemaAttribute[];
}

export interface CoverageEntry {
  readonly entry: Entry;
  readonly name: string;
  readonly originalName?: string;
  readonly schema?: readonly SchemaAttribute[];
  readonly domains?: readonly MosaicDomain[];
}

export function createDomain(name: string, attributes: MosaicDomain['attributes']): MosaicDomain {
  const kind = /^time$/i.test(name) ? 'time' : /^elevation$/i.test(name) ? 'elevation' : 'custom';
  return { kind, name, attributes };
}

/** Reads `TimeAttribute`, `ElevationAttribute` and `AdditionalDomainAttributes`. */
export function readDomains(parameters: ReadonlyMap<string, Entry>): readonly MosaicDomain[] {
  const readSingleDomain = (key: string, kind: 'time' | 'elevation'): readonly MosaicDomain[] => {
    const entry = parameters.get(key);
    if (entry === undefined || entry.value === '') return [];
    return [{ kind, name: kind, attributes: readAttributes(entry, entry.value.split(/[;,/]/)) }];
  };
  return [
    ...readSingleDomain('TimeAttribute', 'time'),
    ...readSingleDomain('ElevationAttribute', 'elevation'),
    ...readAdditionalDomains(parameters.get('AdditionalDomainAttributes')),
  ];
}

function readAdditionalDomains(entry: Entry | undefined): readonly MosaicDomain[] {
  if (entry === undefined || entry.value === '') return [];
  const pattern = /\s*([^(),]+?)\s*(?:\(([^()]*)\))?\s*(?:,|$)/y;
  const found: MosaicDomain[] = [];
  while (pattern.lastIndex < entry.value.length) {
    const from = pattern.lastIndex;
    const [, name, attributes] = pattern.exec(entry.value) ?? [];
    if (name === undefined) {
      const rest = formatExcerpt(entry.value.slice(from));
      throw createDefinitionError(
        entry,
        entry.key,
        `'${rest}' is not a valid domain; use name, name(attribute) or name(start,end)`,
      );
    }
    found.push({ kind: 'custom', name, attributes: readAttributes(entry, (attributes ?? name).split(/[;,/]/)) });
  }
  return found;
}

function readAttributes(entry: Entry, written: readonly string[]): MosaicDomain['attributes'] {
  const attributes = toAttributePair(written.map((each) => each.trim()));
  if (attributes !== undefined) return attributes;
  throw createDefinitionError(entry, entry.key, 'it must name one attribute, or two for the start and the end');
}

/** Returns undefined unless there are one or two non-empty names. */
export function toAttributePair([first, second, ...more]: readonly string[]): MosaicDomain['attributes'] | undefined {
  if (first === undefined || first === '' || second === '' || more.length > 0) return undefined;
  return second === undefined ? [first] : [first, second];
}
