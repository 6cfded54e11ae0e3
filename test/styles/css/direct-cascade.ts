/** Draws a feature directly from a random style sheet by the definition of cascading, without translation. */
import { colors, type RandomRule, type RandomSelector, type RandomSymbol, type View } from './random-stylesheets.ts';

/** The specificity of a selector: identifiers; attributes, scale and symbols; types. */
type Weight = readonly number[];

interface Match {
  readonly weight: Weight;
  readonly order: number;
  readonly rule: RandomRule;
  readonly symbol?: RandomSymbol | undefined;
  /** The z-index of the rule or of its nearest ancestor that has one. */
  readonly levels?: readonly string[] | undefined;
}

/** The properties a rule inherits from its ancestors. */
interface Around {
  readonly selectors: readonly RandomSelector[];
  readonly levels?: readonly string[] | undefined;
  readonly properties: RandomRule['properties'];
}

const outermost: Around = { selectors: [{ parts: [] }], properties: {} };

/** One line for each symbolizer in paint order: level by level, each with a separate cascade. */
export function drawDirectly(rules: readonly RandomRule[], view: View): readonly string[] {
  const { matches, levels } = matchesOf(rules, view);
  return levels.flatMap((level) => {
    const taking = matches.filter((match) => match.levels === undefined || match.levels.includes(level));
    return painted(taking)
      .filter(({ zIndex }) => zIndex === Number(level))
      .map(({ text }) => text);
  });
}

/** Rule by rule, each with its nested rules in cascade order. */
export function drawFlat(rules: readonly RandomRule[], view: View): readonly string[] {
  return rules
    .flatMap((rule) => painted(matchesOf([rule], view).matches))
    .toSorted((one, other) => one.zIndex - other.zIndex)
    .map(({ text }) => text);
}

/** The matching rules, weakest first, and all levels of any rule. */
function matchesOf(rules: readonly RandomRule[], view: View) {
  const matches: Match[] = [];
  const levels = new Set<string>();
  let order = 0;
  const visit = (rule: RandomRule, around: Around): void => {
    order += 1;
    const selectors = combined(around.selectors, rule.selectors);
    const ownLevels = rule.properties['z-index'];
    const inner: Around = {
      selectors,
      levels: ownLevels ?? around.levels,
      properties: { ...around.properties, ...rule.properties },
    };
    // A rule with another level than its ancestors inherits their properties.
    const properties = ownLevels !== undefined && around.levels !== undefined ? inner.properties : rule.properties;
    for (const level of Object.keys(rule.properties).length > 0 ? (inner.levels ?? ['0']) : []) levels.add(level);
    const fitting = selectors.filter(({ parts }) => parts.every(({ fits }) => fits(view)));
    const symbol = rule.selectors[0]?.symbol;
    const [strongest] = fitting
      .map(({ parts }) => weightOf({ parts, symbol }))
      .toSorted((one, other) => compareWeights(other, one));
    if (strongest !== undefined)
      matches.push({ weight: strongest, order, rule: { ...rule, properties }, symbol, levels: inner.levels });
    for (const nested of rule.rules) visit(nested, inner);
  };
  for (const rule of rules) visit(rule, outermost);
  matches.sort((one, other) => compareWeights(one.weight, other.weight) || one.order - other.order);
  return { matches, levels: [...levels].toSorted((one, other) => Number(one) - Number(other)) };
}

function combined(outer: readonly RandomSelector[], inner: readonly RandomSelector[]): readonly RandomSelector[] {
  return outer.flatMap((around) => inner.map(({ parts }) => ({ parts: [...around.parts, ...parts] })));
}

function weightOf({ parts, symbol }: RandomSelector): Weight {
  const has = (kind: string): number => (parts.some((part) => part.kind === kind) ? 1 : 0);
  const identifiers = parts.filter(({ kind }) => kind === 'id').length;
  const attributes = new Set(parts.flatMap(({ names }) => names)).size;
  const symbols = symbol === undefined ? 0 : symbol.index === undefined ? 1 : 2;
  return [identifiers, attributes + has('scale') + symbols, has('type')];
}

function compareWeights(one: Weight, other: Weight): number {
  for (const [index, value] of one.entries()) if (value !== other[index]) return value - (other[index] ?? 0);
  return 0;
}

interface Painted {
  readonly zIndex: number;
  readonly text: string;
}

/** The matches are sorted weakest first, so that later ones override earlier ones. */
function painted(matches: readonly Match[]): readonly Painted[] {
  const own: Record<string, readonly string[]> = {};
  for (const { rule, symbol } of matches) if (symbol === undefined) Object.assign(own, rule.properties);
  const at = (name: string, index: number): string | undefined => {
    const values = own[name];
    return values?.[index % values.length];
  };
  const count = (name: string): number => own[name]?.length ?? 0;
  const zIndex = (index: number): number => Number(at('z-index', index) ?? 0);
  const fill = (index: number) => paintText(matches, 'fill', index, at);
  const stroke = (index: number): string => {
    const text = paintText(matches, 'stroke', index, at);
    const width = at('stroke-width', index);
    return text === '' || width === undefined ? text : `${text} width ${measure(width)}`;
  };
  const line = (index: number): string => {
    const offset = at('stroke-offset', index);
    return `line ${stroke(index)}${offset === undefined ? '' : ` offset ${offset}`}`;
  };

  const drawn: Painted[] = [];
  const together = count('fill') === count('stroke') && count('stroke-offset') === 0;
  for (let index = 0; index < count('fill'); index += 1) {
    const text = fill(index);
    if (text !== '')
      drawn.push({ zIndex: zIndex(index), text: `polygon ${text}${together ? ` ${stroke(index)}`.trimEnd() : ''}` });
    else if (together && stroke(index) !== '') drawn.push({ zIndex: zIndex(index), text: line(index) });
  }
  if (!together)
    for (let index = 0; index < count('stroke'); index += 1)
      if (stroke(index) !== '') drawn.push({ zIndex: zIndex(index), text: line(index) });
  for (let index = 0; index < count('mark'); index += 1) {
    const mark = at('mark', index) ?? 'none';
    if (mark !== 'none')
      drawn.push({
        zIndex: zIndex(index),
        text: `point ${symbolText(matches, 'mark', index, mark, at('mark-size', index))}`,
      });
  }
  for (let index = 0; index < count('label'); index += 1) {
    const color = at('font-fill', index);
    drawn.push({
      zIndex: zIndex(index),
      text: `text ${at('label', index)}${color === undefined ? '' : ` ${colorText(color)}`}`,
    });
  }
  return drawn;
}

function paintText(
  matches: readonly Match[],
  name: 'fill' | 'stroke',
  index: number,
  at: (name: string, index: number) => string | undefined,
): string {
  const value = at(name, index);
  if (value === undefined || value === 'none') return '';
  const opacity = name === 'fill' ? at('fill-opacity', index) : undefined;
  const paint = value.startsWith('symbol') ? symbolText(matches, name, index, value, undefined) : colorText(value);
  return `${name} ${paint}${opacity === undefined ? '' : ` opacity ${opacity === '25%' ? '0.25' : opacity}`}`;
}

function symbolText(
  matches: readonly Match[],
  symbolClass: RandomSymbol['class'],
  index: number,
  written: string,
  outerSize: string | undefined,
): string {
  const own: Record<string, readonly string[]> = {};
  for (const { rule, symbol } of matches) {
    const isMeant = symbol?.class === symbolClass || symbol?.class === 'symbol';
    if (isMeant && (symbol?.index === undefined || symbol.index === index + 1)) Object.assign(own, rule.properties);
  }
  const [fill, stroke, width] = [own['fill']?.[0], own['stroke']?.[0], own['stroke-width']?.[0]];
  const size = outerSize ?? own['size']?.[0];
  const isPlain = fill === undefined && stroke === undefined;
  const fillText = isPlain ? 'fill default' : fill === undefined ? '' : `fill ${colorText(fill)}`;
  const strokeText = isPlain
    ? 'stroke default'
    : stroke === undefined || stroke === 'none'
      ? ''
      : `stroke ${colorText(stroke)}${width === undefined ? '' : ` width ${width}`}`;
  const name = written.replace(/^symbol\('?/, '').replace(/'?\)$/, '');
  return `(${[name, fillText, strokeText, size === undefined ? '' : `size ${size}`].filter((text) => text !== '').join(' ')})`;
}

function colorText(written: string): string {
  return colors[written as keyof typeof colors];
}

function measure(written: string): string {
  return written.replace('px', '');
}
