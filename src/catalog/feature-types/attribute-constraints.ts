/** Whether what is said of the values of an attribute can be: its range, its options, how often it occurs. */
import type { Attribute, ValueType } from '../../data/vector/port.ts';
import { excerpt } from '../../lib/excerpt.ts';
import type { AttributeDraft } from './published-attribute.ts';

const numbers: readonly ValueType[] = ['short', 'integer', 'long', 'float', 'double', 'decimal'];
const moments: readonly ValueType[] = ['date', 'time', 'timestamp'];

/** As schemas write a number without a limit. */
const UNBOUNDED = -1;

export function objectionToConstraints(attribute: Attribute, draft: AttributeDraft): string | undefined {
  return (
    objectionToOccurrence(draft) ?? objectionToRange(attribute, draft.range) ?? objectionToOptions(attribute, draft)
  );
}

function objectionToOccurrence({ minOccurs = 0, maxOccurs = 1 }: AttributeDraft): string | undefined {
  return maxOccurs !== UNBOUNDED && minOccurs > maxOccurs
    ? `it cannot occur at least ${minOccurs} times and at most ${maxOccurs} times`
    : undefined;
}

function objectionToRange(attribute: Attribute, range: AttributeDraft['range']): string | undefined {
  if (range === undefined) {
    return undefined;
  }
  if (attribute.kind === 'geometry' || ![...numbers, ...moments].includes(attribute.type)) {
    return 'only numbers and dates have a range';
  }
  const { min, max } = range;
  const unfit = [min, max].find((each) => each !== undefined && !fits(attribute.type, each));
  if (unfit !== undefined) {
    return `'${excerpt(unfit)}' cannot be an end of its range`;
  }
  // Which of two dates is earlier, their spelling does not tell.
  return isNumber(attribute.type) && Number(min) > Number(max) ? 'its range ends before it begins' : undefined;
}

function objectionToOptions(attribute: Attribute, { options }: AttributeDraft): string | undefined {
  if (options === undefined) {
    return undefined;
  }
  if (attribute.kind === 'geometry') {
    return 'a geometry has no options';
  }
  const unfit = options.find((each) => isNumber(attribute.type) && !fits(attribute.type, each));
  return unfit === undefined ? undefined : `'${excerpt(unfit)}' cannot be one of its options, which are numbers`;
}

export function isNumber(type: ValueType): boolean {
  return numbers.includes(type);
}

/** Dates are kept in whatever spelling they have. */
function fits(type: ValueType, text: string): boolean {
  return !isNumber(type) || (text.trim() !== '' && Number.isFinite(Number(text)));
}
