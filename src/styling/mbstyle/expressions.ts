/** Translates expressions of the style specification to expressions of the model. */
import type { ArithmeticOperator, Expression } from '../../filter/model/expression.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import type { DocumentComplaints } from '../documents/document-complaints.ts';
import { type DocumentPath, type DocumentValue, isList } from '../documents/document-value.ts';
import { formatColor, parseCssColor } from './colors.ts';
import type { OutputKind } from './common/output-kind.ts';
import { zoomExpression } from './common/zoom.ts';

export interface Place {
  readonly complaints: DocumentComplaints;
  readonly path: DocumentPath;
  readonly kind: OutputKind;
  /** The expressions that `let` has bound. */
  readonly variables: ReadonlyMap<string, { readonly value: DocumentValue; readonly path: DocumentPath }>;
}

type Translate = (inputs: readonly DocumentValue[], place: Place) => Expression | undefined;

/** Returns undefined after a complaint or a warning; then the default of the property applies. */
export function translateExpression(value: DocumentValue, place: Place): Expression | undefined {
  if (!isList(value)) return translateLiteral(value, place);
  const [operator, ...inputs] = value;
  if (typeof operator !== 'string') {
    place.complaints.add(place.path, 'the first item of an expression must be its operator');
    return undefined;
  }
  const translate = operators.get(operator);
  if (translate !== undefined) return translate(inputs, place);
  if (unsupportedOperators.has(operator))
    place.complaints.warn(place.path, `the operator '${operator}' is not supported`);
  else place.complaints.add(place.path, `unknown operator '${operator}'`);
  return undefined;
}

function translateLiteral(value: DocumentValue, { complaints, path, kind }: Place): Expression | undefined {
  if (value === null || typeof value === 'object') {
    complaints.add(path, 'expected a text, a number, true, false or an expression');
    return undefined;
  }
  if (kind === 'color' || kind === 'alpha') {
    const parsed = parseCssColor(String(value));
    if (parsed !== undefined) return createLiteral(kind === 'color' ? parsed.color : parsed.alpha);
    complaints.add(path, `'${String(value)}' is not a colour`);
    return undefined;
  }
  if (kind === 'number' && typeof value === 'string' && !Number.isFinite(Number(value))) {
    complaints.add(path, `'${value}' is not a number`);
    return undefined;
  }
  return createLiteral(String(value));
}

/** The place of an input; the operator is item 0. */
function enter(place: Place, index: number, kind: OutputKind = place.kind): Place {
  return { ...place, path: [...place.path, index + 1], kind };
}

function translateInput(
  inputs: readonly DocumentValue[],
  index: number,
  place: Place,
  kind: OutputKind = place.kind,
): Expression | undefined {
  const input = inputs[index];
  if (input === undefined) {
    place.complaints.add(place.path, `the operator needs at least ${index + 1} inputs`);
    return undefined;
  }
  return translateExpression(input, enter(place, index, kind));
}

/** Returns undefined if one of the inputs is invalid. */
function translateInputs(
  inputs: readonly DocumentValue[],
  place: Place,
  kind: OutputKind,
  least = 1,
): readonly Expression[] | undefined {
  const count = Math.max(least, inputs.length);
  const all = Array.from({ length: count }, (_, index) => translateInput(inputs, index, place, kind));
  return all.every((each) => each !== undefined) ? all : undefined;
}

export function createCall(name: string, ...inputs: readonly Expression[]): Expression {
  return { kind: 'function', name, arguments: inputs };
}

function createFunction(name: string, kind: OutputKind, least = 1): Translate {
  return (inputs, place) => {
    const all = translateInputs(inputs, place, kind, least);
    return all && createCall(name, ...all);
  };
}

function createArithmetic(operator: ArithmeticOperator): Translate {
  return (inputs, place) => {
    const all = translateInputs(inputs, place, 'number');
    const [first, ...others] = all ?? [];
    if (first === undefined) return undefined;
    if (others.length === 0 && operator === 'subtract')
      return { kind: 'arithmetic', operator, left: createLiteral('0'), right: first };
    return others.reduce((left, right): Expression => ({ kind: 'arithmetic', operator, left, right }), first);
  };
}

/** A comparison of texts or of numbers. */
function createComparison(name: string): Translate {
  return (inputs, place) => {
    const all = translateInputs(inputs.slice(0, 2), place, 'text', 2);
    return all && createCall(name, ...all);
  };
}

const [truth, falsehood] = [createLiteral('true'), createLiteral('false')];

function createCondition(condition: Expression, yes: Expression, no: Expression): Expression {
  return createCall('if_then_else', condition, yes, no);
}

const translateAll: Translate = (inputs, place) =>
  translateInputs(inputs, place, 'boolean', 0)?.reduceRight<Expression>(
    (others, each) => createCondition(each, others, falsehood),
    truth,
  );

const translateAny: Translate = (inputs, place) =>
  translateInputs(inputs, place, 'boolean', 0)?.reduceRight<Expression>(
    (others, each) => createCondition(each, truth, others),
    falsehood,
  );

const translateGet: Translate = (inputs, place) => {
  const [name, source] = inputs;
  if (typeof name !== 'string' || source !== undefined) {
    place.complaints.warn(place.path, 'attributes of other objects and computed attribute names are not supported');
    return undefined;
  }
  if (place.kind === 'alpha') return createLiteral('1');
  return { kind: 'property', name };
};

const translateHas: Translate = (inputs, place) => {
  const property = translateGet(inputs, { ...place, kind: 'text' });
  return property && createCall('not', createCall('isNull', property));
};

const translateCase: Translate = (inputs, place) => {
  const fallback = translateInput(inputs, inputs.length - 1, place);
  const branches: [Expression, Expression][] = [];
  for (let index = 0; index + 1 < inputs.length; index += 2) {
    const [condition, output] = [
      translateInput(inputs, index, place, 'boolean'),
      translateInput(inputs, index + 1, place),
    ];
    if (condition === undefined || output === undefined) return undefined;
    branches.push([condition, output]);
  }
  if (inputs.length % 2 === 0) {
    place.complaints.add(place.path, 'a case needs pairs of a condition and an output, and a fallback');
    return undefined;
  }
  return (
    fallback &&
    branches.reduceRight((others, [condition, output]) => createCondition(condition, output, others), fallback)
  );
};

/** Several labels of one branch become several items. */
const translateMatch: Translate = (inputs, place) => {
  const lookup = translateInput(inputs, 0, place, 'text');
  const fallback = translateInput(inputs, inputs.length - 1, place);
  if (inputs.length < 4 || inputs.length % 2 !== 0) {
    place.complaints.add(place.path, 'a match needs an input, pairs of a label and an output, and a fallback');
    return undefined;
  }
  const items: Expression[] = [];
  for (let index = 1; index + 1 < inputs.length; index += 2) {
    const label = inputs[index];
    const output = translateInput(inputs, index + 1, place);
    if (label === undefined || output === undefined) return undefined;
    for (const each of isList(label) ? label : [label]) items.push(createLiteral(String(each)), output);
  }
  return lookup && fallback && createCall('coalesce', createCall('Recode', lookup, ...items), fallback);
};

const translateStep: Translate = (inputs, place) => {
  const lookup = translateInput(inputs, 0, place, 'number');
  const outputs = translateStops(inputs, place, 2);
  const first = translateInput(inputs, 1, place);
  if (lookup === undefined || outputs === undefined || first === undefined) return undefined;
  return createCall('Categorize', lookup, first, ...outputs.flatMap(({ at, value }) => [createLiteral(at), value]));
};

interface Stop {
  readonly at: number;
  readonly value: Expression;
}

/** Reads pairs of a number and an output. */
function translateStops(inputs: readonly DocumentValue[], place: Place, start: number): readonly Stop[] | undefined {
  const stops: Stop[] = [];
  for (let index = start; index < inputs.length; index += 2) {
    const at = inputs[index];
    const value = translateInput(inputs, index + 1, place);
    if (typeof at !== 'number') {
      place.complaints.add(enter(place, index).path, 'expected a number');
      return undefined;
    }
    if (value === undefined) return undefined;
    stops.push({ at, value });
  }
  if (stops.length === 0 && start === 2 && inputs.length < 2)
    place.complaints.add(place.path, 'expected pairs of a number and an output');
  return stops;
}

const translateInterpolate: Translate = (inputs, place) => {
  const lookup = translateInput(inputs, 1, place, 'number');
  const stops = translateStops(inputs, place, 2);
  const base = readBase(inputs[0], enter(place, 0));
  if (lookup === undefined || stops === undefined || stops.length === 0) return undefined;
  return createInterpolation({ lookup, stops, base, kind: place.kind });
};

/** Returns 1 for linear interpolation. */
function readBase(type: DocumentValue | undefined, { complaints, path }: Place): number {
  const [name, base] = isList(type) ? type : [];
  if (name === 'linear') return 1;
  if (name === 'exponential' && typeof base === 'number') return base;
  if (name === 'cubic-bezier') complaints.warn(path, 'cubic-bezier is drawn as linear interpolation');
  else complaints.add(path, 'expected ["linear"], ["exponential", base] or ["cubic-bezier", x1, y1, x2, y2]');
  return 1;
}

export interface Interpolation {
  readonly lookup: Expression;
  readonly stops: readonly Stop[];
  readonly base: number;
  readonly kind: OutputKind;
}

/** Exponential interpolation of x is linear interpolation of base^x. */
export function createInterpolation({ lookup, stops, base, kind }: Interpolation): Expression {
  const [first] = stops;
  if (stops.length === 1 && first !== undefined) return first.value;
  if (kind === 'text' || kind === 'boolean') return createSteps(lookup, stops);
  const origin = first?.at ?? 0;
  const powers = stops.map(({ at }) => base ** (at - origin));
  const isLinear = base === 1 || base <= 0 || !powers.every(Number.isFinite);
  const input: Expression = isLinear
    ? lookup
    : createCall('pow', createLiteral(base), {
        kind: 'arithmetic',
        operator: 'subtract',
        left: lookup,
        right: createLiteral(origin),
      });
  const points = stops.flatMap(({ at, value }, index) => [createLiteral(isLinear ? at : (powers[index] ?? 0)), value]);
  return createCall('Interpolate', input, ...points, createLiteral(kind === 'color' ? 'color' : 'numeric'));
}

export function createSteps(lookup: Expression, stops: readonly Stop[]): Expression {
  const [first, ...others] = stops;
  if (first === undefined) return createLiteral('');
  return createCall(
    'Categorize',
    lookup,
    first.value,
    ...others.flatMap(({ at, value }) => [createLiteral(at), value]),
  );
}

const translateConcat: Translate = (inputs, place) => {
  const all = translateInputs(inputs, place, 'text');
  return all && concatenate(all);
};

/** Concatenations are not nested, and adjacent literals are merged. */
export function concatenate(parts: readonly Expression[]): Expression {
  const flat: Expression[] = [];
  for (const part of parts.flatMap((each) => (each.kind === 'concatenation' ? each.parts : [each]))) {
    const last = flat.at(-1);
    if (part.kind === 'literal' && part.value === '') continue;
    if (last?.kind === 'literal' && part.kind === 'literal')
      flat[flat.length - 1] = createLiteral(last.value + part.value);
    else flat.push(part);
  }
  const [first, second] = flat;
  if (first === undefined) return createLiteral('');
  return second === undefined ? first : { kind: 'concatenation', parts: flat };
}

/** Assertions and conversions of a type: the first input that has a value. */
const translateType: Translate = (inputs, place) => {
  const all = translateInputs(inputs, place, place.kind === 'boolean' ? 'text' : place.kind);
  const [first, ...others] = all ?? [];
  return first === undefined || others.length === 0 ? first : createCall('coalesce', first, ...others);
};

const translateLet: Translate = (inputs, place) => {
  const variables = new Map(place.variables);
  for (let index = 0; index + 2 < inputs.length; index += 2) {
    const [name, value] = [inputs[index], inputs[index + 1]];
    if (typeof name !== 'string' || value === undefined) {
      place.complaints.add(place.path, 'let needs pairs of a name and a value, and a result');
      return undefined;
    }
    variables.set(name, { value, path: enter(place, index + 1).path });
  }
  return translateInput(inputs, inputs.length - 1, { ...place, variables });
};

const translateVar: Translate = ([name], place) => {
  const found = typeof name === 'string' ? place.variables.get(name) : undefined;
  if (found === undefined) {
    place.complaints.add(place.path, `unknown variable '${String(name)}'`);
    return undefined;
  }
  // A variable cannot use itself, which would never end.
  const variables = new Map([...place.variables].filter(([each]) => each !== name));
  return translateExpression(found.value, { ...place, path: found.path, variables });
};

const translateIn: Translate = (inputs, place) => {
  const value = translateInput(inputs, 0, place, 'text');
  const [, list] = inputs;
  const items = isList(list) && list[0] === 'literal' ? list[1] : list;
  if (!isList(items) || items.some((each) => each !== null && typeof each === 'object')) {
    place.complaints.warn(place.path, 'in is supported only with a literal list');
    return undefined;
  }
  if (items.length === 0) return falsehood;
  return value && createCall('in', value, ...items.map((each) => createLiteral(String(each))));
};

/** Channels must be numbers; other colours depend on the feature in ways that the model cannot express. */
const translateRgb: Translate = (inputs, place) => {
  if (!inputs.every((each) => typeof each === 'number')) {
    place.complaints.warn(place.path, 'colours with computed channels are not supported');
    return undefined;
  }
  const [red = 0, green = 0, blue = 0, alpha = 1] = inputs;
  return createLiteral(place.kind === 'alpha' ? alpha : formatColor([red, green, blue]));
};

const translateFormat: Translate = (inputs, place) => {
  const sections = inputs.flatMap((each, index) => {
    const isStyle = each instanceof Map;
    return isStyle ? [] : [translateExpression(each, enter(place, index, 'text'))];
  });
  if (inputs.some((each) => each instanceof Map && each.size > 0))
    place.complaints.warn(place.path, 'sections of a label are drawn alike');
  return sections.every((each) => each !== undefined) ? concatenate(sections) : undefined;
};

const translateLiteralOperator: Translate = (inputs, place) => {
  const [value] = inputs;
  if (value !== undefined && !isList(value)) return translateLiteral(value, enter(place, 0));
  place.complaints.add(place.path, 'a list is not allowed here');
  return undefined;
};

const logarithm = (base: number): Translate => {
  const translate = createFunction('log', 'number');
  return (inputs, place) => {
    const left = translate(inputs, place);
    return left && { kind: 'arithmetic', operator: 'divide', left, right: createLiteral(Math.log(base)) };
  };
};

const geometryDimensions: ReadonlyMap<string, string> = new Map([
  ['Point', '0'],
  ['MultiPoint', '0'],
  ['LineString', '1'],
  ['MultiLineString', '1'],
  ['Polygon', '2'],
  ['MultiPolygon', '2'],
]);

/** The dimension of the geometry, which geometry types are compared with. */
export const dimensionExpression: Expression = createCall('dimension', createCall('geometry'));

/** `["==", ["geometry-type"], "Polygon"]` compares dimensions. */
export function findGeometryComparison(
  inputs: readonly DocumentValue[],
): { readonly left: Expression; readonly right: Expression } | undefined {
  const [left, right] = inputs;
  const isType = (value: DocumentValue | undefined) =>
    value === '$type' || (isList(value) && value.length === 1 && value[0] === 'geometry-type');
  const name = isType(left) ? right : isType(right) ? left : undefined;
  const dimension = typeof name === 'string' ? geometryDimensions.get(name) : undefined;
  return dimension === undefined ? undefined : { left: dimensionExpression, right: createLiteral(dimension) };
}

function createEquality(name: string): Translate {
  const compare = createComparison(name);
  return (inputs, place) => {
    const geometry = findGeometryComparison(inputs);
    return geometry === undefined ? compare(inputs, place) : createCall(name, geometry.left, geometry.right);
  };
}

const operators: ReadonlyMap<string, Translate> = new Map<string, Translate>([
  ['literal', translateLiteralOperator],
  ['get', translateGet],
  ['has', translateHas],
  ['!has', (inputs, place) => negate(translateHas(inputs, place))],
  ['id', () => createCall('id')],
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
  ['index-of', (inputs, place) => createFunction('strIndexOf', 'text', 2)([...inputs.slice(0, 2)].reverse(), place)],
  ['slice', translateSlice],
  ...['string', 'number', 'boolean', 'to-string', 'to-color', 'image'].map((name) => [name, translateType] as const),
  ['to-number', createFunction('parseDouble', 'text')],
  ['to-boolean', createFunction('parseBoolean', 'text')],
  ['number-format', (inputs, place) => translateInput(inputs, 0, place)],
  ['format', translateFormat],
  ['coalesce', createCoalesce],
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
  ['!', (inputs, place) => negate(translateInput(inputs, 0, place, 'boolean'))],
  ['all', translateAll],
  ['any', translateAny],
  ['none', (inputs, place) => negate(translateAny(inputs, place))],
  ['in', translateIn],
  ['rgb', translateRgb],
  ['rgba', translateRgb],
]);

function negate(condition: Expression | undefined): Expression | undefined {
  return condition && createCall('not', condition);
}

function createCoalesce(inputs: readonly DocumentValue[], place: Place): Expression | undefined {
  const all = translateInputs(inputs, place, place.kind);
  return all && createCall('coalesce', ...all);
}

function translateSlice(inputs: readonly DocumentValue[], place: Place): Expression | undefined {
  const all = translateInputs(inputs, place, 'text', 2);
  return all && createCall(all.length > 2 ? 'strSubstring' : 'strSubstringStart', ...all);
}

/** Known, but without a counterpart on a server. */
const unsupportedOperators: ReadonlySet<string> = new Set([
  ...['accumulated', 'array', 'at', 'collator', 'config', 'distance', 'elevation', 'feature-state', 'global-state'],
  ...['heatmap-density', 'is-supported-script', 'line-progress', 'measure-light', 'object', 'pitch', 'properties'],
  ...['raster-value', 'resolved-locale', 'sky-radial-progress', 'split', 'join', 'to-rgba', 'typeof', 'within'],
  ...['distance-from-center', 'random', 'hsl', 'hsla', 'worldview', 'raster-particle-speed'],
]);
