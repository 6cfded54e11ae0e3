/** Runs the collectors of a mosaic on one file: values from its name, its dates and its header. */
import { statSync } from 'node:fs';
import { parseRemoteUrl } from '../../remote/remote-url.ts';
import type { CoverageDescription } from '../port/port.ts';
import type { Collector, RegexRule } from './definition.ts';
import { compileFileNamePattern, hasLookAround } from './file-name-pattern.ts';
import { formatRuleKey, type MatchedNames, toMatchedText } from './match-names.ts';
import { createIsoTimestampReader, createPatternReader, type TimestampReader } from './timestamp-text.ts';

/** Timestamps are ISO 8601 texts. */
export type CollectedValues = Readonly<Record<string, string | number>>;

export interface CollectorInput {
  readonly path: string;
  /** With its folders, with slashes. */
  readonly name: string;
  readonly description: CoverageDescription;
  /** In ISO 8601. */
  readonly now: string;
}

/** A required value is missing in the file name or the header. The message completes a sentence about the file. */
export class CollectorError extends Error {
  override readonly name = 'CollectorError';
}

export type ValueCollector = (file: CollectorInput) => CollectedValues;

/** Compiles the collectors once for many files. */
export function createValueCollector(collectors: readonly Collector[], matched: MatchedNames): ValueCollector {
  const compiled = collectors.map((collector) => ({
    attributes: collector.attributes,
    collect: compileCollector(collector, matched),
  }));
  return (file) => {
    const values: Record<string, string | number> = {};
    for (const { attributes, collect } of compiled) {
      const found = collect(file);
      attributes.forEach((attribute, index) => {
        const value = found[index];
        if (value !== undefined) values[attribute] = value;
      });
    }
    return values;
  };
}

function readFileDate(path: string): string {
  if (parseRemoteUrl(path) !== undefined) throw new CollectorError('the date of a file of another server is unknown');
  return statSync(path).mtime.toISOString();
}

type Collect = (file: CollectorInput) => readonly (string | number)[];

function compileCollector(collector: Collector, matched: MatchedNames): Collect {
  switch (collector.kind) {
    case 'timestamp': {
      const read = createTimestampReader(collector);
      return createNameCollector(
        collector,
        matched,
        (text) => read(text) ?? fail(`'${text}' in its name is not a timestamp`),
      );
    }
    case 'number':
      return createNameCollector(collector, matched, (text) => parseNumber(text, collector.type));
    case 'string':
      return createNameCollector(collector, matched, (text) => text);
    case 'current-date':
      return ({ now }) => [now];
    case 'file-date':
      return ({ path }) => [readFileDate(path)];
    case 'tiff-date':
      return ({ description: { madeAt } }) => [madeAt ?? fail('its header has no date')];
    case 'resolution':
      return ({ description }) => [Math.min(...computeResolutions(description))];
    case 'resolution-x':
      return ({ description }) => [computeResolutions(description)[0]];
    case 'resolution-y':
      return ({ description }) => [computeResolutions(description)[1]];
    case 'crs':
      return ({ description: { grid } }) => [grid.crs.code ?? fail('its coordinate reference system has no code')];
  }
}

function createTimestampReader(collector: Collector & { readonly kind: 'timestamp' }): TimestampReader {
  if (collector.format === undefined) return createIsoTimestampReader(collector);
  const made = createPatternReader(collector.format, collector);
  if ('objection' in made) throw new Error(`The validated date pattern is invalid: ${made.objection}.`);
  return made.read;
}

/** Returns a function that lists all values in a file name; those of slow expressions are already `matched`. */
export function createNameReader(rule: RegexRule, matched: MatchedNames): (name: string) => readonly string[] {
  if (hasLookAround(rule.regex)) {
    const found = matched.get(formatRuleKey(rule));
    return (name) => found?.get(name) ?? fail(`matching its name with '${rule.regex}' takes too long`);
  }
  const pattern = compileFileNamePattern(rule.regex, { what: 'The regular expression', field: 'regex' });
  return (name) => pattern.find(toMatchedText(rule, name));
}

function createNameCollector(
  rule: RegexRule & Collector,
  matched: MatchedNames,
  read: (text: string) => string | number,
): Collect {
  const find = createNameReader(rule, matched);
  return ({ name }) => {
    const found = find(name);
    if (found.length === 0) {
      fail(`its name does not match '${rule.regex}', which provides ${rule.attributes.join(', ')}`);
    }
    return found.slice(0, rule.attributes.length).map(read);
  };
}

const ranges = {
  byte: 2 ** 7,
  short: 2 ** 15,
  integer: 2 ** 31,
  long: Number.MAX_SAFE_INTEGER,
} as const;

function parseNumber(text: string, type: keyof typeof ranges | 'float' | 'double'): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  const isFraction = type === 'float' || type === 'double';
  const isIn = isFraction || (Number.isInteger(number) && number >= -ranges[type] && number <= ranges[type]);
  return Number.isFinite(number) && isIn ? number : fail(`'${text}' in its name is not a valid number of type ${type}`);
}

function computeResolutions({ grid: { transform } }: CoverageDescription): readonly [number, number] {
  if (transform === undefined) return fail('it is not georeferenced');
  return [Math.hypot(transform.columnX, transform.columnY), Math.hypot(transform.rowX, transform.rowY)];
}

function fail(reason: string): never {
  throw new CollectorError(reason);
}
