/** Translates expressions of the style specification to expressions of the model. */
import type { ArithmeticOperator, Expression } from '../../filter/model/expression.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { type DocumentValue, isList } from '../documents/document-value.ts';
import {
  translateCase,
  translateCoalesce,
  translateInterpolate,
  translateLet,
  translateMatch,
  translateStep,
  translateVar,
} from './branch-operators.ts';
import {
  concatenate,
  createCall,
  createCondition,
  dimensionExpression,
  falsehood,
  findGeometryComparison,
  negate,
  noValue,
  truth,
} from './build-expression.ts';
import { translateToColor } from './color-operator.ts';
import { formatColor, parseCssColor } from './colors.ts';
import type { OutputKind } from './common/output-kind.ts';
import { zoomExpression } from './common/zoom.ts';
import {
  type ExpressionContext,
  enterInput,
  type Translate,
  translateInput,
  translateInputs,
} from './expression-inputs.ts';
import { translateNumberFormat } from './number-format.ts';

/** The context of the value of a property or of a filter. */
export function createExpressionContext(
  start: Pick<ExpressionContext, 'complaints' | 'path' | 'kind' | 'budget'>,
): ExpressionContext {
  return { ...start, variables: new Map(), translate: translateExpression };
}

/** Returns undefined after a complaint or a warning; then the default of the property applies. */
export function translateExpression(value: DocumentValue, context: ExpressionContext): Expression | undefined {
  if (!context.budget.take(context)) return undefined;
  if (!isList(value)) return translateLiteral(value, context);
  const [operator, ...inputs] = value;
  if (typeof operator !== 'string') {
    context.complaints.add(context.path, 'the first item of an expression must be its operator');
    return undefined;
  }
  const translate = operators.get(operator);
  if (translate !== undefined) return translate(inputs, context);
  if (unsupportedOperators.has(operator))
    context.complaints.warn(context.path, `the operator '${operator}' is not supported`);
  else context.complaints.tolerate(context.path, `unknown operator '${excerpt(operator)}'`, 'the default is used');
  return undefined;
}

function translateLiteral(value: DocumentValue, { complaints, path, kind }: ExpressionContext): Expression | undefined {
  if (value === null) return noValue;
  if (typeof value === 'object') {
    complaints.add(path, 'expected a text, a number, true, false, null or an expression');
    return undefined;
  }
  if (kind === 'color' || kind === 'alpha') {
    const parsed = parseCssColor(String(value));
    if (parsed !== undefined) return createLiteral(kind === 'color' ? parsed.color : parsed.alpha);
    complaints.tolerate(path, `'${excerpt(String(value))}' is not a colour`, 'the default is used');
    return undefined;
  }
  if (kind === 'number' && typeof value === 'string' && !Number.isFinite(Number(value))) {
    complaints.tolerate(path, `'${excerpt(value)}' is not a number`, 'the default is used');
    return undefined;
  }
  return createLiteral(String(value));
}

function createFunction(name: string, kind: OutputKind, least = 1): Translate {
  return (inputs, context) => {
    const all = translateInputs(inputs, context, kind, least);
    return all && createCall(name, ...all);
  };
}

function createArithmetic(operator: ArithmeticOperator): Translate {
  return (inputs, context) => {
    const all = translateInputs(inputs, context, 'number');
    const [first, ...others] = all ?? [];
    if (first === undefined) return undefined;
    if (others.length === 0 && operator === 'subtract')
      return { kind: 'arithmetic', operator, left: createLiteral('0'), right: first };
    return others.reduce((left, right): Expression => ({ kind: 'arithmetic', operator, left, right }), first);
  };
}

/** A comparison of texts or of numbers. */
function createComparison(name: string): Translate {
  return (inputs, context) => {
    const all = translateInputs(inputs.slice(0, 2), context, 'text', 2);
    return all && createCall(name, ...all);
  };
}

const translateAll: Translate = (inputs, context) =>
  translateInputs(inputs, context, 'boolean', 0)?.reduceRight<Expression>(
    (others, each) => createCondition(each, others, falsehood),
    truth,
  );

const translateAny: Translate = (inputs, context) =>
  translateInputs(inputs, context, 'boolean', 0)?.reduceRight<Expression>(
    (others, each) => createCondition(each, truth, others),
    falsehood,
  );

const translateGet: Translate = (inputs, context) => {
  const [name, source] = inputs;
  if (typeof name !== 'string' || source !== undefined) {
    context.complaints.warn(context.path, 'attributes of other objects and computed attribute names are not supported');
    return undefined;
  }
  if (context.kind === 'alpha') return createLiteral('1');
  return { kind: 'property', name };
};

const translateHas: Translate = (inputs, context) => {
  const property = translateGet(inputs, { ...context, kind: 'text' });
  return property && createCall('not', createCall('isNull', property));
};

const translateConcat: Translate = (inputs, context) => {
  const all = translateInputs(inputs, context, 'text');
  return all && concatenate(all);
};

/** Assertions and conversions of a type: the first input that has a value. */
const translateType: Translate = (inputs, context) => {
  const all = translateInputs(inputs, context, context.kind === 'boolean' ? 'text' : context.kind);
  const [first, ...others] = all ?? [];
  return first === undefined || others.length === 0 ? first : createCall('coalesce', first, ...others);
};

const translateIn: Translate = (inputs, context) => {
  const value = translateInput(inputs, 0, context, 'text');
  const [, list] = inputs;
  const items = isList(list) && list[0] === 'literal' ? list[1] : list;
  if (!isList(items) || items.some((each) => each !== null && typeof each === 'object')) {
    context.complaints.warn(context.path, 'in is supported only with a literal list');
    return undefined;
  }
  if (items.length === 0) return falsehood;
  return value && createCall('in', value, ...items.map((each) => createLiteral(String(each))));
};

/** Channels must be numbers; other colours depend on the feature in ways that the model cannot express. */
const translateRgb: Translate = (inputs, context) => {
  if (!inputs.every((each) => typeof each === 'number')) {
    context.complaints.warn(context.path, 'colours with computed channels are not supported');
    return undefined;
  }
  const [red = 0, green = 0, blue = 0, alpha = 1] = inputs;
  return createLiteral(context.kind === 'alpha' ? alpha : formatColor([red, green, blue]));
};

const translateFormat: Translate = (inputs, context) => {
  const sections = inputs.flatMap((each, index) => {
    const isStyle = each instanceof Map;
    return isStyle ? [] : [translateExpression(each, enterInput(context, index, 'text'))];
  });
  if (inputs.some((each) => each instanceof Map && each.size > 0))
    context.complaints.warn(context.path, 'sections of a label are drawn alike');
  return sections.every((each) => each !== undefined) ? concatenate(sections) : undefined;
};

const translateLiteralOperator: Translate = (inputs, context) => {
  const [value] = inputs;
  if (value !== undefined && !isList(value)) return translateLiteral(value, enterInput(context, 0));
  context.complaints.add(context.path, 'a list is not allowed here');
  return undefined;
};

const logarithm = (base: number): Translate => {
  const translate = createFunction('log', 'number');
  return (inputs, context) => {
    const left = translate(inputs, context);
    return left && { kind: 'arithmetic', operator: 'divide', left, right: createLiteral(Math.log(base)) };
  };
};

function createEquality(name: 'equalTo' | 'notEqualTo'): Translate {
  const compare = createComparison(name);
  return (inputs, context) => {
    const nullAt = inputs.slice(0, 2).indexOf(null);
    if (nullAt >= 0) {
      const other = translateInput(inputs, 1 - nullAt, context, 'text');
      const isNull = other && createCall('isNull', other);
      return name === 'equalTo' ? isNull : negate(isNull);
    }
    const geometry = findGeometryComparison(inputs);
    return geometry === undefined ? compare(inputs, context) : createCall(name, geometry.left, geometry.right);
  };
}

const operators: ReadonlyMap<string, Translate> = new Map<string, Translate>([
  ['literal', translateLiteralOperator],
  ['get', translateGet],
  ['has', translateHas],
  ['!has', (inputs, context) => negate(translateHas(inputs, context))],
  ['id', () => createCall('id')],
  ['feature-state', translateState],
  ['global-state', translateState],
  ['geometry-type', () => dimensionExpression],
  ['zoom', () => zoomExpression],
  ['+', createArithmetic('add')],
  ['-', createArithmetic('subtract')],
  ['*', createArithmetic('multiply')],
  ['/', createArithmetic('divide')],
  ['^', createFunction('pow', 'number', 2)],
  ['%', createFunction('modulo', 'number', 2)],
  ['min', createFunction('min', 'number')],
  ['max', createFunction('max', 'number')],
  ['log10', logarithm(10)],
  ['log2', logarithm(2)],
  ['ln', createFunction('log', 'number')],
  ...['abs', 'ceil', 'floor', 'sqrt', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan'].map(
    (name) => [name, createFunction(name, 'number')] as const,
  ),
  ['round', createFunction('rint', 'number')],
  ['pi', () => createLiteral(Math.PI)],
  ['e', () => createLiteral(Math.E)],
  ['ln2', () => createLiteral(Math.LN2)],
  ['concat', translateConcat],
  ['upcase', createFunction('strToUpperCase', 'text')],
  ['downcase', createFunction('strToLowerCase', 'text')],
  ['length', createFunction('strLength', 'text')],
  [
    'index-of',
    (inputs, context) => createFunction('strIndexOf', 'text', 2)([...inputs.slice(0, 2)].reverse(), context),
  ],
  ['slice', translateSlice],
  ...['string', 'number', 'boolean', 'to-string', 'image'].map((name) => [name, translateType] as const),
  ['to-color', translateToColor],
  ['to-number', createFunction('parseDouble', 'text')],
  ['to-boolean', createFunction('parseBoolean', 'text')],
  ['number-format', translateNumberFormat],
  ['format', translateFormat],
  ['coalesce', translateCoalesce],
  ['case', translateCase],
  ['match', translateMatch],
  ['step', translateStep],
  ['interpolate', translateInterpolate],
  ['interpolate-hcl', translateInterpolate],
  ['interpolate-lab', translateInterpolate],
  ['let', translateLet],
  ['var', translateVar],
  ['==', createEquality('equalTo')],
  ['!=', createEquality('notEqualTo')],
  ['<', createComparison('lessThan')],
  ['<=', createComparison('lessEqualThan')],
  ['>', createComparison('greaterThan')],
  ['>=', createComparison('greaterEqualThan')],
  ['!', (inputs, context) => negate(translateInput(inputs, 0, context, 'boolean'))],
  ['all', translateAll],
  ['any', translateAny],
  ['none', (inputs, context) => negate(translateAny(inputs, context))],
  ['in', translateIn],
  ['rgb', translateRgb],
  ['rgba', translateRgb],
]);

/** States exist only in a browser. Styles have a fallback for features without one. */
function translateState(_: readonly DocumentValue[], { complaints, path, kind }: ExpressionContext): Expression {
  complaints.warn(path, 'a state has no value on maps');
  return kind === 'alpha' ? createLiteral('1') : noValue;
}

function translateSlice(inputs: readonly DocumentValue[], context: ExpressionContext): Expression | undefined {
  const all = translateInputs(inputs, context, 'text', 2);
  return all && createCall(all.length > 2 ? 'strSubstring' : 'strSubstringStart', ...all);
}

/** Known, but without a counterpart on a server. */
const unsupportedOperators: ReadonlySet<string> = new Set([
  ...['accumulated', 'array', 'at', 'collator', 'config', 'distance', 'elevation'],
  ...['heatmap-density', 'is-supported-script', 'line-progress', 'measure-light', 'object', 'pitch', 'properties'],
  ...['raster-value', 'resolved-locale', 'sky-radial-progress', 'split', 'join', 'to-rgba', 'typeof', 'within'],
  ...['distance-from-center', 'random', 'hsl', 'hsla', 'worldview', 'raster-particle-speed'],
]);
