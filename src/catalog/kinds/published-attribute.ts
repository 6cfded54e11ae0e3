/** Published attributes: those of the data, with the changes of clients applied. */
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { GeometryType } from '../../geometry/geometry.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { Attribute, ValueType } from '../../vector/port/port.ts';

/** The range of values; an absent end is open. Stored as text, since dates are compared as well. */
export interface ValueRange {
  readonly min?: string;
  readonly max?: string;
}

interface AttributeAnnotations {
  readonly description?: string;
  readonly range?: ValueRange;
  readonly options?: readonly string[];
  /** The attribute of the data, or an expression over several. */
  readonly source?: string;
}

export type PublishedAttribute = Attribute & AttributeAnnotations;

/** Whether the source is an expression rather than the name of an attribute of the data. */
export function isComputedAttribute({ source }: PublishedAttribute): boolean {
  return source !== undefined && !/^(?:"[^"]*"|[\p{L}_][\p{L}\p{N}_]*)$/u.test(source);
}

/** Returns the name of an attribute in the data, unless it is computed. */
export function getColumnName({ name, source }: PublishedAttribute): string {
  return source === undefined ? name : source.replace(/^"([^"]*)"$/, '$1');
}

export type AttributeType =
  | { readonly kind: 'geometry'; readonly type: GeometryType }
  | { readonly kind: 'value'; readonly type: ValueType };

/** An attribute as a client sends it: absent type properties keep their value, absent annotations are cleared. */
export interface AttributeDraft extends AttributeAnnotations {
  readonly name: string;
  readonly type?: AttributeType;
  readonly nillable?: boolean;
  readonly minOccurs?: number;
  readonly maxOccurs?: number;
  /** 0 for no limit. */
  readonly length?: number;
}

/** Resolves the attribute list of a client: the attributes, their order, and their annotations. */
export function resolveAttributes(
  drafts: readonly AttributeDraft[],
  known: readonly PublishedAttribute[],
  typeName: string,
): readonly PublishedAttribute[] {
  const byName = new Map(known.map((each) => [each.name, each]));
  return drafts.map((draft) => {
    const own = byName.get(draft.name);
    const base = own ?? byName.get(removeQuotes(draft.source ?? ''));
    const attribute = base === undefined ? createComputedAttribute(draft) : customizeAttribute(base, draft);
    if (attribute === undefined) {
      throw problem('attribute-unknown', { attribute: excerpt(draft.name), name: typeName });
    }
    // The source of an attribute counts as part of its type.
    const source = draft.source ?? own?.source;
    return addAnnotations(attribute, source === undefined ? draft : { ...draft, source });
  });
}

/** Returns whether a list refers to unknown attributes, so that the data has to be read. */
export function needsNativeAttributes(drafts: readonly AttributeDraft[], known: readonly Attribute[]): boolean {
  const names = new Set(known.map(({ name }) => name));
  return drafts.some(({ name }) => !names.has(name));
}

/** Applies existing annotations to the current attributes of the data. */
export function keepAttributeAnnotations(
  native: readonly Attribute[],
  before: readonly PublishedAttribute[],
): readonly PublishedAttribute[] {
  const byName = new Map(before.map((each) => [each.name, each]));
  return native.map((attribute) => {
    const { description, range, options } = byName.get(attribute.name) ?? {};
    const isSame = byName.get(attribute.name)?.type === attribute.type;
    return {
      ...attribute,
      ...(description === undefined ? {} : { description }),
      ...(range === undefined || !isSame ? {} : { range }),
      ...(options === undefined || !isSame ? {} : { options }),
    };
  });
}

/** Creates the attribute for a column of a new table. */
export function createAttribute(draft: AttributeDraft, crs: CrsReference): Attribute {
  const { name, type } = draft;
  if (type === undefined) {
    throw createInvalidAttributeProblem(name, 'a new column requires a binding');
  }
  const nillable = draft.nillable ?? (draft.minOccurs ?? 0) === 0;
  return type.kind === 'geometry'
    ? { name, nillable, ...type, dimension: 'XY', crs }
    : { name, nillable, ...type, ...toMaxLength(draft.length) };
}

/** Creates an attribute that is computed by an expression; the client has to define its type. */
function createComputedAttribute(draft: AttributeDraft): Attribute | undefined {
  return draft.source === undefined || draft.type === undefined ? undefined : createAttribute(draft, {});
}

/** Applies the type properties of a draft, without its annotations. */
function customizeAttribute(base: Attribute, draft: AttributeDraft): Attribute {
  const common = { name: draft.name, nillable: draft.nillable ?? base.nillable };
  const type = draft.type ?? base;
  if (base.kind === 'geometry' && type.kind === 'geometry') {
    return { ...common, kind: 'geometry', type: type.type, dimension: base.dimension, crs: base.crs };
  }
  if (base.kind === 'value' && type.kind === 'value') {
    // Responses show dates of files as the general date type, which is parsed as a timestamp.
    const isSame = base.type === 'date' && type.type === 'timestamp';
    const valueType = isSame ? base.type : type.type;
    const { attributes } = base;
    return {
      ...common,
      kind: 'value',
      type: valueType,
      ...toMaxLength(draft.length ?? base.maxLength),
      ...(attributes === undefined ? {} : { attributes }),
    };
  }
  throw createInvalidAttributeProblem(
    draft.name,
    `it is ${base.kind === 'geometry' ? 'a' : 'not a'} geometry in the data`,
  );
}

function addAnnotations(attribute: Attribute, draft: AttributeDraft): PublishedAttribute {
  const { description, range, options, source, minOccurs, maxOccurs } = draft;
  const objection = findConstraintError(attribute, draft);
  if (objection !== undefined) {
    throw createInvalidAttributeProblem(draft.name, objection);
  }
  return {
    ...attribute,
    ...(minOccurs === undefined || minOccurs === getDefaultMinOccurs(attribute) ? {} : { minOccurs }),
    ...(maxOccurs === undefined || maxOccurs === 1 ? {} : { maxOccurs }),
    ...(range === undefined ? {} : { range }),
    ...(options === undefined ? {} : { options }),
    ...(source === undefined ? {} : { source }),
    ...(description === undefined ? {} : { description }),
  };
}

export function getDefaultMinOccurs({ nillable }: Pick<Attribute, 'nillable'>): number {
  return nillable ? 0 : 1;
}

function createInvalidAttributeProblem(attribute: string, reason: string) {
  return problem('attribute-invalid', { attribute: excerpt(attribute), reason, field: 'featureType.attributes' });
}

function toMaxLength(length: number | undefined): { readonly maxLength?: number } {
  return length === undefined || length === 0 ? {} : { maxLength: length };
}

/** A name in an expression may be in double quotes. */
function removeQuotes(source: string): string {
  return /^"[^"]*"$/.test(source) ? source.slice(1, -1) : source;
}

const numericTypes: readonly ValueType[] = ['short', 'integer', 'long', 'float', 'double', 'decimal'];
const temporalTypes: readonly ValueType[] = ['date', 'time', 'timestamp'];

/** The value that schemas use for "no limit". */
const UNBOUNDED = -1;

/** Returns an error for invalid constraints: range, options, number of occurrences. */
function findConstraintError(attribute: Attribute, draft: AttributeDraft): string | undefined {
  return findOccurrenceError(draft) ?? findRangeError(attribute, draft.range) ?? findOptionsError(attribute, draft);
}

function findOccurrenceError({ minOccurs = 0, maxOccurs = 1 }: AttributeDraft): string | undefined {
  return maxOccurs !== UNBOUNDED && minOccurs > maxOccurs
    ? `minOccurs ${minOccurs} is greater than maxOccurs ${maxOccurs}`
    : undefined;
}

function findRangeError(attribute: Attribute, range: AttributeDraft['range']): string | undefined {
  if (range === undefined) {
    return undefined;
  }
  if (attribute.kind === 'geometry' || ![...numericTypes, ...temporalTypes].includes(attribute.type)) {
    return 'only numbers and dates can have a range';
  }
  const { min, max } = range;
  const unfit = [min, max].find((each) => each !== undefined && !isValidValue(attribute.type, each));
  if (unfit !== undefined) {
    return `'${excerpt(unfit)}' is not a valid limit of its range`;
  }
  // Dates are not compared, since their text does not determine their order.
  return isNumericType(attribute.type) && Number(min) > Number(max)
    ? 'the minimum of its range exceeds the maximum'
    : undefined;
}

function findOptionsError(attribute: Attribute, { options }: AttributeDraft): string | undefined {
  if (options === undefined) {
    return undefined;
  }
  if (attribute.kind === 'geometry') {
    return 'a geometry cannot have options';
  }
  const unfit = options.find((each) => isNumericType(attribute.type) && !isValidValue(attribute.type, each));
  return unfit === undefined ? undefined : `the option '${excerpt(unfit)}' is not a number`;
}

export function isNumericType(type: ValueType): boolean {
  return numericTypes.includes(type);
}

/** Dates are stored in any spelling. */
function isValidValue(type: ValueType, text: string): boolean {
  return !isNumericType(type) || (text.trim() !== '' && Number.isFinite(Number(text)));
}
