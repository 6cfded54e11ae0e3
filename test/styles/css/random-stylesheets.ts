/** Random style sheets, built from parts that can evaluate which features they match. */
import fc from 'fast-check';

export interface Feature {
  readonly id: string;
  readonly type: string;
  readonly a: number | null;
  readonly b: number | null;
  readonly c: string | null;
}

export interface View {
  readonly feature: Feature;
  readonly scale: number;
}

/** A condition as text, and as a function. */
interface Condition {
  readonly text: string;
  /** The attributes it reads. */
  readonly names: readonly string[];
  readonly fits: (feature: Feature) => boolean;
}

export interface RandomPart {
  readonly kind: 'all' | 'type' | 'id' | 'conditions' | 'scale';
  readonly text: string;
  /** The attributes it reads. */
  readonly names: readonly string[];
  readonly fits: (view: View) => boolean;
}

export interface RandomSymbol {
  readonly class: 'mark' | 'fill' | 'stroke' | 'symbol';
  readonly index?: number | undefined;
}

export interface RandomSelector {
  readonly parts: readonly RandomPart[];
  readonly symbol?: RandomSymbol | undefined;
}

export interface RandomRule {
  readonly selectors: readonly RandomSelector[];
  readonly properties: Readonly<Record<string, readonly string[]>>;
  readonly rules: readonly RandomRule[];
}

export const view: fc.Arbitrary<View> = fc.record({
  feature: fc.record({
    id: fc.constantFrom('f.1', 'f.2'),
    type: fc.constantFrom('roads', 'ns:rivers', 'other'),
    a: fc.constantFrom(null, 0, 1, 2, 3, 4),
    b: fc.constantFrom(null, 0, 1, 2, 10),
    c: fc.constantFrom(null, 'x', 'y', 'xy', "o'z"),
  }),
  scale: fc.constantFrom(0, 500, 1000, 1500, 2000, 5000, 10_000, 1_000_000),
});

const attribute = fc.constantFrom('a' as const, 'b' as const);
const number: fc.Arbitrary<number> = fc.constantFrom(0, 1, 2, 3);
const word = fc.constantFrom('x', 'y', "o'z");
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Null is neither equal to, less than nor greater than anything; it is only not equal. */
const comparison: fc.Arbitrary<Condition> = fc
  .tuple(attribute, fc.constantFrom('=', '<>', '<', '<=', '>', '>='), number)
  .map(([name, operator, bound]) => ({
    text: `${name} ${operator} ${bound}`,
    names: [name],
    fits: (feature) => {
      const value = feature[name];
      if (value === null) return operator === '<>';
      const results: Record<string, boolean> = {
        '=': value === bound,
        '<>': value !== bound,
        '<': value < bound,
        '<=': value <= bound,
        '>': value > bound,
        '>=': value >= bound,
      };
      return results[operator] === true;
    },
  }));

const simple: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 4, arbitrary: comparison },
  fc.tuple(attribute, number, number).map(([name, lower, upper]) => ({
    text: `${name} BETWEEN ${lower} AND ${upper}`,
    names: [name],
    fits: (feature: Feature) => {
      const value = feature[name];
      return value !== null && value >= lower && value <= upper;
    },
  })),
  fc.tuple(attribute, fc.array(number, { minLength: 1, maxLength: 3 })).map(([name, values]) => ({
    text: `${name} IN (${values.join(', ')})`,
    names: [name],
    fits: (feature: Feature) => {
      const value = feature[name];
      return value !== null && values.includes(value);
    },
  })),
  fc.tuple(word, fc.boolean()).map(([text, isEqual]) => ({
    text: `c ${isEqual ? '=' : '<>'} ${quoted(text)}`,
    names: ['c'],
    fits: (feature: Feature) => (feature.c === text) === isEqual,
  })),
  fc.constantFrom('a' as const, 'b' as const, 'c' as const).map((name) => ({
    text: `"${name}" IS NULL`,
    names: [name],
    fits: (feature: Feature) => feature[name] === null,
  })),
  fc.constant({ text: "c LIKE 'x%'", names: ['c'], fits: (feature: Feature) => feature.c?.startsWith('x') === true }),
  fc.constant({
    text: 'a + 1 > b',
    names: ['a', 'b'],
    fits: (feature: Feature) => feature.a !== null && feature.b !== null && feature.a + 1 > feature.b,
  }),
);

const either: fc.Arbitrary<Condition> = fc.array(simple, { minLength: 2, maxLength: 3 }).map((parts) => ({
  text: `(${parts.map(({ text }) => text).join(' OR ')})`,
  names: parts.flatMap(({ names }) => names),
  fits: (feature) => parts.some(({ fits }) => fits(feature)),
}));

const negation: fc.Arbitrary<Condition> = fc.oneof(simple, either).map(({ text, names, fits }) => ({
  text: `NOT (${text})`,
  names,
  fits: (feature) => !fits(feature),
}));

const conditions: fc.Arbitrary<RandomPart> = fc
  .array(
    fc.oneof({ weight: 5, arbitrary: simple }, { weight: 1, arbitrary: either }, { weight: 1, arbitrary: negation }),
    { minLength: 1, maxLength: 2 },
  )
  .map((parts) => ({
    kind: 'conditions',
    text: `[${parts.map(({ text }) => text).join(' AND ')}]`,
    names: parts.flatMap(({ names }) => names),
    fits: ({ feature }) => parts.every(({ fits }) => fits(feature)),
  }));

/** SLD scale ranges include their minimum, so `>` means `>=`. */
const scale: fc.Arbitrary<RandomPart> = fc
  .tuple(
    fc.constantFrom('@sd', '@scale'),
    fc.constantFrom('<', '>', '<=', '>='),
    fc.constantFrom(['1000', 1000], ['2k', 2000], ['10k', 10_000], ['0.005M', 5000]),
  )
  .map(([name, operator, [text, bound]]) => ({
    kind: 'scale',
    text: `[${name} ${operator} ${text}]`,
    names: [],
    fits: (seen) => (operator.startsWith('<') ? seen.scale < Number(bound) : seen.scale >= Number(bound)),
  }));

const all: RandomPart = { kind: 'all', text: '*', names: [], fits: () => true };
const type: fc.Arbitrary<RandomPart> = fc.constantFrom('roads', 'ns:rivers').map((name) => ({
  kind: 'type',
  text: name,
  names: [],
  fits: ({ feature }) => feature.type === name,
}));
const id: fc.Arbitrary<RandomPart> = fc.constantFrom('f.1', 'f.2').map((name) => ({
  kind: 'id',
  text: `#${name}`,
  names: [],
  fits: ({ feature }) => feature.id === name,
}));

const parts: fc.Arbitrary<readonly RandomPart[]> = fc
  .tuple(
    fc.oneof({ weight: 6, arbitrary: fc.constant(all) }, { weight: 1, arbitrary: type }),
    fc.array(
      fc.oneof({ weight: 6, arbitrary: conditions }, { weight: 2, arbitrary: scale }, { weight: 1, arbitrary: id }),
      {
        maxLength: 2,
      },
    ),
  )
  .map(([first, rest]) => [first, ...rest]);

const selectors = (symbol: RandomSymbol | undefined): fc.Arbitrary<readonly RandomSelector[]> =>
  fc
    .oneof({ weight: 4, arbitrary: fc.tuple(parts) }, { weight: 1, arbitrary: fc.tuple(parts, parts) })
    .map((alternatives) => alternatives.map((each) => ({ parts: each, symbol })));

export const colors = { red: '#FF0000', green: '#008000', '#abc': '#AABBCC', 'rgb(1, 2, 3)': '#010203' } as const;
const color = fc.constantFrom(...Object.keys(colors));
const list = (value: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> =>
  fc.oneof({ weight: 4, arbitrary: fc.tuple(value) }, { weight: 1, arbitrary: fc.tuple(value, value) });

const paint = fc.oneof(
  { weight: 4, arbitrary: color },
  { weight: 1, arbitrary: fc.constant('none') },
  { weight: 2, arbitrary: fc.constantFrom("symbol('circle')", 'symbol(square)') },
);

const own = {
  fill: list(paint),
  'fill-opacity': list(fc.constantFrom('0.5', '25%')),
  stroke: list(paint),
  'stroke-width': list(fc.constantFrom('1', '2px', '3m')),
  'stroke-offset': list(fc.constantFrom('4')),
  mark: list(fc.constantFrom('none', "symbol('star')", 'symbol(cross)')),
  'mark-size': list(fc.constantFrom('8', '9')),
  label: list(fc.constantFrom('[c]', "'text'")),
  'font-fill': list(color),
  'z-index': list(fc.constantFrom('1', '2')),
};

const ofSymbols = {
  fill: fc.tuple(color),
  stroke: fc.tuple(fc.oneof(color, fc.constant('none'))),
  'stroke-width': fc.tuple(fc.constantFrom('5', '6')),
  size: fc.tuple(fc.constantFrom('11', '12')),
};

/** A few properties each, otherwise the strongest rule would decide everything. */
const featureProperties = fc
  .subarray(Object.keys(own) as (keyof typeof own)[], { maxLength: 4 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, own[name]]))));

const symbol: fc.Arbitrary<RandomSymbol> = fc.record({
  class: fc.constantFrom('mark' as const, 'fill' as const, 'stroke' as const, 'symbol' as const),
  index: fc.option(fc.constantFrom(1, 2), { nil: undefined, freq: 3 }),
});

const symbolRule: fc.Arbitrary<RandomRule> = symbol.chain((found) =>
  fc.record({
    selectors: selectors(found),
    properties: fc.record(ofSymbols, { requiredKeys: [] }),
    rules: fc.constant([]),
  }),
);

const featureRule = (nested: fc.Arbitrary<RandomRule>): fc.Arbitrary<RandomRule> =>
  fc.record({
    selectors: selectors(undefined),
    properties: featureProperties,
    rules: fc.array(nested, { maxLength: 2 }),
  });

const leafRule = featureRule(symbolRule);
const nestedRule = featureRule(fc.oneof(leafRule, symbolRule));

export const stylesheet: fc.Arbitrary<readonly RandomRule[]> = fc.array(
  fc.oneof({ weight: 3, arbitrary: nestedRule }, { weight: 1, arbitrary: symbolRule }),
  { minLength: 1, maxLength: 4 },
);

/** One attribute value each, alone or with another condition, and a rule for all others. */
export const manyClasses: fc.Arbitrary<readonly RandomRule[]> = fc
  .array(fc.tuple(attribute, fc.nat(40), fc.option(conditions, { freq: 3 }), featureProperties), {
    minLength: 70,
    maxLength: 100,
  })
  .chain((classes) =>
    fc.record({ fill: own.fill, stroke: own.stroke }).map((properties): readonly RandomRule[] => {
      const rules = classes.map(([name, value, condition, set], index): RandomRule => {
        // Only every tenth rule has a separate attribute, otherwise all pairs of classes would combine.
        const by = index % 10 === 0 ? name : 'a';
        const part: RandomPart = {
          kind: 'conditions',
          text: `[${by} = ${value}]`,
          names: [by],
          fits: ({ feature }) => feature[by] === value,
        };
        return { selectors: [{ parts: condition === null ? [part] : [part, condition] }], properties: set, rules: [] };
      });
      return [{ selectors: [{ parts: [all] }], properties, rules: [] }, ...rules];
    }),
  );

/** Without rules for standalone symbols. */
export const nestedStylesheet: fc.Arbitrary<readonly RandomRule[]> = fc.array(
  featureRule(featureRule(fc.oneof(leafRule, symbolRule))),
  { minLength: 1, maxLength: 3 },
);
