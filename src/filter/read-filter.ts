/** Reads filters in every supported language and resolves them against a schema. */

import { type Problem, problem } from '../lib/problems/problem.ts';
import type { DocumentLimits } from '../lib/text/document-limits.ts';
import { computeTextPosition } from '../lib/text/text-position.ts';
import type { XmlElement } from '../lib/xml/element.ts';
import type { Constant, Filter } from './model/filter.ts';
import type { FilterReadOutcome } from './model/read-outcome.ts';
import type { ResolvedFilter } from './model/resolved-filter.ts';
import type { Schema } from './model/schema.ts';
import type { UnnamedGeometries } from './resolve/resolve.ts';

export type WrittenFilter =
  | { readonly language: 'ecql' | 'cql2-text' | 'cql2-json' | 'filter-xml'; readonly text: string }
  /** Filter Encoding of any version, inside a document that was read already. */
  | { readonly language: 'filter-xml'; readonly element: XmlElement };

const languageNames: Readonly<Record<WrittenFilter['language'], string>> = {
  ecql: 'ECQL',
  'cql2-text': 'CQL2',
  'cql2-json': 'CQL2 JSON',
  'filter-xml': 'Filter Encoding',
};

/** Limits for a filter document; the longest allowed list of values fits. */
const xmlLimits: DocumentLimits = { maxDepth: 100, maxNodes: 500_000 };

/** An operation has two levels: an object and the list of its operands. */
const jsonLimits: DocumentLimits = { ...xmlLimits, maxDepth: 200 };

/** A parsed filter before its attributes are resolved. */
export interface ReadFilter {
  readonly filter: Filter | Constant;
  /** Creates a problem for a part of the filter, or for the whole filter if undefined. */
  readonly createProblem: (part: object | undefined, reason: string) => Problem;
}

/** Throws `filter-invalid` with the position of the first error, or the problem of the enclosing document. */
export async function readFilter(written: WrittenFilter): Promise<ReadFilter> {
  const language = languageNames[written.language];
  const outcome = await readByLanguage(written);
  if (outcome.kind === 'refused')
    throw problem('filter-invalid', { language, where: outcome.where, reason: outcome.message });
  const { filter, whereOf } = outcome;
  return {
    filter,
    createProblem: (part, reason) => {
      const where = (part === undefined ? undefined : whereOf(part)) ?? 'the start';
      return problem('filter-invalid', { language, where, reason });
    },
  };
}

/** Reads and resolves a filter. Throws like `readFilter`, also for a filter that does not match the schema. */
export async function readFilterFor(
  written: WrittenFilter,
  schema: Schema,
  unnamed: UnnamedGeometries = {},
): Promise<ResolvedFilter> {
  const { filter, createProblem: problemWith } = await readFilter(written);
  const { resolveFilter } = await import('./resolve/resolve.ts');
  const outcome = await resolveFilter(filter, schema, unnamed);
  if (outcome.kind === 'resolved') return outcome.filter;
  throw problemWith(outcome.complaint.part, outcome.complaint.message);
}

/** Each reader is loaded on first use. */
async function readByLanguage(written: WrittenFilter): Promise<FilterReadOutcome> {
  switch (written.language) {
    case 'ecql':
      return readEcql(written.text);
    case 'cql2-text': {
      const { readCql2Text } = await import('./cql2/cql2.ts');
      return readCql2Text(written.text);
    }
    case 'cql2-json': {
      const [{ readCql2Json }, { readJson }] = await Promise.all([
        import('./cql2/cql2.ts'),
        import('../lib/json/reader.ts'),
      ]);
      return readCql2Json(readJson(written.text, jsonLimits));
    }
    case 'filter-xml': {
      const [{ readXmlFilter }, { readXml }] = await Promise.all([
        import('./xml/xml.ts'),
        import('../lib/xml/reader.ts'),
      ]);
      return readXmlFilter('element' in written ? written.element : readXml(written.text, xmlLimits));
    }
  }
}

async function readEcql(text: string): Promise<FilterReadOutcome> {
  const { readLocatedFilter } = await import('./ecql/reader.ts');
  const outcome = readLocatedFilter(text);
  if (outcome.kind === 'refused') {
    const { line, column, message } = outcome.complaint;
    return { kind: 'refused', where: `line ${line}, column ${column}`, message };
  }
  const { filter, findOffset: offsetOf } = outcome.value;
  return {
    kind: 'read',
    filter,
    whereOf: (part) => {
      const offset = offsetOf(part);
      if (offset === undefined) return undefined;
      const { line, column } = computeTextPosition(text, offset);
      return `line ${line}, column ${column}`;
    },
  };
}
