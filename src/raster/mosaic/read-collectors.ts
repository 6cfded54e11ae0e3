/** Reads the value collectors of an indexer: `TimestampFileNameExtractorSPI[timeregex](ingestion)` and others. */

import { Problem } from '../../lib/problems/problem.ts';
import { findNearestName } from '../../lib/text/nearest-name.ts';
import { type Collector, numberTypes, type RegexRule } from './definition.ts';
import {
  createDefinitionError,
  type DefinitionPosition,
  type DefinitionWarnings,
  type Entry,
  formatExcerpt,
} from './definition-error.ts';
import { compileFileNamePattern } from './file-name-pattern.ts';
import { readPropertyFile } from './property-file.ts';
import { createPatternReader } from './timestamp-text.ts';

/** The files of a definition by name. */
export type DefinitionFiles = ReadonlyMap<string, Uint8Array>;

/** A collector as written in either form of an indexer. */
export interface CollectorEntry extends DefinitionPosition {
  readonly spi: string;
  /** The text in square brackets, or of the element `value`. */
  readonly value: string;
  /** Whether the value is the rule itself instead of the name of its file. */
  readonly isInline: boolean;
  readonly attributes: readonly string[];
}

const plainKinds = {
  CurrentDateExtractor: 'current-date',
  FSDateExtractor: 'file-date',
  DateExtractor: 'tiff-date',
  ResolutionExtractor: 'resolution',
  ResolutionXExtractor: 'resolution-x',
  ResolutionYExtractor: 'resolution-y',
  CRSExtractor: 'crs',
} as const;

const numberKinds: ReadonlyMap<string, (typeof numberTypes)[number]> = new Map(
  numberTypes.map((type) => [`${type[0]?.toUpperCase()}${type.slice(1)}FileNameExtractor`, type]),
);

/** Without the suffix SPI, which is optional. */
const knownNames = [
  'TimestampFileNameExtractor',
  'StringFileNameExtractor',
  'RuntimeExtractor',
  ...numberKinds.keys(),
  ...Object.keys(plainKinds),
];

/** Splits the list in `indexer.properties` at the commas between collectors. */
export function splitCollectors(entry: Entry): readonly CollectorEntry[] {
  const pattern = /\s*([\w.$]+)\s*(?:\[([^\]]*)\])?\s*\(([^()]*)\)\s*(?:,|$)/y;
  const found: CollectorEntry[] = [];
  while (pattern.lastIndex < entry.value.length) {
    const from = pattern.lastIndex;
    const match = pattern.exec(entry.value);
    if (match === null) {
      throw createDefinitionError(
        entry,
        entry.key,
        `'${formatExcerpt(entry.value.slice(from))}' is not a valid collector; use the form TimestampFileNameExtractorSPI[timeregex](time)`,
      );
    }
    const [, spi = '', value = '', attributes = ''] = match;
    found.push({
      ...entry,
      spi,
      value: value.trim(),
      isInline: /^regex\s*=/.test(value.trim()),
      attributes: attributes
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    });
  }
  return found;
}

/** Reads the rule files; missing files and invalid rules are errors. */
export function readCollector(written: CollectorEntry, files: DefinitionFiles, notes: DefinitionWarnings): Collector {
  const { attributes } = written;
  const name = (written.spi.split('.').at(-1) ?? '').replace(/SPI$/i, '');
  if (attributes.length === 0) throw createDefinitionError(written, written.spi, 'it must name at least one attribute');
  const known = knownNames.find((each) => each.toLowerCase() === name.toLowerCase());
  if (known === undefined) {
    const nearest = findNearestName(name, knownNames);
    const hint =
      nearest === undefined ? `use ${knownNames.map((each) => `${each}SPI`).join(', ')}` : `use ${nearest}SPI`;
    throw createDefinitionError(written, written.spi, `unknown collector; ${hint}`);
  }
  const plain = Object.entries(plainKinds).find(([each]) => each === known)?.[1];
  if (plain !== undefined) {
    if (written.value !== '') notes.warnIgnored(written, written.value, `${known}SPI has no options`);
    return { kind: plain, attributes };
  }
  if (known === 'RuntimeExtractor') return createRuntimeCollector(written, files);
  const rule = readRule(written, files, notes);
  if (known === 'TimestampFileNameExtractor') return createTimestampCollector(rule, attributes);
  const { entry, format, isHighTime, ...regex } = rule;
  for (const [key, value] of Object.entries({ format, useHighTime: isHighTime || undefined })) {
    if (value !== undefined) notes.warnIgnored(entry, key, 'it applies to timestamps only');
  }
  const type = numberKinds.get(known);
  return type === undefined ? { kind: 'string', attributes, ...regex } : { kind: 'number', type, attributes, ...regex };
}

/** Its rule selects the time of the file. */
function createRuntimeCollector(written: CollectorEntry, files: DefinitionFiles): Collector {
  const file = `${written.value}.properties`;
  const bytes = files.get(file);
  const value = bytes === undefined ? written.value : (readPropertyFile(file, bytes)[0]?.value ?? '');
  const word = value
    .replace(/^\w+\s*=/, '')
    .trim()
    .toUpperCase();
  if (word === '' || word === 'MODIFY_TIME') return { kind: 'file-date', attributes: written.attributes };
  throw createDefinitionError(
    written,
    written.spi,
    `'${formatExcerpt(value)}' is not a supported file time; use MODIFY_TIME`,
  );
}

interface Rule extends RegexRule {
  readonly entry: Entry;
  readonly format: string | undefined;
  readonly isHighTime: boolean;
}

function createTimestampCollector(rule: Rule, attributes: readonly string[]): Collector {
  const { entry, format, ...rest } = rule;
  const pattern = format === undefined ? undefined : createPatternReader(format, rule);
  if (pattern !== undefined && 'objection' in pattern) {
    throw createDefinitionError(
      entry,
      'format',
      `'${formatExcerpt(format ?? '')}' is not a valid date pattern: ${pattern.objection}`,
    );
  }
  return { kind: 'timestamp', attributes, ...rest, ...(format === undefined ? {} : { format }) };
}

const ruleKeys = ['regex', 'format', 'useHighTime', 'fullPath'] as const;

function readRule(written: CollectorEntry, files: DefinitionFiles, notes: DefinitionWarnings): Rule {
  if (written.value === '') {
    throw createDefinitionError(
      written,
      written.spi,
      'the name of the file with the regular expression is required in square brackets',
    );
  }
  const entries = readRuleEntries(written, files);
  const parts = new Map<string, Entry>();
  for (const entry of entries) {
    if (!ruleKeys.some((key) => key === entry.key)) {
      notes.warnUnknown(entry, entry.key, ruleKeys);
    } else if (entry.key === 'regex') {
      const [regex = '', ...settings] = entry.value.split(/,\s*(?=(?:format|useHighTime|fullPath)\s*=)/);
      parts.set('regex', { ...entry, value: regex });
      for (const setting of settings) {
        const [, key = '', value = ''] = /^(\w+)\s*=([\s\S]*)$/.exec(setting) ?? [];
        parts.set(key, { ...entry, key, value: value.trim() });
      }
    } else {
      parts.set(entry.key, entry);
    }
  }
  const regex = parts.get('regex');
  if (regex === undefined || regex.value === '') {
    throw createDefinitionError(
      entries[0] ?? written,
      'regex',
      'a regular expression that matches the values in file names is required',
    );
  }
  checkRegex(regex);
  return {
    entry: regex,
    regex: regex.value,
    usesFullPath: readFlag(parts.get('fullPath')),
    isHighTime: readFlag(parts.get('useHighTime')),
    format: parts.get('format')?.value,
  };
}

/** Reads the rule of a collector whose values are coverage names. */
export function readNameRule(written: CollectorEntry, files: DefinitionFiles, notes: DefinitionWarnings): RegexRule {
  const { regex, usesFullPath } = readRule(written, files, notes);
  return { regex, usesFullPath };
}

/**
 * Returns the lines of the rule file; brackets and elements may contain such a line, and elements the bare expression.
 */
function readRuleEntries(written: CollectorEntry, files: DefinitionFiles): readonly Entry[] {
  if (written.isInline) return [{ ...written, key: 'regex', value: written.value.replace(/^regex\s*=/, '') }];
  const file = `${written.value.replace(/\.properties$/i, '')}.properties`;
  const bytes = files.get(file);
  if (bytes === undefined)
    throw createDefinitionError(
      written,
      written.spi,
      `the file '${formatExcerpt(file)}' with the regular expression does not exist`,
    );
  const entries = readPropertyFile(file, bytes);
  return entries.length === 0 ? [{ file, line: 1, key: 'regex', value: '' }] : entries;
}

/** Throws an error with the position of the expression. */
export function checkRegex(entry: Entry): void {
  try {
    compileFileNamePattern(entry.value, { what: 'The regular expression', field: entry.key });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { reason, position } = error.details as { readonly reason?: unknown; readonly position?: unknown };
    throw createDefinitionError(
      entry,
      entry.key,
      `at character ${String(position)} of '${formatExcerpt(entry.value)}': ${String(reason)}`,
    );
  }
}

function readFlag(entry: Entry | undefined): boolean {
  if (entry === undefined) return false;
  const word = entry.value.toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  throw createDefinitionError(entry, entry.key, `it must be true or false, not '${formatExcerpt(entry.value)}'`);
}
