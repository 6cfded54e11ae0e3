/** Evaluates templates within limits. Undefined values are written as empty text. */
import { builtIns, isEqual, toList, toNumber } from './built-ins.ts';
import { formatValue, Markup, Rendering, type RenderingLimits, type Value } from './rendering.ts';
import type {
  BinaryOperator,
  Template,
  TemplateExpression,
  TemplateNode,
  TemplateObject,
  TemplateOutput,
} from './template.ts';

export interface RenderedTemplate {
  readonly text: string;
  /** The names that the template uses without a default and that have no value. */
  readonly undefinedNames: readonly string[];
  readonly steps: number;
}

/** Throws a TemplateLimitError. */
export function renderTemplate(
  { nodes }: Pick<Template, 'nodes'>,
  values: TemplateObject,
  output: TemplateOutput,
  limits: RenderingLimits,
): RenderedTemplate {
  const rendering = new Rendering(output, limits);
  new Evaluation(rendering, values).writeNodes(nodes);
  return { text: rendering.finish(), undefinedNames: [...rendering.undefinedNames], steps: rendering.steps };
}

/** The largest range that a list can have. */
const MAX_RANGE = 10_000;

/** Built-ins of loop variables, and the names of the variables that they read. */
const loopBuiltIns: ReadonlyMap<string, (name: string) => string> = new Map([
  ['index', (name: string) => `${name}_index`],
  ['counter', (name: string) => `${name}_counter`],
  ['has_next', (name: string) => `${name}_has_next`],
]);

class Evaluation {
  readonly #rendering: Rendering;
  readonly #values: TemplateObject;
  readonly #variables = new Map<string, Value>();

  constructor(rendering: Rendering, values: TemplateObject) {
    this.#rendering = rendering;
    this.#values = values;
  }

  /** Returns false if a `<#break>` ended the nodes. */
  writeNodes(nodes: readonly TemplateNode[]): boolean {
    for (const node of nodes) {
      this.#rendering.countSteps();
      if (node.kind === 'break' || !this.#writeNode(node)) return false;
    }
    return true;
  }

  #writeNode(node: Exclude<TemplateNode, { kind: 'break' }>): boolean {
    switch (node.kind) {
      case 'text':
        this.#rendering.write(node.text);
        return true;
      case 'value':
        this.#rendering.write(this.#rendering.escape(this.#evaluate(node.expression)));
        return true;
      case 'assign':
        this.#variables.set(node.name, this.#evaluate(node.expression));
        return true;
      case 'if': {
        const branch = node.branches.find(
          ({ condition }) => condition === undefined || isTrue(this.#evaluate(condition)),
        );
        return branch === undefined || this.writeNodes(branch.nodes);
      }
      case 'list':
        return this.#writeList(node);
    }
  }

  #writeList({ items, name, nodes, otherwise }: Extract<TemplateNode, { kind: 'list' }>): boolean {
    const list = toList(this.#evaluate(items));
    if (list.length === 0) return this.writeNodes(otherwise);
    const names = [name, ...[...loopBuiltIns.values()].map((format) => format(name))];
    const before = names.map((each) => [each, this.#variables.get(each)] as const);
    for (const [index, item] of list.entries()) {
      this.#rendering.countSteps();
      const values = [item, index, index + 1, index + 1 < list.length];
      for (const [place, each] of names.entries()) this.#variables.set(each, values[place]);
      if (!this.writeNodes(nodes)) break;
    }
    for (const [each, value] of before) {
      if (value === undefined) this.#variables.delete(each);
      else this.#variables.set(each, value);
    }
    return true;
  }

  /** Reports an undefined value, unless the expression around it accepts one. */
  #evaluate(expression: TemplateExpression): Value {
    const value = this.#find(expression);
    if (value === undefined) this.#rendering.noteUndefined(formatName(expression));
    return value;
  }

  #find(expression: TemplateExpression): Value {
    this.#rendering.countSteps();
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'name':
        this.#rendering.countReading(expression.name);
        return this.#variables.has(expression.name)
          ? this.#variables.get(expression.name)
          : findEntry(this.#values, expression.name);
      case 'member':
        return this.#findMember(this.#find(expression.of), this.#evaluate(expression.key));
      case 'sequence':
        return expression.items.map((item) => this.#evaluate(item));
      case 'range':
        return this.#createRange(this.#evaluateNumber(expression.from), this.#evaluateNumber(expression.to));
      case 'exists':
        return this.#find(expression.of) !== undefined;
      case 'default':
        return this.#find(expression.of) ?? this.#evaluate(expression.otherwise);
      case 'not':
        return !isTrue(this.#evaluate(expression.of));
      case 'negative':
        return -this.#evaluateNumber(expression.of);
      case 'binary':
        return this.#combine(expression.operator, expression.left, expression.right);
      case 'builtIn':
        return this.#applyBuiltIn(expression);
    }
  }

  #evaluateNumber(expression: TemplateExpression): number {
    const value = this.#evaluate(expression);
    this.#rendering.countReading(value);
    return toNumber(value);
  }

  #findMember(of: Value, key: Value): Value {
    this.#rendering.countReading(key);
    if (of instanceof Map) return findEntry(of, formatValue(key));
    return Array.isArray(of) ? of[toNumber(key)] : undefined;
  }

  #createRange(from: number, to: number): Value {
    const length = Math.abs(to - from) + 1;
    if (!(length <= MAX_RANGE)) return [];
    this.#rendering.countSteps(length);
    return Array.from({ length }, (_, index) => (to < from ? from - index : from + index));
  }

  #applyBuiltIn({ name, of, parameters }: Extract<TemplateExpression, { kind: 'builtIn' }>): Value {
    const formatVariable = loopBuiltIns.get(name);
    if (formatVariable !== undefined)
      return of.kind === 'name' ? this.#variables.get(formatVariable(of.name)) : undefined;
    const builtIn = builtIns.get(name);
    if (builtIn === undefined) return undefined;
    const value = builtIn.acceptsUndefined ? this.#find(of) : this.#evaluate(of);
    const given = parameters.map((each) => this.#evaluate(each));
    if (builtIn.readsValues) for (const each of [value, ...given]) this.#rendering.countReading(each);
    const result = builtIn.apply(value, given, this.#rendering);
    if (typeof result === 'string' || result instanceof Markup) this.#rendering.checkText(formatValue(result));
    return result;
  }

  #combine(operator: BinaryOperator, one: TemplateExpression, other: TemplateExpression): Value {
    const left = this.#evaluate(one);
    if (operator === '&&') return isTrue(left) && isTrue(this.#evaluate(other));
    if (operator === '||') return isTrue(left) || isTrue(this.#evaluate(other));
    const right = this.#evaluate(other);
    if (operator === '+') return this.#add(left, right);
    for (const each of [left, right]) this.#rendering.countReading(each);
    if (operator === '==') return isEqual(left, right);
    if (operator === '!=') return !isEqual(left, right);
    return calculate(operator, toNumber(left), toNumber(right));
  }

  #add(left: Value, right: Value): Value {
    if (typeof left === 'number' && typeof right === 'number') return left + right;
    if (Array.isArray(left) && Array.isArray(right)) {
      this.#rendering.countSteps(left.length + right.length);
      return [...left, ...right];
    }
    if (left instanceof Markup || right instanceof Markup) {
      for (const each of [left, right]) this.#rendering.countReading(each);
      return new Markup(this.#rendering.checkText(`${this.#rendering.escape(left)}${this.#rendering.escape(right)}`));
    }
    return this.#rendering.checkText(`${formatValue(left)}${formatValue(right)}`);
  }
}

/** Names of parameters are stored in lower case, and templates write them in any case. */
function findEntry(object: ReadonlyMap<string, Value>, name: string): Value {
  return object.get(name) ?? object.get(name.toLowerCase());
}

function calculate(operator: Exclude<BinaryOperator, '&&' | '||' | '==' | '!=' | '+'>, a: number, b: number): Value {
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
  }
}

/** Attribute values are text, so the text `true` counts too. */
function isTrue(value: Value): boolean {
  return value === true || formatValue(value) === 'true';
}

/** Formats the name of a variable or member for a warning. */
function formatName(expression: TemplateExpression): string {
  switch (expression.kind) {
    case 'name':
      return expression.name;
    case 'member': {
      const key = expression.key.kind === 'literal' ? formatValue(expression.key.value) : '…';
      return `${formatName(expression.of)}.${key}`;
    }
    default:
      return 'an expression';
  }
}
