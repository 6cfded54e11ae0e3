/** A simple model of data rules: which rows, values and cells of a grid a user sees. */
import fc from 'fast-check';

/** Geometries and areas are boxes: x1, y1, x2, y2. Those of rows have even sides, those of rules odd ones. */
export type Box = readonly [number, number, number, number];

export interface Lot {
  readonly id: number;
  readonly box: Box;
  readonly values: LotValues;
}

export interface LotValues {
  readonly num: number | null;
  readonly owner: string | null;
  readonly tax: string | null;
}

export const lotAttributes = ['num', 'owner', 'tax'] as const;

export interface ModelUser {
  /** Undefined for anonymous. */
  readonly name: string | undefined;
  readonly roles: readonly string[];
}

/** Null is unknown, as in SQL. */
type Truth = boolean | null;

export interface ModelCondition {
  readonly text: string;
  readonly attributes: readonly (keyof LotValues)[];
  /** Returns undefined if the user lacks a variable. */
  evaluate(values: LotValues, user: ModelUser): Truth | undefined;
}

export interface ModelRule {
  readonly level: 0 | 1 | 2;
  readonly roles: readonly string[];
  readonly enabled: boolean;
  readonly rows: ModelCondition | null;
  readonly attributes: Readonly<Record<string, 'hide' | 'read'>>;
  readonly area: { readonly box: Box; readonly mode: 'intersects' | 'clip' } | null;
}

/** A visible row: hidden values are null; cells are those of its geometry, null if it is hidden. */
export interface VisibleLot {
  readonly id: number;
  readonly values: LotValues;
  readonly cells: ReadonlySet<number> | null;
}

const owners = ['ann', 'bob', 'A', 'B', "it's", 'ROLE_ANONYMOUS'];

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function compare(value: string | number | null, test: (value: string | number) => boolean): Truth {
  return value === null ? null : test(value);
}

const plainConditions: readonly fc.Arbitrary<ModelCondition>[] = [
  fc.integer({ min: 0, max: 12 }).map((limit) => ({
    text: `num < ${limit}`,
    attributes: ['num'],
    evaluate: ({ num }) => compare(num, (value) => Number(value) < limit),
  })),
  fc.constantFrom(...owners).map((owner) => ({
    text: `owner = ${quote(owner)}`,
    attributes: ['owner'],
    evaluate: (values) => compare(values.owner, (value) => value === owner),
  })),
  fc.subarray(owners, { minLength: 1 }).map((list) => ({
    text: `owner IN (${list.map(quote).join(', ')})`,
    attributes: ['owner'],
    evaluate: ({ owner }) => compare(owner, (value) => list.includes(String(value))),
  })),
  fc.constantFrom(...lotAttributes).map((name) => ({
    text: `${name} IS NULL`,
    attributes: [name],
    evaluate: (values) => values[name] === null,
  })),
  fc.constant({
    text: "tax LIKE 't%'",
    attributes: ['tax'] as const,
    evaluate: ({ tax }: LotValues) => compare(tax, (value) => String(value).startsWith('t')),
  }),
];

const variableConditions: readonly fc.Arbitrary<ModelCondition>[] = [
  fc.constant({
    text: 'owner = ${user.name}',
    attributes: ['owner'] as const,
    evaluate: ({ owner }: LotValues, { name }: ModelUser) =>
      name === undefined ? undefined : compare(owner, (value) => value === name),
  }),
  fc.constant({
    text: 'owner IN (${user.roles})',
    attributes: ['owner'] as const,
    evaluate: ({ owner }: LotValues, { roles }: ModelUser) => compare(owner, (value) => roles.includes(String(value))),
  }),
  fc.constant({ text: 'tax = ${claim.dept}', attributes: ['tax'] as const, evaluate: () => undefined }),
];

function combine(leaves: readonly fc.Arbitrary<ModelCondition>[]): fc.Arbitrary<ModelCondition> {
  const leaf = fc.oneof(...leaves);
  const negated = leaf.map(({ text, attributes, evaluate }): ModelCondition => {
    const negate = (truth: Truth | undefined) => (typeof truth === 'boolean' ? !truth : truth);
    return { text: `NOT (${text})`, attributes, evaluate: (...given) => negate(evaluate(...given)) };
  });
  const part = fc.oneof(leaf, negated);
  const joined = fc.tuple(part, part, fc.boolean()).map(
    ([one, other, isAnd]): ModelCondition => ({
      text: `(${one.text} ${isAnd ? 'AND' : 'OR'} ${other.text})`,
      attributes: [...one.attributes, ...other.attributes],
      evaluate: (...given) => {
        const truths = [one.evaluate(...given), other.evaluate(...given)];
        if (truths.includes(undefined)) return undefined;
        if (truths.includes(!isAnd)) return !isAnd;
        return truths.includes(null) ? null : isAnd;
      },
    }),
  );
  return fc.oneof(part, joined);
}

export const clientCondition = combine(plainConditions);

const SIDE = 16;
const odd = fc.integer({ min: 0, max: SIDE / 2 - 1 }).map((half) => half * 2 + 1);
const area = fc
  .tuple(odd, odd, odd, odd)
  .filter(([x1, y1, x2, y2]) => x1 < x2 && y1 < y2)
  .map((box): Box => box);

const rule: fc.Arbitrary<ModelRule> = fc.record({
  level: fc.constantFrom(0, 0, 0, 1, 2),
  roles: fc.subarray(['A', 'B', '*'], { minLength: 1 }),
  enabled: fc.nat(5).map((value) => value > 0),
  rows: fc.option(combine([...plainConditions, ...variableConditions])),
  attributes: fc.dictionary(fc.constantFrom(...lotAttributes, 'the_geom', '*'), fc.constantFrom('hide', 'read'), {
    maxKeys: 2,
    noNullPrototype: true,
  }),
  area: fc.option(fc.record({ box: area, mode: fc.constantFrom('intersects', 'clip') })),
});

export const modelRules = fc.array(rule, { minLength: 1, maxLength: 4 });

export function toCells([x1, y1, x2, y2]: Box): ReadonlySet<number> {
  const cells = new Set<number>();
  for (let x = x1; x < x2; x += 1) for (let y = y1; y < y2; y += 1) cells.add(toCell(x, y));
  return cells;
}

function shareCells(box: Box, cells: ReadonlySet<number>): readonly number[] {
  return [...toCells(box)].filter((each) => cells.has(each));
}

export function toCell(x: number, y: number): number {
  return y * SIDE + x;
}

/** Returns undefined if the layer is unrestricted. */
export function selectRules(rules: readonly ModelRule[], user: ModelUser): readonly ModelRule[] | undefined {
  const enabled = rules.filter((each) => each.enabled);
  const level = [0, 1, 2].find((each) => enabled.some((one) => one.level === each));
  if (level === undefined) return undefined;
  return enabled.filter(
    (each) => each.level === level && each.roles.some((role) => role === '*' || user.roles.includes(role)),
  );
}

const shows = ({ attributes }: ModelRule, name: string): boolean => (attributes[name] ?? attributes['*']) !== 'hide';

/** The attributes of the schema. */
export function listShown(rules: readonly ModelRule[] | undefined): readonly string[] {
  const all = [...lotAttributes, 'the_geom'];
  return rules === undefined ? all : all.filter((name) => rules.some((each) => shows(each, name)));
}

export function showLot(lot: Lot, rules: readonly ModelRule[] | undefined, user: ModelUser): VisibleLot | undefined {
  const whole = toCells(lot.box);
  if (rules === undefined) return { id: lot.id, values: lot.values, cells: whole };
  const selecting = rules.filter(
    ({ rows, area: limit }) =>
      (rows === null || rows.evaluate(lot.values, user) === true) &&
      (limit === null || shareCells(limit.box, whole).length > 0),
  );
  if (selecting.length === 0) return undefined;
  const show = <K extends keyof LotValues>(name: K): LotValues[K] | null =>
    selecting.some((each) => shows(each, name)) ? lot.values[name] : null;
  const drawing = selecting.filter((each) => shows(each, 'the_geom'));
  const parts = drawing.map(({ area: limit }) => (limit?.mode === 'clip' ? shareCells(limit.box, whole) : whole));
  const cells = new Set(parts.flatMap((each) => [...each]));
  return {
    id: lot.id,
    values: { num: show('num'), owner: show('owner'), tax: show('tax') },
    cells: drawing.length === 0 ? null : cells,
  };
}

export const lots: fc.Arbitrary<readonly Lot[]> = fc
  .array(
    fc.record({
      box: fc
        .tuple(fc.nat(6), fc.nat(6), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
        .map(([x, y, w, h]): Box => [x * 2, y * 2, Math.min(x + w, 8) * 2, Math.min(y + h, 8) * 2]),
      values: fc.record({
        num: fc.option(fc.nat(12)),
        owner: fc.option(fc.constantFrom(...owners)),
        tax: fc.option(fc.constantFrom('t1', 't2', 'x')),
      }),
    }),
    { minLength: 12, maxLength: 12 },
  )
  .map((rows) => rows.map((row, index) => ({ id: index + 1, ...row })));
