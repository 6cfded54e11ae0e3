/** Compiles Jiffle scripts to closures, which run for each cell with a limit of steps. */

import {
  JiffleError,
  type JiffleExpression,
  type JiffleScript,
  type JiffleStatement,
} from '../../../styling/transformations/jiffle/jiffle-syntax.ts';
import { jiffleFunctions } from './jiffle-functions.ts';

/** The steps of loops in one cell, and in all cells. */
const MAX_CELL_STEPS = 10_000;
const MAX_STEPS = 50_000_000;

/** The length of a list. */
const MAX_ITEMS = 1_000;

/** Reads a band of a source; the cell can be outside of it. */
export interface JiffleSource {
  readonly name: string;
  read(band: number, column: number, row: number): number;
}

export interface JiffleGrid {
  readonly width: number;
  readonly height: number;
  readonly originX: number;
  readonly originY: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
}

interface State {
  column: number;
  row: number;
  readonly values: (number | number[])[];
  readonly output: Float64Array;
  steps: number;
  allSteps: number;
  isBroken: boolean;
}

type Value = number | number[];
type Evaluate = (state: State) => number;
type EvaluateAny = (state: State) => Value;
type Execute = (state: State) => void;

/** Computes all cells: `write` receives the bands of each. */
export function runJiffle(
  script: JiffleScript,
  sources: readonly JiffleSource[],
  grid: JiffleGrid,
  write: (cell: number, bands: Float64Array) => void,
): void {
  const compiler = new JiffleCompiler(sources, grid, script.outside);
  const initial = compiler.compileStatements(script.initial);
  const execute = compiler.compileStatements(script.statements);
  const output = new Float64Array(script.bands);
  const state: State = {
    column: 0,
    row: 0,
    values: new Array<Value>(compiler.variables).fill(Number.NaN),
    output,
    steps: 0,
    allSteps: 0,
    isBroken: false,
  };
  initial(state);
  for (let row = 0; row < grid.height; row += 1) {
    for (let column = 0; column < grid.width; column += 1) {
      state.column = column;
      state.row = row;
      state.allSteps += state.steps;
      state.steps = 0;
      output.fill(Number.NaN);
      execute(state);
      write(row * grid.width + column, output);
    }
  }
}

class JiffleCompiler {
  readonly #sources: readonly JiffleSource[];
  readonly #grid: JiffleGrid;
  readonly #outside: number;
  readonly #names = new Map<string, number>();

  constructor(sources: readonly JiffleSource[], grid: JiffleGrid, outside: number) {
    this.#sources = sources;
    this.#grid = grid;
    this.#outside = outside;
  }

  get variables(): number {
    return this.#names.size;
  }

  compileStatements(statements: readonly JiffleStatement[]): Execute {
    const compiled = statements.map((each) => this.#compileStatement(each));
    return (state) => {
      for (const execute of compiled) {
        execute(state);
        if (state.isBroken) return;
      }
    };
  }

  #compileStatement(statement: JiffleStatement): Execute {
    switch (statement.kind) {
      case 'assign': {
        const slot = this.#findSlot(statement.name);
        const value = this.#compileAny(statement.value);
        return (state) => {
          state.values[slot] = value(state);
        };
      }
      case 'append': {
        const slot = this.#findSlot(statement.name);
        const value = this.#compile(statement.value);
        return (state) => {
          const list = state.values[slot];
          const items = Array.isArray(list) ? list : [];
          if (items.length >= MAX_ITEMS) throw new JiffleError(`a list has more than ${MAX_ITEMS} items`);
          state.values[slot] = [...items, value(state)];
          countStep(state);
        };
      }
      case 'write': {
        const value = this.#compile(statement.value);
        const band = statement.band && this.#compile(statement.band);
        if (band === undefined)
          return (state) => {
            state.output[0] = value(state);
          };
        return (state) => {
          state.output[band(state)] = value(state);
        };
      }
      case 'if': {
        const condition = this.#compile(statement.condition);
        const whenTrue = this.#compileStatement(statement.whenTrue);
        const whenFalse = statement.whenFalse && this.#compileStatement(statement.whenFalse);
        return (state) => {
          if (isTrue(condition(state))) whenTrue(state);
          else whenFalse?.(state);
        };
      }
      case 'loop':
        return this.#compileLoop(statement);
      case 'forEach':
        return this.#compileForEach(statement);
      case 'break':
        return (state) => {
          state.isBroken = true;
        };
      case 'block':
        return this.compileStatements(statement.statements);
    }
  }

  #compileLoop({ condition, endsWhen, body }: Extract<JiffleStatement, { readonly kind: 'loop' }>): Execute {
    const test = this.#compile(condition);
    const execute = this.#compileStatement(body);
    return (state) => {
      while (isTrue(test(state)) !== endsWhen && !state.isBroken) {
        countStep(state);
        execute(state);
      }
      state.isBroken = false;
    };
  }

  #compileForEach({ name, items, body }: Extract<JiffleStatement, { readonly kind: 'forEach' }>): Execute {
    const slot = this.#findSlot(name);
    const execute = this.#compileStatement(body);
    if ('kind' in items) {
      const list = this.#compileAny(items);
      return (state) => {
        const values = list(state);
        for (const value of Array.isArray(values) ? values : [values]) {
          countStep(state);
          state.values[slot] = value;
          execute(state);
          if (state.isBroken) break;
        }
        state.isBroken = false;
      };
    }
    const [from, to] = items.map((each) => this.#compile(each));
    return (state) => {
      const last = to?.(state) ?? Number.NaN;
      for (let value = from?.(state) ?? Number.NaN; value <= last && !state.isBroken; value += 1) {
        countStep(state);
        state.values[slot] = value;
        execute(state);
      }
      state.isBroken = false;
    };
  }

  #compileAny(expression: JiffleExpression): EvaluateAny {
    if (expression.kind === 'list') {
      const items = expression.items.map((each) => this.#compile(each));
      return (state) => items.map((each) => each(state));
    }
    if (expression.kind === 'variable') {
      const known = this.#compileConstant(expression.name);
      if (known !== undefined) return known;
      const slot = this.#findSlot(expression.name);
      return (state) => state.values[slot] ?? Number.NaN;
    }
    return this.#compile(expression);
  }

  #compile(expression: JiffleExpression): Evaluate {
    switch (expression.kind) {
      case 'number': {
        const { value } = expression;
        return () => value;
      }
      case 'variable':
      case 'list': {
        const any = this.#compileAny(expression);
        return (state) => {
          const value = any(state);
          return typeof value === 'number' ? value : Number.NaN;
        };
      }
      case 'source':
        return this.#compileSource(expression);
      case 'unary': {
        const value = this.#compile(expression.value);
        return expression.operator === '-' ? (state) => -value(state) : (state) => (isTrue(value(state)) ? 0 : 1);
      }
      case 'binary':
        return compileBinary(expression.operator, this.#compile(expression.left), this.#compile(expression.right));
      case 'choice': {
        const [test, one, other] = [expression.condition, expression.whenTrue, expression.whenFalse].map((each) =>
          this.#compile(each),
        );
        return (state) => (isTrue(test?.(state) ?? 0) ? (one?.(state) ?? 0) : (other?.(state) ?? 0));
      }
      case 'call':
        return this.#compileCall(expression);
    }
  }

  #compileSource({ name, band, offset }: Extract<JiffleExpression, { readonly kind: 'source' }>): Evaluate {
    const source = this.#sources.find((each) => each.name === name);
    if (source === undefined) throw new JiffleError(`the source '${name}' does not exist`);
    const { width, height } = this.#grid;
    const outside = this.#outside;
    const [place, right, down] = [band, offset?.[0], offset?.[1]].map((each) => each && this.#compile(each));
    // Most scripts read only the cell itself.
    if (right === undefined && place === undefined) return (state) => source.read(0, state.column, state.row);
    if (right === undefined) return (state) => source.read(place?.(state) ?? 0, state.column, state.row);
    return (state) => {
      const column = state.column + Math.round(right?.(state) ?? 0);
      const row = state.row + Math.round(down?.(state) ?? 0);
      if (!(column >= 0 && column < width && row >= 0 && row < height)) return outside;
      return source.read(place?.(state) ?? 0, column, row);
    };
  }

  #compileConstant(name: string): Evaluate | undefined {
    const value = { M_PI: Math.PI, M_PI_2: Math.PI / 2, M_PI_4: Math.PI / 4, M_E: Math.E, M_SQRT2: Math.SQRT2 }[name];
    return value === undefined ? undefined : () => value;
  }

  #compileCall({ name, arguments: given }: Extract<JiffleExpression, { readonly kind: 'call' }>): Evaluate {
    const position = this.#compilePosition(name);
    if (position !== undefined) return position;
    const compute = jiffleFunctions.get(name.toLowerCase());
    if (compute === undefined) throw new JiffleError(`the function '${name}' is unknown`);
    const values = given.map((each) => this.#compileAny(each));
    return (state) => {
      const found: number[] = [];
      for (const value of values) {
        const each = value(state);
        if (typeof each === 'number') found.push(each);
        else for (const item of each) found.push(item);
      }
      return compute(found);
    };
  }

  #compilePosition(name: string): Evaluate | undefined {
    const { originX, originY, cellWidth, cellHeight, width, height } = this.#grid;
    switch (name) {
      case 'x':
        return ({ column }) => originX + (column + 0.5) * cellWidth;
      case 'y':
        return ({ row }) => originY - (row + 0.5) * cellHeight;
      case 'width':
        return () => width;
      case 'height':
        return () => height;
      case 'xmin':
        return () => originX;
      case 'ymin':
        return () => originY - height * cellHeight;
      case 'xres':
        return () => cellWidth;
      case 'yres':
        return () => cellHeight;
      default:
        return undefined;
    }
  }

  #findSlot(name: string): number {
    const found = this.#names.get(name) ?? this.#names.size;
    this.#names.set(name, found);
    return found;
  }
}

function countStep(state: State): void {
  state.steps += 1;
  if (state.steps > MAX_CELL_STEPS || state.allSteps + state.steps > MAX_STEPS)
    throw new JiffleError(`the loops exceed ${MAX_CELL_STEPS} steps in a cell, or ${MAX_STEPS} in the map`);
}

function isTrue(value: number): boolean {
  return value !== 0 && !Number.isNaN(value);
}

function compileBinary(operator: string, left: Evaluate, right: Evaluate): Evaluate {
  switch (operator) {
    case '+':
      return (state) => left(state) + right(state);
    case '-':
      return (state) => left(state) - right(state);
    case '*':
      return (state) => left(state) * right(state);
    case '/':
      return (state) => left(state) / right(state);
    case '%':
      return (state) => left(state) % right(state);
    case '^':
      return (state) => left(state) ** right(state);
    case '<':
      return (state) => (left(state) < right(state) ? 1 : 0);
    case '<=':
      return (state) => (left(state) <= right(state) ? 1 : 0);
    case '>':
      return (state) => (left(state) > right(state) ? 1 : 0);
    case '>=':
      return (state) => (left(state) >= right(state) ? 1 : 0);
    case '==':
      return (state) => (left(state) === right(state) ? 1 : 0);
    case '!=':
      return (state) => (left(state) !== right(state) ? 1 : 0);
    case '&&':
      return (state) => (isTrue(left(state)) && isTrue(right(state)) ? 1 : 0);
    case '||':
      return (state) => (isTrue(left(state)) || isTrue(right(state)) ? 1 : 0);
    case '^|':
      return (state) => (isTrue(left(state)) === isTrue(right(state)) ? 0 : 1);
    default:
      throw new JiffleError(`the operator '${operator}' is unknown`);
  }
}
