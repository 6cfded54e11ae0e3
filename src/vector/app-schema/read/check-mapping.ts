/** Checks whether a mapping can be read from its sources. */

import type { Expression } from '../../../filter/model/expression.ts';
import { collectPropertyNames } from '../../../filter/model/property-names.ts';
import { toLocalName } from '../../../filter/model/schema.ts';
import { findNearestName } from '../../../lib/text/nearest-name.ts';
import type { AttributeMapping, AttributeSource, Mapping } from '../../port/mapping.ts';
import {
  createDiagnosticList,
  type Diagnostic,
  type DiagnosticList,
  formatExcerpt,
  sortDiagnostics,
} from '../diagnostics.ts';
import { isDocumentExpression } from '../mapping/expressions.ts';
import { findLinkedType, listMappedTypes } from './find-types.ts';
import { toTableAddress } from './load-links.ts';
import type { TableAddress } from './source-tables.ts';
import { formatTypeName, isReference, listLinkFields, type MappedType } from './type-plan.ts';

/** Returns the column names of a table, or undefined if they are unknown, for example if the database is down. */
export type FindColumns = (table: TableAddress) => readonly string[] | undefined;

/** Limits the search for similar names, which is slow for many columns. */
const MAX_HINTS = 10;
const MAX_HINTED_COLUMNS = 1_000;

/** Lists every table that the mappings read once. */
export function listTables(mappings: readonly Mapping[]): readonly TableAddress[] {
  const all = listMappedTypes(mappings).flatMap((mapped) => [
    toTableAddress(mapped),
    ...mapped.type.attributes.flatMap((attribute) => findMultipleValueTable(mapped, attribute) ?? []),
  ]);
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

function findMultipleValueTable(mapped: MappedType, { multipleValue }: AttributeMapping): TableAddress | undefined {
  return multipleValue && { ...toTableAddress(mapped), table: multipleValue.targetTable };
}

/** Diagnostics are in mapping order, by line; empty for a valid mapping. */
export function checkMapping(mappings: readonly Mapping[], columnsOf: FindColumns): readonly Diagnostic[] {
  const complaints = createDiagnosticList();
  const types = listMappedTypes(mappings);
  // The fields of documents are inferred from a sample, and other documents can have more.
  const documents = new Set(
    mappings.flatMap(({ stores }) =>
      stores.flatMap(({ key, parameters }) => ('data_store' in parameters ? [key] : [])),
    ),
  );
  const findKnownColumns: FindColumns = (table) => (documents.has(table.store) ? undefined : columnsOf(table));
  const sets = new Map<readonly string[], ReadonlySet<string>>();
  const getColumnSet = (columns: readonly string[]): ReadonlySet<string> => {
    const known = sets.get(columns) ?? new Set(columns);
    sets.set(columns, known);
    return known;
  };
  for (const mapped of types) {
    if (complaints.isFull()) break;
    checkType(mapped, types, { columnsOf: findKnownColumns, setOf: getColumnSet }, complaints);
  }
  return sortDiagnostics(
    complaints.list,
    mappings.map(({ file }) => file),
  );
}

function checkType(
  mapped: MappedType,
  types: readonly MappedType[],
  {
    columnsOf,
    setOf,
  }: { readonly columnsOf: FindColumns; readonly setOf: (columns: readonly string[]) => ReadonlySet<string> },
  complaints: DiagnosticList,
): void {
  const { mapping, type } = mapped;
  const addDiagnostic = (line: number, message: string): void =>
    complaints.add(mapping.file, line, `The mapping of '${formatExcerpt(formatTypeName(mapped))}' ${message}.`);
  if (type.isXmlStore || type.itemXpath !== undefined)
    addDiagnostic(type.line, 'reads XML documents, which are not supported');
  if (type.indexStore !== undefined) addDiagnostic(type.line, 'has its own index, which is not supported');

  const check = (expression: Expression | undefined, table: TableAddress, line: number): void => {
    if (expression === undefined || complaints.isFull() || isDocumentExpression(expression)) return;
    const columns = columnsOf(table);
    if (columns === undefined) return;
    const known = setOf(columns);
    for (const name of collectPropertyNames(expression)) {
      if (known.has(name) || known.has(toLocalName(name))) continue;
      if (complaints.isFull()) return;
      const isHinted = complaints.list.length < MAX_HINTS && columns.length <= MAX_HINTED_COLUMNS;
      const nearest = isHinted ? findNearestName(name, columns) : undefined;
      const hint = nearest === undefined ? '' : `; did you mean '${formatExcerpt(nearest)}'?`;
      const message = `refers to the column '${formatExcerpt(name)}', which does not exist in '${formatExcerpt(table.table)}'${hint}`;
      complaints.add(
        mapping.file,
        line,
        `The mapping of '${formatExcerpt(formatTypeName(mapped))}' ${message}${hint === '' ? '.' : ''}`,
      );
    }
  };

  const own = toTableAddress(mapped);
  for (const attribute of type.attributes) {
    const { source, id, line, multipleValue } = attribute;
    if (source?.kind === 'path' || id?.kind === 'path') {
      addDiagnostic(line, "has an 'inputAttribute', which is a path into XML documents and is not supported");
    }
    if (attribute.target === undefined || attribute.instancePath !== undefined) {
      addDiagnostic(
        line,
        'locates a property by a label or an instance path, which is not supported; use a targetAttribute',
      );
    }
    if (id?.kind === 'expression') check(id.expression, own, line);
    if (source?.kind === 'expression') check(source.expression, own, line);
    if (source?.kind === 'link') checkLink(source, attribute);
    for (const { value } of attribute.anonymousAttributes) check(value, own, line);
    if (source?.kind !== 'link' || !attribute.clientProperties.some(isReference)) {
      for (const { value } of attribute.clientProperties) check(value, own, line);
    }
    const table = findMultipleValueTable(mapped, attribute);
    if (multipleValue !== undefined && table !== undefined) {
      check({ kind: 'property', name: multipleValue.sourceColumn }, own, line);
      check({ kind: 'property', name: multipleValue.targetColumn }, table, line);
      check(multipleValue.value, table, line);
    }
  }

  function checkLink(link: Extract<AttributeSource, { kind: 'link' }>, attribute: AttributeMapping): void {
    const { line } = attribute;
    check(link.expression, own, line);
    if ('kind' in link.type) {
      check(link.type, own, line);
      return;
    }
    const target = findLinkedType(types, link.type, mapping.namespaces);
    if (target === undefined) return;
    const there = toTableAddress(target);
    const what = `chains '${formatExcerpt(formatTypeName(target))}'`;
    if (link.field === undefined || link.expression === undefined) {
      const isSame = there.store === own.store && there.table === own.table;
      const isWithin = link.expression !== undefined && isDocumentExpression(link.expression);
      if (!isSame && !isWithin) {
        addDiagnostic(line, `${what} of another table and requires both OCQL and linkField to select its features`);
      }
      return;
    }
    if (listLinkFields(target.type, link.field.text).length === 0) {
      addDiagnostic(line, `${what} by '${formatExcerpt(link.field.text)}', which is not mapped there`);
    }
    if (!attribute.clientProperties.some(isReference)) return;
    for (const { value } of attribute.clientProperties) check(value, there, line);
  }
}
