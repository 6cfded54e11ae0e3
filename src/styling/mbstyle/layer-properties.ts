/** Reads the layout and paint properties of a layer, and remembers which of them are used. */
import type { Expression, FunctionCall } from '../../filter/model/expression.ts';
import { readLiteralNumber, readLiteralText } from '../../filter/model/literal.ts';
import type { DocumentComplaints } from '../documents/document-complaints.ts';
import { type DocumentObject, type DocumentPath, type DocumentValue, isList } from '../documents/document-value.ts';
import type { Point } from '../model/paint.ts';
import { isZero, negateNumber } from './common/arithmetic.ts';
import type { OutputKind } from './common/output-kind.ts';
import type { ExpressionBudget, ExpressionContext } from './expression-inputs.ts';
import { createExpressionContext } from './expressions.ts';
import { translateValue } from './functions.ts';
import { computeListLength, pickItem } from './number-lists.ts';

export class LayerProperties {
  readonly complaints: DocumentComplaints;
  readonly path: DocumentPath;
  readonly #budget: ExpressionBudget;
  readonly #groups: readonly (readonly [group: 'layout' | 'paint', members: DocumentObject])[];
  readonly #used = new Set<string>(['visibility']);

  constructor(
    { complaints, budget, path }: Pick<ExpressionContext, 'complaints' | 'budget' | 'path'>,
    { layout, paint }: { readonly layout: DocumentObject; readonly paint: DocumentObject },
  ) {
    this.complaints = complaints;
    this.path = path;
    this.#budget = budget;
    this.#groups = [
      ['layout', layout],
      ['paint', paint],
    ];
  }

  has(name: string): boolean {
    return this.find(name) !== undefined;
  }

  number(name: string): Expression | undefined {
    return this.#translate(name, 'number');
  }

  text(name: string): Expression | undefined {
    return this.#translate(name, 'text');
  }

  /** The colour, and its opacity if it is not opaque. */
  color(name: string): { readonly color?: Expression; readonly alpha?: Expression } {
    const color = this.#translate(name, 'color');
    if (color === undefined) return {};
    const alpha = this.#translate(name, 'alpha');
    const isOpaque = alpha === undefined || isAlwaysOne(alpha);
    return { color, ...(isOpaque ? {} : { alpha }) };
  }

  /** A constant text; undefined for expressions, with a warning. */
  word(name: string): string | undefined {
    return readLiteralText(this.#constant(name, 'text'));
  }

  /** A constant number; undefined for expressions, with a warning. */
  constantNumber(name: string): number | undefined {
    return readLiteralNumber(this.#constant(name, 'number'));
  }

  flag(name: string): boolean | undefined {
    const text = readLiteralText(this.#constant(name, 'boolean'));
    return text === undefined ? undefined : text === 'true';
  }

  /** Items of a constant list. */
  list(name: string): readonly DocumentValue[] | undefined {
    const found = this.find(name);
    if (found === undefined) return undefined;
    const items = isList(found.value) && found.value[0] === 'literal' ? found.value[1] : found.value;
    if (isList(items) && items.every((each) => each === null || typeof each !== 'object')) return items;
    this.complaints.warn(found.path, 'only a constant list is supported');
    return undefined;
  }

  /** The items of a list of numbers, which can depend on the zoom or the feature. */
  numbers(name: string, isStepped = false): readonly Expression[] | undefined {
    const found = this.find(name);
    if (found === undefined) return undefined;
    const context = this.#createContext(found.path, 'number');
    const length = computeListLength(found.value);
    if (length === undefined) {
      this.complaints.warn(found.path, 'only lists of numbers are supported');
      return undefined;
    }
    const items = Array.from({ length }, (_, index) =>
      translateValue(pickItem(found.value, index, isStepped), context),
    );
    return items.every((each) => each !== undefined) ? items : undefined;
  }

  /** Two numbers. */
  pair(name: string): readonly [Expression, Expression] | undefined {
    const items = this.numbers(name);
    if (items === undefined) return undefined;
    const [x, y] = items;
    if (x !== undefined && y !== undefined && items.length === 2) return [x, y];
    this.complaints.add(this.find(name)?.path ?? this.path, 'expected two numbers');
    return undefined;
  }

  /** A displacement right and down as one right and up. */
  displacement(name: string): Point | undefined {
    const [x, y] = this.pair(name) ?? [];
    if (x === undefined || y === undefined || (isZero(x) && isZero(y))) return undefined;
    return { x, y: negateNumber(y) };
  }

  /** Warns about a property that is valid but has no effect. */
  ignore(...names: readonly string[]): void {
    for (const name of names) {
      const found = this.find(name);
      if (found !== undefined) this.complaints.warn(found.path, `${name} has no effect on maps`);
    }
  }

  /** Marks properties as known whose effect is the default. */
  accept(...names: readonly string[]): void {
    for (const name of names) this.#used.add(name);
  }

  /** Warns about properties that nothing has read. */
  reportUnused(): void {
    for (const [group, members] of this.#groups) {
      for (const name of members.keys()) {
        if (!this.#used.has(name) && !name.endsWith('-transition'))
          this.complaints.warnUnlessStrict([...this.path, group, name], `unknown property '${name}'`);
      }
    }
  }

  #translate(name: string, kind: OutputKind): Expression | undefined {
    const found = this.find(name);
    return found && translateValue(found.value, this.#createContext(found.path, kind));
  }

  #createContext(path: DocumentPath, kind: OutputKind): ExpressionContext {
    return createExpressionContext({ complaints: this.complaints, budget: this.#budget, path, kind });
  }

  #constant(name: string, kind: OutputKind): Expression | undefined {
    const value = this.#translate(name, kind);
    if (value !== undefined && value.kind !== 'literal')
      this.complaints.warn(this.find(name)?.path ?? this.path, `${name} must be a constant to have an effect`);
    return value;
  }

  /** The value as written. */
  find(name: string): { readonly value: DocumentValue; readonly path: DocumentPath } | undefined {
    this.#used.add(name);
    for (const [group, members] of this.#groups) {
      const value = members.get(name);
      if (value !== undefined && value !== null) return { value, path: [...this.path, group, name] };
    }
    return undefined;
  }
}

/** Opacities of opaque colours, in any combination, are 1. A `case` is as deep as its branches, hence no recursion. */
function isAlwaysOne(expression: Expression): boolean {
  const pending: Expression[] = [expression];
  for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
    if (each.kind === 'literal' && each.value === '1') continue;
    const outputs = each.kind === 'function' ? listOutputs(each) : undefined;
    if (outputs === undefined) return false;
    for (const output of outputs) pending.push(output);
  }
  return true;
}

/** Returns the arguments of which a function returns one; undefined for other functions. */
function listOutputs({ name, arguments: inputs }: FunctionCall): readonly Expression[] | undefined {
  switch (name) {
    case 'Interpolate':
      return inputs.slice(1, -1).filter((_, index) => index % 2 === 1);
    case 'Categorize':
      return inputs.slice(1).filter((_, index) => index % 2 === 0);
    case 'Recode':
      return inputs.slice(1).filter((_, index) => index % 2 === 1);
    case 'if_then_else':
      return inputs.slice(1);
    case 'coalesce':
      return inputs;
    default:
      return undefined;
  }
}
