/** Writes expressions and filters of the model as expressions of the style specification. */
import type { ArithmeticOperator, Expression, FunctionCall } from '../../../filter/model/expression.ts';
import type { ComparisonOperator, Filter, Like } from '../../../filter/model/filter.ts';
import { readLiteralNumber, readLiteralText } from '../../../filter/model/literal.ts';
import type { OutputKind } from '../common/output-kind.ts';
import { zoomExpression } from '../common/zoom.ts';
import type { MbWriteContext } from './write-context.ts';

/** JSON of an expression. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const arithmeticSigns: Readonly<Record<ArithmeticOperator, string>> = {
  add: '+',
  subtract: '-',
  multiply: '*',
  divide: '/',
};

const comparisonSigns: Readonly<Record<ComparisonOperator, string>> = {
  equal: '==',
  notEqual: '!=',
  less: '<',
  lessOrEqual: '<=',
  greater: '>',
  greaterOrEqual: '>=',
};

const zoomText = JSON.stringify(zoomExpression);

/** Returns undefined after a loss; then the default of the property applies. */
export function writeValue(writing: MbWriteContext, value: Expression, kind: OutputKind): Json | undefined {
  if (JSON.stringify(value) === zoomText) return ['zoom'];
  switch (value.kind) {
    case 'literal':
      return kind === 'number' ? (readLiteralNumber(value) ?? value.value) : value.value;
    case 'property':
      return convert(['get', value.name], kind);
    case 'arithmetic':
      return writeList(writing, arithmeticSigns[value.operator], [value.left, value.right], 'number');
    case 'concatenation':
      return writeList(writing, 'concat', value.parts, 'text');
    case 'function':
      return writeCall(writing, value, kind);
    case 'geometry':
      writing.reportLoss('geometries in expressions');
      return undefined;
  }
}

/** Attributes have any type. */
function convert(value: Json, kind: OutputKind): Json {
  if (kind === 'number' || kind === 'alpha') return ['to-number', value];
  if (kind === 'color') return ['to-color', value];
  return kind === 'text' ? ['to-string', value] : value;
}

function writeList(
  writing: MbWriteContext,
  operator: string,
  inputs: readonly Expression[],
  kind: OutputKind,
): Json | undefined {
  const all = inputs.map((each) => writeValue(writing, each, kind));
  return all.every((each) => each !== undefined) ? [operator, ...all] : undefined;
}

/** Functions with the same inputs, and the type of these. */
const sameFunctions: ReadonlyMap<string, readonly [operator: string, kind: OutputKind]> = new Map<
  string,
  readonly [operator: string, kind: OutputKind]
>([
  ...['abs', 'ceil', 'floor', 'sqrt', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'min', 'max'].map(
    (name) => [name, [name, 'number']] as const,
  ),
  ['log', ['ln', 'number']],
  ['pow', ['^', 'number']],
  ['modulo', ['%', 'number']],
  ['rint', ['round', 'number']],
  ['round', ['round', 'number']],
  ['strtouppercase', ['upcase', 'text']],
  ['strtolowercase', ['downcase', 'text']],
  ['concatenate', ['concat', 'text']],
  ['strconcat', ['concat', 'text']],
  ['concat', ['concat', 'text']],
  ['parsedouble', ['to-number', 'boolean']],
  ['equalto', ['==', 'text']],
  ['notequalto', ['!=', 'text']],
  ['lessthan', ['<', 'number']],
  ['lessequalthan', ['<=', 'number']],
  ['greaterthan', ['>', 'number']],
  ['greaterequalthan', ['>=', 'number']],
  ['not', ['!', 'boolean']],
]);

function writeCall(writing: MbWriteContext, call: FunctionCall, kind: OutputKind): Json | undefined {
  const name = call.name.toLowerCase();
  const same = sameFunctions.get(name);
  if (same !== undefined) return writeList(writing, same[0], call.arguments, same[1]);
  switch (name) {
    case 'recode':
      return writeRecode(writing, call, kind);
    case 'categorize':
      return writeCategorize(writing, call, kind);
    case 'interpolate':
      return writeInterpolate(writing, call, kind);
    case 'if_then_else':
      return writeCase(writing, call, kind);
    case 'coalesce':
      return writeCoalesce(writing, call, kind);
    case 'isnull':
      return writeNullTest(writing, call.arguments[0]);
    case 'property':
      return convert(['get', readLiteralText(call.arguments[0]) ?? ''], kind);
    default:
      writing.reportLoss(`the function '${call.name.slice(0, 40)}'`);
      return undefined;
  }
}

/** A fallback is required; the default of each type. */
function createFallback(kind: OutputKind): Json {
  if (kind === 'color') return 'rgba(0, 0, 0, 0)';
  return kind === 'number' || kind === 'alpha' ? 0 : kind === 'boolean' ? false : '';
}

function writeRecode(
  writing: MbWriteContext,
  { arguments: [lookup, ...pairs] }: FunctionCall,
  kind: OutputKind,
  fallback: Json = createFallback(kind),
): Json | undefined {
  const input = lookup && writeValue(writing, lookup, 'text');
  if (input === undefined) return undefined;
  const branches: Json[] = [];
  const known = new Set<string>();
  for (let index = 0; index + 1 < pairs.length; index += 2) {
    const label = readLiteralText(pairs[index]);
    const output = pairs[index + 1];
    const written = output && writeValue(writing, output, kind);
    if (label === undefined || written === undefined) {
      writing.reportLoss('computed items of Recode');
      return undefined;
    }
    if (!known.has(label)) branches.push(label, written);
    known.add(label);
  }
  return branches.length === 0 ? fallback : ['match', input, ...branches, fallback];
}

function writeCategorize(
  writing: MbWriteContext,
  { arguments: [lookup, ...steps] }: FunctionCall,
  kind: OutputKind,
): Json | undefined {
  const used = steps.length % 2 === 0 ? steps.slice(0, -1) : steps;
  const input = lookup && writeValue(writing, lookup, 'number');
  const parts = used.map((each, index) =>
    index % 2 === 0 ? writeValue(writing, each, kind) : readLiteralNumber(each),
  );
  if (input === undefined || !parts.every((each) => each !== undefined)) {
    writing.reportLoss('computed thresholds of Categorize');
    return undefined;
  }
  return ['step', input, ...parts];
}

function writeInterpolate(
  writing: MbWriteContext,
  { arguments: [lookup, ...rest] }: FunctionCall,
  kind: OutputKind,
): Json | undefined {
  const words = ['numeric', 'color', 'linear', 'cosine', 'cubic'];
  const isWord = (each: Expression) => words.includes((readLiteralText(each) ?? '').toLowerCase());
  const points = rest.filter((each, index) => index < rest.length - 2 || !isWord(each));
  const exponential = lookup && findExponential(lookup);
  const input = lookup && writeValue(writing, exponential?.input ?? lookup, 'number');
  const stops = points.map((each, index) => {
    if (index % 2 === 1) return writeValue(writing, each, kind);
    const at = readLiteralNumber(each);
    if (at === undefined || exponential === undefined) return at;
    return Number((Math.log(at) / Math.log(exponential.base) + exponential.origin).toFixed(6));
  });
  if (input === undefined || !stops.every((each) => each !== undefined)) {
    writing.reportLoss('computed points of Interpolate');
    return undefined;
  }
  const type = exponential === undefined ? ['linear'] : ['exponential', exponential.base];
  return ['interpolate', type, input, ...stops];
}

/** Recognises base^(input - origin), the notation of exponential interpolation in the model. */
function findExponential(
  lookup: Expression,
): { readonly base: number; readonly origin: number; readonly input: Expression } | undefined {
  if (lookup.kind !== 'function' || lookup.name.toLowerCase() !== 'pow') return undefined;
  const [first, exponent] = lookup.arguments;
  const base = readLiteralNumber(first);
  if (base === undefined || exponent?.kind !== 'arithmetic' || exponent.operator !== 'subtract') return undefined;
  const origin = readLiteralNumber(exponent.right);
  return origin === undefined ? undefined : { base, origin, input: exponent.left };
}

function writeCase(writing: MbWriteContext, call: FunctionCall, kind: OutputKind): Json | undefined {
  const [condition, yes, no] = call.arguments;
  const written = [
    condition && writeValue(writing, condition, 'boolean'),
    yes && writeValue(writing, yes, kind),
    no && writeValue(writing, no, kind),
  ];
  return written.every((each) => each !== undefined) ? ['case', ...written] : undefined;
}

/** A fallback after Recode is that of `match`. */
function writeCoalesce(writing: MbWriteContext, call: FunctionCall, kind: OutputKind): Json | undefined {
  const [first, second, ...others] = call.arguments;
  if (first?.kind === 'function' && first.name === 'Recode' && second !== undefined && others.length === 0) {
    const fallback = writeValue(writing, second, kind);
    return fallback === undefined ? undefined : writeRecode(writing, first, kind, fallback);
  }
  return writeList(writing, 'coalesce', call.arguments, kind);
}

function writeNullTest(writing: MbWriteContext, value: Expression | undefined): Json | undefined {
  const input = value && writeValue(writing, value, 'boolean');
  return input === undefined ? undefined : ['==', input, null];
}

/** Returns undefined after a loss: then the rule is omitted. */
export function writeFilter(writing: MbWriteContext, filter: Filter): Json | undefined {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const all = filter.filters.map((each) => writeFilter(writing, each));
      return all.every((each) => each !== undefined) ? [filter.kind === 'and' ? 'all' : 'any', ...all] : undefined;
    }
    case 'not': {
      const inner = writeFilter(writing, filter.filter);
      return inner === undefined ? undefined : ['!', inner];
    }
    case 'comparison':
      return writeComparison(writing, comparisonSigns[filter.operator], filter.left, filter.right);
    case 'between': {
      const [lower, upper] = [
        writeComparison(writing, '>=', filter.value, filter.lower),
        writeComparison(writing, '<=', filter.value, filter.upper),
      ];
      return lower === undefined || upper === undefined ? undefined : ['all', lower, upper];
    }
    case 'membership': {
      const input = writeValue(writing, filter.value, 'text');
      const labels = filter.list.map(readLiteralText);
      if (input === undefined || !labels.every((each) => each !== undefined)) break;
      return ['in', input, ['literal', labels]];
    }
    case 'isNull':
      return writeNullTest(writing, filter.value);
    case 'like': {
      const written = writeLike(writing, filter);
      if (written === undefined) break;
      return written;
    }
    default:
      break;
  }
  writing.reportLoss(`filters of the kind '${filter.kind}'`);
  return undefined;
}

/** Supports patterns of the forms `text`, `text*` and `*text*`. */
function writeLike(writing: MbWriteContext, { value, matchCase, ...like }: Like): Json | undefined {
  const input = writeValue(writing, value, 'text');
  const { text, before, after } = splitPattern(like);
  if (input === undefined || text === undefined || (before && !after)) return undefined;
  const [sought, within]: readonly Json[] =
    matchCase === false ? [text.toLowerCase(), ['downcase', input]] : [text, input];
  if (sought === undefined || within === undefined) return undefined;
  if (!after) return ['==', within, sought];
  return [before ? '>=' : '==', ['index-of', sought, within], 0];
}

/** Splits a pattern into its text and the wildcards around it; the text is undefined if wildcards are within it. */
function splitPattern({ pattern, wildCard, singleCharacter, escape: escapeSign }: Omit<Like, 'value'>): {
  readonly text: string | undefined;
  readonly before: boolean;
  readonly after: boolean;
} {
  const before = wildCard !== '' && pattern.startsWith(wildCard);
  let text = '';
  let at = before ? wildCard.length : 0;
  while (at < pattern.length) {
    if (escapeSign !== '' && pattern.startsWith(escapeSign, at)) {
      at += escapeSign.length;
    } else if (wildCard !== '' && pattern.startsWith(wildCard, at)) {
      const isLast = at + wildCard.length === pattern.length;
      return { text: isLast ? text : undefined, before, after: true };
    } else if (singleCharacter !== '' && pattern.startsWith(singleCharacter, at)) {
      return { text: undefined, before, after: false };
    }
    text += pattern[at] ?? '';
    at += 1;
  }
  return { text, before, after: false };
}

/** Numbers are compared as numbers, everything else as text. */
function writeComparison(writing: MbWriteContext, sign: string, left: Expression, right: Expression): Json | undefined {
  if (readLiteralText(right) === 'true' && left.kind === 'function' && sign === '==')
    return writeValue(writing, left, 'boolean');
  const isNumeric = [left, right].some((each) => readLiteralNumber(each) !== undefined || each.kind === 'arithmetic');
  const [first, second] = [left, right].map((each) => writeValue(writing, each, isNumeric ? 'number' : 'text'));
  return first === undefined || second === undefined ? undefined : [sign, first, second];
}
