/** Finds the column for each attribute of incoming features, or the reason why there is none. */

import { areSameCrs, formatCrsLabel } from '../../crs/are-same-crs.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Attribute, Feature, Value, ValueType } from '../port/port.ts';
import { createValueConverter, fitGeometry, type GeometryForm, UnfitValueError } from './convert-value.ts';

export type TargetColumn = { readonly name: string } & (
  | { readonly kind: 'value'; readonly type: ValueType }
  | ({
      readonly kind: 'geometry';
      /** Undefined if any CRS is accepted. */
      readonly crs?: CrsReference;
    } & GeometryForm)
);

export interface ColumnMatch<C extends TargetColumn> {
  readonly column: C;
  /** Returns the value for the column; throws an UnfitValueError. */
  readonly getValue: (feature: Feature) => Value | Geometry;
}

/**
 * Matches names regardless of case; the only geometry matches the only geometry column with any name. An attribute
 * without a column is rejected, because its values would be lost silently.
 */
export async function matchColumns<C extends TargetColumn>(
  table: string,
  attributes: readonly Attribute[],
  columns: readonly C[],
): Promise<readonly ColumnMatch<C>[]> {
  const refuse = (reason: string) => problem('import-refused', { name: table, reason });
  const found = attributes.map((attribute) => findColumn(attribute, attributes, columns));
  const lost = attributes.filter((_, index) => found[index] === undefined).map(({ name }) => `'${name}'`);
  if (lost.length > 0) throw refuse(`it has no column for ${lost.join(', ')}`);
  const matches: ColumnMatch<C>[] = [];
  for (const [index, attribute] of attributes.entries()) {
    const column = found[index];
    if (column === undefined) continue;
    if (matches.some((match) => match.column === column)) {
      throw refuse(`several attributes match its column '${column.name}'`);
    }
    const objection = await validateColumn(attribute, column);
    if (objection !== undefined) throw refuse(objection);
    const convert = createConverter(attribute, column);
    matches.push({ column, getValue: ({ values }) => convert(values[index] ?? null) });
  }
  return matches;
}

/** Returns the values of a feature in column order. */
export function toRow(
  table: string,
  matches: readonly ColumnMatch<TargetColumn>[],
  feature: Feature,
): readonly (Value | Geometry)[] {
  return matches.map(({ column, getValue: valueFrom }) => {
    try {
      return valueFrom(feature);
    } catch (error) {
      if (!(error instanceof UnfitValueError)) throw error;
      const what = { name: table, feature: `the feature '${feature.id}'` };
      throw problem('feature-refused', { ...what, reason: error.message, column: column.name });
    }
  });
}

function findColumn<C extends TargetColumn>(
  attribute: Attribute,
  attributes: readonly Attribute[],
  columns: readonly C[],
): C | undefined {
  const named =
    columns.find(({ name }) => name === attribute.name) ??
    findOnly(columns.filter(({ name }) => name.toLowerCase() === attribute.name.toLowerCase()));
  if (named !== undefined || attribute.kind !== 'geometry') return named;
  const isOnly = findOnly(attributes.filter(({ kind }) => kind === 'geometry')) !== undefined;
  return isOnly ? findOnly(columns.filter(({ kind }) => kind === 'geometry')) : undefined;
}

function findOnly<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}

async function validateColumn(attribute: Attribute, column: TargetColumn): Promise<string | undefined> {
  if (attribute.kind === 'geometry') {
    if (column.kind !== 'geometry')
      return `'${attribute.name}' is a geometry, but the column has the type ${column.type}`;
    const isSame = column.crs === undefined || (await areSameCrs(attribute.crs, column.crs));
    return isSame || column.crs === undefined
      ? undefined
      : `the coordinate reference system of the data is ${formatCrsLabel(attribute.crs)}, but the column '${column.name}' has ${formatCrsLabel(column.crs)}, and data is not reprojected`;
  }
  if (column.kind === 'geometry') return `'${attribute.name}' is not a geometry, but the column is`;
  return createValueConverter(attribute.type, column.type) === undefined
    ? `'${attribute.name}' has the type ${attribute.type}, but the column '${column.name}' has the type ${column.type}`
    : undefined;
}

function createConverter(attribute: Attribute, column: TargetColumn): (value: Value | Geometry) => Value | Geometry {
  if (column.kind === 'geometry') return (value) => (isGeometry(value) ? fitGeometry(value, column) : null);
  const convert = attribute.kind === 'value' ? createValueConverter(attribute.type, column.type) : undefined;
  return (value) => (convert === undefined || isGeometry(value) ? null : convert(value));
}

export function isGeometry(value: Value | Geometry): value is Geometry {
  return typeof value === 'object' && value !== null && 'ordinates' in value;
}
