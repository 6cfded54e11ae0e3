/** Draws a feature straight from a random style sheet, as cascading is defined, without any translation. */
import { colors, type RandomRule, type RandomSelector, type RandomSymbol, type View } from './random-stylesheets.ts';

/** How specific a selector is: identifiers, symbols, conditions, types. */
type Weight = readonly number[];

interface Match {
  readonly weight: Weight;
  readonly order: number;
  readonly rule: RandomRule;
  readonly symbol?: RandomSymbol | undefined;
}

/** One line for each symbolizer, in the order they are painted. */
export function drawDirectly(rules: readonly RandomRule[], view: View): readonly string[] {
  const matches: Match[] = [];
  let order = 0;
  const visit = (rule: RandomRule, outer: readonly RandomSelector[]): void => {
    order += 1;
    const selectors = combined(outer, rule.selectors);
    const fitting = selectors.filter(({ parts }) => parts.every(({ fits }) => fits(view)));
    const [strongest] = fitting.map(weightOf).toSorted((one, other) => compareWeights(other, one));
    if (strongest !== undefined) matches.push({ weight: strongest, order, rule, symbol: rule.selectors[0]?.symbol });
    for (const nested of rule.rules) visit(nested, selectors);
  };
  for (const rule of rules) visit(rule, [{ parts: [] }]);
  matches.sort((one, other) => compareWeights(one.weight, other.weight) || one.order - other.order);
  return draw(matches);
}

/** Rule by rule, each with the properties of those around it. */
export function drawFlat(rules: readonly RandomRule[], view: View): readonly string[] {
  const drawn: Painted[] = [];
  const visit = (rule: RandomRule, outer: readonly RandomSelector[], inherited: RandomRule['properties']): void => {
    const selectors = combined(outer, rule.selectors);
    const properties = { ...inherited, ...rule.properties };
    const fitting = selectors.filter(({ parts }) => parts.every(({ fits }) => fits(view)));
    const scales = new Set(fitting.map(scalesOf));
    // Alternatives at different scales are rules of their own in SLD.
    if (Object.keys(rule.properties).length > 0)
      for (const _ of scales) drawn.push(...painted([{ weight: [], order: 0, rule: { ...rule, properties } }]));
    for (const nested of rule.rules) visit(nested, selectors, properties);
  };
  for (const rule of rules) visit(rule, [{ parts: [] }], {});
  return drawn.toSorted((one, other) => one.zIndex - other.zIndex).map(({ text }) => text);
}

function combined(outer: readonly RandomSelector[], inner: readonly RandomSelector[]): readonly RandomSelector[] {
  return outer.flatMap((around) => inner.map(({ parts }) => ({ parts: [...around.parts, ...parts] })));
}

function scalesOf({ parts }: RandomSelector): string {
  let [from, to] = [0, Number.POSITIVE_INFINITY];
  for (const { kind, fits } of parts) {
    if (kind !== 'scale') continue;
    const seen = [0, 1000, 2000, 5000, 10_000].filter((scale) =>
      fits({ scale, feature: { id: '', type: '', a: null, b: null, c: null } }),
    );
    const last = seen.at(-1) ?? 0;
    from = Math.max(from, seen[0] ?? 0);
    to = Math.min(to, last === 10_000 ? to : ([1000, 2000, 5000, 10_000].find((scale) => scale > last) ?? to));
  }
  return `${from} ${to}`;
}

function weightOf({ parts, symbol }: RandomSelector): Weight {
  const count = (kind: string): number => parts.filter((part) => part.kind === kind).length;
  const conditions = parts.reduce((sum, part) => sum + part.conditions, 0);
  return [count('id'), symbol === undefined ? 0 : 1, conditions, count('type')];
}

function compareWeights(one: Weight, other: Weight): number {
  for (const [index, value] of one.entries()) if (value !== other[index]) return value - (other[index] ?? 0);
  return 0;
}

interface Painted {
  readonly zIndex: number;
  readonly text: string;
}

function draw(matches: readonly Match[]): readonly string[] {
  return painted(matches)
    .toSorted((one, other) => one.zIndex - other.zIndex)
    .map(({ text }) => text);
}

/** The matches come weakest first, so that later ones overwrite what earlier ones set. */
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
  const size = own['size']?.[0] ?? outerSize;
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
