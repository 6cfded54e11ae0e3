/** The inputs of an operator, and what is known where they are translated. */
import type { Expression } from '../../filter/model/expression.ts';
import type { DocumentComplaints } from '../documents/document-complaints.ts';
import type { DocumentPath, DocumentValue } from '../documents/document-value.ts';
import type { OutputKind } from './common/output-kind.ts';

/** The most expressions of a style. Variables repeat theirs, so that a short style could have any number of them. */
const MAX_EXPRESSIONS = 200_000;

export interface ExpressionContext {
  readonly complaints: DocumentComplaints;
  readonly path: DocumentPath;
  readonly kind: OutputKind;
  /** The expressions that `let` has bound. */
  readonly variables: Variables;
  /** Shared by the whole style. */
  readonly budget: ExpressionBudget;
  /** Translates the value of an input, of any operator. */
  readonly translate: (value: DocumentValue, context: ExpressionContext) => Expression | undefined;
}

export type Variables = ReadonlyMap<string, Variable>;

export interface Variable {
  readonly value: DocumentValue;
  readonly path: DocumentPath;
  /** The variables that its value can use: those around its `let`. */
  readonly variables: Variables;
}

/** Counts the expressions of a style. */
export class ExpressionBudget {
  #used = 0;

  /** Returns false, after one error, if the style has too many expressions. */
  take({ complaints, path }: ExpressionContext): boolean {
    this.#used += 1;
    if (this.#used === MAX_EXPRESSIONS + 1)
      complaints.add(path, `the style has more than ${MAX_EXPRESSIONS} expressions, with those that variables repeat`);
    return this.#used <= MAX_EXPRESSIONS;
  }
}

/** Translates an operator with its inputs. Returns undefined after an error or a warning. */
export type Translate = (inputs: readonly DocumentValue[], context: ExpressionContext) => Expression | undefined;

/** The context of an input; the operator is item 0. */
export function enterInput(
  context: ExpressionContext,
  index: number,
  kind: OutputKind = context.kind,
): ExpressionContext {
  return { ...context, path: [...context.path, index + 1], kind };
}

export function translateInput(
  inputs: readonly DocumentValue[],
  index: number,
  context: ExpressionContext,
  kind: OutputKind = context.kind,
): Expression | undefined {
  const input = inputs[index];
  if (input === undefined) {
    const least = index + 1;
    context.complaints.add(context.path, `the operator needs at least ${least} input${least === 1 ? '' : 's'}`);
    return undefined;
  }
  return context.translate(input, enterInput(context, index, kind));
}

/** Returns undefined if one of the inputs is invalid. */
export function translateInputs(
  inputs: readonly DocumentValue[],
  context: ExpressionContext,
  kind: OutputKind,
  least = 1,
): readonly Expression[] | undefined {
  const count = Math.max(least, inputs.length);
  const all = Array.from({ length: count }, (_, index) => translateInput(inputs, index, context, kind));
  return all.every((each) => each !== undefined) ? all : undefined;
}
