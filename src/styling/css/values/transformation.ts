/** Reads rendering transformations, such as `ras:Contour(levels: 100 200)`, into the function calls of SLD. */
import type { Expression, FunctionCall } from '../../../filter/model/expression.ts';
import { createLiteral } from '../../../filter/model/literal.ts';
import { dataNames } from '../../transformations/process-call.ts';
import type { Argument, Term } from '../tokens/terms.ts';
import type { ValueKind } from './value-kind.ts';

export const transformation: ValueKind = {
  expected: 'a transformation such as ras:Contour(levels: 100 200)',
  read([term, ...more]) {
    const call = term?.kind === 'call' && more.length === 0 ? readCall(term) : undefined;
    return call === undefined ? undefined : { kind: 'transformation', call };
  },
};

/**
 * Each parameter is a call of `parameter` with its name and values. The data of the layer is passed as `data`, which
 * every transformation accepts.
 */
function readCall({ name, arguments: given }: Term & { readonly kind: 'call' }): FunctionCall | undefined {
  const parameters = given.map(readParameter);
  if (!parameters.every((each) => each !== undefined)) return undefined;
  const hasData = given.some(({ name = '' }) => dataNames.has(name));
  return { kind: 'function', name, arguments: hasData ? parameters : [createParameter('data', []), ...parameters] };
}

function readParameter({ name, terms }: Argument): Expression | undefined {
  if (name === undefined) return undefined;
  const values = terms.map(readValue);
  return values.every((each) => each !== undefined) ? createParameter(name, values) : undefined;
}

function createParameter(name: string, values: readonly Expression[]): FunctionCall {
  return { kind: 'function', name: 'parameter', arguments: [createLiteral(name), ...values] };
}

function readValue(term: Term): Expression | undefined {
  switch (term.kind) {
    case 'expression':
      return term.expression;
    case 'call': {
      // Only calls of other transformations have named arguments.
      if (term.arguments.some(({ name }) => name !== undefined)) return readCall(term);
      const inputs = term.arguments.map(({ name, terms: [only, ...more] }) =>
        only === undefined || more.length > 0 || name !== undefined ? undefined : readValue(only),
      );
      return inputs.every((each) => each !== undefined)
        ? { kind: 'function', name: term.name, arguments: inputs }
        : undefined;
    }
    case 'number':
      return createLiteral(term.text + term.unit);
    default:
      return createLiteral(term.text);
  }
}
