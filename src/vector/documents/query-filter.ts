/** Converts a filter to a database query that finds at least all matching documents. */
import { BSON } from 'mongodb';
import type { ComparisonOperator } from '../../filter/model/filter.ts';
import type { ResolvedFilter, Scalar, ScalarConstant } from '../../filter/model/resolved-filter.ts';
import type { DocumentAttribute, DocumentSchema } from './document-schema.ts';

/** An empty query matches everything. */
export function buildQuery(filter: ResolvedFilter, schema: DocumentSchema): BSON.Document {
  return buildCondition(filter, schema) ?? {};
}

/** Returns undefined for conditions that the database cannot evaluate. */
function buildCondition(filter: ResolvedFilter, schema: DocumentSchema): BSON.Document | undefined {
  switch (filter.kind) {
    case 'and': {
      const known = filter.filters.flatMap((each) => buildCondition(each, schema) ?? []);
      return known.length === 0 ? undefined : { $and: known };
    }
    case 'or': {
      const known = filter.filters.map((each) => buildCondition(each, schema));
      const all = known.filter((each) => each !== undefined);
      return all.length === 0 || all.length < known.length ? undefined : { $or: all };
    }
    case 'comparison':
      return buildComparison(filter.operator, filter.left, filter.right, schema);
    case 'membership': {
      const path = findPath(filter.value, schema);
      return path === undefined || filter.list.some(isFiner)
        ? undefined
        : { [path]: { $in: filter.list.flatMap(listCandidates) } };
    }
    case 'identifiers':
      return { _id: { $in: filter.identifiers.flatMap(listIdValues) } };
    default:
      return undefined;
  }
}

const operators: Readonly<Partial<Record<ComparisonOperator, string>>> = {
  less: '$lt',
  lessOrEqual: '$lte',
  greater: '$gt',
  greaterOrEqual: '$gte',
};

const mirroredOperators: Readonly<Partial<Record<ComparisonOperator, ComparisonOperator>>> = {
  equal: 'equal',
  less: 'greater',
  lessOrEqual: 'greaterOrEqual',
  greater: 'less',
  greaterOrEqual: 'lessOrEqual',
};

function buildComparison(
  operator: ComparisonOperator,
  left: Scalar,
  right: Scalar,
  schema: DocumentSchema,
): BSON.Document | undefined {
  if (left.kind === 'constant' && right.kind === 'attribute') {
    const other = mirroredOperators[operator];
    return other && buildComparison(other, right, left, schema);
  }
  const path = right.kind === 'constant' ? findPath(left, schema) : undefined;
  if (path === undefined || right.kind !== 'constant' || isFiner(right)) return undefined;
  if (operator === 'equal') return { [path]: { $in: listCandidates(right) } };
  const name = operators[operator];
  // Text attributes can be numbers or dates in the database, which sort differently.
  return name === undefined || right.type === 'text' ? undefined : { [path]: { [name]: toStoredValue(right) } };
}

/** Returns a path that the database interprets identically; a leading dollar sign would be an operator. */
function findPath(value: Scalar, schema: DocumentSchema): string | undefined {
  if (value.kind !== 'attribute') return undefined;
  const attribute = schema.attributes.find(({ name }) => name === value.name);
  return attribute !== undefined && isPlain(attribute) ? attribute.path : undefined;
}

function isPlain(attribute: DocumentAttribute): boolean {
  const isSingle = attribute.kind === 'value' && !attribute.isMany && attribute.type !== 'list';
  return isSingle && attribute.path.split('.').every((step) => step !== '' && !step.startsWith('$'));
}

/** Whether the constant is finer than the database, whose times have milliseconds. */
function isFiner({ type, value }: ScalarConstant): boolean {
  return (type === 'moment' || type === 'decimal') && typeof value === 'string';
}

function toStoredValue({ type, value }: ScalarConstant): unknown {
  return type === 'moment' ? new Date(Number(value)) : value;
}

/** Lists all stored values that match a constant, because text attributes can be stored as other types. */
function listCandidates(constant: ScalarConstant): readonly unknown[] {
  const { type, value } = constant;
  return type === 'text'
    ? [...listIdValues(String(value)), ...listTextValues(String(value))]
    : [toStoredValue(constant)];
}

function listTextValues(text: string): readonly unknown[] {
  const moment = /^\d{4}-\d\d-\d\dT/.test(text) ? [new Date(text)].filter((date) => !Number.isNaN(date.getTime())) : [];
  const flag = text === 'true' || text === 'false' ? [text === 'true'] : [];
  const number = /^-?\d{1,300}(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i.test(text) ? [Number(text)] : [];
  const bytes = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text) ? [new BSON.UUID(text)] : [];
  return [...moment, ...flag, ...number, ...bytes];
}

/** An id can be an object id, a number or text; all variants are searched. */
export function listIdValues(id: string): readonly unknown[] {
  const isWhole = /^-?\d{1,18}$/.test(id);
  const whole = isWhole ? [BSON.Long.fromString(id)] : [];
  return /^[0-9a-f]{24}$/i.test(id) ? [new BSON.ObjectId(id), id] : [id, ...whole];
}
