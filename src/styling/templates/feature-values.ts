/** The values of features in templates. Workers create them, because features are smaller as a table. */
import type { TemplateObject, TemplateValue } from '../../lib/template/template.ts';

export interface FeatureTable {
  readonly typeName: string;
  readonly attributes: readonly TableAttribute[];
  readonly rows: readonly { readonly id: string; readonly cells: readonly TableCell[] }[];
}

export interface TableAttribute {
  readonly name: string;
  /** Such as `string` or `Point`. */
  readonly type: string;
  readonly isGeometry: boolean;
}

export type TableCell = string | number | boolean | undefined;

/** Returns `features` and `type`. */
export function createCollectionValues(table: FeatureTable): readonly (readonly [string, TemplateValue])[] {
  const type = createType(table);
  return [
    ['type', type],
    ['features', table.rows.map((row) => createFeature(table, row, type))],
  ];
}

/** Returns one object for each feature, with its attributes by name. */
export function listFeatureValues(table: FeatureTable): readonly TemplateObject[] {
  const type = createType(table);
  return table.rows.map((row) => createFeature(table, row, type));
}

function createType({ typeName, attributes }: FeatureTable): TemplateObject {
  const described = attributes.map((attribute): TemplateObject => new Map(Object.entries(attribute)));
  return new Map<string, TemplateValue>([
    ['name', typeName],
    ['attributes', described],
  ]);
}

/** Names such as `fid` take precedence over attributes of the same name. */
function createFeature(
  { attributes, typeName }: FeatureTable,
  { id, cells }: FeatureTable['rows'][number],
  type: TemplateObject,
): TemplateObject {
  const values = attributes.map((attribute, index): TemplateObject => {
    const cell = cells[index];
    return new Map<string, TemplateValue>([
      ...Object.entries(attribute),
      ['value', cell === undefined ? '' : String(cell)],
      ['rawValue', cell],
    ]);
  });
  return new Map<string, TemplateValue>([
    ...values.map((value, index) => [attributes[index]?.name ?? '', value] as const),
    ['fid', id],
    ['typeName', typeName],
    ['type', type],
    ['attributes', values],
  ]);
}
