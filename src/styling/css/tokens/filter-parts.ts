/** Reads filters in brackets, and separates the conditions on the scale. */
import { type EcqlFilter, readEcqlFilter } from '../../../filter/ecql/ecql.ts';
import { expandFilter } from '../../../filter/model/expand-filter.ts';
import { readLiteralNumber } from '../../../filter/model/literal.ts';
import type { ScaleRange, SelectorPart } from '../model/stylesheet.ts';
import { readBracketed } from './bracketed.ts';
import { scaleVariables } from './scale-variable.ts';
import type { Scanner } from './scanner.ts';

/** An unreadable filter selects nothing, because its intended selection is unknown. */
export function readFilterParts(scanner: Scanner): readonly SelectorPart[] {
  const bracketed = readBracketed(scanner, 'filter');
  if (bracketed === undefined) {
    // An unclosed string may be the cause, so ignore strings here.
    scanner.readPattern(/[^{};]*/y);
    return [{ kind: 'none' }];
  }
  const { text, offset } = bracketed;
  const outcome = readEcqlFilter(text, { variables: true });
  if (outcome.kind === 'refused') {
    scanner.complaints.add(offset + outcome.complaint.offset, `[${text}]`, outcome.complaint.message);
    return [{ kind: 'none' }];
  }
  const conditions = outcome.value.kind === 'and' ? outcome.value.filters : [outcome.value];
  return conditions.map((condition) =>
    toSelectorPart(condition, (message) => scanner.complaints.add(offset, `[${text}]`, message)),
  );
}

/** Returns whether a text is a condition on the scale only. */
export function isScaleCondition(text: string): boolean {
  const outcome = readEcqlFilter(text, { variables: true });
  return outcome.kind !== 'refused' && typeof findScaleRange(outcome.value) === 'object';
}

function toSelectorPart(condition: EcqlFilter, complain: (message: string) => void): SelectorPart {
  if (condition.kind === 'include') return { kind: 'all' };
  if (condition.kind === 'exclude') return { kind: 'none' };
  const range = findScaleRange(condition);
  if (range === 'not a range') {
    complain("a comparison of @sd with a number, such as '@sd < 50k', was expected");
    return { kind: 'none' };
  }
  if (range !== undefined) return { kind: 'scale', range };
  const variable = findVariable(condition);
  if (variable === undefined) return { kind: 'filter', filter: expandFilter(condition) };
  complain(
    scaleVariables.has(variable)
      ? `${variable} can only be compared with a number, and joined with other conditions by AND`
      : `unknown variable '${variable}'. Expected: @sd or @scale`,
  );
  return { kind: 'none' };
}

/** Returns a range that SLD can express: from one scale to another. */
function findScaleRange(condition: EcqlFilter): ScaleRange | 'not a range' | undefined {
  if (condition.kind === 'between' && isScale(condition.value)) {
    const [from, to] = [readLiteralNumber(condition.lower), readLiteralNumber(condition.upper)];
    return from === undefined || to === undefined ? 'not a range' : { from, to };
  }
  if (condition.kind !== 'comparison') return undefined;
  const isTurned = isScale(condition.right);
  if (!isTurned && !isScale(condition.left)) return undefined;
  const bound = readLiteralNumber(isTurned ? condition.left : condition.right);
  if (bound === undefined || bound < 0) return 'not a range';
  switch (condition.operator) {
    case 'less':
    case 'lessOrEqual':
      return isTurned ? { from: bound, to: Number.POSITIVE_INFINITY } : { from: 0, to: bound };
    case 'greater':
    case 'greaterOrEqual':
      return isTurned ? { from: 0, to: bound } : { from: bound, to: Number.POSITIVE_INFINITY };
    default:
      return 'not a range';
  }
}

function isScale(expression: object): boolean {
  return (
    'kind' in expression &&
    expression.kind === 'property' &&
    scaleVariables.has(String(Reflect.get(expression, 'name')))
  );
}

/** Returns the first name with an `@` in a condition. */
function findVariable(part: object): string | undefined {
  if ('kind' in part && part.kind === 'property' && 'name' in part) {
    const name = String(part.name);
    return name.startsWith('@') ? name : undefined;
  }
  for (const inner of Object.values(part)) {
    const found = typeof inner === 'object' && inner !== null ? findVariable(inner) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
