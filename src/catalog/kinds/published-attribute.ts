/** Attributes as clients are told of them: the data's own, with what people said over it. */
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { GeometryType } from '../../geometry/geometry.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { Attribute, ValueType } from '../../vector/port/port.ts';

/** What values may be; a side that is absent is open. Kept as text, since dates are compared as well. */
export interface ValueRange {
  readonly min?: string;
  readonly max?: string;
}

interface AttributeAnnotations {
  readonly description?: string;
  readonly range?: ValueRange;
  readonly options?: readonly string[];
  /** The attribute of the data it is taken from, or an expression over several. */
  readonly source?: string;
}

export type PublishedAttribute = Attribute & AttributeAnnotations;

export type AttributeType =
  | { readonly kind: 'geometry'; readonly type: GeometryType }
  | { readonly kind: 'value'; readonly type: ValueType };

/** What a client says of an attribute: what it leaves out of its nature stays, what it leaves out of the rest goes. */
export interface AttributeDraft extends AttributeAnnotations {
  readonly name: string;
  readonly type?: AttributeType;
  readonly nillable?: boolean;
  readonly minOccurs?: number;
  readonly maxOccurs?: number;
  /** 0 for no limit. */
  readonly length?: number;
}

/** The attributes that a list of a client means: which there are, in which order, and what is said of them. */
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
    // Where an attribute is taken from is part of its nature.
    const source = draft.source ?? own?.source;
    return addAnnotations(attribute, source === undefined ? draft : { ...draft, source });
  });
}

/** Whether a list says of an attribute what is not known, so that the data has to be asked. */
export function needsNativeAttributes(drafts: readonly AttributeDraft[], known: readonly Attribute[]): boolean {
  const names = new Set(known.map(({ name }) => name));
  return drafts.some(({ name }) => !names.has(name));
}

/** Remarks on attributes that are still there, over the attributes as the data has them now. */
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

/** The column that an attribute of a new table asks for. */
export function createAttribute(draft: AttributeDraft, crs: CrsReference): Attribute {
  const { name, type } = draft;
  if (type === undefined) {
    throw createInvalidAttributeProblem(name, 'a new column needs a binding');
  }
  const nillable = draft.nillable ?? (draft.minOccurs ?? 0) === 0;
  return type.kind === 'geometry'
    ? { name, nillable, ...type, dimension: 'XY', crs }
    : { name, nillable, ...type, ...toMaxLength(draft.length) };
}

/** A column that no data has, but an expression gives: the client has to say what it is. */
function createComputedAttribute(draft: AttributeDraft): Attribute | undefined {
  return draft.source === undefined || draft.type === undefined ? undefined : createAttribute(draft, {});
}

/** Takes over the nature of an attribute, and no remark on it. */
function customizeAttribute(base: Attribute, draft: AttributeDraft): Attribute {
  const common = { name: draft.name, nillable: draft.nillable ?? base.nillable };
  const type = draft.type ?? base;
  if (base.kind === 'geometry' && type.kind === 'geometry') {
    return { ...common, kind: 'geometry', type: type.type, dimension: base.dimension, crs: base.crs };
  }
  if (base.kind === 'value' && type.kind === 'value') {
    // Days of files are told as the general date, which is read as a moment.
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
    `it is ${base.kind === 'geometry' ? 'a' : 'no'} geometry in the data`,
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

/** A name in an expression may stand in double quotes. */
function removeQuotes(source: string): string {
  return /^"[^"]*"$/.test(source) ? source.slice(1, -1) : source;
}

const numericTypes: readonly ValueType[] = ['short', 'integer', 'long', 'float', 'double', 'decimal'];
const temporalTypes: readonly ValueType[] = ['date', 'time', 'timestamp'];

/** As schemas write a number without a limit. */
const UNBOUNDED = -1;

/** Whether what is said of the values can be: their range, their options, how often they occur. */
function findConstraintError(attribute: Attribute, draft: AttributeDraft): string | undefined {
  return findOccurrenceError(draft) ?? findRangeError(attribute, draft.range) ?? findOptionsError(attribute, draft);
}

function findOccurrenceError({ minOccurs = 0, maxOccurs = 1 }: AttributeDraft): string | undefined {
  return maxOccurs !== UNBOUNDED && minOccurs > maxOccurs
    ? `it cannot occur at least ${minOccurs} times and at most ${maxOccurs} times`
    : undefined;
}

function findRangeError(attribute: Attribute, range: AttributeDraft['range']): string | undefined {
  if (range === undefined) {
    return undefined;
  }
  if (attribute.kind === 'geometry' || ![...numericTypes, ...temporalTypes].includes(attribute.type)) {
    return 'only numbers and dates have a range';
  }
  const { min, max } = range;
  const unfit = [min, max].find((each) => each !== undefined && !isValidValue(attribute.type, each));
  if (unfit !== undefined) {
    return `'${excerpt(unfit)}' cannot be an end of its range`;
  }
  // Which of two dates is earlier, their spelling does not tell.
  return isNumericType(attribute.type) && Number(min) > Number(max) ? 'its range ends before it begins' : undefined;
}

function findOptionsError(attribute: Attribute, { options }: AttributeDraft): string | undefined {
  if (options === undefined) {
    return undefined;
  }
  if (attribute.kind === 'geometry') {
    return 'a geometry has no options';
  }
  const unfit = options.find((each) => isNumericType(attribute.type) && !isValidValue(attribute.type, each));
  return unfit === undefined ? undefined : `'${excerpt(unfit)}' cannot be one of its options, which are numbers`;
}

export function isNumericType(type: ValueType): boolean {
  return numericTypes.includes(type);
}

/** Dates are kept in whatever spelling they have. */
function isValidValue(type: ValueType, text: string): boolean {
  return !isNumericType(type) || (text.trim() !== '' && Number.isFinite(Number(text)));
}
